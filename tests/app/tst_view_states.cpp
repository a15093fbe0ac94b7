// No view is ever blank: without a model, while one loads, after one failed, and with a run that has nothing for the view,
// each says in a sentence what the matter is and in another what to do next.

#include "engine/graph/graph.h"
#include "tests/app/large_runs.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/common/view_limits.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/sentence.h"
#include "viewers/picture/chart_file.h"
#include "viewers/picture/picture_file.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>

using namespace gelens;
using namespace gelens::test;

namespace {

/// A model of which nothing is left to tell: no operators, no plan, no tasks.
std::shared_ptr<const Run> emptyRun()
{
    auto run = std::make_shared<Run>();
    run->modelName = "empty";
    run->soc.name = "Ascend910B1";
    run->mode = "full";
    Step step;
    step.id = StepId{0};
    step.pass = "aclmdlLoadFromFile";
    run->steps.push_back(step);
    run->setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
    return run;
}

bool isSentence(const QString& text)
{
    const QString said = text.trimmed();
    return said.size() > 4 && (said.endsWith(QLatin1Char('.')) || said.endsWith(QStringLiteral("…")) ||
                               said.endsWith(QStringLiteral("。")));
}

} // namespace

class TestViewStates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_window = freshWindow(); }
    void cleanup() { m_window.reset(); }

    void withoutAModel_data() { addViews(); }
    void withoutAModel() { check({}); }

    void whileOneLoads_data() { addViews(); }
    void whileOneLoads()
    {
        m_window->hub()->addModel(sample("llama-7b"), {});
        check(QStringLiteral("compiled"));
    }

    void afterOneFailed_data() { addViews(); }
    void afterOneFailed()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("broken.onnx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no protobuf at all");
        file.close();
        const int id = m_window->openFile(file.fileName());
        QVERIFY(waitFor([&] { return m_window->hub()->find(id) == nullptr && !m_window->isBusy(); }, 10000));
        check(QStringLiteral("Choose another file"));
    }

    void withNothingToTell_data() { addViews(); }
    void withNothingToTell()
    {
        const int id = m_window->hub()->addModel(QStringLiteral("empty.onnx"), {});
        m_window->hub()->setRun(id, emptyRun());
        check({});
    }

    /// A compiled file and a folder of dumps hold less than a run; each view says what, and where it is to be had.
    void filesSayWhatTheyDoNotHold_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isDump");
        QTest::addColumn<QString>("said");
        QTest::newRow("chains of an OM") << "unfused" << false << "A compiled file does not say";
        QTest::newRow("memory of an OM") << "memory" << false << "The file plans no memory";
        QTest::newRow("changes in an OM") << "diff" << false << "No step of this run changes the graph";
        QTest::newRow("tasks of dumps") << "timeline" << true << "Dumps hold no tasks";
        QTest::newRow("options of dumps") << "whatif" << true << "Dumps cannot be compiled";
    }
    void filesSayWhatTheyDoNotHold()
    {
        QFETCH(QString, name);
        QFETCH(bool, isDump);
        QFETCH(QString, said);
        const auto run = std::const_pointer_cast<Run>(emptyRun());
        run->mode = isDump ? "dump" : "light";
        if (isDump) run->soc.name.clear();
        const int id = m_window->hub()->addModel(QStringLiteral("empty.om"), {});
        m_window->hub()->setRun(id, run);
        m_window->showView(name);
        QString shown;
        QVERIFY2(waitFor(
                     [&] {
                         for (const StatePage* page : m_window->view(name)->findChildren<StatePage*>())
                             if (page->isVisible()) shown = page->text();
                         return shown.contains(said);
                     },
                     3000),
                 qPrintable(shown));
    }

    /// What a run did not get to is no zero in the status bar.
    void aRunThatEndedEarlyHasNoFigures()
    {
        const auto run = std::const_pointer_cast<Run>(emptyRun());
        const int id = m_window->hub()->addModel(QStringLiteral("empty.onnx"), {});
        const auto said = [this] { return m_window->statusBar()->findChild<ElidedLabel*>()->fullText(); };
        m_window->hub()->setRun(id, run);
        QVERIFY2(said().contains(QStringLiteral("peak")), qPrintable(said()));
        const auto failed = std::const_pointer_cast<Run>(emptyRun());
        failed->failed = true;
        m_window->hub()->setRun(id, failed);
        QVERIFY2(said().contains(QStringLiteral("stopped with an error")) && !said().contains(QStringLiteral("peak")),
                 qPrintable(said()));
        const auto cancelled = std::const_pointer_cast<Run>(emptyRun());
        cancelled->wasCancelled = true;
        m_window->hub()->setRun(id, cancelled);
        QVERIFY2(said().contains(QStringLiteral("cancelled")) && !said().contains(QStringLiteral("peak")),
                 qPrintable(said()));
    }

    void tooLarge_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("language");
        for (const char* name : {"memory", "timeline", "textdiff", "graph"})
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s, %s", name, language) << QString::fromLatin1(name) << QString::fromLatin1(language);
    }
    void tooLarge()
    {
        QFETCH(QString, name);
        QFETCH(QString, language);
        applyLanguage(language);
        const bool isOfGraph = name == QLatin1String("graph") || name == QLatin1String("textdiff");
        const auto run = runOf(isOfGraph ? static_cast<int>(limits::graphBoxes) + 1 : 3,
                               [](int i) { return "n" + std::to_string(i); }); // no scopes, no blocks
        if (name == QLatin1String("memory")) addBuffers(*run, static_cast<int>(limits::memoryBlocks) + 1);
        if (name == QLatin1String("timeline")) addTasks(*run, static_cast<int>(limits::timelineTasks) + 1);
        const int id = m_window->hub()->addModel(QStringLiteral("large.onnx"), {});
        m_window->hub()->setRun(id, run);
        m_window->showView(name);
        const StatePage* page = nullptr;
        QVERIFY(waitFor([&] { return (page = limitPage(name)) != nullptr; }, 60000));
        const bool isMany = !isOfGraph;
        isLimitSaid(*page, isMany ? 500'001 : 200'001, isMany ? 500'000 : 200'000, language);
        picture(*m_window, qPrintable(QStringLiteral("too-large-") + name + QLatin1Char('-') + language));
        // What is smaller comes back into sight.
        m_window->hub()->setRun(id, runOf(3, [](int i) { return "n" + std::to_string(i); }));
        QVERIFY(waitFor([&] { return limitPage(name) == nullptr; }, 30000));
    }

    void aGraphThatIsTooLargeFolds()
    {
        // 240 layers of 1,000 operators: folded a handful of cards, opened more than can be drawn.
        const auto run = runOf(240'000, [](int i) {
            return "/model/layers." + std::to_string(i / 1000) + "/op" + std::to_string(i % 1000);
        });
        const int id = m_window->hub()->addModel(QStringLiteral("large.onnx"), {});
        m_window->hub()->setRun(id, run);
        m_window->showView(QStringLiteral("graph"));
        GraphView* const graph = m_window->graphView();
        QVERIFY(waitFor([&] { return graph->isLayoutReady() && !graph->visibleText().isEmpty(); }, 60000));
        QVERIFY(limitPage(QStringLiteral("graph")) == nullptr);
        graph->openAll();
        const StatePage* page = nullptr;
        QVERIFY(waitFor([&] { return (page = limitPage(QStringLiteral("graph"))) != nullptr; }, 60000));
        isLimitSaid(*page, 0, 200'000, QStringLiteral("en"));
        // No picture either, with a sentence instead of a file that eats the memory.
        QTemporaryDir folder;
        QString error;
        QVERIFY(!graph->exportTo(folder.filePath(QStringLiteral("x.svg")), &error));
        QVERIFY2(error.contains(QStringLiteral("200,000")), qPrintable(error));
        applyLanguage(QStringLiteral("zh_CN"));
        QCoreApplication::processEvents();
        isLimitSaid(*page, 0, 200'000, QStringLiteral("zh_CN"));
        applyLanguage(QStringLiteral("en"));
        QTest::mouseClick(page->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(
            waitFor([&] { return limitPage(QStringLiteral("graph")) == nullptr && graph->isLayoutReady(); }, 60000));
        QVERIFY(graph->visibleText().contains(QStringLiteral("240")));
    }

    void picturesThatAreTooLarge()
    {
        QTemporaryDir folder;
        const std::string png = folder.filePath(QStringLiteral("x.png")).toStdString();
        GraphDrawing drawing;
        drawing.width = 120'000;
        drawing.height = 300;
        const std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9000\" height=\"20\"></svg>";
        for (const Status& status : {writePicture(drawing, png, false), writeChart(svg, png)}) {
            QVERIFY(!status.ok() && !QFile::exists(QString::fromStdString(png)));
            const std::string& what = status.error().what;
            QVERIFY2(what.find("16000") != std::string::npos && what.find("SVG") != std::string::npos, what.c_str());
            QVERIFY2(words::isKnownSentence(what), what.c_str());
        }
        QVERIFY(writePicture(drawing, folder.filePath(QStringLiteral("x.svg")).toStdString(), false).ok());
        QVERIFY(writeChart(svg, folder.filePath(QStringLiteral("x.pdf")).toStdString()).ok());
    }

    void filesThatAreTooLarge_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("en") << "en";
        QTest::newRow("zh_CN") << "zh_CN";
    }
    void filesThatAreTooLarge()
    {
        QFETCH(QString, language);
        applyLanguage(language);
        QTemporaryDir folder;
        const QString before = folder.filePath(QStringLiteral("a.txt")),
                      after = folder.filePath(QStringLiteral("b.txt"));
        for (const QString& path : {before, after}) { // holes take no room on the disk
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(limits::textBytes / 2 + 4096));
        }
        m_window->showView(QStringLiteral("textdiff"));
        auto* view = static_cast<TextDiffView*>(m_window->view(QStringLiteral("textdiff")));
        QElapsedTimer timer;
        timer.start();
        view->compareFiles(before, after);
        const StatePage* page = nullptr;
        QVERIFY(waitFor([&] { return (page = limitPage(QStringLiteral("textdiff"))) != nullptr; }, 20000));
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed()))); // not read through
        QVERIFY2(page->text().contains(format::bytes(limits::textBytes)), qPrintable(page->text()));
        view->compareFiles(QString(), QString());
        QVERIFY(waitFor([&] { return limitPage(QStringLiteral("textdiff")) == nullptr; }, 20000));
    }

    void inputsThatAreTooMany()
    {
        // The sheet has 64 lines for shapes; of the rest it says how to set them.
        auto graph = std::make_shared<Graph>();
        GraphEditor edit(*graph);
        for (int i = 0; i < 70; ++i)
            edit.addNode({"input" + std::to_string(i), "Data", {}, {{"y", TensorDesc()}}, {}, false});
        const auto run = runOf(0, [](int) { return std::string(); });
        run->setGraph(std::move(graph), std::make_shared<Journal>());
        const int id = m_window->hub()->addModel(QStringLiteral("inputs.onnx"), {});
        m_window->hub()->setRun(id, run);
        m_window->showView(QStringLiteral("whatif"));
        const QLabel* rest = nullptr;
        QVERIFY(waitFor([&] {
            rest = m_window->view(QStringLiteral("whatif"))->findChild<QLabel*>(QStringLiteral("more_shapes"));
            return rest != nullptr;
        }));
        QVERIFY2(rest->text().startsWith(QStringLiteral("6 more inputs")) && isSentence(rest->text()) &&
                     rest->text().contains(QStringLiteral("--set")),
                 qPrintable(rest->text()));
    }

    void aLogThatIsTooLarge()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plog.log"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(300'000'000));
        auto* view = static_cast<LogDecoderView*>(m_window->view(QStringLiteral("decoder")));
        const QString said = view->openFile(path);
        for (const QString& part :
             {path, format::bytes(300'000'000), format::bytes(256 << 20), QStringLiteral("tail -c")})
            QVERIFY2(said.contains(part), qPrintable(said));
        QVERIFY(isSentence(said));
    }

