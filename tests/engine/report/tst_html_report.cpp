// The report model and the HTML that is written from it.
#include "engine/report/html_report.h"
#include "engine/session/session.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace gelens;

namespace {

std::shared_ptr<const Run> runSample(const char* name, const CompileOptions& options = {})
{
    auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx", options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

/// A folder of dumps in groups of so many phases.
class GroupedRun final : public Run {
public:
    explicit GroupedRun(const std::vector<int>& sizes)
    {
        mode = "dumps";
        for (const int size : sizes) {
            const StepId first{static_cast<int>(steps.size())};
            for (int i = 0; i < size; ++i) {
                Step step;
                step.id = StepId{first.value + i};
                step.phase = "PreRunBegin";
                steps.push_back(step);
                m_spans.push_back({first, StepId{first.value + size - 1}});
            }
        }
        setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
    }

    Span spanOf(StepId step) const override { return m_spans[static_cast<std::size_t>(step.value)]; }
    const StepSource* sourceOf(StepId) const override { return &m_source; }

private:
    std::vector<Span> m_spans;
    StepSource m_source;
};

/// Opening and closing tags of the HTML, one for one; void elements have none.
bool isBalanced(const std::string& html, QString& problem)
{
    static const QRegularExpression tag(QStringLiteral("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^<>\"]|\"[^\"]*\")*?)(/?)>"));
    const std::set<QString> empty{QStringLiteral("meta")};
    QStringList open;
    for (auto match = tag.globalMatch(QString::fromStdString(html)); match.hasNext();) {
        const auto found = match.next();
        const QString name = found.captured(2);
        if (!found.captured(4).isEmpty() || empty.contains(name)) continue;
        if (found.captured(1).isEmpty()) {
            open += name;
        } else if (open.isEmpty() || open.takeLast() != name) {
            problem = QStringLiteral("</%1> at %2").arg(name).arg(found.capturedStart());
            return false;
        }
    }
    problem = open.join(QLatin1Char(' '));
    return open.isEmpty();
}

} // namespace

class TestHtmlReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySampleIsWellFormed_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"attention-fits", "unit-conflict", "small-resnet", "tiny-llama"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everySampleIsWellFormed()
    {
        QFETCH(QString, name);
        const auto run = runSample(qPrintable(name));
        const ReportModel model = buildReport(*run, {});
        QVERIFY(model.sections.size() >= 6);
        const std::string html = reportToHtml(model);
        QString problem;
        QVERIFY2(isBalanced(html, problem), qPrintable(problem));
        QVERIFY(html.find("<script") == std::string::npos &&
                html.find("http://") == html.find("http://www.w3.org/2000/svg"));
        QVERIFY(html.size() < 5'000'000);
        // The same run, the same bytes.
        QCOMPARE(reportToHtml(buildReport(*run, {})), html);
    }

    void refusalsHaveBothNumbers()
    {
        CompileOptions options;
        options.soc = "Ascend310P3";
        const ReportModel model = buildReport(*runSample("attention-too-long", options), {});
        const ReportVerdict* found = nullptr;
        for (const ReportSection& section : model.sections)
            for (const ReportBlock& block : section.blocks)
                if (const auto* verdict = std::get_if<ReportVerdict>(&block); verdict != nullptr && verdict->hasNumbers)
                    found = verdict;
        QVERIFY(found != nullptr);
        QCOMPARE(found->needs, 1081344.0);
        QCOMPARE(found->has, 1048576.0);
        QCOMPARE(found->needsText, std::string("1,081,344 B"));
        QVERIFY(!found->thresholds.empty() && !found->remedy.empty());
        const std::string html = reportToHtml(model);
        QVERIFY(html.find("1,081,344 B") != std::string::npos && html.find("1,048,576 B") != std::string::npos);
    }

    void textFromFilesIsText()
    {
        auto run = std::make_shared<Run>();
        run->modelName = "<b>a & b</b>\"";
        run->soc.name = "X";
        Step step;
        step.id = StepId{0};
        step.pass = "<img src=x onerror=alert(1)>";
        run->steps.push_back(step);
        run->messages.push_back({Severity::Warning, "id", "<script>alert(1)</script>", "</td>", {}});
        run->setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
        const std::string html = reportToHtml(buildReport(*run, {}));
        QVERIFY(html.find("<script") == std::string::npos && html.find("<img") == std::string::npos &&
                html.find("<b>a") == std::string::npos);
        QString problem;
        QVERIFY2(isBalanced(html, problem), qPrintable(problem));
    }

