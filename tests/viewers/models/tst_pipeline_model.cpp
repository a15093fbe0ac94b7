// The tree of steps and its filter.

#include "tests/viewers/models/model_fixture.h"
#include "viewers/models/pipeline_filter.h"
#include "viewers/models/pipeline_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace gelens;

namespace {

/// "  name change" for every row, depth first.
QStringList printed(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString change = index.siblingAtColumn(PipelineModel::Operators).data().toString();
        lines += QString(depth * 2, QLatin1Char(' ')) + index.data().toString() +
                 (change.isEmpty() ? QString() : QLatin1Char(' ') + change);
        lines += printed(model, index, depth + 1);
    }
    return lines;
}

} // namespace

class TestPipelineModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void stagesPhasesPasses()
    {
        PipelineModel model;
        model.setRun(test::makeRun());
        const QStringList expected{QStringLiteral("1  Graph parsing"),
                                   QStringLiteral("  Model as read"),
                                   QStringLiteral("    read"),
                                   QStringLiteral("2  Graph compilation −4"),
                                   QStringLiteral("  Preparation"),
                                   QStringLiteral("    PrunePass"),
                                   QStringLiteral("  Graph fusion −4"),
                                   QStringLiteral("    FusionPass · attention −4"),
                                   QStringLiteral("    FusionPass · gelu"),
                                   QStringLiteral("3  Memory allocation"),
                                   QStringLiteral("  Memory reuse"),
                                   QStringLiteral("    MemoryAssigner"),
                                   QStringLiteral("5  Task launch"),
                                   QStringLiteral("  Launch"),
                                   QStringLiteral("    aclrtLaunchTask")};
        QCOMPARE(printed(model), expected);
        QVERIFY(model.indexOfStep(StepId{1}).data(MutedRole).toBool());
        QVERIFY(!model.indexOfStep(StepId{2}).data(MutedRole).toBool());
        QCOMPARE(model.indexOfStep(StepId{4}).data(StepRole).toInt(), 4);
        QVERIFY(!model.indexOfStep(StepId{6}).isValid());
    }

    void currentStepIsMarked()
    {
        PipelineModel model;
        model.setRun(test::makeRun());
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setShown(StepId{2});
        QCOMPARE(changes.count(), 1);
        QVERIFY(model.indexOfStep(StepId{2}).data(CurrentRole).toBool());
        model.setShown(StepId{3});
        QCOMPARE(changes.count(), 3); // the old row and the new one
        QVERIFY(!model.indexOfStep(StepId{2}).data(CurrentRole).toBool());
    }

    void changedOnlyKeepsTheStepShown()
    {
        PipelineModel model;
        model.setRun(test::makeRun());
        PipelineFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QStringList changed{QStringLiteral("2  Graph compilation −4"),
                                  QStringLiteral("  Graph fusion −4"),
                                  QStringLiteral("    FusionPass · attention −4"),
                                  QStringLiteral("3  Memory allocation"),
                                  QStringLiteral("  Memory reuse"),
                                  QStringLiteral("    MemoryAssigner")};
        QCOMPARE(printed(filter), changed);
        model.setShown(StepId{1});
        filter.refresh();
        QVERIFY(printed(filter).contains(QStringLiteral("    PrunePass")));
        filter.setChangedOnly(false);
        QCOMPARE(printed(filter).size(), 15);
    }

    void textAndTouchedSteps()
    {
        PipelineModel model;
        model.setRun(test::makeRun());
        PipelineFilter filter;
        filter.setSourceModel(&model);
        filter.setChangedOnly(false);
        filter.setText(QStringLiteral("gelu"));
        QCOMPARE(printed(filter).size(), 3);
        filter.setText(QStringLiteral("PreRunAfterPrepare")); // GE's own name finds it too
        QVERIFY(printed(filter).contains(QStringLiteral("    PrunePass")));
        filter.setText({});
        filter.setSteps(std::set<StepId>{StepId{4}});
        QCOMPARE(printed(filter).size(), 3);
        filter.setSteps({});
        QCOMPARE(printed(filter).size(), 15);
    }
};

QTEST_GUILESS_MAIN(TestPipelineModel)
#include "tst_pipeline_model.moc"
