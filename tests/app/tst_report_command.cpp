// `gelens-cli compile --report`, and the options that the window copies onto a command line.
#include "app/gui/debug_tools.h"
#include "engine/report/report_model.h"
#include "engine/session/what_if.h"
#include "tests/app/cli_fixture.h"
#include "viewers/report/report_words.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace gelens;
using namespace gelens::test;

namespace {

std::string sample(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

} // namespace

class TestReportCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLargeModelFitsIntoFiveMegabytes()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("llama.html")).toStdString();
        const Answer answer = cli({"compile", sample("llama-7b"), "--report", path, "--json"});
        QCOMPARE(answer.status, 0);
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.size() < 5'000'000, qPrintable(QString::number(file.size())));
        const QString html = QString::fromUtf8(file.readAll());
        QVERIFY(html.count(QStringLiteral("<svg")) >= 4);
        QVERIFY(!html.contains(QStringLiteral("<script")) && !html.contains(QStringLiteral("<link")) &&
                !html.contains(QStringLiteral("src=")));
        // Its numbers are those that the same command prints as JSON.
        const auto json = nlohmann::json::parse(answer.out);
        const std::pair<const char*, nlohmann::json> wanted[] = {
            {"nodes.after", json["nodes"]["after"]},
            {"nodes.before", json["nodes"]["before"]},
            {"memory_bytes.after", json["memory_bytes"]["after"]},
            {"memory_bytes.lower_bound", json["memory_bytes"]["lower_bound"]},
            {"latency_us.after", json["latency_us"]["after"]},
            {"fusion_rate", json["fusion_rate"]},
            {"kernel_cache.compiled", json["kernel_cache"]["compiled"]}};
        for (const auto& [figure, value] : wanted) {
            const QRegularExpression cell(QStringLiteral("data-figure=\"%1\" data-value=\"([^\"]*)\"")
                                              .arg(QRegularExpression::escape(QLatin1String(figure))));
            const auto match = cell.match(html);
            QVERIFY2(match.hasMatch(), figure);
            QCOMPARE(match.captured(1).toStdString(), value.dump());
        }
    }

    void otherEndingsAreRefused()
    {
        QTemporaryDir folder;
        const Answer answer = cli(
            {"compile", sample("attention-fits"), "--report", folder.filePath(QStringLiteral("r.doc")).toStdString()});
        QCOMPARE(answer.status, 2);
        QVERIFY(answer.err.starts_with("gelens-cli: error:") && answer.err.find("r.doc") != std::string::npos);
    }

    void buffersCanBeSet()
    {
        // What the chip is too small for fits with a larger L1.
        const auto run = [](std::vector<std::string> more) {
            std::vector<std::string> arguments{"compile", sample("attention-too-long"), "--soc", "Ascend310P3",
                                               "--json"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            const Answer answer = cli(arguments);
            return answer.status == 0 ? nlohmann::json::parse(answer.out)["nodes"]["after"].get<int>() : -1;
        };
        CompileOptions options;
        options.buffers.l1 = 1081344;
        const int before = run({}), after = run(argumentsOf(options));
        QVERIFY2(after > 0 && after < before, qPrintable(QStringLiteral("%1 %2").arg(before).arg(after)));
        QCOMPARE(run({"--l1", "-4"}), -1);
    }

    void theWindowKnowsEveryWordOfTheReport()
    {
        // In an English window each word comes back as it is; one that the list lacks would as well, so the translator is asked.
        const ReportWords words = reportWords();
        for (const std::string_view text : reportTexts()) QCOMPARE(words.text(text), std::string(text));
        QTranslator translator;
        QVERIFY(translator.load(QStringLiteral(":/translations/gelens_zh_CN.qm")));
        for (const std::string_view text : reportTexts())
            QVERIFY2(!translator.translate("gelens::Report", std::string(text).c_str()).isEmpty(),
                     std::string(text).c_str());
    }
};

QTEST_MAIN(TestReportCommand)
#include "tst_report_command.moc"