    void whereTheFilesLieIsNotSaid()
    {
        // A report is handed to others: not one of the folders that the run has seen may be in it.
        QTemporaryDir folder;
        const QString secret = folder.path() + QStringLiteral("/geheimes-projekt");
        QVERIFY(QDir().mkpath(secret + QStringLiteral("/rules")));
        const QString model = secret + QStringLiteral("/model.onnx");
        QVERIFY(QFile::copy(QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx"), model));
        const auto write = [&](const QString& name, const char* text) {
            QFile file(secret + name);
            if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("cannot write");
        };
        write(QStringLiteral("/rules/broken.textproto"), "id: \"Broken\" nonsense {");
        write(QStringLiteral("/switch.cfg"), "{\"Switch\":{\"GraphFusion\":{\"NoSuchPass\":\"off\"}}}");
        CompileOptions options;
        options.ruleFolders = {(secret + QStringLiteral("/rules")).toStdString()};
        options.fusionSwitchFile = (secret + QStringLiteral("/switch.cfg")).toStdString();
        auto session = Session::open(model.toStdString(), options);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message().c_str());
        const auto run = (*session)->run(options);
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QVERIFY(std::any_of((*run)->messages.begin(), (*run)->messages.end(), [](const Message& message) {
            return (message.where + message.text).find("geheimes-projekt") != std::string::npos;
        }));
        const std::string html = reportToHtml(buildReport(**run, {}));
        QVERIFY(html.find("geheimes-projekt") == std::string::npos);
        QVERIFY(html.find(folder.path().toStdString()) == std::string::npos);
        // What a reader needs is there: the names.
        for (const char* name : {"model.onnx", "broken.textproto", "--fusion-switch switch.cfg", "--rules rules"})
            QVERIFY2(html.find(name) != std::string::npos, name);
        // The run that failed says where as well.
        Run failed;
        failed.modelName = "model";
        failed.modelPath = model.toStdString();
        failed.error = Error::invalid("no graph", model.toStdString());
        Step step;
        step.id = StepId{0};
        failed.steps.push_back(step);
        failed.setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
        const std::string told = reportToHtml(buildReport(failed, {}));
        QVERIFY(told.find("geheimes-projekt") == std::string::npos &&
                told.find("model.onnx: no graph") != std::string::npos);
    }

    void namesThatLookLikeFoldersStay()
    {
        Run run;
        run.modelName = "x";
        run.modelPath = "model/x.onnx";
        run.messages.push_back({Severity::Warning, "id", "node /model/layers.0/mm and my-model/x differ", "", {}});
        Step step;
        step.id = StepId{0};
        run.steps.push_back(step);
        run.setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
        const std::string html = reportToHtml(buildReport(run, {}));
        QVERIFY(html.find("/model/layers.0/mm and my-model/x differ") != std::string::npos);
    }

    void phasesLeftOutAreCounted_data()
    {
        QTest::addColumn<QList<int>>("groups");
        QTest::addColumn<int>("tables");
        QTest::newRow("all shown") << QList<int>{2, 3} << 2;
        QTest::newRow("within a group") << QList<int>{2, 900} << 2;
        QTest::newRow("a group behind them") << QList<int>{650, 10} << 1;
        QTest::newRow("between two groups") << QList<int>{600, 10, 10} << 1;
    }
    void phasesLeftOutAreCounted()
    {
        QFETCH(QList<int>, groups);
        QFETCH(int, tables);
        const GroupedRun run(std::vector<int>(groups.begin(), groups.end()));
        const ReportModel report = buildReport(run, {});
        const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                          [](const ReportSection& each) { return each.id == "steps"; });
        QVERIFY(section != report.sections.end());
        QCOMPARE(section->blocks.size(), static_cast<std::size_t>(tables));
        std::size_t told = 0;
        for (const ReportBlock& block : section->blocks)
            told += std::get<ReportTable>(block).rows.size() + std::get<ReportTable>(block).leftOut;
        QCOMPARE(told, run.steps.size());
    }

    void needsNothingButItself()
    {
        const std::string html = reportToHtml(buildReport(*runSample("tiny-llama"), {}));
        const QString text = QString::fromStdString(html);
        static const QRegularExpression address(QStringLiteral("(https?:|//)[^\"' <]+"));
        for (auto match = address.globalMatch(text); match.hasNext();)
            QCOMPARE(match.next().captured(), QStringLiteral("http://www.w3.org/2000/svg"));
        static const QRegularExpression reference(
            QStringLiteral("(?:href|src|srcset|data|action)=\"([^\"]*)\"|url\\(([^)]*)\\)|@import"));
        for (auto match = reference.globalMatch(text); match.hasNext();) {
            const auto found = match.next();
            const QString to = found.captured(1) + found.captured(2);
            QVERIFY2(to.startsWith(QLatin1Char('#')), qPrintable(found.captured()));
            QVERIFY2(text.contains(QStringLiteral("id=\"%1\"").arg(to.mid(1))), qPrintable(to));
        }
    }

