// Every model on empty, filled, reset and growing data under Qt's own tester; and what their cells say.

#include "tests/viewers/models/model_fixture.h"
#include "viewers/models/fusions_model.h"
#include "viewers/models/log_model.h"
#include "viewers/models/messages_model.h"
#include "viewers/models/models_model.h"
#include "viewers/models/pipeline_filter.h"
#include "viewers/models/pipeline_model.h"
#include "viewers/models/property_model.h"
#include "viewers/models/statistics_model.h"
#include "viewers/models/text_filter.h"

#include <QAbstractItemModelTester>
#include <QPointF>
#include <QTest>

using namespace gelens;

namespace {

struct TesterCase {
    const char* name;
    std::function<std::unique_ptr<QAbstractItemModel>()> make;
    std::function<void(QAbstractItemModel&)> fill;
    std::function<void(QAbstractItemModel&)> grow; ///< null: this model is replaced only
    std::function<void(QAbstractItemModel&)> empty;
};

template <typename Model>
TesterCase runCase(const char* name)
{
    return {name, [] { return std::make_unique<Model>(); },
            [](QAbstractItemModel& model) { static_cast<Model&>(model).setRun(test::makeRun()); }, nullptr,
            [](QAbstractItemModel& model) { static_cast<Model&>(model).setRun(nullptr); }};
}

template <typename Model, typename Row>
TesterCase rowsCase(const char* name, std::vector<Row> rows)
{
    return {name, [] { return std::make_unique<Model>(); },
            [rows](QAbstractItemModel& model) { static_cast<Model&>(model).setRows(rows); },
            [rows](QAbstractItemModel& model) { static_cast<Model&>(model).append(rows); },
            [](QAbstractItemModel& model) { static_cast<Model&>(model).setRows({}); }};
}

PropertyModel::Tree propertyTree()
{
    PropertyModel::Tree tree;
    PropertyItem heading{QStringLiteral("General")};
    heading.isHeading = true;
    const int general = tree.add(PropertyModel::top, heading);
    tree.add(general, {QStringLiteral("type"), QStringLiteral("MatMul")});
    const int tensor = tree.add(general, {QStringLiteral("in 0"), QStringLiteral("fp16 [2]")});
    PropertyItem link{QStringLiteral("from"), QStringLiteral("x:0")};
    link.node = 4;
    tree.add(tensor, link);
    return tree;
}

std::vector<TesterCase> testerCases()
{
    std::vector<TesterCase> cases;
    cases.push_back(runCase<PipelineModel>("pipeline"));
    cases.push_back(runCase<StatisticsModel>("statistics"));
    cases.push_back(runCase<HistogramModel>("histogram"));
    cases.push_back(runCase<FusionsModel>("fusions"));
    cases.push_back(rowsCase<MessagesModel, MessageRow>("messages", messagesOf(*test::makeRun())));
    cases.push_back(
        rowsCase<LogModel, LogRow>("log", {{QTime(1, 2), LogLevel::Info, QStringLiteral("a"), QStringLiteral("b")},
                                           {QTime(1, 3), LogLevel::Error, QStringLiteral("c"), QStringLiteral("d")}}));
    cases.push_back(
        rowsCase<ModelsModel, ModelRow>("models", {{0, QStringLiteral("m"), test::makeRun(), {}, false, true},
                                                   {1, QStringLiteral("n"), nullptr, {}, true, false}}));
    cases.push_back({"properties", [] { return std::make_unique<PropertyModel>(); },
                     [](QAbstractItemModel& model) { static_cast<PropertyModel&>(model).setTree(propertyTree()); },
                     [](QAbstractItemModel& model) {
                         auto& properties = static_cast<PropertyModel&>(model);
                         const int added = properties.append(PropertyModel::top, {QStringLiteral("late"), {}});
                         properties.append(added, {QStringLiteral("later"), QStringLiteral("1")});
                     },
                     [](QAbstractItemModel& model) { static_cast<PropertyModel&>(model).setTree({}); }});
    return cases;
}

QString cellText(const QAbstractItemModel& model, int row, int column, const QModelIndex& parent = {})
{
    return model.index(row, column, parent).data().toString();
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void obeyTheRules_data()
    {
        QTest::addColumn<int>("position");
        const auto cases = testerCases();
        for (std::size_t i = 0; i < cases.size(); ++i) QTest::newRow(cases[i].name) << static_cast<int>(i);
    }
    void obeyTheRules()
    {
        QFETCH(int, position);
        const TesterCase testerCase = testerCases()[static_cast<std::size_t>(position)];
        const auto model = testerCase.make();
        TextFilter proxy;
        proxy.setSourceModel(model.get());
        const QAbstractItemModelTester tester(model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 0);
        QVERIFY(model->columnCount() > 0);
        testerCase.fill(*model);
        const int filled = model->rowCount();
        QVERIFY(filled > 0);
        testerCase.fill(*model); // a reset with the same data
        QCOMPARE(model->rowCount(), filled);
        if (testerCase.grow) {
            testerCase.grow(*model);
            QVERIFY(model->rowCount() > filled);
        }
        proxy.setText(QStringLiteral("no row says this"));
        QCOMPARE(proxy.rowCount(), 0);
        proxy.setText({});
        QCOMPARE(proxy.rowCount(), model->rowCount());
        testerCase.empty(*model);
        QCOMPARE(model->rowCount(), 0);
        for (int column = 0; column < model->columnCount(); ++column)
            QVERIFY(!model->headerData(column, Qt::Horizontal).toString().isEmpty());
    }

    void statisticsTable()
    {
        StatisticsModel model;
        model.setRun(test::makeRun());
        QCOMPARE(cellText(model, 0, StatisticsModel::Before), QStringLiteral("10"));
        QCOMPARE(cellText(model, 0, StatisticsModel::After), QStringLiteral("6"));
        QCOMPARE(cellText(model, 0, StatisticsModel::Reduction), QStringLiteral("40.0 %"));
        QCOMPARE(cellText(model, 4, StatisticsModel::Reduction), QStringLiteral("75.0 %"));
        QCOMPARE(model.index(2, StatisticsModel::Before).data(SortRole).toDouble(), 4096.0);

        // An OM has no original graph: nothing is made up.
        const auto run = test::makeRun();
        run->statistics.nodes.before.reset();
        model.setRun(run);
        QCOMPARE(cellText(model, 0, StatisticsModel::Before), QStringLiteral("–"));
        QCOMPARE(cellText(model, 0, StatisticsModel::Reduction), QStringLiteral("–"));
    }

    void histogramJoinsBothSides()
    {
        HistogramModel model;
        model.setRun(test::makeRun());
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row)
            lines += QStringLiteral("%1 %2 %3")
                         .arg(cellText(model, row, 0), cellText(model, row, 1), cellText(model, row, 2));
        QCOMPARE(lines, (QStringList{QStringLiteral("Add 6 0"), QStringLiteral("MatMul 4 4"),
                                     QStringLiteral("FlashAttentionScore 0 2")}));
        QCOMPARE(model.index(0, HistogramModel::Bars).data(BarsRole).toPointF(), QPointF(1, 0));
    }

