// "Which pass broke it": a rule whose pattern was there at an earlier step, and the pass that took it apart.
#include "engine/report/run_json.h"
#include "engine/session/broken_patterns.h"
#include "engine/session/session.h"
#include "tests/support/graph_builder.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <fstream>

using namespace gelens;
using namespace gelens::test;

namespace {

/// y = dropout(a + b) · c: the Dropout goes while the graph is prepared.
std::shared_ptr<const Graph> droppedSum()
{
    GraphBuilder g;
    const OutputRef sum = g.op("Add", {g.input("a", {4, 8}), g.input("b", {4, 8})}, {}, "sum");
    const OutputRef kept = g.op("Dropout", {sum}, {}, "drop");
    g.outputs({g.op("Mul", {kept, g.input("c", {4, 8})}, {}, "product")});
    return std::make_shared<const Graph>(g.graph());
}

/// A rule of the user's for Add → `middle` → Mul.
void writeRule(const QString& folder, const char* middle)
{
    std::ofstream out((folder + QStringLiteral("/own.textproto")).toStdString());
    out << "rule { id: \"OwnFusion\" evidence: \"A\" unit: VECTOR input { name: \"a\" } input { name: \"b\" } input { name: \"c\" } "
           "node { name: \"product\" op: \"Mul\" in: \"middle\" in: \"c\" } node { name: \"middle\" op: \""
        << middle
        << "\" in: \"sum\" } node { name: \"sum\" op: \"Add\" in: \"a\" in: \"b\" } root: \"product\" "
           "new_node { name: \"m\" op: \"Add\" in: \"x1=a\" in: \"x2=b\" } output { of: \"product\" by: \"m\" } }";
}

std::shared_ptr<const Run> runWith(const QString& rules)
{
    CompileOptions options;
    options.ruleFolders = {rules.toStdString()};
    auto session = Session::ofGraph(droppedSum(), {}, options);
    auto run = session->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

std::vector<std::size_t> allChains(const Run& run)
{
    std::vector<std::size_t> chains(run.chains.size());
    for (std::size_t i = 0; i < chains.size(); ++i) chains[i] = i;
    return chains;
}

} // namespace

class TestBrokenPatterns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesThePass()
    {
        QTemporaryDir folder;
        writeRule(folder.path(), "Dropout");
        const auto run = runWith(folder.path());
        QVERIFY2(run->messages.empty() || run->messages.front().id.find("rule") == std::string::npos,
                 run->messages.empty() ? "" : run->messages.front().text.c_str());
        const auto broken = findBrokenPatterns(*run, allChains(*run));
        QVERIFY(!broken.empty());
        const BrokenPattern& pattern = broken.begin()->second;
        QCOMPARE(pattern.rule, std::string("OwnFusion"));
        QCOMPARE(pattern.pass, std::string("DropOutPass"));
        QCOMPARE(run->step(pattern.brokenBy).pass, std::string("DropOutPass"));
        QVERIFY(pattern.matchedUntil < pattern.brokenBy);
        QVERIFY((pattern.nodes == std::vector<std::string>{"product", "drop", "sum"}));
        const ChainLink& link = run->chains[broken.begin()->first.first].links[broken.begin()->first.second];
        QCOMPARE(link.fromName, std::string("sum"));
        QCOMPARE(link.toName, std::string("product"));

        const auto json = nlohmann::json::parse(chainsToJson(*run, {}));
        bool isTold = false;
        for (const auto& chain : json["chains"])
            for (const auto& entry : chain["links"])
                if (!entry["broken_by"].is_null()) {
                    isTold = true;
                    QCOMPARE(entry["broken_by"]["pass"].get<std::string>(), std::string("DropOutPass"));
                    QCOMPARE(entry["broken_by"]["step"].get<int>(), pattern.brokenBy.value);
                }
        QVERIFY(isTold);
    }

    void nothingWhereThePatternNeverWas()
    {
        QTemporaryDir folder;
        writeRule(folder.path(), "Sqrt");
        const auto run = runWith(folder.path());
        for (const auto& [place, pattern] : findBrokenPatterns(*run, allChains(*run)))
            QVERIFY(pattern.rule != "OwnFusion");
    }
};

QTEST_GUILESS_MAIN(TestBrokenPatterns)
#include "tst_broken_patterns.moc"
