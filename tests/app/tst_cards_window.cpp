// A model split over cards in the window: from the menu to the monitor's rows, and what cannot be split.

#include "app/gui/card_tools.h"
#include "app/gui/command_line.h"
#include "app/gui/debug_tools.h"
#include "app/gui/session_keeper.h"
#include "app/gui/view_command.h"
#include "engine/session/cards.h"
#include "tests/app/window_fixture.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/models/models_model.h"
#include "viewers/models/roles.h"
#include "viewers/models_monitor/models_view.h"
#include "viewers/whatif/whatif_form.h"
#include "viewers/whatif/whatif_view.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTreeView>

using namespace gelens;
using namespace gelens::test;

class TestCardsWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void splitByTheMenu()
    {
        const auto window = makeWindow();
        QAction* const action = window->action(QStringLiteral("split_cards"));
        QVERIFY(action != nullptr && !action->isEnabled());
        QVERIFY(openAndWait(*window, sample("tiny-llama")));
        const int whole = window->hub()->current()->id;
        QVERIFY(action->isEnabled());
        QVERIFY(splitByDialog(*window, 2));
        QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
        QCOMPARE(window->hub()->current()->id, whole); // one stays where one was

        // The monitor is in front and has the figures of the engine's own cards.
        auto* const models = qobject_cast<ModelsView*>(window->view(QStringLiteral("models")));
        QVERIFY(waitFor([&] { return !models->visibleRegion().isEmpty(); }));
        auto session = Session::open(sample("tiny-llama").toStdString(), window->hub()->current()->options);
        QVERIFY(session.ok());
        FleetOptions options;
        options.compile = window->hub()->current()->options;
        options.compile.cards = 2;
        const auto fleet = compileCards(**session, options);
        QVERIFY(fleet.ok());
        QCOMPARE(fleet->members.size(), std::size_t{2});
        const QAbstractItemModel* const rows = models->panel()->view()->model();
        QCOMPARE(rows->rowCount(), 3);
        for (int card = 0; card < 2; ++card) {
            const RunStatistics& wanted = fleet->members[static_cast<std::size_t>(card)].run->statistics;
            const auto figure = [&](int column) { return rows->index(card + 1, column).data(SortRole).toLongLong(); };
            QCOMPARE(rows->index(card + 1, ModelsModel::Name).data().toString(),
                     QStringLiteral("tiny-llama-card%1").arg(card));
            QCOMPARE(figure(ModelsModel::Operators), wanted.nodes.after);
            QCOMPARE(figure(ModelsModel::Tasks), wanted.tasks.after);
            QCOMPARE(figure(ModelsModel::Peak), wanted.memoryAfter);
            QVERIFY(wanted.nodes.after > 0 && wanted.tasks.after > 0 && wanted.memoryAfter > 0);
            QVERIFY(wanted.nodes.after < window->hub()->run()->statistics.nodes.after);
        }

        // Choosing a card by mouse shows its graph.
        QTreeView* const list = models->panel()->view();
        const QRect cell = list->visualRect(rows->index(2, ModelsModel::Name));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, cell.center());
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(waitFor(
            [&] { return window->hub()->current()->name == QStringLiteral("tiny-llama-card1") && !window->isBusy(); }));
        const auto run = window->hub()->run();
        QCOMPARE(run->modelName, std::string("tiny-llama-card1"));
        QCOMPARE(window->graphView()->run(), run);
        for (const char* const name : {"memory", "timeline", "statistics"}) {
            QVERIFY(window->showView(QLatin1String(name)));
            QCOMPARE(window->view(QLatin1String(name))->run(), run);
        }
        QVERIFY(window->windowTitle().contains(QStringLiteral("tiny-llama-card1")));
        picture(*window, "cards");

        // A what-if of the card is one of its part, not of the file.
        CompileOptions tried = window->hub()->current()->options;
        tried.memoryPolicy = MemoryPolicy::Simple;
        WhatIfRuns* const whatIfs = window->debugTools()->whatIfs();
        const int id = whatIfs->start(window->hub()->current()->id, tried, QStringLiteral("simple"));
        QVERIFY(waitFor([&] { return !whatIfs->isBusy(); }));
        QVERIFY2(whatIfs->find(id)->run, qPrintable(whatIfs->find(id)->error));
        QCOMPARE(whatIfs->find(id)->run->modelName, std::string("tiny-llama-card1"));
        QCOMPARE(whatIfs->find(id)->run->statistics.nodes.after, run->statistics.nodes.after);

        // The file itself is still the whole model: opening it again goes there, and the command line splits it.
        QVERIFY(commandLineOf(*window).contains(QStringLiteral(" --cards 2")));
        QCOMPARE(window->openFile(sample("tiny-llama")), whole);
        QCOMPARE(window->hub()->current()->id, whole);
        QCOMPARE(window->sessionKeeper()->contents().models.size(), std::size_t{1});
        QVERIFY(!commandLineOf(*window).contains(QStringLiteral("--cards")));
    }

    void refusedInOneLine_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("cards");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("inChinese");
        QTest::newRow("no blocks") << "attention-fits" << 2 << "no repeated blocks were found"
                                   << "没有找到重复块";
        QTest::newRow("too many") << "tiny-llama" << 3 << "3 cards cannot share 2 blocks"
                                  << "3 张卡无法分担 2 个重复块";
    }
    void refusedInOneLine()
    {
        QFETCH(QString, model);
        QFETCH(int, cards);
        QFETCH(QString, said);
        QFETCH(QString, inChinese);
        const auto window = makeWindow();
        QVERIFY(openAndWait(*window, sample(model.toLatin1().constData())));
        const auto run = window->hub()->run();
        const StepId shown = window->hub()->shownStep();
        QSignalSpy failed(window->jobs(), &ModelJobs::failed), current(window->hub(), &Hub::currentChanged);
        QVERIFY(splitByDialog(*window, cards));
        QVERIFY(waitFor([&] { return failed.count() == 1 && !window->isBusy(); }));
        const QString sentence = failed.front().at(1).toString();
        QVERIFY2(sentence.contains(said) && !sentence.contains(QLatin1Char('\n')), qPrintable(sentence));
        QCOMPARE(window->statusBar()->currentMessage(), sentence);
        const QList<TablePanel*> lists = window->view(QStringLiteral("problems"))->findChildren<TablePanel*>();
        QCOMPARE(lists.size(), 1);
        QVERIFY(isListed(*lists.front()->view()->model(), said));
        applyLanguage(QStringLiteral("zh_CN"));
        const bool isTranslated = waitFor([&] { return isListed(*lists.front()->view()->model(), inChinese); }, 5000);
        applyLanguage(QStringLiteral("en"));
        QVERIFY(isTranslated);
        QCOMPARE(window->hub()->models().size(), std::size_t{1});
        QCOMPARE(window->hub()->run(), run);
        QVERIFY(window->hub()->shownStep() == shown);
        QCOMPARE(current.count(), 0);
        QVERIFY(window->action(QStringLiteral("split_cards"))->isEnabled());
    }

    void cancelledBeforeItIsSplit()
    {
        const auto window = makeWindow();
        QVERIFY(openAndWait(*window, sample("llama-7b")));
        QSignalSpy failed(window->jobs(), &ModelJobs::failed);
        window->cardTools()->split(window->hub()->current()->id, 4);
        QVERIFY(window->action(QStringLiteral("cancel"))->isEnabled());
        window->action(QStringLiteral("cancel"))->trigger();
        QVERIFY(waitFor([&] { return !window->isBusy(); }));
        QCOMPARE(window->hub()->models().size(), std::size_t{1});
        QCOMPARE(failed.count(), 0);
    }

    /// Cards as a field of the what-if panel: a table for each card against the base run.
    void whatIfOverCards()
    {
        const auto window = makeWindow();
        QVERIFY(openAndWait(*window, sample("tiny-llama")));
        const auto base = window->hub()->run();
        QVERIFY(window->showView(QStringLiteral("whatif")));
        auto* const view = qobject_cast<WhatIfView*>(window->view(QStringLiteral("whatif")));
        QVERIFY(waitFor([&] { return view->form()->cards()->value() == 1 && !view->runButton()->isEnabled(); }, 5000));
        view->form()->cards()->setFocus();
        view->form()->cards()->selectAll();
        QTest::keyClicks(view->form()->cards(), QStringLiteral("2"));
        QVERIFY(view->runButton()->isEnabled());
        QTest::mouseClick(view->runButton(), Qt::LeftButton);
        WhatIfRuns* const whatIfs = window->debugTools()->whatIfs();
        QVERIFY(waitFor([&] { return !whatIfs->isBusy() && !whatIfs->runsOf(window->hub()->current()->id).empty(); }));
        const KeptRun kept = whatIfs->runsOf(window->hub()->current()->id).front();
        QVERIFY2(kept.cards.size() == 2 && !kept.run, qPrintable(kept.error));
        const QAbstractItemModel& rows = *view->differences()->view()->model();
        QVERIFY(waitFor([&] { return rows.rowCount() == 3; }, 5000)); // two cards and the options
        for (int card = 0; card < 2; ++card) {
            const QModelIndex heading = rows.index(card, 0);
            QCOMPARE(heading.data().toString(), QStringLiteral("Card %1: tiny-llama-card%1").arg(card));
            const QModelIndex operators = rows.index(0, 0, heading);
            QCOMPARE(operators.data().toString(), QStringLiteral("operators"));
            QCOMPARE(operators.siblingAtColumn(1).data().toString(), QString::number(base->statistics.nodes.after));
            QCOMPARE(operators.siblingAtColumn(2).data().toString(),
                     QString::number(kept.cards[static_cast<std::size_t>(card)]->statistics.nodes.after));
            QVERIFY(kept.cards[static_cast<std::size_t>(card)]->statistics.nodes.after < base->statistics.nodes.after);
        }
        QVERIFY(!view->compareButton()->isEnabled());
        picture(*window, "cards-whatif");
        // Used, the model is split.
        QTest::mouseClick(view->useButton(), Qt::LeftButton);
        QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
        // More cards than blocks: said in the list.
        CompileOptions many = base->options;
        many.cards = 50;
        const int refused = whatIfs->start(window->hub()->current()->id, many, QStringLiteral("many"));
        QVERIFY(waitFor([&] { return !whatIfs->isBusy(); }));
        QVERIFY2(whatIfs->find(refused)->error.contains(QStringLiteral("50 cards cannot share 2 blocks")),
                 qPrintable(whatIfs->find(refused)->error));
    }

    /// A session with a split model: opened again it is split again, and the card that was shown is shown.
    void cardsComeBackWithTheSession()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("work.gelens"));
        StepId step;
        {
            const auto window = makeWindow();
            QVERIFY(openAndWait(*window, sample("tiny-llama")));
            QVERIFY(splitByDialog(*window, 2));
            QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
            window->hub()->setCurrent(window->hub()->models()[2].id);
            const auto run = window->hub()->run();
            for (const Step& each : run->steps)
                if (!step.isValid() && each.id.value > 3 && each.hasChanged()) step = each.id;
            window->hub()->showStep(step);
            CompileOptions tried = window->hub()->current()->options;
            tried.memoryPolicy = MemoryPolicy::Simple;
            window->debugTools()->whatIfs()->start(window->hub()->current()->id, tried, QStringLiteral("simple"));
            QVERIFY(waitFor([&] { return !window->isBusy(); }));
            QVERIFY(window->sessionKeeper()->save(path));
            QCOMPARE(window->sessionKeeper()->contents().models.size(), std::size_t{1});
        }
        const auto window = makeWindow();
        QVERIFY(window->sessionKeeper()->open(path));
        QVERIFY(waitFor([&] {
            return window->hub()->models().size() == 3 && !window->isBusy() && !window->sessionKeeper()->isRestoring();
        }));
        QCOMPARE(window->hub()->current()->name, QStringLiteral("tiny-llama-card1"));
        QCOMPARE(window->hub()->shownStep(), step);
        const auto runs = window->debugTools()->whatIfs()->runsOf(window->hub()->current()->id);
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs.front().name, QStringLiteral("simple"));
    }

    void splitWhenOpened()
    {
        const GuiOptions options = parseGuiOptions(
            {QStringLiteral("gelens"), sample("tiny-llama"), QStringLiteral("--cards"), QStringLiteral("2")});
        QVERIFY2(options.error.isEmpty(), qPrintable(options.error));
        QCOMPARE(options.cards, 2);
        QVERIFY(!parseGuiOptions({QStringLiteral("gelens"), QStringLiteral("--cards"), QStringLiteral("two")})
                     .error.isEmpty());
        const auto window = makeWindow();
        window->cardTools()->splitWhenOpened(window->openFile(options.files.front(), options.compile), options.cards);
        QVERIFY(waitFor([&] { return window->hub()->models().size() == 3 && !window->isBusy(); }));
        for (const OpenModel& model : window->hub()->models()) QVERIFY(model.run && !model.run->failed);
    }

    void inTheMenuInBothLanguages()
    {
        const auto window = makeWindow();
        QAction* const action = window->action(QStringLiteral("split_cards"));
        QVERIFY(!action->shortcut().isEmpty() && !action->toolTip().isEmpty() && !action->statusTip().isEmpty());
        bool isInMenu = false;
        for (QAction* const menu : window->menuBar()->actions())
            if (menu->text() == QStringLiteral("&Run")) isInMenu = menu->menu()->actions().contains(action);
        QVERIFY(isInMenu);
        const QString english = action->statusTip();
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(waitFor([&] { return action->text() == QStringLiteral("切分到多张卡…"); }, 5000));
        QVERIFY(action->statusTip() != english);
        applyLanguage(QStringLiteral("en"));
        QVERIFY(waitFor([&] { return action->text() == QStringLiteral("Split over cards…"); }, 5000));
    }

private:
    /// As a person does: the menu's action, a number, Enter.
    static bool splitByDialog(MainWindow& window, int cards)
    {
        window.action(QStringLiteral("split_cards"))->trigger();
        auto* const dialog = window.findChild<QInputDialog*>(QStringLiteral("cards_dialog"));
        auto* const number = dialog == nullptr ? nullptr : dialog->findChild<QSpinBox*>();
        if (number == nullptr || number->value() != 2) return false;
        number->selectAll();
        QTest::keyClicks(number, QString::number(cards));
        QTest::keyClick(number, Qt::Key_Return);
        return true;
    }

    static bool isListed(const QAbstractItemModel& rows, const QString& text)
    {
        for (int row = 0; row < rows.rowCount(); ++row)
            for (int column = 0; column < rows.columnCount(); ++column)
                if (rows.index(row, column).data().toString().contains(text)) return true;
        return false;
    }

    WindowSettings m_settings;
};

QTEST_MAIN(TestCardsWindow)
#include "tst_cards_window.moc"