    /// Of an OM only the compiled model is there: nothing is no number, and so stands there as nothing.
    void whatCameBeforeAnOmIsNotKnown()
    {
        const auto run = std::const_pointer_cast<Run>(std::shared_ptr<const Run>(test::makeRun()));
        run->statistics.nodes.before.reset();
        run->statistics.histogramBefore.clear();
        HistogramModel histogram;
        histogram.setRun(run);
        QVERIFY(histogram.rowCount() > 0);
        for (int row = 0; row < histogram.rowCount(); ++row)
            QCOMPARE(cellText(histogram, row, HistogramModel::Before), QStringLiteral("–"));
        ModelsModel models;
        models.setRows({{0, QStringLiteral("m"), run, {}, false, true}});
        QCOMPARE(cellText(models, 0, ModelsModel::FusionRate), QStringLiteral("–"));
    }

    /// A folder of dumps has neither plan nor tasks: no zeros in their place.
    void dumpsHaveNoFiguresOfALaunch()
    {
        const auto run = std::const_pointer_cast<Run>(std::shared_ptr<const Run>(test::makeRun()));
        ModelsModel models;
        models.setRows({{0, QStringLiteral("m"), run, {}, false, true}});
        const QString operators = cellText(models, 0, ModelsModel::Operators);
        QVERIFY(cellText(models, 0, ModelsModel::Peak) != QStringLiteral("–"));
        run->soc.name.clear();
        for (int column = ModelsModel::ReuseRate; column <= ModelsModel::Kernels; ++column)
            QCOMPARE(cellText(models, 0, column), QStringLiteral("–"));
        QCOMPARE(cellText(models, 0, ModelsModel::Operators), operators);
    }

