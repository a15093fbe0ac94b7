// Session files, autosave, and a program that is killed in the middle of its work.

#include "app/core/option_arguments.h"
#include "app/gui/command_line.h"
#include "app/gui/debug_tools.h"
#include "app/gui/session_keeper.h"
#include "engine/session/what_if.h"
#include "tests/app/window_fixture.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QPlainTextEdit>
#include <QProcess>
#include <QToolBar>

#include <algorithm>

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
    model.cards[1].whatIfs = {{QStringLiteral("simple"), {}, true}};
    model.cardNotes[1] = {{QStringLiteral("n"), QStringLiteral("of the second card")}};
    model.original = QStringLiteral("/models/original.onnx");
    model.besides.resize(1);
    model.besides[0].path = QStringLiteral("/dumps");
    model.besides[0].shown = 5;
    contents.models = {model};
    contents.current = 0;
    contents.currentCard = 1;
    contents.currentBeside = 0;
    contents.currentRun = 2;
    contents.log = QStringLiteral("EZ9999: 内部错误");
    contents.models[0].cards[1].whatIfs[0].comparison = {0, 1, QStringLiteral("n")};
    contents.textBefore = QStringLiteral("/dumps/a b.pbtxt");
    contents.textAfter = QStringLiteral("/dumps/后.pbtxt");
    contents.textForm = QStringLiteral("readable");
    contents.drawing = DrawingWords{{QStringLiteral("mode"), QStringLiteral("overlay")},
                                    {QStringLiteral("fold_blocks"), QStringLiteral("off")}};
    contents.openBlocks = QStringList{QStringLiteral("scope/a")};
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

    /// Also with no model open: what was compared is offered again after a crash.
    void twoComparedFilesAreWorthKeeping()
    {
        SessionContents contents;
        QVERIFY(contents.isEmpty());
        contents.textBefore = QStringLiteral("/dumps/a.pbtxt");
        QVERIFY(!contents.isEmpty());
    }

    void pathsMoveWithTheFile()
    {
        SessionContents contents;
        contents.models.resize(2);
        contents.models[0].path = QStringLiteral("/project/models/a.onnx");
        contents.models[0].original = QStringLiteral("/project/models/o.onnx");
        contents.models[1].path = QStringLiteral("/data/b.onnx");
        contents.textBefore = QStringLiteral("/project/dumps/a.pbtxt");
        contents.textAfter = QStringLiteral("/data/b.pbtxt");
        const QByteArray text = sessionToJson(contents, QStringLiteral("/project"));
        QVERIFY(text.contains("\"models/a.onnx\""));
        const auto read = sessionFromJson(text, QStringLiteral("x"), QStringLiteral("/elsewhere"));
        QVERIFY(read.ok());
        QCOMPARE(read->models[0].path, QStringLiteral("/elsewhere/models/a.onnx"));
        QCOMPARE(read->models[0].original, QStringLiteral("/elsewhere/models/o.onnx"));
        QCOMPARE(read->models[1].path, QStringLiteral("/data/b.onnx"));
        QCOMPARE(read->textBefore, QStringLiteral("/elsewhere/dumps/a.pbtxt"));
        QCOMPARE(read->textAfter, QStringLiteral("/data/b.pbtxt"));
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
            {"{\"gelens_session\": 2, \"models\": [{\"path\": \"a\", \"card_notes\": {\"x\": {}}}]}",
             "models[0].card_notes.x"},
            {"{\"gelens_session\": 2, \"models\": [{\"path\": \"a\", \"card_notes\": {\"1\": {\"n\": 3}}}]}",
             "models[0].card_notes.1.n"},
            {"{\"gelens_session\": 2, \"models\": [{\"path\": \"a\", \"beside_dumps\": [{}]}]}",
             "models[0].beside_dumps[0].path"},
            {"{\"gelens_session\": 2, \"drawing\": {\"mode\": \"sideways\"}}", "drawing.mode"},
            {"{\"gelens_session\": 2, \"open_blocks\": [1]}", "open_blocks"},
            {"{\"gelens_session\": 2, \"text_diff\": {\"before\": \"a\"}}", "text_diff"},
            {"{\"gelens_session\": 1, \"breakpoints\": [{\"kind\": \"x\"}]}", "breakpoints[0].kind"}};
        for (const auto& [text, part] : cases) {
            const auto read = sessionFromJson(text, QStringLiteral("bad.gelens"), {});
            QVERIFY2(!read.ok(), text);
            QVERIFY2(read.error().message().find(part) != std::string::npos, read.error().message().c_str());
            QVERIFY(read.error().message().find("bad.gelens") != std::string::npos);
        }
        // Unknown fields are from a version that knows more.
        QVERIFY(sessionFromJson("{\"gelens_session\": 1, \"future\": {}}", {}, {}).ok());
        QVERIFY(sessionFromJson("{\"gelens_session\": 2, \"drawing\": {\"future\": 3}}", {}, {}).ok());
        // What did not say how the graph is drawn leaves it to the person.
        QVERIFY(!sessionFromJson("{\"gelens_session\": 1}", {}, {})->drawing);
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

    /// A node of the same name on another card is another node.
    void notesAreKeptByCard()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("cards.gelens"));
        QString node;
        {
            auto window = test::makeWindow();
            QVERIFY(openAndWait(*window, sample("tiny-llama")));
            window->jobs()->splitOverCards(window->hub()->current()->id, 2);
            QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
            node = nodeOnEveryModel(*window);
            QVERIFY(!node.isEmpty());
            for (int i = 0; i < 3; ++i) {
                showNode(*window, i, node);
                window->activateWindow(); // the dialog before it had the keys
                QVERIFY(QTest::qWaitForWindowActive(window.get()));
                QTest::keyClick(window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
                auto* dialog = window->findChild<QInputDialog*>(QStringLiteral("note_dialog"));
                QVERIFY(dialog != nullptr);
                QCOMPARE(dialog->textValue(), QString()); // nobody wrote here yet
                dialog->setTextValue(QStringLiteral("note %1").arg(i));
                dialog->accept();
                delete dialog;
            }
            QVERIFY(window->sessionKeeper()->save(path));
        }
        auto window = test::makeWindow();
        window->openFile(path);
        QVERIFY(waitFor([&] {
            return window->hub()->models().size() == 3 && !window->isBusy() && !window->sessionKeeper()->isRestoring();
        }));
        for (int i = 0; i < 3; ++i) {
            showNode(*window, i, node);
            QVERIFY2(waitFor([&] { return noteShown(*window) == QStringLiteral("✎ note %1").arg(i); }, 5000),
                     qPrintable(noteShown(*window)));
        }
        // Cards that are closed keep their notes.
        window->jobs()->close(window->hub()->models()[2].id);
        window->jobs()->close(window->hub()->models()[1].id);
        const SessionContents kept = window->sessionKeeper()->contents();
        QCOMPARE(kept.models[0].cardNotes.size(), std::size_t(2));
        QVERIFY(kept.models[0].cards.empty());
    }

    /// The first version kept notes by file; a card shows those on the nodes that it has.
    void notesOfAnOldFileComeToTheirCards()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("old.gelens"));
        QString node, other; // on the model and both cards; on the model alone
        {
            auto window = test::makeWindow();
            QVERIFY(openAndWait(*window, sample("tiny-llama")));
            window->jobs()->splitOverCards(window->hub()->current()->id, 2);
            QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
            node = nodeOnEveryModel(*window);
            const auto& models = window->hub()->models();
            for (const NodeId id : models[0].run->graphAt(StepId{0})->allNodes()) {
                const std::string name = models[0].run->nameOf(id);
                if (!models[2].run->graphAt(StepId{0})->findNode(name).isValid() &&
                    !models[2].run->graphAt(models[2].run->lastStep())->findNode(name).isValid())
                    other = QString::fromStdString(name);
            }
            QVERIFY(!node.isEmpty() && !other.isEmpty());
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QStringLiteral(R"({"gelens_session": 1, "current": 0, "models": [{"path": "%1", "options": {},
                "cards": [{}, {"step": 5}], "notes": {"%2": "shared", "%3": "elsewhere"}}]})")
                           .arg(sample("tiny-llama"), node, other)
                           .toUtf8());
        }
        auto window = test::makeWindow();
        window->openFile(path);
        QVERIFY(waitFor([&] {
            return window->hub()->models().size() == 3 && !window->isBusy() && !window->sessionKeeper()->isRestoring();
        }));
        const NodeNotes* notes = window->sessionKeeper()->notes();
        for (int i = 0; i < 3; ++i) {
            const auto& run = *window->hub()->models()[static_cast<std::size_t>(i)].run;
            QCOMPARE(notes->note(notesKey(run), node), QStringLiteral("shared"));
        }
        QCOMPARE(notes->note(notesKey(*window->hub()->models()[0].run), other), QStringLiteral("elsewhere"));
        QCOMPARE(notes->note(notesKey(*window->hub()->models()[2].run), other), QString());
        // Written again it is of the new version.
        QVERIFY(window->sessionKeeper()->save(path));
        const auto read = readSession(path);
        QVERIFY(read.ok() && !read->models[0].areNotesOfCardsToo);
        QCOMPARE(read->models[0].cardNotes.at(1).size(), std::size_t(1));
    }

    /// Steps, selections and layouts come many times a minute; a session that they leave as it was is not written again.
    void onlyWhatChangedIsWritten()
    {
        QDir(SessionKeeper::autosaveFolder()).removeRecursively();
        auto window = test::makeWindow();
        window->sessionKeeper()->start();
        window->sessionKeeper()->setAutosaveSeconds(1);
        QVERIFY(openAndWait(*window, sample("attention-fits")));
        const QDir folder(SessionKeeper::autosaveFolder());
        const auto kept = [&folder]() -> std::optional<SessionContents> {
            const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files);
            if (files.size() != 1) return std::nullopt;
            const auto read = readSession(files.first().absoluteFilePath());
            return read.ok() ? std::optional(*read) : std::nullopt;
        };
        const auto isCurrent = [&] { return kept() == window->sessionKeeper()->contents(); };
        QVERIFY(waitFor(isCurrent, 10000));
        // Away with it: whoever writes makes it anew.
        const QString path = folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files).first().absoluteFilePath();
        QVERIFY(QFile::remove(path));
        const StepId step = window->hub()->shownStep(), compared = window->hub()->comparedStep();
        window->hub()->showStep(StepId{2});
        window->hub()->showStep(step, compared);
        Q_EMIT window->graphView()->layoutReady();
        QTest::qWait(1500);
        QVERIFY(!QFileInfo::exists(path));
        window->hub()->showStep(StepId{2});
        QVERIFY(waitFor(isCurrent, 10000));
        // Another panel in front is a change, too.
        window->showView(QStringLiteral("memory"));
        QVERIFY(waitFor([&] { return kept() && kept()->view == QStringLiteral("memory"); }, 10000));
        QVERIFY(window->close());
        QVERIFY(folder.entryList({QStringLiteral("*.gelens")}, QDir::Files).isEmpty());
    }

    /// Killed while all of it is on its way back, with everything that a session can hold.
    void aProgramKilledInTheMiddleLosesNothing()
    {
        SessionContents all;
        all.models.resize(2);
        SessionContents::Model& model = all.models[0];
        model.path = sample("tiny-llama");
        model.options.soc = "Ascend310P3";
        model.options.memoryPolicy = MemoryPolicy::Ge;
        model.options.ruleSwitches["RmsNormDecomposedFusion"] = false;
        model.shown = 20;
        model.compared = 4;
        model.notes = {{QStringLiteral("input_ids"), QStringLiteral("where it begins")}};
        CompileOptions other = model.options;
        other.soc = "Ascend910B1";
        model.whatIfs = {{QStringLiteral("a larger chip"), other},
                         {QStringLiteral("as compared"), model.options, true, {0, 1, {}}}};
        model.cards.resize(2);
        model.cards[1].shown = 6;
        model.cards[1].compared = 5;
        model.cardNotes[1] = {{QStringLiteral("x"), QStringLiteral("second card")}};
        all.models[1].path = QStringLiteral(GELENS_SAMPLES_DIR "/small-resnet-dumps");
        all.models[1].shown = 3;
        all.models[1].compared = 2;
        all.current = 0;
        all.currentCard = 1;
        all.view = QStringLiteral("memory");
        all.breakpoints = {{BreakpointKind::Pass, "RmsNorm*", "hits >= 2", true},
                           {BreakpointKind::RuleRefused, "*", {}, false},
                           {BreakpointKind::Statistic, "memory > 20M", {}, true}};
        all.queries = {QStringLiteral("type:MatMul"), QStringLiteral("attn")};
        all.log = QStringLiteral("[ERROR] GE(1,atc): EZ3003: no supported kernel\n第二行");
        all.textForm = QStringLiteral("ge_proto");
        all.drawing = DrawingWords{{QStringLiteral("mode"), QStringLiteral("single")},
                                   {QStringLiteral("colour_by"), QStringLiteral("latency")}};

        QTemporaryDir home;
        const QString file = home.filePath(QStringLiteral("all.gelens"));
        QVERIFY(writeSession(all, file).ok());
        const auto written = readSession(file);
        QVERIFY(written.ok() && *written == all);
        const QDir folder(home.path() + QStringLiteral("/GE Lens/gelens/autosave"));
        QProcess program;
        program.setProcessEnvironment(environmentOf(home.path()));
        program.start(QStringLiteral(GELENS_BIN_DIR "/gelens"), {file});
        QVERIFY(program.waitForStarted());
        QVERIFY2(waitFor([&] { return !folder.entryList({QStringLiteral("*.gelens")}, QDir::Files).isEmpty(); }),
                 qPrintable(QString::fromUtf8(program.readAllStandardError())));
        program.kill();
        QVERIFY(program.waitForFinished());

        takeCrashFrom(folder);
        auto window = test::makeWindow();
        window->sessionKeeper()->start();
        QToolBar* bar = window->sessionKeeper()->restoreBar();
        QVERIFY(bar != nullptr && waitFor([&] { return bar->isVisible(); }, 5000));
        auto* restore = window->findChild<QAction*>(QStringLiteral("restore_session"));
        QTest::mouseClick(bar->widgetForAction(restore), Qt::LeftButton);
        QVERIFY(waitFor([&] { return !window->isBusy() && !window->sessionKeeper()->isRestoring(); }));
        QVERIFY(waitFor([&] { return window->view(QStringLiteral("memory"))->isVisible(); }, 5000));
        SessionContents back = window->sessionKeeper()->contents();
        QCOMPARE(back.models.size(), all.models.size());
        // A node may have been selected by the step; nothing else is more or less than before.
        for (SessionContents::Model& each : back.models) {
            each.node.clear();
            for (SessionContents::Model& card : each.cards) card.node.clear();
            for (SessionContents::WhatIf& run : each.whatIfs) run.comparison.node.clear();
        }
        back.models[0].cards[0].shown = back.models[0].cards[0].compared = -1; // was never said
        QCOMPARE(QString::fromUtf8(sessionToJson(back, {})), QString::fromUtf8(sessionToJson(all, {})));
        QCOMPARE(window->hub()->run()->modelName, std::string("tiny-llama-card1"));
        QVERIFY(window->close());
    }

    void aKilledProgramLosesNothing()
    {
        QTemporaryDir home;
        const QDir folder(home.path() + QStringLiteral("/GE Lens/gelens/autosave"));
        QProcess program;
        program.setProcessEnvironment(environmentOf(home.path()));
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
        takeCrashFrom(folder);
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
    /// Settings and autosave of a program that is started go there.
    static QProcessEnvironment environmentOf(const QString& home)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home);
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        return environment;
    }
    static void takeCrashFrom(const QDir& folder)
    {
        QDir(SessionKeeper::autosaveFolder()).removeRecursively();
        QVERIFY(QDir().mkpath(SessionKeeper::autosaveFolder()));
        const auto files = folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files);
        QCOMPARE(files.size(), 1);
        QVERIFY(QFile::copy(files.first().absoluteFilePath(),
                            SessionKeeper::autosaveFolder() + QLatin1Char('/') + files.first().fileName()));
    }
    /// A node that the model and all its cards have at their end.
    static QString nodeOnEveryModel(MainWindow& window)
    {
        const auto& models = window.hub()->models();
        const auto first = models[0].run->graphAt(models[0].run->lastStep());
        for (const NodeId id : first->allNodes())
            if (std::all_of(models.begin(), models.end(), [&](const OpenModel& model) {
                    return model.run->graphAt(model.run->lastStep())->findNode(first->node(id).name).isValid();
                }))
                return QString::fromStdString(first->node(id).name);
        return {};
    }
    static void showNode(MainWindow& window, int index, const QString& node)
    {
        const OpenModel& model = window.hub()->models()[static_cast<std::size_t>(index)];
        window.hub()->setCurrent(model.id);
        window.hub()->showStep(model.run->lastStep());
        const NodeId id = model.run->graphAt(model.run->lastStep())->findNode(node.toStdString());
        QVERIFY(id.isValid());
        window.hub()->select(Selection::ofNode(id));
        QVERIFY(waitFor([&] { return !window.isBusy(); }, 20000));
    }
    static QString noteShown(MainWindow& window)
    {
        return static_cast<InspectorView*>(window.view(QStringLiteral("inspector")))->note();
    }

    std::unique_ptr<test::WindowSettings> m_settings;
};

QTEST_MAIN(TestSessionKeeper)
#include "tst_session_keeper.moc"
