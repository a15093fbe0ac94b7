// ONNX Runtime's own optimiser tests under our rules: for each model which rules fire, which reasons keep the rest apart, and
// why that is right (tests/data/fusion_corpus.tsv: model, rules that fire, reasons, why).
#include "engine/formats/model_file.h"
#include "engine/formats/soc_ini.h"
#include "engine/fusion/chains.h"
#include "tests/engine/passes/graph_entries.h"
#include "tests/engine/passes/pass_fixture.h"

#include <QtTest>

#include <fstream>
#include <sstream>

using namespace gelens;
using namespace gelens::test;

namespace fs = std::filesystem;

namespace {

struct Outcome {
    std::string fires;   ///< "RuleA 2, RuleB 1", by name; "-" when none
    std::string reasons; ///< "NoRule, UnitConflict", by name; "-" when nothing was left unfused
};

std::string joined(const std::set<std::string>& parts)
{
    return parts.empty() ? std::string("-") : fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::vector<std::string>> readTable()
{
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(std::string(GELENS_SOURCE_DIR) + "/tests/data/fusion_corpus.tsv");
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
        rows.push_back(std::move(cells));
    }
    return rows;
}

} // namespace

class TestFusionCorpus : public QObject {
    Q_OBJECT

private:
    const fs::path m_models = fs::path(GELENS_CORPUS_DIR) / "onnx/fusion";
    SocSpec m_soc;
    RuleSet m_rules;

    Outcome outcomeOf(Graph& graph, std::string& error)
    {
        PassRunner runner(graph, m_rules);
        runner.soc = m_soc;
        std::vector<PassEntry> entries = runner.pipeline();
        std::erase_if(entries, [](const PassEntry& entry) { return entry.info.stage != Stage::Compile; });
        error = runner.run(entries);
        std::map<std::string, int> fired;
        std::vector<FusionVerdict> verdicts;
        for (const Step& step : runner.steps) {
            for (const auto& [name, count] : step.counters)
                if (name == "effective" && !step.rule.empty()) fired[step.rule] += static_cast<int>(count);
            verdicts.insert(verdicts.end(), step.verdicts.begin(), step.verdicts.end());
        }
        std::set<std::string> fires, reasons;
        for (const auto& [rule, count] : fired)
            if (count > 0) fires.insert(fmt::format("{} {}", rule, count));
        FusionEnvironment environment;
        environment.soc = &m_soc;
        for (const Chain& chain : findChains(graph, m_rules, environment, verdicts))
            reasons.insert(std::string(reasonName(chain.reason)));
        return {joined(fires), joined(reasons)};
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(m_models)) QSKIP("no corpus on this machine");
        auto soc = readSocIni(std::string(GELENS_SOURCE_DIR) + "/resources/soc/Ascend910B1.ini");
        QVERIFY2(soc.ok(), soc.ok() ? "" : soc.error().message().c_str());
        m_soc = *soc;
        std::vector<Message> messages;
        m_rules = RuleSet::load({fs::path(GELENS_SOURCE_DIR) / "resources/rules"}, messages);
    }

    void theTableIsWhole()
    {
        std::set<std::string> models, rows;
        for (const auto& entry : fs::directory_iterator(m_models)) models.insert(entry.path().filename().string());
        for (const auto& row : readTable()) {
            QVERIFY2(row.size() == 4 && row[3].size() > 20, row[0].c_str()); // every row says why
            QVERIFY2(rows.insert(row[0]).second, row[0].c_str());
        }
        QVERIFY(models == rows);
    }

    void models_data()
    {
        QTest::addColumn<QByteArray>("fires");
        QTest::addColumn<QByteArray>("reasons");
        for (const auto& row : readTable())
            if (row.size() == 4)
                QTest::newRow(row[0].c_str()) << QByteArray(row[1].c_str()) << QByteArray(row[2].c_str());
    }

    void models()
    {
        QFETCH(const QByteArray, fires);
        QFETCH(const QByteArray, reasons);
        auto document = openModel(modelPath(m_models / QTest::currentDataTag()));
        std::string error;
        Outcome outcome;
        if (document.ok())
            outcome = outcomeOf(document->graph, error);
        else
            error = document.error().message();
        if (fires == "refused") { // the model contradicts itself: `reasons` is what is said of it
            QVERIFY2(error.find(reasons.toStdString()) != std::string::npos, error.c_str());
            return;
        }
        QVERIFY2(error.empty(), error.c_str());
        QCOMPARE(QByteArray(outcome.fires.c_str()), fires);
        QCOMPARE(QByteArray(outcome.reasons.c_str()), reasons);
    }
};

QTEST_GUILESS_MAIN(TestFusionCorpus)
#include "tst_fusion_corpus.moc"