    /// A run that failed, was cancelled or is halted before the plan and the tasks: nobody measured zeros.
    void whatARunDidNotGetToHasNoFigures()
    {
        const auto run = test::makeRun();
        run->failed = true;
        run->plan.buffers.clear();
        run->timeline.items.clear();
        ModelsModel models;
        models.setRows({{0, QStringLiteral("m"), run, {}, false, true}});
        for (int column = ModelsModel::ReuseRate; column <= ModelsModel::Kernels; ++column)
            QCOMPARE(cellText(models, 0, column), QStringLiteral("–"));
        StatisticsModel statistics;
        statistics.setRun(run);
        QCOMPARE(statistics.rowCount(), 1);
        QCOMPARE(cellText(statistics, 0, StatisticsModel::After), QStringLiteral("6"));
        run->plan.buffers.resize(1); // stopped behind the plan
        statistics.setRun(run);
        QCOMPARE(statistics.rowCount(), 3);
        QVERIFY(cellText(models, 0, ModelsModel::Peak) != QStringLiteral("–"));
        QCOMPARE(cellText(models, 0, ModelsModel::Latency), QStringLiteral("–"));
        run->failed = false; // done: what is zero then is a zero
        statistics.setRun(run);
        QCOMPARE(statistics.rowCount(), 5);
        QVERIFY(cellText(models, 0, ModelsModel::Latency) != QStringLiteral("–"));
    }

    /// Figures of the run beside it stand in the row of their own kind, and where there are none, in no row.
    void aSecondRunKeepsToItsRows()
    {
        const auto run = test::makeRun(), other = test::makeRun();
        other->statistics.tasks.after = 77;
        StatisticsModel model;
        model.setOther(other, QStringLiteral("other"));
        run->failed = true; // nothing in the plan, but tasks
        run->plan.buffers.clear();
        run->timeline.items.resize(1);
        model.setRun(run);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(cellText(model, 1, StatisticsModel::Other), QStringLiteral("77"));
        other->failed = true;
        other->timeline.items.clear();
        model.setRun(run);
        QCOMPARE(cellText(model, 0, StatisticsModel::Other), QStringLiteral("6"));
        QCOMPARE(cellText(model, 1, StatisticsModel::Other), QStringLiteral("–"));
    }

