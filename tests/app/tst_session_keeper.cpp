// Session files, autosave, and a program that is killed in the middle of its work.

#include "app/core/option_arguments.h"
#include "app/gui/command_line.h"
#include "app/gui/debug_tools.h"
#include "app/gui/session_keeper.h"
#include "engine/session/what_if.h"
#include "tests/app/window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QPlainTextEdit>
#include <QProcess>
#include <QToolBar>

using namespace gelens;
using test::openAndWait;
using test::sample;
using test::waitFor;

namespace {

SessionContents example()
{
    SessionContents contents;
    SessionContents::Model model;
    model.path = QStringLiteral("/models/a b.onnx");
    model.readAs = QStringLiteral("onnx");
    model.options.soc = "Ascend310P3";
    model.options.precision = PrecisionMode::ForceFp16;
    model.options.memoryPolicy = MemoryPolicy::Ge;
    model.options.ruleSwitches = {{"A", true}, {"B", false}};
    model.options.inputShapes["x"] = {1, 3, 9007199254740993};
    model.options.buffers.l1 = 1081344;
    model.options.seed = 18446744073709551u;
    model.options.parallelStreams = true;
    model.options.streamLabels["n"] = "s1";
    model.options.superKernelScopes["block0/*"] = "first";
    model.shown = 12;
    model.compared = 3;
    model.node = QStringLiteral("/层/MatMul");
    model.notes = {{QStringLiteral("/层/MatMul"), QStringLiteral("check this\nagain")}};
    model.whatIfs = {{QStringLiteral("larger L1"), model.options}};
    model.options.skippedPasses = {"PrunePass", "RmsNormDecomposedFusion"};
    model.cards.resize(2);
    model.cards[1].shown = 7;
    model.cards[1].node = QStringLiteral("n");
    model.cards[1].whatIfs = {{QStringLiteral("simple"), {}}};
    contents.models = {model};
    contents.current = 0;
    contents.currentCard = 1;
    contents.view = QStringLiteral("memory");
    contents.breakpoints = {{BreakpointKind::Statistic, "memory > 20M", "hits >= 2", false}};
    contents.queries = {QStringLiteral("type:Conv*")};
    return contents;
}

} // namespace

