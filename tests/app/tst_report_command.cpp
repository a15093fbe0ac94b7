// `gelens-cli compile --report`, and the options that the window copies onto a command line.
#include "app/gui/debug_tools.h"
#include "app/gui/report_tools.h"
#include "engine/report/report_model.h"
#include "engine/session/what_if.h"
#include "tests/app/cli_fixture.h"
#include "tests/app/window_fixture.h"
#include "viewers/report/report_words.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace gelens;
using namespace gelens::test;

namespace {

std::string sampleFile(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

QString textOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The number that a figure's key names in `compile --json`: "nodes.after", "fusions.RULE.matched", "steps.12.changes".
nlohmann::json numberAt(const nlohmann::json& json, const QString& figure)
{
    const QString first = figure.section(QLatin1Char('.'), 0, 0), last = figure.section(QLatin1Char('.'), -1);
    const std::string middle = figure.section(QLatin1Char('.'), 1, -2).toStdString(), field = last.toStdString();
    if (first == QLatin1String("fusions")) {
        for (const auto& fusion : json["fusions"])
            if (fusion["rule"] == middle) return fusion.value(field, nlohmann::json());
        return {};
    }
    if (first == QLatin1String("steps")) {
        for (const auto& step : json["steps"])
            if (std::to_string(step["index"].get<int>()) == middle) return step.value(field, nlohmann::json());
        return {};
    }
    const nlohmann::json* at = &json;
    for (const QString& key : figure.split(QLatin1Char('.'))) {
        const auto found = at->find(key.toStdString());
        if (found == at->end()) return {};
        at = &*found;
    }
    return *at;
}

/// Every number of the report that bears a key is the one of `compile --json`, and every number of its summary bears one.
void numbersAre(const QString& html, const nlohmann::json& json)
{
    static const QRegularExpression cell(QStringLiteral("data-figure=\"([^\"]*)\" data-value=\"([^\"]*)\""));
    QSet<QString> seen;
    for (auto match = cell.globalMatch(html); match.hasNext();) {
        const auto found = match.next();
        seen.insert(found.captured(1));
        QCOMPARE(found.captured(2).toStdString(), numberAt(json, found.captured(1)).dump());
    }
    for (const char* figure : {"nodes", "intermediate_tensors", "memory_bytes", "tasks", "latency_us"})
        for (const char* side : {".before", ".after"})
            QVERIFY2(seen.contains(QLatin1String(figure) + QLatin1String(side)), figure);
    for (const char* figure :
         {"fusion_rate", "memory_reuse_rate", "memory_bytes.lower_bound", "memory_bytes.ge_after",
          "memory_bytes.unshared_after", "memory_bytes.weights", "kernel_cache.compiled", "kernel_cache.shared"})
        QVERIFY2(seen.contains(QLatin1String(figure)), figure);
    // The column of reductions aside, which JSON leaves to its reader.
    const QString summary =
        html.section(QStringLiteral("<section id=\"summary\""), 1).section(QStringLiteral("</section>"), 0, 0);
    static const QRegularExpression bare(QStringLiteral("<td class=\"number\">([^<]*)</td>"));
    for (auto match = bare.globalMatch(summary); match.hasNext();) {
        const QString text = match.next().captured(1);
        QVERIFY2(text.endsWith(QLatin1Char('%')) || text == QStringLiteral("–"), qPrintable(text));
    }
    for (const auto& step : json["steps"])
        if (step["changes"].get<int>() > 0)
            QVERIFY2(seen.contains(QStringLiteral("steps.%1.changes").arg(step["index"].get<int>())),
                     step["pass"].get<std::string>().c_str());
    for (const auto& fusion : json["fusions"])
        QVERIFY(seen.contains(
            QStringLiteral("fusions.%1.effective").arg(QString::fromStdString(fusion["rule"].get<std::string>()))));
}

/// Every string of a JSON object by which something is called, whole and in its words.
void collectNames(const nlohmann::json& json, const std::string& key, QSet<QString>& names)
{
    static const QSet<std::string> sentences{"evidence", "remedy",  "what",    "text",
                                             "message",  "meaning", "summary", "reason"};
    if (json.is_object())
        for (const auto& [inner, value] : json.items()) collectNames(value, inner, names);
    if (json.is_array())
        for (const auto& value : json) collectNames(value, key, names);
    if (!json.is_string() || sentences.contains(key)) return;
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    const QString text = QString::fromStdString(json.get<std::string>());
    for (auto match = word.globalMatch(text); match.hasNext();) names.insert(match.next().captured());
}

QSet<QString> namesIn(const nlohmann::json& json)
{
    QSet<QString> names;
    collectNames(json, {}, names);
    return names;
}

/// English words in a row in what a reader of the report sees: names of operators, passes, rules and options are none.
QStringList englishIn(const QString& html, const QSet<QString>& names)
{
    static const QRegularExpression style(QStringLiteral("<style>.*?</style>"),
                                          QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression text(QStringLiteral(">([^<]+)<|aria-label=\"([^\"]*)\""));
    static const QRegularExpression row(QStringLiteral("[A-Za-z]{2,}(?:[ ,]+[A-Za-z]{2,})+"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    QStringList found;
    for (auto match = text.globalMatch(QString(html).remove(style)); match.hasNext();) {
        const auto piece = match.next();
        QString said = piece.captured(1) + piece.captured(2);
        // CANN's Chinese documents write so, too; a shape is told by the names of its dims.
        for (const char* term : {"mix kernel", "[batch, tokens, hidden size]"}) said.remove(QLatin1String(term));
        if (said.startsWith(QLatin1String("gelens-cli "))) continue; // a command line is what it is in any language
        for (auto words = row.globalMatch(said); words.hasNext();) {
            QStringList strange;
            for (auto one = word.globalMatch(words.next().captured()); one.hasNext();) {
                const QString each = one.next().captured();
                if (!names.contains(each) && each.toLower() == each) strange += each;
            }
            if (!strange.isEmpty()) found += strange.join(QLatin1Char(' ')) + QStringLiteral(" in: ") + said.trimmed();
        }
    }
    found.removeDuplicates();
    return found;
}

} // namespace

class TestReportCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLargeModelFitsIntoFiveMegabytes()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("llama.html")).toStdString();
        const Answer answer = cli({"compile", sampleFile("llama-7b"), "--report", path, "--json"});
        QCOMPARE(answer.status, 0);
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.size() < 5'000'000, qPrintable(QString::number(file.size())));
        const QString html = QString::fromUtf8(file.readAll());
        QVERIFY(html.count(QStringLiteral("<svg")) >= 4);
        QVERIFY(!html.contains(QStringLiteral("<script")) && !html.contains(QStringLiteral("<link")) &&
                !html.contains(QStringLiteral("src=")));
        numbersAre(html, nlohmann::json::parse(answer.out));
    }

