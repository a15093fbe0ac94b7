// "Copy the command line that reproduces this view": the line, run by a shell with the real program and a stranger's
// settings, shows the same.

#include "app/core/option_arguments.h"
#include "app/gui/debug_tools.h"
#include "app/gui/graph_drawing.h"
#include "app/gui/view_command.h"
#include "engine/formats/om/om_writer.h"
#include "engine/session/text_diff.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace gelens;
using namespace gelens::test;

class TestViewCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        // Someone else's chip, precision and policy, and a proof after each run.
        QVERIFY(QDir(m_home.path()).mkpath(QStringLiteral("GE Lens")));
        QFile settings(m_home.filePath(QStringLiteral("GE Lens/gelens.conf")));
        QVERIFY(settings.open(QIODevice::WriteOnly));
        settings.write(
            "[General]\nsoc=Ascend310P3\n\n[run]\nprecision=force_fp16\nmemory_policy=simple\nverify=true\n");
    }
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
    }
    void cleanup() { m_window.reset(); }

    void aFreshRun() { isReproduced(); }

    void stepsAndPanels_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("compared");
        for (const char* view : {"unfused", "diff", "memory", "timeline", "statistics", "models", "problems", "whatif",
                                 "breakpoints", "textdiff", "decoder", "accuracy"})
            QTest::addRow("%s", view) << QString::fromLatin1(view) << 31 << 30;
        QTest::addRow("far apart") << QStringLiteral("diff") << 90 << 12;
        QTest::addRow("the last pass") << QStringLiteral("diff") << 124 << 123;
        QTest::addRow("as read") << QStringLiteral("memory") << 0 << 0;
    }
    void stepsAndPanels()
    {
        QFETCH(QString, view);
        QFETCH(int, step);
        QFETCH(int, compared);
        m_window->hub()->showStep(StepId{step}, StepId{compared});
        QVERIFY(m_window->showView(view));
        isReproduced();
    }

    void aSelectedNode()
    {
        const auto run = m_window->hub()->run();
        m_window->hub()->showStep(StepId{40});
        const auto graph = run->graphAt(StepId{40});
        for (const NodeId id : graph->allNodes())
            if (graph->node(id).type.find("MatMul") != std::string::npos)
                m_window->hub()->select(Selection::ofNode(id));
        QVERIFY(m_window->hub()->selection().node.isValid());
        isReproduced();
    }

    void options_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"--soc Ascend310P3", "--rule-off RmsNormDecomposedFusion",
                                 "--skip-pass RmsNormDecomposedFusion", "--super-kernel '/model/layers.0/*=first'",
                                 "--l1 2097152 --ub 131072", "--memory-policy ge", "--precision force_fp16",
                                 "--parallel-streams", "--seed 7 --time-limit 2", "--autofuse=--enable_autofuse=true"})
            QTest::addRow("%s", text) << QString::fromLatin1(text);
    }
    void options()
    {
        QFETCH(QString, text);
        const auto wanted = optionsFromText(text, m_window->hub()->current()->options);
        QVERIFY2(wanted.ok(), wanted.ok() ? "" : wanted.error().message().c_str());
        rerun(*wanted);
        QVERIFY(m_window->hub()->run()->options == *wanted);
        isReproduced();
    }

    void drawings_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("blocks");
        const QString bySize = QStringLiteral("by size");
        const auto row = [&](const char* words, const QString& blocks) {
            QTest::addRow("%s, %s", words, qPrintable(blocks))
                << QString::fromLatin1(words).split(QLatin1Char(' '), Qt::SkipEmptyParts) << blocks;
        };
        row("mode=overlay colour_by=latency", bySize);
        row("mode=single colour_by=origin edge_data_types=on edge_shapes=off", bySize);
        row("fold_blocks=off constants=on", bySize);
        row("fold_blocks=off fold_scopes=off", bySize);
        row("", QStringLiteral("all"));
        row("", QStringLiteral("none"));
        row("mode=single", QStringLiteral("one more"));
    }
    void drawings()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, blocks);
        GraphView* graph = m_window->graphView();
        DrawingWords drawing;
        for (const QString& word : words)
            drawing[word.section(QLatin1Char('='), 0, 0)] = word.section(QLatin1Char('='), 1);
        applyDrawing(*graph, drawing);
        m_window->hub()->showStep(StepId{40});
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QCOMPARE(drawingOf(*graph), drawing);
        if (blocks == QLatin1String("all")) graph->openAll();
        if (blocks == QLatin1String("none")) graph->foldAll();
        if (blocks == QLatin1String("one more")) {
            const auto& groups = graph->afterCanvas()->scene()->fold->groups();
            QVERIFY(groups.size() > 1);
            graph->toggleGroup(groups[1].key);
        }
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        // On the way through the steps nodes stay in the blocks that they were in; a line knows nothing of the way.
        graph->tidy();
        isReproduced();
    }

    void textDiffAndLog()
    {
        auto* texts = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(m_window->showView(QStringLiteral("textdiff")));
        texts->forms()->setCurrentIndex(2);
        QVERIFY(waitFor([&] { return !texts->hasPendingChanges() && texts->isReady(); }, 20000));
        isReproduced();

        const auto dump = [&](const char* name, StepId step) {
            const QString path = m_home.filePath(QLatin1String(name));
            QFile file(path);
            const auto text = DumpText::of(*m_window->hub()->run()->graphAt(step), DumpTextForm::GeOnnx, "");
            return file.open(QIODevice::WriteOnly) && file.write(text->text().data()) > 0 ? path : QString();
        };
        texts->compareFiles(dump("it's before.pbtxt", StepId{0}), dump("after.pbtxt", StepId{40}));
        QVERIFY(waitFor([&] { return texts->isReady() && texts->diff() && !texts->diff()->changes.empty(); }, 20000));
        isReproduced();

        QFile log(m_home.filePath(QStringLiteral("plog.log")));
        QVERIFY(log.open(QIODevice::WriteOnly) &&
                log.write("E19999: Inner Error\nMatMulAddFusionPass: not fused\n") > 0);
        log.close();
        auto* decoder = viewOf<LogDecoderView>(*m_window, "decoder");
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        QCOMPARE(decoder->openFile(log.fileName()), QString());
        QVERIFY(waitFor([&] { return decoder->isReady(); }));
        isReproduced();
    }

    void aCard()
    {
        m_window->jobs()->splitOverCards(m_window->hub()->current()->id, 2);
        QVERIFY(waitFor([&] { return m_window->hub()->models().size() == 3 && !m_window->isBusy(); }));
        m_window->hub()->setCurrent(m_window->hub()->models()[2].id);
        m_window->hub()->showStep(StepId{30});
        QVERIFY(m_window->showView(QStringLiteral("memory")));
        QCOMPARE(m_window->hub()->run()->modelName, std::string("tiny-llama-card1"));
        isReproduced();
    }

    void aWhatIfBesideItsRun()
    {
        CompileOptions base = m_window->hub()->current()->options;
        base.ruleSwitches["RmsNormDecomposedFusion"] = false; // the other run has it on again
        rerun(base);
        CompileOptions other;
        other.soc = "Ascend310P3";
        m_window->debugTools()->tryOut(other, QStringLiteral("it's: another chip"));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QVERIFY(m_window->showView(QStringLiteral("whatif")));
        isReproduced();

        const int kept = m_window->debugTools()->whatIfs()->runsOf(m_window->hub()->current()->id).front().id;
        m_window->debugTools()->compareWhenDone(kept);
        QVERIFY(waitFor([&] {
            return m_window->debugTools()->isComparison(m_window->hub()->current()->id) && !m_window->isBusy();
        }));
        QVERIFY(m_window->showView(QStringLiteral("diff")));
        isReproduced();
    }

    void dumps()
    {
        QVERIFY(openAndWait(*m_window, QStringLiteral(GELENS_SAMPLES_DIR "/small-resnet-dumps")));
        m_window->action(QStringLiteral("previous_change"))->trigger();
        leaveOnly(1);
        isReproduced();
    }

    void aRunBesideDumps()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        leaveOnly(1);
        QVERIFY(m_window->jobs()->compareWithDumps(m_window->hub()->current()->id,
                                                   QStringLiteral(GELENS_SAMPLES_DIR "/small-resnet-dumps")) >= 0);
        QVERIFY(waitFor([&] { return m_window->hub()->run() && !m_window->isBusy(); }));
        QVERIFY(m_window->showView(QStringLiteral("problems")));
        isReproduced();
    }

    void anOmWithItsOriginal()
    {
        const auto run = m_window->hub()->run();
        const QString path = m_home.filePath(QStringLiteral("it's tiny.om"));
        QVERIFY(writeOm({*run->graphAt(run->lastStep()), run->plan, run->tasks, run->soc.name, run->sourceFormat},
                        path.toStdString())
                    .ok());
        QVERIFY(openAndWait(*m_window, path));
        leaveOnly(1);
        isReproduced();
        m_window->jobs()->attachOriginal(m_window->hub()->current()->id, sample("tiny-llama"));
        QVERIFY(waitFor([&] { return !m_window->hub()->current()->original.isEmpty() && !m_window->isBusy(); }));
        isReproduced();
    }

    void wrongLinesAreRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const auto row = [](const QStringList& arguments, const char* named) {
            QTest::addRow("%s", qPrintable(arguments.join(QLatin1Char(' '))))
                << arguments << QString::fromLatin1(named);
        };
        row({QStringLiteral("--card"), QStringLiteral("0")}, "--card 0");
        row({QStringLiteral("--cards"), QStringLiteral("2"), QStringLiteral("--card"), QStringLiteral("2")},
            "--card 2");
        row({QStringLiteral("--what-if"), QStringLiteral("--no-such 3")}, "--no-such");
        row({QStringLiteral("--against"), QStringLiteral("plainly wrong")}, "plainly wrong");
        row({QStringLiteral("--compare-step"), QStringLiteral("9999")}, "--compare-step 9999");
        row({QStringLiteral("--node"), QStringLiteral("nobody")}, "--node nobody");
        row({QStringLiteral("--beside"), QStringLiteral("/no/such/folder")}, "/no/such/folder");
        row({QStringLiteral("--draw"), QStringLiteral("mode=two")}, "mode=two: known are side_by_side overlay single");
        row({QStringLiteral("--draw"), QStringLiteral("colour")}, "colour: known are mode colour_by");
        row({QStringLiteral("--text-before"), QStringLiteral("a.pbtxt")}, "--text-before");
        row({QStringLiteral("--text-before"), QStringLiteral("/no/a"), QStringLiteral("--text-after"),
             QStringLiteral("/no/b")},
            "/no/a");
        row({QStringLiteral("--log"), QStringLiteral("/no/plog")}, "/no/plog");
        row({QStringLiteral("--view"), QStringLiteral("logdecoder")}, "decoder accuracy");
    }
    void wrongLinesAreRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        QProcess program;
        program.setProcessEnvironment(environment());
        program.start(QStringLiteral(GELENS_BIN_DIR "/gelens"),
                      QStringList{sample("attention-fits"), QStringLiteral("--print-state")} + arguments);
        QVERIFY(program.waitForFinished(60000));
        const QString error = QString::fromUtf8(program.readAllStandardError());
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(error.contains(QStringLiteral("gelens: error: ")) && error.contains(named), qPrintable(error));
        QCOMPARE(error.count(QStringLiteral("gelens: error: ")), 1);
    }

    void wordsOfAShell()
    {
        const QStringList words{QStringLiteral("it's"), QStringLiteral("a b"),  QStringLiteral("\"q\""), QString(),
                                QStringLiteral("中文"), QStringLiteral("$x\\y")};
        QStringList quoted;
        for (const QString& word : words) quoted += shellWord(word);
        QCOMPARE(shellWords(quoted.join(QLatin1Char(' '))), words);
        QCOMPARE(shellWords(QStringLiteral("  a\\ b \"c \\\"d\" ")),
                 (QStringList{QStringLiteral("a b"), QStringLiteral("c \"d")}));
    }

