// The settings dialog: every setting acts on the window, is there again in the next one, and goes back to its default.

#include "app/core/preferences.h"
#include "app/core/run_observers.h"
#include "app/gui/debug_tools.h"
#include "app/gui/help_tools.h"
#include "app/gui/preference_form.h"
#include "app/gui/session_keeper.h"
#include "app/gui/settings_dialog.h"
#include "tests/app/window_fixture.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabWidget>

using namespace gelens;
using namespace gelens::test;
using P = Preference;

class TestSettingsWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        // Settings and autosaved sessions of its own: other tests run at the same time.
        QCoreApplication::setApplicationName(QStringLiteral("tst_settings_window"));
    }
    void init() { m_window = freshWindow(); }
    void cleanup()
    {
        m_window.reset();
        applyFontPoints(0);
    }

    void everyPreferenceHasARowInBothLanguages()
    {
        SettingsDialog* dialog = open();
        QCOMPARE(dialog->tabs()->count(), 4);
        QStringList english;
        for (const PreferenceInfo& info : preferences()) {
            QWidget* control = dialog->form(info.page)->control(info.id);
            QVERIFY2(control != nullptr && !control->toolTip().isEmpty() && !control->accessibleName().isEmpty(),
                     info.key);
            QCOMPARE(control->objectName(), QLatin1String(info.key));
            english += control->accessibleName();
            if (auto* box = qobject_cast<QComboBox*>(control)) {
                QCOMPARE(box->count(), info.choices.size());
                for (int i = 0; i < box->count(); ++i) QVERIFY2(!box->itemText(i).isEmpty(), info.key);
                english += box->itemText(box->count() - 1);
            }
        }
        for (int tab = 0; tab < 4; ++tab) {
            dialog->tabs()->setCurrentIndex(tab);
            picture(*dialog, qPrintable(QStringLiteral("settings-%1-en").arg(tab)));
        }
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor([&] { return dialog->tabs()->tabText(1) == QStringLiteral("编译"); }, 5000));
        QStringList chinese;
        for (const PreferenceInfo& info : preferences()) {
            QWidget* control = dialog->form(info.page)->control(info.id);
            chinese += control->accessibleName();
            if (auto* box = qobject_cast<QComboBox*>(control)) chinese += box->itemText(box->count() - 1);
        }
        QCOMPARE(chinese.size(), english.size());
        for (int i = 0; i < chinese.size(); ++i)
            QVERIFY2(chinese[i] != english[i] || english[i].startsWith(QStringLiteral("allow_")),
                     qPrintable(english[i]));
        for (int tab = 0; tab < 4; ++tab) {
            dialog->tabs()->setCurrentIndex(tab);
            picture(*dialog, qPrintable(QStringLiteral("settings-%1-zh").arg(tab)));
        }
        applyLanguage(QStringLiteral("en"));
    }

    void lettersGrow()
    {
        const int before = QFontMetrics(m_window->statusBar()->font()).height();
        setNumber(P::FontPoints, 18);
        QVERIFY(waitFor([&] { return QFontMetrics(m_window->statusBar()->font()).height() > before; }, 5000));
        QCOMPARE(QApplication::font().pointSize(), 18);
        again();
        QCOMPARE(QApplication::font().pointSize(), 18);
        open();
        restore(PreferencePage::General);
        QVERIFY(waitFor([&] { return QFontMetrics(m_window->statusBar()->font()).height() == before; }, 5000));
    }

    void soManyRecentFilesAreKept()
    {
        Settings settings;
        for (const char* name : {"/a.onnx", "/b.onnx", "/c.onnx"}) settings.addRecentFile(QLatin1String(name));
        setNumber(P::RecentFiles, 2);
        QCOMPARE(recentEntries(), (QStringList{QStringLiteral("/c.onnx"), QStringLiteral("/b.onnx")}));
        setNumber(P::RecentFiles, 0);
        QCOMPARE(recentEntries(), QStringList());
        setNumber(P::RecentFiles, 3); // what was kept comes back: only adding drops
        QCOMPARE(recentEntries().size(), 3);
    }

    void theSessionIsKeptAsOftenAsAsked()
    {
        QDir(SessionKeeper::autosaveFolder()).removeRecursively();
        const auto kept = [] {
            return QDir(SessionKeeper::autosaveFolder()).entryList({QStringLiteral("*.gelens")}, QDir::Files).size();
        };
        setNumber(P::AutosaveSeconds, 0);
        m_window->sessionKeeper()->start();
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QVERIFY(!waitFor([&] { return kept() > 0; }, 2500)); // never
        setNumber(P::AutosaveSeconds, 1);
        QVERIFY(waitFor([&] { return kept() == 1; }, 5000));
        setNumber(P::AutosaveSeconds, 0); // from now on, and what was kept is gone
        QCOMPARE(kept(), 0);
        setNumber(P::AutosaveSeconds, 3);
        QElapsedTimer clock;
        clock.start();
        QVERIFY(waitFor([&] { return kept() == 1; }, 10000));
        QVERIFY2(clock.elapsed() > 2000, qPrintable(QString::number(clock.elapsed())));
    }

    void modelsAreCompiledAsPreferred()
    {
        choose(P::Precision, QStringLiteral("force_fp16"));
        choose(P::MemoryPolicy, QStringLiteral("ge"));
        setNumber(P::PlannerSeconds, 7);
        again(); // a program started later
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        const CompileOptions& options = m_window->hub()->run()->options;
        QVERIFY(options.precision == PrecisionMode::ForceFp16);
        QVERIFY(options.memoryPolicy == MemoryPolicy::Ge);
        QCOMPARE(options.timeLimitSeconds, 7.0);
        QCOMPARE(m_window->hub()->run()->plan.policy, std::string("ge"));
        QVERIFY(!options.verify && !m_window->hub()->run()->verification.ran);
        open();
        restore(PreferencePage::Compile);
        m_window->action(QStringLiteral("close"))->trigger();
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QVERIFY(m_window->hub()->run()->options == CompileOptions());
    }

    void theChipOfNewModelsIsChosenAndRestored()
    {
        SettingsDialog* dialog = open();
        const int soc = dialog->socs()->findText(QStringLiteral("Ascend310P3"));
        dialog->socs()->setCurrentIndex(soc);
        Q_EMIT dialog->socs()->activated(soc);
        again();
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QCOMPARE(m_window->hub()->run()->soc.name, std::string("Ascend310P3"));
        open();
        restore(PreferencePage::Compile);
        again();
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QCOMPARE(m_window->hub()->run()->soc.name, std::string("Ascend910B1"));
    }

    void runsAreVerified()
    {
        setFlag(P::VerifyAfterRun, true);
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        QVERIFY(m_window->hub()->run()->verification.ran && m_window->hub()->run()->verification.passed());
        const auto first = m_window->hub()->run();
        press(Qt::Key_F5); // run again as well
        QVERIFY(waitFor([&] { return m_window->hub()->run() != first && !m_window->isBusy(); }));
        QVERIFY(m_window->hub()->run()->verification.ran);
        setFlag(P::VerifyAfterRun, false);
        const auto second = m_window->hub()->run();
        press(Qt::Key_F5);
        QVERIFY(waitFor([&] { return m_window->hub()->run() != second && !m_window->isBusy(); }));
        QVERIFY(!m_window->hub()->run()->verification.ran);
    }

    /// Halted, time stands still; then the rest of the second is all there is.
    void verificationEndsWithItsTime()
    {
        setNumber(P::VerifySeconds, 1);
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        const auto before = m_window->hub()->run();
        press(Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(waitFor([&] { return m_window->hub()->run() != before && !m_window->isBusy(); }));
        QVERIFY(m_window->hub()->run()->verification.passed()); // it takes less

        std::stop_source stop;
        VerifyClock clock(1, nullptr, stop);
        QVERIFY(!stop.stop_requested());
        QElapsedTimer watch;
        watch.start();
        clock.start();
        QVERIFY(waitFor([&] { return stop.stop_requested(); }, 5000));
        QVERIFY2(watch.elapsed() >= 900, qPrintable(QString::number(watch.elapsed())));
        QVERIFY(clock.hasStopped());
        // The window says so, and the run is there without its proof.
        Q_EMIT m_window->jobs()->verifyStopped(0, 1);
        QVERIFY(m_window->statusBar()->currentMessage().contains(QStringLiteral("stopped after 1 s")));
    }

    void dumpsAreWritten()
    {
        QTemporaryDir folder;
        setFolder(P::DumpFolder, folder.path());
        choose(P::DumpDetail, QStringLiteral("2"));
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        const QDir written(folder.filePath(QStringLiteral("small-resnet")));
        const auto sizeOf = [&] {
            qint64 bytes = 0;
            for (const QFileInfo& file : written.entryInfoList({QStringLiteral("ge_onnx_*.pbtxt")}, QDir::Files))
                bytes += file.size();
            return bytes;
        };
        const int files = written.entryList({QStringLiteral("ge_onnx_*.pbtxt")}, QDir::Files).size();
        QVERIFY2(files >= 5, qPrintable(QString::number(files)));
        const qint64 withoutWeights = sizeOf();
        choose(P::DumpDetail, QStringLiteral("3"));
        const auto first = m_window->hub()->run();
        press(Qt::Key_F5);
        QVERIFY(waitFor([&] { return m_window->hub()->run() != first && !m_window->isBusy(); }));
        QVERIFY2(sizeOf() < withoutWeights, qPrintable(QString::number(withoutWeights)));
        // What was written opens like any folder of dumps.
        QVERIFY(openAndWait(*m_window, written.path()));
        QCOMPARE(m_window->hub()->run()->stepCount(), files);
        // A folder that cannot be made is said, and the run is there all the same.
        QFile(folder.filePath(QStringLiteral("file"))).open(QIODevice::WriteOnly);
        setFolder(P::DumpFolder, folder.filePath(QStringLiteral("file")));
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QVERIFY(m_window->hub()->run() && !m_window->hub()->run()->failed);
        QVERIFY2(m_window->statusBar()->currentMessage().contains(QStringLiteral("dump folder")),
                 qPrintable(m_window->statusBar()->currentMessage()));
        // The button that clears the line is enough.
        auto* line = static_cast<QLineEdit*>(control(P::DumpFolder));
        line->clear();
        QCOMPARE(preference(P::DumpFolder).toString(), QString());
    }

    void theGraphBeginsAsPreferred()
    {
        choose(P::GraphMode, QStringLiteral("single"));
        choose(P::GraphColours, QStringLiteral("data_type"));
        setFlag(P::FoldBlocks, false);
        setFlag(P::FoldScopes, false);
        setFlag(P::EdgeShapes, false);
        setFlag(P::EdgeDataTypes, true);
        setFlag(P::EdgeFormats, false);
        setFlag(P::Constants, true);
        again();
        const auto holds = [this] {
            const GraphView* graph = m_window->graphView();
            return graph->mode() == GraphMode::Single && graph->colorBy() == ColorBy::DataType &&
                   graph->folding() == FoldOptions{false, false} && graph->labels() == EdgeLabels{false, true, false} &&
                   graph->showsConstants();
        };
        QVERIFY(holds());
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
        QVERIFY(holds());
        QVERIFY(!m_window->graphView()->beforeCanvas()->isVisible());
        const QString shown = m_window->graphView()->visibleText();
        QVERIFY2(shown.contains(QStringLiteral("float")) || shown.contains(QStringLiteral("FLOAT")) ||
                     shown.contains(QStringLiteral("fp")),
                 qPrintable(shown));
        // What is open follows the dialog at once, and all goes back together.
        setFlag(P::EdgeDataTypes, false);
        QVERIFY(m_window->graphView()->labels() == EdgeLabels({false, false, false}));
        restore(PreferencePage::Graph);
        const GraphView* graph = m_window->graphView();
        QVERIFY(graph->mode() == GraphMode::SideBySide && graph->colorBy() == ColorBy::Unit &&
                graph->folding() == FoldOptions() && graph->labels() == EdgeLabels() && !graph->showsConstants());
        QVERIFY(waitFor([&] { return m_window->graphView()->beforeCanvas()->isVisible(); }, 20000));
        for (const PreferenceInfo& info : preferences())
            if (info.page == PreferencePage::Graph) QVERIFY2(!isPreferenceChanged(info.id), info.key);
    }

    void theMapOfTheGraph()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        m_window->graphView()->setMode(GraphMode::Single);
        m_window->graphView()->openAll();
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        GraphCanvas* canvas = m_window->graphView()->afterCanvas();
        SettingsDialog* dialog = open();
        QVERIFY(waitFor([&] { return m_window->graphView()->isLayoutReady() && !canvas->isMoving(); }, 20000));
        const auto settled = [canvas] { // tiles are drawn finer behind the scenes
            QImage image = canvas->grab().toImage(), before;
            (void)waitFor(
                [&] {
                    before = std::exchange(image, canvas->grab().toImage());
                    return before == image;
                },
                5000);
            return image;
        };
        const QImage with = settled();
        setFlag(P::MiniMap, false);
        const QImage without = settled();
        QVERIFY(with != without);
        // It stood in a corner: what differs is away from the middle.
        QRect differs;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) differs |= QRect(x, y, 1, 1);
        QVERIFY2(differs.width() < with.width() / 2 && !differs.contains(with.rect().center()),
                 qPrintable(QStringLiteral("%1 %2 %3x%4")
                                .arg(differs.x())
                                .arg(differs.y())
                                .arg(differs.width())
                                .arg(differs.height())));
        setFlag(P::MiniMap, true);
        QCOMPARE(settled(), with);
        dialog->close();
    }

    void blocksMoveOrDoNot()
    {
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        GraphCanvas* canvas = m_window->graphView()->afterCanvas();
        const auto moves = [&] {
            // Blocks that stood elsewhere before.
            FoldMotion::Places places = canvas->placesInView();
            for (auto& [key, rect] : places) rect.translate(40, 40);
            canvas->moveFrom(places);
            return canvas->isMoving();
        };
        if (!moves()) QSKIP("this style does not animate");
        setFlag(P::Animations, false);
        QVERIFY(waitFor([&] { return !canvas->isMoving(); }, 5000));
        QVERIFY(!moves());
        setFlag(P::Animations, true);
        QVERIFY(moves());
    }

    void shortcutsGoBackToTheirOwn()
    {
        QAction* step = m_window->action(QStringLiteral("step"));
        SettingsDialog* dialog = open();
        dialog->showShortcuts();
        QTest::keyClicks(dialog->filterLine(), QStringLiteral("run to breakpoint"));
        m_window->action(QStringLiteral("run_to_breakpoint"));
        restore(PreferencePage::General); // another page leaves them alone
        dialog->showShortcuts();
        step->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_9));
        QTest::mouseClick(dialog->restoreButton(), Qt::LeftButton);
        QCOMPARE(step->shortcut(), QKeySequence(Qt::Key_F10));
        QVERIFY(step->toolTip().contains(QStringLiteral("F10")));
        QVERIFY(dialog->notice().contains(QStringLiteral("as shipped")));
    }

    void whatIsNotAllowedIsNotTaken()
    {
        QSettings().setValue(QStringLiteral("run/precision"), QStringLiteral("nonsense"));
        QSettings().setValue(QStringLiteral("recent_files_kept"), 100000);
        QSettings().setValue(QStringLiteral("font_points"), QStringLiteral("huge"));
        for (const P id : {P::Precision, P::RecentFiles, P::FontPoints})
            QCOMPARE(preference(id), preferenceInfo(id).initial);
        setPreference(P::RecentFiles, -1);
        QCOMPARE(preference(P::RecentFiles), preferenceInfo(P::RecentFiles).initial);
        again(); // and the window opens
        QVERIFY(openAndWait(*m_window, sample("attention-fits")));
    }