    void numbersAreThoseOfTheJson_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("language");
        for (const char* name : {"attention-fits", "attention-too-long", "unit-conflict", "small-resnet", "tiny-llama"})
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s, %s", name, language) << QString::fromLatin1(name) << QString::fromLatin1(language);
    }
    void numbersAreThoseOfTheJson()
    {
        QFETCH(QString, name);
        QFETCH(QString, language);
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("r.html")).toStdString();
        const Answer answer = cli({"compile", sampleFile(name.toStdString()), "--report", path, "--language",
                                   language.toStdString(), "--json"});
        QVERIFY2(answer.status == 0, answer.err.c_str());
        numbersAre(textOf(path), nlohmann::json::parse(answer.out));
    }

    void englishIsWhatTheEngineSays()
    {
        // With no --language as with --language en, byte by byte, times of the engine aside.
        QTemporaryDir folder;
        const std::string plain = folder.filePath(QStringLiteral("a.html")).toStdString();
        const std::string english = folder.filePath(QStringLiteral("b.html")).toStdString();
        QCOMPARE(cli({"compile", sampleFile("tiny-llama"), "--report", plain}).status, 0);
        QCOMPARE(cli({"compile", sampleFile("tiny-llama"), "--report", english, "--language", "en"}).status, 0);
        const auto timeless = [](QString html) {
            static const QRegularExpression time(
                QStringLiteral("(data-figure=\"steps\\.\\d+\\.ms\" data-value=\")[^<]*"));
            return html.replace(time, QStringLiteral("\\1"));
        };
        QVERIFY(textOf(plain).contains(QStringLiteral(".ms\"")));
        QCOMPARE(timeless(textOf(english)), timeless(textOf(plain)));
        QVERIFY(textOf(plain).contains(QStringLiteral("<html lang=\"en\">")));
    }

    void aChineseReportIsChinese_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("soc");
        QTest::newRow("llama-7b") << "llama-7b"
                                  << "Ascend910B1";
        QTest::newRow("attention-too-long") << "attention-too-long"
                                            << "Ascend310P3";
        QTest::newRow("unit-conflict") << "unit-conflict"
                                       << "Ascend910B1";
        QTest::newRow("small-resnet") << "small-resnet"
                                      << "Ascend310P3";
        QTest::newRow("tiny-llama, verified") << "tiny-llama"
                                              << "Ascend910B1";
    }
    void aChineseReportIsChinese()
    {
        QFETCH(QString, name);
        QFETCH(QString, soc);
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("r.html")).toStdString();
        std::vector<std::string> arguments{"compile",    sampleFile(name.toStdString()),
                                           "--soc",      soc.toStdString(),
                                           "--report",   path,
                                           "--language", "zh_CN",
                                           "--json"};
        if (name == QLatin1String("tiny-llama")) arguments.push_back("--verify");
        const Answer answer = cli(arguments);
        QVERIFY2(answer.status == 0, answer.err.c_str());
        const QString html = textOf(path);
        QVERIFY(html.contains(QStringLiteral("<html lang=\"zh-CN\">")));
        QVERIFY(html.contains(QStringLiteral("未融合的算子链")) && html.contains(QStringLiteral("读入的图")));
        const QStringList english = englishIn(html, namesIn(nlohmann::json::parse(answer.out)));
        QVERIFY2(english.isEmpty(), qPrintable(english.mid(0, 40).join(QLatin1Char('\n'))));
        // What was said in another language holds for that report only.
        const std::string next = folder.filePath(QStringLiteral("n.html")).toStdString();
        QCOMPARE(cli({"compile", sampleFile("attention-fits"), "--report", next}).status, 0);
        QVERIFY(textOf(next).contains(QStringLiteral("lang=\"en\"")) && !textOf(next).contains(QStringLiteral("算子")));
    }

    void aReportOfAPlan()
    {
        // An OM is run as it is: no figures before, no rate of fusion, and its graph once.
        QTemporaryDir folder;
        const std::string om = folder.filePath(QStringLiteral("t.om")).toStdString();
        QCOMPARE(cli({"compile", sampleFile("tiny-llama"), "-o", om}).status, 0);
        const std::string path = folder.filePath(QStringLiteral("t.html")).toStdString();
        const Answer answer = cli({"compile", om, "--report", path, "--json"});
        QVERIFY2(answer.status == 0, answer.err.c_str());
        const QString html = textOf(path);
        QCOMPARE(html.count(QStringLiteral("<figcaption>Graph as")), 1);
        QVERIFY(html.contains(QStringLiteral("<td>fusion rate</td><td class=\"number\">–</td>")));
        QVERIFY(!html.contains(QStringLiteral("nodes.before")));
        QVERIFY(html.contains(QStringLiteral("data-figure=\"nodes.after\" data-value=\"%1\"")
                                  .arg(answer.json()["nodes"]["after"].get<int>())));
    }

    void aReportOfDumps()
    {
        QTemporaryDir folder;
        const std::string dumps = folder.filePath(QStringLiteral("ge-dumps")).toStdString();
        QCOMPARE(cli({"compile", sampleFile("tiny-llama"), "--dump-dir", dumps}).status, 0);
        const std::string path = folder.filePath(QStringLiteral("d.html")).toStdString();
        const Answer answer = cli({"dumps", dumps, "--report", path, "--language", "zh_CN", "--json"});
        QVERIFY2(answer.status == 0, answer.err.c_str());
        const QString html = textOf(path);
        // Every phase has its row, none says more than dumps know, and the folder around them is not named.
        for (const auto& phase : answer.json()["phases"])
            QVERIFY2(html.contains(
                         QStringLiteral("<td>%1</td>").arg(QString::fromStdString(phase["phase"].get<std::string>()))),
                     phase["phase"].get<std::string>().c_str());
        QVERIFY(html.count(QStringLiteral("<svg")) >= 2 && !html.contains(folder.path()));
        QVERIFY(!html.contains(QStringLiteral("全量编译")) &&
                !html.contains(QStringLiteral("规则所涉及的算子链均已融合")));
        QSet<QString> names = namesIn(answer.json());
        const QStringList english = englishIn(html, names);
        QVERIFY2(english.isEmpty(), qPrintable(english.mid(0, 40).join(QLatin1Char('\n'))));
    }

    void theWindowReportsDumps()
    {
        // The window reads a dump only when it is shown; its report tells of all of them, the same as the command line.
        QTemporaryDir folder;
        const QString dumps = folder.filePath(QStringLiteral("ge-dumps"));
        QCOMPARE(cli({"compile", sampleFile("attention-fits"), "--dump-dir", dumps.toStdString()}).status, 0);
        const std::string wanted = folder.filePath(QStringLiteral("cli.html")).toStdString();
        QCOMPARE(cli({"dumps", dumps.toStdString(), "--report", wanted}).status, 0);
        WindowSettings settings;
        const auto window = freshWindow();
        QVERIFY(openAndWait(*window, dumps));
        const QString path = folder.filePath(QStringLiteral("window.html"));
        QSignalSpy written(window->reportTools(), &ReportTools::written);
        window->reportTools()->exportReport(path);
        QVERIFY(waitFor([&] { return written.size() == 1; }));
        QCOMPARE(written.first().value(1).toString(), QString());
        QCOMPARE(textOf(path.toStdString()), textOf(wanted));
    }

    void asPdf()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("r.pdf"));
        for (const char* language : {"en", "zh_CN"}) {
            QFile::remove(path);
            const Answer answer = cli(
                {"compile", sampleFile("attention-too-long"), "--report", path.toStdString(), "--language", language});
            QVERIFY2(answer.status == 0, answer.err.c_str());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            QVERIFY(bytes.startsWith("%PDF-") && bytes.size() > 20000);
            QVERIFY(!bytes.contains(GELENS_SAMPLES_DIR));
        }
    }

    void unknownLanguagesAreRefused()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("r.html")).toStdString();
        QVERIFY(cli({"compile", sampleFile("attention-fits"), "--report", path, "--language", "fr"})
                    .isOneErrorLine("--language"));
        QVERIFY(cli({"compile", sampleFile("attention-fits"), "--language", "zh_CN"}).isOneErrorLine("--report"));
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }

    void otherEndingsAreRefused()
    {
        QTemporaryDir folder;
        const Answer answer = cli({"compile", sampleFile("attention-fits"), "--report",
                                   folder.filePath(QStringLiteral("r.doc")).toStdString()});
        QCOMPARE(answer.status, 2);
        QVERIFY(answer.err.starts_with("gelens-cli: error:") && answer.err.find("r.doc") != std::string::npos);
    }

    void buffersCanBeSet()
    {
        // What the chip is too small for fits with a larger L1.
        const auto run = [](std::vector<std::string> more) {
            std::vector<std::string> arguments{"compile", sampleFile("attention-too-long"), "--soc", "Ascend310P3",
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