    void canBeReadWithAnyEyes()
    {
        ReportWords words;
        words.language = "zh-CN";
        CompileOptions options;
        options.soc = "Ascend310P3"; // where something is left to draw
        const auto run = runSample("attention-too-long", options);
        const std::string picture = "<svg width=\"10\" height=\"10\"><style>.h{fill:url(#hatch)}</style>"
                                    "<defs><pattern id=\"hatch\"></pattern></defs></svg>";
        const std::vector<ReportGraph> graphs{{"A graph", picture}, {"Another", picture}};
        const QString html = QString::fromStdString(reportToHtml(buildReport(*run, graphs, words)));
        QVERIFY(html.startsWith(QStringLiteral("<!DOCTYPE html>\n<html lang=\"zh-CN\">")));
        QVERIFY(html.contains(QStringLiteral("<title>attention-too-long</title>")));
        QVERIFY(html.contains(QStringLiteral("name=\"viewport\"")));
        QCOMPARE(html.count(QStringLiteral("<h1>")), 1);
        QVERIFY(html.count(QStringLiteral("<main>")) == 1 && html.count(QStringLiteral("<nav aria-label=\"")) == 1);
        const auto each = [&](const char* tag) {
            QStringList found;
            const QRegularExpression form(QStringLiteral("<%1[ >][^>]*>?([^<]*)").arg(QLatin1String(tag)));
            for (auto match = form.globalMatch(html); match.hasNext();) found += match.next().captured();
            return found;
        };
        for (const QString& table : each("table"))
            QVERIFY2(table.contains(QStringLiteral("aria-label=\"")), qPrintable(table));
        for (const QString& head : each("th")) {
            QVERIFY2(head.contains(QStringLiteral("scope=\"col\"")), qPrintable(head));
            QVERIFY2(!head.endsWith(QLatin1Char('>')), qPrintable(head)); // says something
        }
        for (const QString& picture : each("svg"))
            QVERIFY2(picture.contains(QStringLiteral("role=\"img\" aria-label=\"")) &&
                         !picture.contains(QStringLiteral("aria-label=\"\"")),
                     qPrintable(picture));
        QVERIFY(each("svg").size() >= 3);
        // What scrolls can be reached with the keyboard.
        QCOMPARE(html.count(QStringLiteral("<div class=\"table\" tabindex=\"0\"")),
                 html.count(QStringLiteral("<table ")));
        QVERIFY(html.contains(QStringLiteral("url(#hatch-1)")) && html.contains(QStringLiteral("id=\"hatch-2\"")));
        // No anchor twice, or a link would lead elsewhere.
        static const QRegularExpression anchor(QStringLiteral(" id=\"([^\"]*)\""));
        QSet<QString> anchors;
        for (auto match = anchor.globalMatch(html); match.hasNext();) {
            const QString name = match.next().captured(1);
            QVERIFY2(!anchors.contains(name), qPrintable(name));
            anchors.insert(name);
        }
    }

    void followsScreenAndPaper()
    {
        const QString html = QString::fromStdString(reportToHtml(buildReport(*runSample("attention-fits"), {})));
        const QString style = html.section(QStringLiteral("<style>"), 1, 1).section(QStringLiteral("</style>"), 0, 0);
        const auto rules = [&](const QString& condition) {
            const qsizetype at = style.indexOf(condition);
            if (at < 0) return QString();
            qsizetype end = style.indexOf(QLatin1Char('{'), at) + 1;
            for (int depth = 1; depth > 0 && end < style.size(); ++end)
                depth += style[end] == QLatin1Char('{') ? 1 : style[end] == QLatin1Char('}') ? -1 : 0;
            return style.mid(at, end - at);
        };
        const QString dark = rules(QStringLiteral("@media(prefers-color-scheme:dark)"));
        const QString paper = rules(QStringLiteral("@media print"));
        const QString narrow = rules(QStringLiteral("@media(max-width:"));
        QVERIFY(!narrow.isEmpty());
        // Every colour that the light page names has one for the dark page, and paper is white whatever the screen is.
        static const QRegularExpression variable(QStringLiteral("(--[a-z]+):(#[0-9a-f]+)"));
        int colours = 0;
        for (auto match = variable.globalMatch(style.left(style.indexOf(QStringLiteral("@media")))); match.hasNext();) {
            const auto found = match.next();
            ++colours;
            QVERIFY2(dark.contains(found.captured(1) + QLatin1Char(':')), qPrintable(found.captured(1)));
            QVERIFY2(paper.contains(found.captured()), qPrintable(found.captured()));
        }
        QVERIFY(colours >= 8);
        QVERIFY(paper.contains(QStringLiteral("figure{max-height:none;overflow:visible")));
    }

    void allItsWordsAreListed()
    {
        // Another language through the same model: every word that the report writes itself goes through the list.
        std::set<std::string> asked;
        ReportWords words;
        words.text = [&](std::string_view text) {
            asked.emplace(text);
            return "«" + std::string(text) + "»";
        };
        words.language = "zh-CN";
        CompileOptions options;
        options.verify = true;
        const auto run = runSample("attention-fits", options);
        const std::string html = reportToHtml(buildReport(*run, {}, words));
        QVERIFY(html.find("lang=\"zh-CN\"") != std::string::npos);
        const auto& known = reportTexts();
        for (const std::string& text : asked)
            QVERIFY2(std::find(known.begin(), known.end(), text) != known.end(), text.c_str());
        QVERIFY(asked.size() > 40);
    }

    void sizesAreRead()
    {
        QCOMPARE(svgSize("<?xml?><svg viewBox=\"0 0 1 2\" width=\"861.5\" height=\"2624\">"), std::pair(861.5, 2624.0));
        QCOMPARE(svgSize("nothing"), std::pair(0.0, 0.0));
    }
};

QTEST_GUILESS_MAIN(TestHtmlReport)
#include "tst_html_report.moc"