private:
    SettingsDialog* open()
    {
        if (SettingsDialog* there = m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog")))
            return there;
        m_window->action(QStringLiteral("settings"))->trigger();
        return m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog"));
    }
    /// A key of the window's: shortcuts work in the active one only.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        if (auto* dialog = m_window->findChild<SettingsDialog*>(QStringLiteral("settings_dialog"))) delete dialog;
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void again()
    {
        m_window.reset();
        applyFontPoints(0);
        m_window = makeWindow();
    }
    QWidget* control(P id)
    {
        SettingsDialog* dialog = open();
        const PreferencePage page = preferenceInfo(id).page;
        dialog->tabs()->setCurrentIndex(static_cast<int>(page));
        return dialog->form(page)->control(id);
    }
    void setFlag(P id, bool isOn)
    {
        auto* box = static_cast<QCheckBox*>(control(id));
        if (box->isChecked() != isOn) QTest::keyClick(box, Qt::Key_Space);
        QCOMPARE(preference(id).toBool(), isOn);
    }
    void setNumber(P id, int value)
    {
        auto* box = static_cast<QSpinBox*>(control(id));
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::number(value));
        QTest::keyClick(box, Qt::Key_Tab);
        if (box->value() != value) box->setValue(value);
        QCOMPARE(preference(id).toInt(), value);
    }
    void choose(P id, const QString& choice)
    {
        auto* box = static_cast<QComboBox*>(control(id));
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->findData(choice); ++i) QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(preference(id).toString(), choice);
    }
    void setFolder(P id, const QString& folder)
    {
        auto* line = static_cast<QLineEdit*>(control(id));
        line->selectAll();
        QTest::keyClicks(line, folder);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(preference(id).toString(), folder);
    }
    void restore(PreferencePage page)
    {
        SettingsDialog* dialog = open();
        dialog->tabs()->setCurrentIndex(static_cast<int>(page));
        QTest::mouseClick(dialog->restoreButton(), Qt::LeftButton);
        for (const PreferenceInfo& info : preferences())
            if (info.page == page) QVERIFY2(!isPreferenceChanged(info.id), info.key);
    }
    QStringList recentEntries() const
    {
        QStringList entries;
        for (const QMenu* menu : m_window->findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("Open recent"))
                for (const QAction* entry : menu->actions())
                    if (entry->text().startsWith(QLatin1Char('/'))) entries += entry->text();
        return entries;
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestSettingsWindow)
#include "tst_settings_window.moc"