private:
    /// The page with words and a button that a view shows in place of what is too large; null while it shows something else.
    StatePage* limitPage(const QString& name) const
    {
        for (StatePage* page : m_window->view(name)->findChildren<StatePage*>())
            if (const auto* button = page->findChild<QPushButton*>(); page->isVisible() && button->isVisible())
                return page;
        return nullptr;
    }

    /// How much there is, how much can be shown, and what to do, in sentences; the button does it.
    static void isLimitSaid(const StatePage& page, qint64 count, qint64 limit, const QString& language)
    {
        const QString text = page.text();
        if (count > 0) QVERIFY2(text.contains(format::count(count)), qPrintable(text));
        QVERIFY2(text.contains(format::count(limit)), qPrintable(text));
        const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        for (const QString& line : lines) QVERIFY2(isSentence(line), qPrintable(line));
        const QString button = page.findChild<QPushButton*>()->text();
        QVERIFY(!button.isEmpty());
        if (language != QLatin1String("zh_CN")) return;
        for (const QString& said : lines + QStringList{button})
            QVERIFY2(std::any_of(said.begin(), said.end(), [](QChar c) { return c.unicode() >= 0x4e00; }),
                     qPrintable(said));
    }

    static void addViews()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("language");
        for (const QString& name : MainWindow::viewNames())
            if (name != QLatin1String("welcome"))
                for (const char* language : {"en", "zh_CN"})
                    QTest::addRow("%s, %s", qPrintable(name), language) << name << QString::fromLatin1(language);
    }

    /// Fails for a view that shows an empty list or an empty page without a word; `word` is to be among the words (English).
    void check(const QString& word)
    {
        QFETCH(QString, name);
        QFETCH(QString, language);
        applyLanguage(language);
        m_window->showView(name);
        View* const view = m_window->view(name);
        if (name == QLatin1String("graph") && !view->isVisible()) return; // the welcome page is in its place
        QVERIFY(waitFor([&] { return view->isVisible() && !view->hasPendingChanges(); }, 5000));
        QTest::qWait(150);
        QStringList pages, blank;
        const auto hasWords = [&] { // a list is filled, or its sentence comes, some events after the view is shown
            pages.clear();
            blank.clear();
            for (const StatePage* page : view->findChildren<StatePage*>())
                if (page->isVisible()) pages += page->text();
            for (const TablePanel* list : view->findChildren<TablePanel*>()) {
                if (!list->isVisible() || list->view()->model() == nullptr || list->view()->model()->rowCount() > 0)
                    continue;
                if (list->placeholder().isEmpty()) blank += list->name();
            }
            return blank.isEmpty();
        };
        (void)waitFor(hasWords, 5000);
        QVERIFY2(blank.isEmpty(), qPrintable(QStringLiteral("empty without a word: ") + blank.join(QLatin1Char(' '))));
        for (const QString& page : pages) {
            const QStringList lines = page.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
            QVERIFY2(lines.size() >= 2, qPrintable(QStringLiteral("no word of what to do: ") + page));
            for (const QString& line : lines) // what a reader says of a file begins with its name
                QVERIFY2(isSentence(line) || line.contains(QLatin1String("broken.onnx")), qPrintable(line));
            if (language == QLatin1String("zh_CN"))
                QVERIFY2(std::any_of(page.begin(), page.end(), [](QChar c) { return c.unicode() >= 0x4e00; }),
                         qPrintable(page));
        }
        if (!word.isEmpty() && language == QLatin1String("en") && !pages.isEmpty() && name != QLatin1String("log") &&
            name != QLatin1String("models") && name != QLatin1String("breakpoints") && name != QLatin1String("whatif"))
            QVERIFY2(pages.join(QLatin1Char('\n')).contains(word), qPrintable(pages.join(QLatin1Char('\n'))));
        picture(*m_window, qPrintable(QString::fromLatin1(QTest::currentTestFunction()) + QLatin1Char('-') + name +
                                      QLatin1Char('-') + language));
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestViewStates)
#include "tst_view_states.moc"
