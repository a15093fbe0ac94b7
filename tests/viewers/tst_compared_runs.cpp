// Two runs side by side: views that have nothing of them say so, and no figure of one stands for the other's.

#include "engine/session/comparison_run.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/common/compared_runs.h"
#include "viewers/common/formatter.h"
#include "viewers/memory/memory_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/unfused_view.h"

#include <QTest>

using namespace gelens;
using namespace gelens::testing;

namespace {

template <typename ShownView>
void show(ShownView& view, const std::shared_ptr<const Run>& run)
{
    view.resize(1200, 400);
    view.show();
    view.setRun(run);
    view.setEmptyState(EmptyState::Ready);
    view.setStep(run->lastStep(), StepId{0});
    QTest::qWait(1);
}

} // namespace

class ComparedRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useEnglish();
        m_base = sampleRun("tiny-llama");
        m_other = sampleRun("tiny-llama", "Ascend310P3");
        QVERIFY(m_base && m_other);
        m_both = comparisonRun(m_base, "base", m_other, "310P3");
        QVERIFY(comparesRuns(*m_both));
        QVERIFY(!comparesRuns(*m_base));
    }

    void timelineSaysWhereItIs()
    {
        QVERIFY(!m_other->timeline.items.empty());
        TimelineView view;
        show(view, m_both);
        QTRY_VERIFY2(view.stateText().startsWith(QStringLiteral("Two runs are compared")),
                     qPrintable(view.stateText()));
    }

    void chainsSayWhereTheyAre()
    {
        UnfusedView view;
        show(view, m_both);
        QTRY_VERIFY2(view.stateText().startsWith(QStringLiteral("Two runs are compared")),
                     qPrintable(view.stateText()));
    }

    /// What fusion saves is told by the model as it was read, which is not there: only the peak of the other run is.
    void memoryComparesNoPeakWithASum()
    {
        MemoryView view;
        show(view, m_base);
        QTRY_VERIFY2(view.summary().contains(QStringLiteral("Fusion saves")), qPrintable(view.summary()));
        show(view, m_both);
        const QString policy = format::bytes(m_other->statistics.memoryGeAfter);
        QTRY_VERIFY2(view.summary().contains(QStringLiteral("GE's policy %1 ").arg(policy)),
                     qPrintable(view.summary()));
        QVERIFY(view.summary().contains(QStringLiteral("Reuse saves")));
        QVERIFY2(!view.summary().contains(QStringLiteral("Fusion saves")) &&
                     !view.summary().contains(QStringLiteral("more in its tensors")),
                 qPrintable(view.summary()));
    }

    void gainIsThatBetweenTheRuns()
    {
        StatisticsView view;
        show(view, m_both);
        const double gain = m_base->statistics.latencyUs.after - m_other->statistics.latencyUs.after;
        QVERIFY(gain < 0); // the 310P is slower
        const QString line = QStringLiteral("Latency gain, estimated: %1\n").arg(format::microseconds(gain));
        QVERIFY(line.contains(QStringLiteral(": −")));
        QTRY_VERIFY2(view.notes().contains(line), qPrintable(view.notes()));
    }

    void stripCountsNoChangeBeforeTheFirst()
    {
        StepStrip strip;
        show(strip, m_both);
        QCOMPARE(strip.summary(), QStringLiteral("step 1 of 1 · 1 changed this graph"));
    }

private:
    std::shared_ptr<const Run> m_base, m_other, m_both;
};

QTEST_MAIN(ComparedRunsTest)
#include "tst_compared_runs.moc"
