// The report model and the HTML that is written from it.
#include "engine/report/html_report.h"
#include "engine/session/session.h"

#include <QRegularExpression>
#include <QtTest>

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
