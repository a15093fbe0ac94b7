// The pages of a PDF report: every text lies inside of the margins and none over another, whatever the names are.
#include "engine/graph/graph_editor.h"
#include "engine/report/chart_svg.h"
#include "engine/report/html_report.h"
#include "engine/session/dump_run.h"
#include "tests/app/cli_fixture.h"
#include "tests/viewers/page_recorder.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/picture/chart_file.h"
#include "viewers/report/report_pdf.h"
#include "viewers/report/report_words.h"
#include "viewers/scene/report_graphs.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <algorithm>
#include <map>

using namespace gelens;
using namespace gelens::testing;

namespace {

/// Of a sample; "dumps": of the graphs that the compile of one leaves behind.
ReportModel reportOf(const QString& sample, const QString& soc)
{
    std::shared_ptr<const Run> run;
    if (sample == QLatin1String("dumps")) {
        static const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("ge-dumps")).toStdString();
        if (!QDir(QString::fromStdString(path)).exists())
            test::cli({"compile", GELENS_SAMPLES_DIR "/tiny-llama.onnx", "--dump-dir", path});
        const auto dumps = openDumpRun(path);
        if (!dumps.ok() || !(*dumps)->scan().ok()) qFatal("the dumps cannot be read");
        run = (*dumps)->refreshed();
    } else {
        run = sampleRun(sample.toStdString(), soc.toStdString());
    }
    if (run == nullptr) qFatal("%s does not run", qPrintable(sample));
    const ReportWords words = reportWords();
    return buildReport(*run, reportGraphs(*run, words), words);
}

/// As if everything in the model bore a name of a kilobyte: without a place to break it, with many, in Chinese.
ReportModel withLongNames(ReportModel report)
{
    const std::string endless(900, 'x');
    std::string scopes, chinese;
    for (int i = 0; i < 90; ++i) scopes += "/decoder.layers." + std::to_string(i);
    for (int i = 0; i < 300; ++i) chinese += "算子";
    int turn = 0;
    const auto stretch = [&](std::string& text) {
        if (!text.empty()) text += turn++ % 3 == 0 ? endless : turn % 3 == 0 ? scopes : chinese;
    };
    stretch(report.title);
    for (ReportSection& section : report.sections)
        for (ReportBlock& block : section.blocks) {
            if (auto* table = std::get_if<ReportTable>(&block))
                for (auto& row : table->rows)
                    for (ReportCell& cell : row)
                        if (!cell.isNumber) stretch(cell.text);
            if (auto* paragraph = std::get_if<ReportParagraph>(&block)) stretch(paragraph->text);
            if (auto* verdict = std::get_if<ReportVerdict>(&block)) {
                for (std::string* text :
                     {&verdict->title, &verdict->evidence, &verdict->remedy, &verdict->rule, &verdict->needsText})
                    stretch(*text);
                for (std::string& threshold : verdict->thresholds) stretch(threshold);
            }
        }
    return report;
}

QString place(const PlacedText& text)
{
    return QStringLiteral("page %1, (%2, %3) %4x%5: %6")
        .arg(text.page)
        .arg(text.box.x(), 0, 'f', 1)
        .arg(text.box.y(), 0, 'f', 1)
        .arg(text.box.width(), 0, 'f', 1)
        .arg(text.box.height(), 0, 'f', 1)
        .arg(text.text.left(60));
}

/// Pairs of texts of one page that lie over each other by more than a hair.
QStringList overlaps(const std::vector<PlacedText>& texts)
{
    std::map<int, std::vector<const PlacedText*>> pages;
    for (const PlacedText& text : texts)
        if (text.clip.isNull() || text.clip.intersects(text.box)) pages[text.page].push_back(&text);
    QStringList found;
    for (auto& [page, list] : pages) {
        std::sort(list.begin(), list.end(),
                  [](const PlacedText* a, const PlacedText* b) { return a->box.top() < b->box.top(); });
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t k = i + 1; k < list.size() && list[k]->box.top() < list[i]->box.bottom() - 0.4; ++k) {
                const QRectF common = list[i]->box & list[k]->box;
                if (common.width() > 0.6 && common.height() > 0.4) found += place(*list[i]) + " / " + place(*list[k]);
            }
    }
    return found;
}

} // namespace