private:
    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_home.path());
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("PATH"),
                           QStringLiteral(GELENS_BIN_DIR ":") + environment.value(QStringLiteral("PATH")));
        return environment;
    }
    void rerun(const CompileOptions& options)
    {
        const auto before = m_window->hub()->run();
        m_window->jobs()->rerun(m_window->hub()->current()->id, options);
        QVERIFY(waitFor([&] { return m_window->hub()->run() != before && !m_window->isBusy(); }));
    }
    /// Closes all models but the last ones: a line opens the one in front.
    void leaveOnly(int last)
    {
        while (static_cast<int>(m_window->hub()->models().size()) > last)
            m_window->jobs()->close(m_window->hub()->models().front().id);
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
    }
    void isReproduced()
    {
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        auto* texts = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(waitFor([&] { return !texts->hasPendingChanges() && texts->isReady(); })); // of these steps
        QTest::qWait(50); // lists that fill in behind the scenes
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QApplication::clipboard()->text();
        QVERIFY(line.startsWith(QStringLiteral("gelens ")));
        QProcess shell;
        shell.setProcessEnvironment(environment());
        shell.setWorkingDirectory(QStringLiteral("/")); // from anywhere
        shell.start(QStringLiteral("sh"),
                    {QStringLiteral("-c"), line + QStringLiteral(" --print-state --language en --size 1400x900")});
        QVERIFY(shell.waitForFinished(60000));
        const QByteArray error = shell.readAllStandardError();
        QVERIFY2(shell.exitCode() == 0, qPrintable(line + QLatin1Char('\n') + QString::fromUtf8(error)));
        const QJsonObject there = QJsonDocument::fromJson(shell.readAllStandardOutput()).object(),
                          here = QJsonDocument::fromJson(stateOf(*m_window)).object();
        QVERIFY2(here.contains(QStringLiteral("graph")), qPrintable(line));
        for (const QString& field : here.keys()) {
            const auto text = [&field](const QJsonObject& state) {
                return QString::fromUtf8(QJsonDocument(QJsonObject{{field, state.value(field)}}).toJson());
            };
            if (text(there) != text(here)) qWarning("%s", qPrintable(line));
            QCOMPARE(text(there), text(here));
        }
        QCOMPARE(there.keys(), here.keys());
    }

    QTemporaryDir m_home;
    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestViewCommand)
#include "tst_view_command.moc"