class TestSessionKeeper : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        m_settings = std::make_unique<test::WindowSettings>();
        QDir(SessionKeeper::autosaveFolder()).removeRecursively();
    }

    void roundTrip()
    {
        const SessionContents contents = example();
        const QByteArray text = sessionToJson(contents, {});
        const auto read = sessionFromJson(text, QStringLiteral("x.gelens"), {});
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        QVERIFY(*read == contents);
        QCOMPARE(sessionToJson(*read, {}), text);
    }

    void pathsMoveWithTheFile()
    {
        SessionContents contents;
        contents.models.push_back({QStringLiteral("/project/models/a.onnx"), {}, {}, -1, -1, {}, {}, {}});
        contents.models.push_back({QStringLiteral("/data/b.onnx"), {}, {}, -1, -1, {}, {}, {}});
        const QByteArray text = sessionToJson(contents, QStringLiteral("/project"));
        QVERIFY(text.contains("\"models/a.onnx\""));
        const auto read = sessionFromJson(text, QStringLiteral("x"), QStringLiteral("/elsewhere"));
        QVERIFY(read.ok());
        QCOMPARE(read->models[0].path, QStringLiteral("/elsewhere/models/a.onnx"));
        QCOMPARE(read->models[1].path, QStringLiteral("/data/b.onnx"));
    }

    void badFilesNameThePlace()
    {
        const std::pair<const char*, const char*> cases[] = {
            {"", "JSON"},
            {"[1]", "no session"},
            {"{\"gelens_session\": 99}", "newer"},
            {"{\"gelens_session\": 1, \"models\": 3}", "models"},
            {"{\"gelens_session\": 1, \"models\": [{\"path\": \"a\", \"options\": {\"soc\": 4}}]}",
             "models[0].options.soc"},
            {"{\"gelens_session\": 1, \"models\": [{\"path\": \"a\", \"options\": {\"precision\": \"x\"}}]}",
             "precision"},
            {"{\"gelens_session\": 1, \"models\": [{}]}", "models[0].path"},
            {"{\"gelens_session\": 1, \"breakpoints\": [{\"kind\": \"x\"}]}", "breakpoints[0].kind"}};
        for (const auto& [text, part] : cases) {
            const auto read = sessionFromJson(text, QStringLiteral("bad.gelens"), {});
            QVERIFY2(!read.ok(), text);
            QVERIFY2(read.error().message().find(part) != std::string::npos, read.error().message().c_str());
            QVERIFY(read.error().message().find("bad.gelens") != std::string::npos);
        }
        // Unknown fields are from a version that knows more.
        QVERIFY(sessionFromJson("{\"gelens_session\": 1, \"future\": {}}", {}, {}).ok());
    }

    void savedAndOpenedAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("work.gelens"));
        QString node;
        {
            auto window = test::makeWindow();
            QVERIFY(openAndWait(*window, sample("small-resnet")));
            const auto run = window->hub()->run();
            const StepId step = *run->findStep("ConvBatchnormFusionPass");
            window->hub()->showStep(step);
            const NodeId id = window->hub()->selection().node;
            QVERIFY(id.isValid());
            node = QString::fromStdString(run->nameOf(id));
            window->debugTools()->breakpoints()->add({BreakpointKind::OpType, "Conv2D", "", true});
            // A note, by the dialog.
            window->action(QStringLiteral("note"))->trigger();
            auto* dialog = window->findChild<QInputDialog*>(QStringLiteral("note_dialog"));
            QVERIFY(dialog != nullptr);
            dialog->setTextValue(QStringLiteral("looks right"));
            dialog->accept();
            CompileOptions other = run->options;
            other.memoryPolicy = MemoryPolicy::Ge;
            window->debugTools()->tryOut(other, QStringLiteral("GE's memory"));
            QVERIFY(waitFor([&] { return !window->isBusy(); }));
            QVERIFY(window->showView(QStringLiteral("statistics")));
            QVERIFY(window->sessionKeeper()->save(path));
            QVERIFY(window->close());
        }
        auto window = test::makeWindow();
        window->openFile(path);
        QVERIFY(waitFor(
            [&] { return !window->isBusy() && window->hub()->run() && !window->sessionKeeper()->isRestoring(); }));
        QVERIFY(waitFor([&] { return !window->isBusy(); }));
        const auto run = window->hub()->run();
        QCOMPARE(run->modelName, std::string("small-resnet"));
        QCOMPARE(window->hub()->shownStep(), *run->findStep("ConvBatchnormFusionPass"));
        QCOMPARE(QString::fromStdString(run->nameOf(window->hub()->selection().node)), node);
        QCOMPARE(window->debugTools()->breakpoints()->breakpoints().size(), std::size_t(1));
        const auto kept = window->debugTools()->whatIfs()->runsOf(window->hub()->current()->id);
        QCOMPARE(kept.size(), std::size_t(1));
        QVERIFY(kept.front().run && kept.front().run->options.memoryPolicy == MemoryPolicy::Ge);
        QCOMPARE(window->sessionKeeper()->notes()->note(sample("small-resnet"), node), QStringLiteral("looks right"));
        QVERIFY(waitFor([&] { return window->view(QStringLiteral("statistics"))->isVisible(); }, 5000));
        QVERIFY(Settings().recentFiles().contains(path));
    }

    void whatAFileWasSaidToBeIsKept()
    {
        SessionContents contents;
        {
            auto window = test::makeWindow();
            window->jobs()->openAs(sample("attention-fits"), QStringLiteral("onnx"), {});
            QVERIFY(waitFor([&] { return window->hub()->run() && !window->isBusy(); }));
            contents = window->sessionKeeper()->contents();
        }
        QCOMPARE(contents.models.size(), std::size_t(1));
        auto window = test::makeWindow();
        window->sessionKeeper()->restore(contents);
        QVERIFY(waitFor(
            [&] { return window->hub()->run() && !window->isBusy() && !window->sessionKeeper()->isRestoring(); }));
        QCOMPARE(window->hub()->current()->readAs, QStringLiteral("onnx"));
    }

    void aKilledProgramLosesNothing()
    {
        QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        const QDir folder(home.path() + QStringLiteral("/GE Lens/gelens/autosave"));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(GELENS_BIN_DIR "/gelens"), {sample("attention-fits"), sample("small-resnet"),
                                                                 QStringLiteral("--step"), QStringLiteral("9")});
        QVERIFY(program.waitForStarted());
        // --step belongs to the model in front, the second one; the first one's place is kept as well.
        QVERIFY2(waitFor([&] {
                     const auto files = folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files);
                     if (files.isEmpty()) return false;
                     const auto read = readSession(files.first().absoluteFilePath());
                     return read.ok() && read->models.size() == 2 && read->models[1].shown == 9;
                 }),
                 qPrintable(QString::fromUtf8(program.readAllStandardError())));
        program.kill();
        QVERIFY(program.waitForFinished());
        const auto files = folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files);
        QCOMPARE(files.size(), 1); // the killed program could not take it away

        // The next start offers it. It runs here, with the folder of the killed one.
        QDir(SessionKeeper::autosaveFolder()).removeRecursively();
        QVERIFY(QDir().mkpath(SessionKeeper::autosaveFolder()));
        QVERIFY(QFile::copy(files.first().absoluteFilePath(),
                            SessionKeeper::autosaveFolder() + QLatin1Char('/') + files.first().fileName()));
        auto window = test::makeWindow();
        window->sessionKeeper()->start();
        QToolBar* bar = window->sessionKeeper()->restoreBar();
        QVERIFY(bar != nullptr && waitFor([&] { return bar->isVisible(); }, 5000));
        auto* restore = window->findChild<QAction*>(QStringLiteral("restore_session"));
        QVERIFY(restore != nullptr);
        QTest::mouseClick(bar->widgetForAction(restore), Qt::LeftButton);
        QVERIFY(waitFor([&] {
            return window->hub()->models().size() == 2 && !window->isBusy() && !window->sessionKeeper()->isRestoring();
        }));
        QCOMPARE(window->hub()->run()->modelName, std::string("small-resnet"));
        QCOMPARE(window->hub()->shownStep(), StepId{9});
        QVERIFY(window->sessionKeeper()->restoreBar() == nullptr);
        // Closed as it should, nothing is left to offer.
        QVERIFY(window->close());
        window.reset();
        QVERIFY(QDir(SessionKeeper::autosaveFolder()).entryList({QStringLiteral("*.gelens")}).isEmpty());
    }

    void theCommandLineReproducesTheView()
    {
        auto window = test::makeWindow();
        QVERIFY(openAndWait(*window, sample("tiny-llama")));
        CompileOptions options = window->hub()->current()->options;
        options.soc = "Ascend310P3";
        options.buffers.l1 = 2097152;
        options.autofuseFlags = "--enable_autofuse=true;--autofuse_enable_pass=reduce";
        options.ruleSwitches["RmsNormDecomposedFusion"] = false;
        window->jobs()->rerun(window->hub()->current()->id, options);
        QVERIFY(waitFor([&] { return !window->isBusy() && window->hub()->run()->soc.name == "Ascend310P3"; }));
        window->hub()->showStep(StepId{7});
        window->action(QStringLiteral("copy_command"))->trigger();
        const QString line = QApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("gelens ")), qPrintable(line));
        QProcess shell; // the line is for one: it quotes as a shell does
        shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + line});
        QVERIFY(shell.waitForFinished());
        const QStringList words =
            QString::fromUtf8(shell.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const GuiOptions read = parseGuiOptions(words);
        QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
        QCOMPARE(read.files, QStringList{QFileInfo(sample("tiny-llama")).absoluteFilePath()});
        QCOMPARE(read.step, QStringLiteral("7"));
        QCOMPARE(read.soc, QStringLiteral("Ascend310P3"));
        QVERIFY(optionChanges(read.compile, options).size() == 1); // the SoC stands beside
        QCOMPARE(shellWord(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
    }

private:
    std::unique_ptr<test::WindowSettings> m_settings;
};

QTEST_MAIN(TestSessionKeeper)
#include "tst_session_keeper.moc"