    /// The run and the pass that stopped it say the same: one row, which leads to the pass.
    void whatStoppedARunIsListedOnce()
    {
        const auto run = test::makeRun();
        run->failed = true;
        run->error = Error::invalid("the new shape has more than one -1", "m.onnx: node 'r' (Reshape)");
        run->messages = {{Severity::Warning, "onnx.unknown-op", "unknown operator", {}, {}},
                         {Severity::Error,
                          "pass.failed",
                          "node 'r' (Reshape): the new shape has more than one -1",
                          "InferShapePass",
                          {}}};
        const std::vector<MessageRow> rows = messagesOf(*run);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0].message.id, std::string("pass.failed"));
        QCOMPARE(rows[0].step, run->lastStep().value);
        QCOMPARE(rows[1].message.id, std::string("onnx.unknown-op"));
        run->messages.pop_back(); // stopped elsewhere
        QCOMPARE(messagesOf(*run)[0].message.id, std::string("run.failed"));
    }

    void fusionsListTheirPlaces()
    {
        FusionsModel model;
        model.setRun(test::makeRun());
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex attention = model.index(0, 0);
        QCOMPARE(model.rowCount(attention), 1);
        QCOMPARE(cellText(model, 0, 0, attention), QStringLiteral("fused"));
        QCOMPARE(model.index(0, 0, attention).data(NodeRole).toInt(), 7);
        QCOMPARE(model.index(0, 0, attention).data(StepRole).toInt(), 2);
        QVERIFY(model.index(1, 0).data(MutedRole).toBool()); // matched, never took effect
        QCOMPARE(model.rowCount(model.index(1, 0)), 0);
    }

    void findingsOfARun()
    {
        const auto run = test::makeRun();
        run->failed = true;
        run->error = Error::invalid("shapes do not fit", "node 'y'");
        run->verification.ran = true;
        run->verification.devicePassed = true;
        run->verification.firstBadStep = StepId{2};
        run->verification.firstBadNode = NodeId{7};
        StepVerification bad;
        bad.step = StepId{2};
        bad.ran = true;
        bad.outputs.push_back({"out", 100, 0.5, 0.1, 0.9, 12, 1e-3, 1e-3, false, false});
        run->verification.steps.push_back(bad);
        MessagesModel model;
        model.setRows(messagesOf(*run));
        QStringList codes;
        for (int row = 0; row < model.rowCount(); ++row) codes += cellText(model, row, MessagesModel::Id);
        QCOMPARE(codes, (QStringList{QStringLiteral("run.failed"), QStringLiteral("onnx.unknown-op"),
                                     QStringLiteral("verify.differs")}));
        QVERIFY(cellText(model, 2, MessagesModel::Text).contains(QStringLiteral("12 of 100")));
        QCOMPARE(model.index(2, 0).data(NodeRole).toInt(), 7);
        QCOMPARE(model.index(2, 0).data(StepRole).toInt(), 2);
        QCOMPARE(model.index(1, 0).data(NodeRole).toInt(), 3);
        QVERIFY(!model.index(1, 0).data(StepRole).isValid());
    }

    void logForgetsItsOldestLines()
    {
        LogModel model;
        for (int i = 0; i <= LogModel::limit; ++i)
            model.addLine({QTime(0, 0), LogLevel::Info, QStringLiteral("x"), QString::number(i)});
        QVERIFY(model.rowCount() <= LogModel::limit);
        QCOMPARE(cellText(model, model.rowCount() - 1, LogModel::Text), QString::number(LogModel::limit));
        QVERIFY(cellText(model, 0, LogModel::Text) != QStringLiteral("0"));
    }

    void monitorRows()
    {
        ModelsModel model;
        const auto failed = test::makeRun();
        failed->failed = true;
        model.setRows({{0, QStringLiteral("m"), test::makeRun(), {}, false, true},
                       {1, QStringLiteral("n"), nullptr, QStringLiteral("file is gone"), false, false},
                       {2, QStringLiteral("o"), failed, {}, false, false}});
        QCOMPARE(cellText(model, 0, ModelsModel::Operators), QStringLiteral("10 → 6"));
        QVERIFY(model.index(0, 0).data(CurrentRole).toBool());
        QCOMPARE(cellText(model, 1, ModelsModel::State), QStringLiteral("file is gone"));
        QCOMPARE(model.index(1, ModelsModel::State).data(SeverityRole).toInt(), static_cast<int>(Severity::Error));
        QVERIFY(cellText(model, 2, ModelsModel::State).contains(QStringLiteral("error")));
        QCOMPARE(cellText(model, 1, ModelsModel::Peak), QString());
    }

    void filterKeepsParentsAndDetails()
    {
        PropertyModel model;
        model.setTree(propertyTree());
        TextFilter filter;
        filter.setSourceModel(&model);
        filter.setText(QStringLiteral("x:0 from"));
        QCOMPARE(filter.rowCount(), 1);
        const QModelIndex general = filter.index(0, 0);
        QCOMPARE(filter.rowCount(general), 1); // the tensor, not the type
        QCOMPARE(filter.rowCount(filter.index(0, 0, general)), 1);
        filter.setText(QStringLiteral("fp16"));
        QCOMPARE(filter.rowCount(filter.index(0, 0, filter.index(0, 0))), 1); // details stay with what was found
    }

    void numbersSortAsNumbers()
    {
        ModelsModel model;
        std::vector<ModelRow> rows;
        for (const int operators : {900, 1200, 30}) {
            const auto run = test::makeRun();
            run->statistics.nodes.after = operators;
            rows.push_back({operators, QStringLiteral("block%1").arg(operators), run, {}, false, false});
        }
        model.setRows(rows);
        TextFilter filter;
        filter.setSourceModel(&model);
        const auto order = [&](int column) {
            filter.sort(column);
            QStringList names;
            for (int row = 0; row < filter.rowCount(); ++row) names += filter.index(row, 0).data().toString();
            return names;
        };
        const QStringList rising{QStringLiteral("block30"), QStringLiteral("block900"), QStringLiteral("block1200")};
        QCOMPARE(order(ModelsModel::Operators), rising);
        QCOMPARE(order(ModelsModel::Name), rising); // "a2" before "a10"
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