class TestReportPdf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_chinese.load(QStringLiteral(":/translations/gelens_zh_CN.qm"))); }
    void cleanup()
    {
        QCoreApplication::removeTranslator(&m_chinese);
        useEnglish();
    }

    void pagesAreClean_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("soc");
        QTest::addColumn<bool>("hasLongNames");
        const auto add = [](const char* name, const char* sample, const char* soc, bool hasLongNames = false) {
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s, %s", name, language) << QString::fromLatin1(language) << QString::fromLatin1(sample)
                                                        << QString::fromLatin1(soc) << hasLongNames;
        };
        for (const char* sample : {"llama-7b", "tiny-llama", "unit-conflict", "small-resnet", "dumps"})
            add(sample, sample, "Ascend910B1");
        add("attention-too-long", "attention-too-long", "Ascend310P3");
        add("long names", "llama-7b", "Ascend910B1", true);
        add("long names, refused", "attention-too-long", "Ascend310P3", true);
        add("long names, dumps", "dumps", "", true);
    }
    void pagesAreClean()
    {
        QFETCH(QString, language);
        QFETCH(QString, sample);
        QFETCH(QString, soc);
        QFETCH(bool, hasLongNames);
        if (language == QLatin1String("zh_CN")) {
            QCoreApplication::installTranslator(&m_chinese);
            QLocale::setDefault(QLocale(language));
        }
        ReportModel report = reportOf(sample, soc);
        QCOMPARE(report.language, std::string(language == QLatin1String("zh_CN") ? "zh-CN" : "en"));
        if (hasLongNames) report = withLongNames(std::move(report));
        PageRecorder pages;
        setReportPages(pages);
        QVERIFY(paintReport(report, pages));
        QVERIFY(pages.texts().size() > 150);
        for (const PlacedText& text : pages.texts()) QVERIFY2(!text.isMissing, qPrintable(place(text)));

        const QRectF paper = QRectF(0, 0, pages.pageWidth(), pages.pageHeight()).adjusted(-0.5, -0.5, 0.5, 0.5);
        QStringList outside;
        for (const PlacedText& text : pages.texts())
            if (!paper.contains(text.isInFigure() ? text.box & text.clip : text.box) &&
                (!text.isInFigure() || text.clip.intersects(text.box)))
                outside += place(text);
        QVERIFY2(outside.isEmpty(), qPrintable(outside.mid(0, 20).join(QLatin1Char('\n'))));
        const QStringList over = overlaps(pages.texts());
        QVERIFY2(over.isEmpty(), qPrintable(over.mid(0, 20).join(QLatin1Char('\n'))));
        everyPageIsFilled(pages);
        titlesAreFollowed(report, pages);
    }

    /// Letters of pictures that nobody can read are none.
    void picturesCanBeRead_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"llama-7b", "tiny-llama", "small-resnet", "attention-too-long"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void picturesCanBeRead()
    {
        QFETCH(QString, sample);
        const ReportModel report = reportOf(sample, QStringLiteral("Ascend910B1"));
        PageRecorder pages;
        setReportPages(pages);
        QVERIFY(paintReport(report, pages));
        std::size_t seen = 0;
        std::map<QString, int> whole; // each text of a picture is whole on one page at least
        for (const PlacedText& text : pages.texts()) {
            if (!text.isInFigure() || !text.clip.intersects(text.box)) continue;
            ++seen;
            QVERIFY2(text.size >= 4, qPrintable(QStringLiteral("%1 pt: ").arg(text.size) + place(text)));
            whole[text.text] += text.clip.adjusted(-0.5, -0.5, 0.5, 0.5).contains(text.box);
        }
        QVERIFY(seen > 20);
        for (const auto& [text, count] : whole) QVERIFY2(count > 0, qPrintable(text));
    }

    void chartsAlone_data()
    {
        QTest::addColumn<QString>("view");
        QTest::newRow("memory") << "memory";
        QTest::newRow("timeline") << "timeline";
    }
    /// A chart as a PDF of its own: its text can be searched and copied, so the file has fonts.
    void chartsAlone()
    {
        QFETCH(QString, view);
        const auto run = sampleRun("tiny-llama");
        QVERIFY(run != nullptr);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.pdf"));
        const std::string svg = view == QLatin1String("memory") ? memoryToSvg(*run) : timelineToSvg(*run);
        QVERIFY(writeChart(svg, path.toStdString()).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith("%PDF-") && bytes.contains("/FontFile2"));
    }

    /// A graph that would make the report too large for a mail is told of, not drawn.
    void aGraphThatIsTooLargeIsToldOf()
    {
        Run run;
        run.modelName = "wide";
        auto graph = std::make_shared<Graph>();
        GraphEditor edit(*graph);
        for (std::size_t i = 0; i <= mostReportBoxes; ++i)
            edit.addNode({"n" + std::to_string(i), "Relu", {}, {{"y", TensorDesc()}}, {}, false});
        Step step;
        step.id = StepId{0};
        run.steps.push_back(step);
        run.setGraph(graph, std::make_shared<Journal>());
        const std::vector<ReportGraph> graphs = reportGraphs(run, reportWords());
        QCOMPARE(graphs.size(), 1u);
        QVERIFY(graphs.front().svg.empty() && graphs.front().boxes == mostReportBoxes + 1);
        const std::string html = reportToHtml(buildReport(run, graphs));
        QVERIFY(html.find("4,001 boxes") != std::string::npos && html.find("up to 4,000") != std::string::npos &&
                html.find("gelens-cli export MODEL --to graph.svg") != std::string::npos);
    }

