// A view takes in what is handed over while it is in front, and once when it comes there; behind it works for nothing.

#include "tests/viewers/graph_models.h"
#include "tests/viewers/view_fixture.h"
#include "viewers/common/column_fit.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

using namespace gelens;
using test::runOfSample;

namespace {

struct CountingView : View {
    int runs = 0, steps = 0, selections = 0, states = 0;
    int all() const { return runs + steps + selections + states; }

protected:
    void runChanged() override { ++runs; }
    void stepChanged() override { ++steps; }
    void selectionChanged() override { ++selections; }
    void stateChanged() override { ++states; }
};

void deliver() { QCoreApplication::processEvents(); }

} // namespace

class TestViewFront : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<CountingView>();
        test::showView(*m_view, runOfSample("small-resnet"));
        m_view->runs = m_view->steps = m_view->selections = m_view->states = 0;
    }

    void inFrontItFollowsAtOnce()
    {
        QVERIFY(m_view->isInFront());
        m_view->setStep(StepId{3}, StepId{2});
        m_view->setStep(StepId{4}, StepId{3});
        m_view->setSelection(Selection::ofNode(NodeId{1}));
        QVERIFY(m_view->hasPendingChanges());
        deliver();
        QCOMPARE(m_view->steps, 1); // the changes of one event are one
        QCOMPARE(m_view->selections, 1);
        QCOMPARE(m_view->runs, 0);
        QCOMPARE(m_view->shownStep(), StepId{4});
    }

    void behindItWaits()
    {
        m_view->setStep(StepId{3}, StepId{2});
        deliver();
        m_view->setBehind(true);
        QVERIFY(m_view->isVisible() && !m_view->isInFront() && !View::isSeen(*m_view));
        for (int step = 4; step < 9; ++step) {
            m_view->setStep(StepId{step}, StepId{step - 1});
            deliver();
        }
        QCOMPARE(m_view->steps, 1);
        QCOMPARE(m_view->shownStep(), StepId{3}); // of what it shows
        QVERIFY(!m_view->hasPendingChanges());

        QSignalSpy front(m_view.get(), &View::cameToFront);
        m_view->setBehind(false);
        QCOMPARE(front.count(), 1);
        QVERIFY(m_view->hasPendingChanges());
        deliver();
        QCOMPARE(m_view->steps, 2);
        QCOMPARE(m_view->runs + m_view->selections, 0);
        QCOMPARE(m_view->shownStep(), StepId{8});
    }

    void comingBackToWhatItShowsIsNoWork()
    {
        const StepId shown = m_view->shownStep(), compared = m_view->comparedStep();
        m_view->setBehind(true);
        m_view->setStep(StepId{2}, StepId{1});
        m_view->setSelection(Selection::ofNode(NodeId{1}));
        m_view->setStep(shown, compared);
        m_view->setSelection({});
        m_view->setBehind(false);
        deliver();
        m_view->setBehind(true);
        m_view->setBehind(false);
        deliver();
        QCOMPARE(m_view->all(), 0);
    }

    /// A layout that is put together brings up one panel after the other.
    void inFrontForAMomentIsNoWork()
    {
        m_view->setBehind(true);
        m_view->setStep(StepId{2}, StepId{1});
        m_view->setBehind(false);
        m_view->setBehind(true);
        deliver();
        QCOMPARE(m_view->all(), 0);
        m_view->setBehind(false);
        deliver();
        QCOMPARE(m_view->steps, 1);
    }

    void itCatchesUpWhenItIsAsked()
    {
        m_view->setBehind(true);
        m_view->setStep(StepId{2}, StepId{1});
        m_view->catchUp();
        QCOMPARE(m_view->all(), 0);
        m_view->setBehind(false);
        m_view->catchUp();
        QCOMPARE(m_view->steps, 1);
        deliver();
        QCOMPARE(m_view->steps, 1);
    }

    void hiddenCountsAsBehind()
    {
        m_view->hide();
        m_view->setStep(StepId{2}, StepId{1});
        deliver();
        QCOMPARE(m_view->all(), 0);
        m_view->show();
        QCOMPARE(m_view->steps, 1);
    }

    /// Whatever it showed before.
    void behindItKeepsNoRunAlive()
    {
        std::shared_ptr<const Run> run = testing::makeRun(1);
        const std::weak_ptr<const Run> kept = run;
        m_view->setRun(run);
        deliver();
        run.reset();
        QVERIFY(!kept.expired());
        m_view->setBehind(true);
        m_view->setRun(runOfSample("attention-fits"));
        QVERIFY(kept.expired());
        QVERIFY(m_view->run() == nullptr);
        m_view->setBehind(false);
        deliver();
        QCOMPARE(m_view->run(), runOfSample("attention-fits"));
        QCOMPARE(m_view->emptyState(), EmptyState::Ready);
        QCOMPARE(m_view->runs, 3);
    }

    void aListBehindIsFittedWhenItIsSeen()
    {
        QStandardItemModel model(1, 2);
        model.setData(model.index(0, 0), QStringLiteral("short"));
        auto* list = new QTreeView;
        list->setModel(&model);
        new ColumnFit(list, {}, -1);
        (new QVBoxLayout(m_view.get()))->addWidget(list);
        QTRY_VERIFY(list->isVisible());
        QTest::qWait(20);
        const int width = list->header()->sectionSize(0);
        m_view->setBehind(true);
        QSignalSpy measured(list->header(), &QHeaderView::sectionResized);
        model.insertRow(0);
        model.setData(model.index(0, 0), QString(60, QLatin1Char('w')));
        QTest::qWait(20);
        QCOMPARE(measured.count(), 0);
        m_view->setBehind(false);
        QTRY_VERIFY(list->header()->sectionSize(0) > width);
    }

private:
    std::unique_ptr<CountingView> m_view;
};

QTEST_MAIN(TestViewFront)
#include "tst_view_front.moc"
