// A session brings back what the window shows beside the models: a comparison's place, two files in the text diff, and how
// the graph is drawn and folded.

#include "app/gui/debug_tools.h"
#include "app/gui/graph_drawing.h"
#include "app/gui/session_keeper.h"
#include "engine/session/text_diff.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/graph/graph_view.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

using namespace gelens;
using namespace gelens::test;

class TestSessionWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
    }
    void cleanup() { m_window.reset(); }

    void aComparisonKeepsItsPlace()
    {
        const int model = m_window->hub()->current()->id;
        CompileOptions other = m_window->hub()->run()->options;
        other.soc = "Ascend310P3";
        m_window->debugTools()->tryOut(other, QStringLiteral("another chip"));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        m_window->debugTools()->compareWhenDone(m_window->debugTools()->whatIfs()->runsOf(model).front().id);
        QVERIFY(waitFor([&] {
            return m_window->debugTools()->isComparison(m_window->hub()->current()->id) && !m_window->isBusy();
        }));
        const auto run = m_window->hub()->run();
        QCOMPARE(m_window->hub()->shownStep(), StepId{1}); // where a fresh one is shown
        m_window->hub()->showStep(StepId{0}, StepId{1});
        const NodeId node = firstNode(*run->graphAt(StepId{0}));
        m_window->hub()->select(Selection::ofNode(node));
        const QString name = QString::fromStdString(run->nameOf(node));
        saveAndOpen();
        QVERIFY(m_window->debugTools()->isComparison(m_window->hub()->current()->id));
        QCOMPARE(m_window->hub()->shownStep(), StepId{0});
        QCOMPARE(m_window->hub()->comparedStep(), StepId{1});
        QCOMPARE(QString::fromStdString(m_window->hub()->run()->nameOf(m_window->hub()->selection().node)), name);
    }

    void theTextDiffKeepsItsFiles()
    {
        auto* view = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(m_window->showView(QStringLiteral("textdiff")));
        view->forms()->setCurrentIndex(1);
        const QString before = dump("before.pbtxt", StepId{0}), after = dump("after.pbtxt", StepId{40});
        view->compareFiles(before, after);
        QVERIFY(waitFor([&] { return view->isReady() && view->diff() && !view->diff()->changes.empty(); }, 20000));
        const std::size_t changes = view->diff()->changes.size();
        const QString path = saveAndOpen();
        view = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(waitFor([&] { return view->isVisible() && view->isReady() && view->diff(); }, 20000));
        QCOMPARE(view->beforeFile(), before);
        QCOMPARE(view->afterFile(), after);
        QCOMPARE(view->diff()->changes.size(), changes);
        QCOMPARE(view->forms()->currentIndex(), 1);
        // Beside the session the files are named without their folder, and a file that is gone is said to be.
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject texts =
            QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("text_diff")).toObject();
        QCOMPARE(texts.value(QStringLiteral("before")).toString(), QStringLiteral("before.pbtxt"));
        QVERIFY(QFile::remove(before));
        open(path);
        view = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(
            waitFor([&] { return view->isReady() && view->summary().contains(QStringLiteral("before.pbtxt")); }, 5000));
    }

    void theDrawingComesBack_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("blocks");
        QTest::newRow("overlay, chosen by size") << QStringLiteral("overlay") << QString();
        QTest::newRow("single, all open") << QStringLiteral("single") << QStringLiteral("open");
        QTest::newRow("side by side, all folded") << QStringLiteral("side_by_side") << QStringLiteral("folded");
    }
    void theDrawingComesBack()
    {
        QFETCH(QString, mode);
        QFETCH(QString, blocks);
        GraphView* graph = m_window->graphView();
        DrawingWords drawing{{QStringLiteral("colour_by"), QStringLiteral("memory")},
                             {QStringLiteral("fold_scopes"), QStringLiteral("off")}};
        if (mode != QLatin1String("side_by_side")) drawing[QStringLiteral("mode")] = mode;
        applyDrawing(*graph, drawing);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        if (blocks == QLatin1String("open")) graph->openAll();
        if (blocks == QLatin1String("folded")) graph->foldAll();
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        const auto open = openBlocksOf(*graph);
        saveAndOpen();
        graph = m_window->graphView();
        QCOMPARE(drawingOf(*graph), drawing);
        QVERIFY(waitFor([&] { return openBlocksOf(*graph) == open && !m_window->isBusy(); }, 20000));
    }

    /// Written before the drawing was kept: as the person prefers it.
    void anOldSessionLeavesTheDrawingAlone()
    {
        QFile file(m_folder.filePath(QStringLiteral("old.gelens")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral(R"({"gelens_session": 2, "current": 0, "models": [{"path": "%1", "step": 9}]})")
                       .arg(sample("attention-fits"))
                       .toUtf8());
        file.close();
        m_window->graphView()->setMode(GraphMode::Overlay);
        m_window->openFile(file.fileName());
        QVERIFY(waitFor([&] {
            return m_window->hub()->run() && m_window->hub()->run()->modelName == "attention-fits" &&
                   !m_window->isBusy();
        }));
        QCOMPARE(m_window->hub()->shownStep(), StepId{9});
        QCOMPARE(m_window->graphView()->mode(), GraphMode::Overlay);
    }

private:
    static NodeId firstNode(const Graph& graph)
    {
        for (const NodeId id : graph.allNodes())
            if (graph.node(id).type.find("MatMul") != std::string::npos) return id;
        return {};
    }
    QString dump(const char* name, StepId step)
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        const auto text = DumpText::of(*m_window->hub()->run()->graphAt(step), DumpTextForm::GeOnnx, "");
        const QByteArray bytes(text->text().data(), static_cast<qsizetype>(text->text().size()));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    QString saveAndOpen()
    {
        const QString path = m_folder.filePath(QStringLiteral("work.gelens"));
        const bool isSaved = m_window->sessionKeeper()->save(path) && m_window->close();
        if (isSaved) open(path);
        return isSaved ? path : QString();
    }
    /// In a window of someone who changed nothing.
    void open(const QString& path)
    {
        m_window = freshWindow();
        m_window->openFile(path);
        QVERIFY(waitFor([&] {
            return m_window->hub()->run() && !m_window->sessionKeeper()->isRestoring() && !m_window->isBusy();
        }));
    }

    WindowSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestSessionWindow)
#include "tst_session_window.moc"