private:
    static void everyPageIsFilled(const PageRecorder& pages)
    {
        std::vector<int> texts(static_cast<std::size_t>(pages.pageCount()) + 1, 0);
        std::vector<bool> isNumbered(texts.size(), false);
        for (const PlacedText& text : pages.texts()) {
            ++texts[static_cast<std::size_t>(text.page)];
            if (text.box.top() > pages.pageHeight() - 16 && text.text == QString::number(text.page))
                isNumbered[static_cast<std::size_t>(text.page)] = true;
        }
        for (int page = 1; page <= pages.pageCount(); ++page) {
            QVERIFY2(texts[static_cast<std::size_t>(page)] > 2,
                     qPrintable(QStringLiteral("page %1 is empty").arg(page)));
            QVERIFY2(isNumbered[static_cast<std::size_t>(page)], qPrintable(QStringLiteral("page %1").arg(page)));
        }
    }

    /// Below the title of a section stands something on the same page.
    static void titlesAreFollowed(const ReportModel& report, const PageRecorder& pages)
    {
        for (const ReportSection& section : report.sections) {
            const QString title = QString::fromStdString(section.title);
            const auto& texts = pages.texts();
            const auto at = std::find_if(texts.begin(), texts.end(), [&](const PlacedText& text) {
                // letters of two scripts come in two pieces
                return title.startsWith(text.text.trimmed()) && text.size > 13 && text.size < 15;
            });
            QVERIFY2(at != texts.end(), qPrintable(title));
            const bool isFollowed = std::any_of(at + 1, texts.end(), [&](const PlacedText& text) {
                return text.page == at->page && text.box.top() > at->box.bottom() &&
                       text.box.bottom() < pages.pageHeight() - 16;
            });
            QVERIFY2(isFollowed, qPrintable(title));
        }
    }

    QTranslator m_chinese;
};

QTEST_MAIN(TestReportPdf)
#include "tst_report_pdf.moc"
