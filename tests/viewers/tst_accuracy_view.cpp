// The accuracy view as a person uses it: choose a node, compute, compare, sort, cancel, find the overflow.

#include "engine/formats/onnx/value_file.h"
#include "tests/support/graph_builder.h"
#include "tests/support/kernel_test.h"
#include "tests/viewers/view_fixture.h"
#include "viewers/accuracy/accuracy_view.h"
#include "viewers/accuracy/elements_model.h"
#include "viewers/accuracy/figures_model.h"
#include "viewers/accuracy/histogram_bars.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/table_panel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace gelens;
using namespace gelens::test;

namespace {

/// A run of one step on a graph built in code.
std::shared_ptr<const Run> runOf(GraphBuilder& builder)
{
    auto run = std::make_shared<Run>();
    run->steps.resize(1);
    run->steps[0].id = StepId{0};
    run->setGraph(std::make_shared<Graph>(builder.graph()), std::make_shared<Journal>());
    return run;
}

/// The node that makes the last step's first output.
NodeId resultNode(const Run& run, StepId step) { return graphOutputs(*run.graphAt(step)).front().node; }

QString figure(const AccuracyView& view, const QString& name, int column = FiguresModel::After)
{
    const QAbstractItemModel& model = *view.figures()->view()->model();
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, FiguresModel::Name).data().toString() == name)
            return model.index(row, column).data().toString();
    return {};
}

bool pressAndWait(AccuracyView& view, QPushButton* button)
{
    QSignalSpy ready(&view, &AccuracyView::ready);
    QTest::mouseClick(button, Qt::LeftButton);
    return ready.count() > 0 || ready.wait(30000);
}

void choose(AccuracyView& view, StepId shown, StepId compared, NodeId node)
{
    view.setStep(shown, compared);
    view.setSelection(Selection::ofNode(node));
    QTest::qWait(1);
    QCoreApplication::processEvents();
}

} // namespace

class TestAccuracyView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void saysWhatToDoNext()
    {
        AccuracyView view;
        showView(view, nullptr);
        QVERIFY(view.stateText().contains(QStringLiteral("Ctrl+O")));
        QVERIFY(!view.computeButton()->isEnabled() && !view.overflowButton()->isEnabled());
        view.setRun(runOfSample("small-resnet"));
        QTRY_VERIFY(view.stateText().contains(QStringLiteral("No node is selected")));
        choose(view, StepId{0}, StepId{0}, resultNode(*view.run(), StepId{0}));
        QVERIFY(view.stateText().contains(QStringLiteral("Press Compute")));
        QVERIFY(view.computeButton()->isEnabled());
        QVERIFY(!view.cancelButton()->isVisible());
    }

    void computesATensorAndComparesTwoSteps()
    {
        const auto run = runOfSample("small-resnet");
        AccuracyView view;
        showView(view, run);
        const NodeId node = resultNode(*run, run->lastStep());
        choose(view, run->lastStep(), StepId{0}, node);
        QVERIFY(pressAndWait(view, view.computeButton()));
        QCOMPARE(view.stateText(), QString());
        const auto value = tensorAt(*run, run->lastStep(), {node, 0}, 1);
        QVERIFY(value.ok());
        const auto statistics = statisticsOf(*value);
        QCOMPARE(figure(view, QStringLiteral("Elements")), QString::number(statistics->elements));
        QCOMPARE(figure(view, QStringLiteral("Maximum")), QLocale().toString(statistics->maximum, 'g', 6));
        QCOMPARE(figure(view, QStringLiteral("Mean")), QLocale().toString(statistics->mean, 'g', 6));
        QCOMPARE(figure(view, QStringLiteral("NaN")), QStringLiteral("0"));
        QVERIFY2(view.notice().contains(QStringLiteral("Agrees with step 0")), qPrintable(view.notice()));
        QVERIFY(!figure(view, QStringLiteral("Maximum"), FiguresModel::Before).isEmpty());
        QVERIFY(!figure(view, QStringLiteral("Largest difference")).isEmpty());

        QAbstractItemModel& rows = *view.elements()->view()->model();
        QCOMPARE(rows.rowCount(), static_cast<int>(statistics->elements));
        QCOMPARE(rows.index(0, ElementsModel::Place).data().toString(), QStringLiteral("[0, 0]"));
        QCOMPARE(rows.index(1, ElementsModel::Place).data().toString(), QStringLiteral("[0, 1]"));
        // By value, not by text; the export holds every row.
        rows.sort(ElementsModel::After, Qt::DescendingOrder);
        QCOMPARE(rows.index(0, ElementsModel::After).data().toString(),
                 QLocale().toString(statistics->maximum, 'g', 6));
        QCOMPARE(view.elements()->csv().count(QLatin1Char('\n')), static_cast<int>(statistics->elements) + 1);

        // The histogram says how many there are, adds up, and is a picture.
        qint64 total = 0;
        for (const std::int64_t count : statistics->histogram) total += count;
        QCOMPARE(total, statistics->finiteCount());
        QVERIFY(view.histogram()
                    ->textAt({view.histogram()->width() / 2, view.histogram()->height() / 2})
                    .contains(QStringLiteral("in step")));
        QTemporaryDir folder;
        for (const char* name : {"h.svg", "h.png", "h.pdf"}) {
            QVERIFY(view.findChild<ChartExport*>()->exportTo(folder.filePath(QLatin1String(name))));
            QVERIFY(QFile(folder.filePath(QLatin1String(name))).size() > 300);
        }

        // Another node: the numbers of the one before are gone.
        choose(view, run->lastStep(), StepId{0}, dataNodes(*run->graphAt(run->lastStep())).front());
        QVERIFY(view.stateText().contains(QStringLiteral("Press Compute")));
        QCOMPARE(view.elements()->view()->model()->rowCount(), 0);
    }

    void aFusedNodeIsComparedWithWhatItCameFrom()
    {
        const auto run = runOfSample("small-resnet");
        int compared = 0;
        for (const Step& step : run->steps) {
            if (step.rule.empty() || !step.hasChanged() || compared >= 2) continue;
            const StepId before{step.id.value - 1};
            for (const LineageGroup& group : run->diff(before, step.id).groups) {
                const NodeId node = group.after.front();
                if (run->graphAt(before)->contains(node) || run->graphAt(step.id)->node(node).outputs.empty()) continue;
                const OutputRef partner = counterpart(*run, step.id, {node, 0}, before);
                QVERIFY2(partner.isValid(), step.rule.c_str());
                AccuracyView view;
                showView(view, run);
                choose(view, step.id, before, node);
                QVERIFY(pressAndWait(view, view.computeButton()));
                QVERIFY2(view.notice().contains(QStringLiteral("Agrees")), qPrintable(view.notice()));
                QVERIFY(view.notice().contains(QString::fromStdString(run->nameOf(partner.node))));
                ++compared;
                break;
            }
        }
        QVERIFY(compared > 0);
    }

    void cancelStopsAtOnceAndTheWindowStaysAlive()
    {
        const auto run = runOfSample("tiny-llama");
        AccuracyView view;
        showView(view, run);
        choose(view, run->lastStep(), StepId{0}, resultNode(*run, run->lastStep()));
        QElapsedTimer timer;
        timer.start();
        QTest::mouseClick(view.computeButton(), Qt::LeftButton);
        QVERIFY2(timer.elapsed() < 100, "computing must not hold up the window");
        QVERIFY(view.isBusy());
        QVERIFY(!view.computeButton()->isEnabled());
        QVERIFY(view.cancelButton()->isVisible());
        timer.restart();
        QTest::mouseClick(view.cancelButton(), Qt::LeftButton);
        QVERIFY2(timer.elapsed() < 100, "cancel within 100 ms");
        QVERIFY(!view.isBusy());
        QCOMPARE(view.notice(), QStringLiteral("Cancelled."));
        QTest::qWait(300);
        QVERIFY2(view.stateText().contains(QStringLiteral("Press Compute")),
                 "an answer that nobody waits for is dropped");
        // And again, to the end.
        QVERIFY(pressAndWait(view, view.computeButton()));
        QCOMPARE(view.stateText(), QString());
        // A selection made while it computes wins.
        QTest::mouseClick(view.computeButton(), Qt::LeftButton);
        choose(view, run->lastStep(), StepId{0}, dataNodes(*run->graphAt(run->lastStep())).front());
        QVERIFY(!view.isBusy());
    }

    void overflowIsReportedWithTheNodeWhereItStarts()
    {
        GraphBuilder builder;
        const OutputRef x = builder.input("x", Shape{4, 8}, DataType::Float16);
        const OutputRef small =
            builder.op("Mul", {x, builder.constant("k", tensor({}, {2000}, DataType::Float16))}, {}, "small");
        const OutputRef square = builder.op("Square", {small}, {}, "square"); // up to 4 million: more than 65504
        const OutputRef behind = builder.op("Neg", {square}, {}, "behind");
        builder.outputs({behind});
        const auto run = runOf(builder);
        AccuracyView view;
        showView(view, run);
        QVERIFY(!view.goButton()->isVisible());
        QVERIFY(pressAndWait(view, view.overflowButton()));
        QVERIFY2(view.notice().contains(QStringLiteral("Overflow starts at square (Square) in step 0")),
                 qPrintable(view.notice()));
        QVERIFY(view.goButton()->isVisible());
        QSignalSpy chosen(&view, &View::selectionRequested);
        QTest::mouseClick(view.goButton(), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        const NodeId node = chosen.first().first().value<Selection>().node;
        QCOMPARE(run->nameOf(node), std::string("square"));
        // Its tensor shows it too.
        choose(view, StepId{0}, StepId{0}, node);
        QVERIFY(pressAndWait(view, view.computeButton()));
        QVERIFY(figure(view, QStringLiteral("Infinite")).toInt() > 0);
        QAbstractItemModel& rows = *view.elements()->view()->model();
        rows.sort(ElementsModel::After, Qt::DescendingOrder);
        QCOMPARE(rows.index(0, ElementsModel::After).data().toString(), QStringLiteral("+∞"));
        QVERIFY(rows.rowCount() == 32 && view.elements()->view()->isColumnHidden(ElementsModel::Before));
    }

    void noOverflowIsSaidToo()
    {
        const auto run = runOfSample("small-resnet");
        AccuracyView view;
        showView(view, run);
        QVERIFY(pressAndWait(view, view.overflowButton()));
        QVERIFY2(view.notice().contains(QStringLiteral("nothing can overflow")) ||
                     view.notice().contains(QStringLiteral("overflows.")),
                 qPrintable(view.notice()));
        QVERIFY(!view.goButton()->isVisible());
    }

    void absentWeightsAreSaid()
    {
        const auto run = runOfSample("llama-7b");
        AccuracyView view;
        showView(view, run);
        choose(view, StepId{0}, StepId{0}, resultNode(*run, StepId{0}));
        QVERIFY(pressAndWait(view, view.computeButton()));
        QVERIFY2(view.stateText().contains(QStringLiteral("absent")), qPrintable(view.stateText()));
    }

    void givenInputsAndWhatCanBeWrongWithThem()
    {
        GraphBuilder builder;
        const OutputRef a = builder.input("a", Shape{2, 2}), b = builder.input("b", Shape{2, 2});
        builder.outputs({builder.op("Add", {a, b}, {}, "sum")});
        const auto run = runOf(builder);
        QTemporaryDir folder;
        const auto file = [&](const char* name, const HostTensor& value) {
            const QString path = folder.filePath(QLatin1String(name));
            if (!writeValueFile(path.toStdString(), "v", value).ok()) qFatal("cannot write a tensor");
            return path;
        };
        const QString good = file("good.pb", tensor({2, 2}, {1, 2, 3, 4})),
                      other = file("other.pb", tensor({2, 2}, {10, 20, 30, 40}));
        const QString shape = file("shape.pb", tensor({3}, {1, 2, 3}));
        const QString type = file("type.pb", tensor({2, 2}, {1, 2, 3, 4}, DataType::Int32));
        AccuracyView view;
        showView(view, run);
        choose(view, StepId{0}, StepId{0}, run->graphAt(StepId{0})->findNode("sum"));
        const auto errorWith = [&](const QStringList& files) {
            view.setInputFiles(files);
            if (!pressAndWait(view, view.computeButton())) return QStringLiteral("no answer");
            return view.stateText();
        };
        QCOMPARE(errorWith({good, other}), QString());
        QCOMPARE(figure(view, QStringLiteral("Maximum")), QStringLiteral("44"));
        QVERIFY(!view.seedBox()->isEnabled());
        QVERIFY(view.inputsButton()->text().contains(QStringLiteral("2 files")));
        const auto isOneLine = [](const QString& text, const QString& part) { return text.contains(part); };
        QVERIFY2(
            isOneLine(errorWith({good, shape}), QStringLiteral("input 'b' is fp32 [3], the model wants fp32 [2, 2]")),
            qPrintable(errorWith({good, shape})));
        QVERIFY2(isOneLine(errorWith({type, good}),
                           QStringLiteral("input 'a' is int32 [2, 2], the model wants fp32 [2, 2]")),
                 qPrintable(errorWith({type, good})));
        QVERIFY2(isOneLine(errorWith({good}), QStringLiteral("input 'b' is not given")), qPrintable(errorWith({good})));
        QVERIFY2(isOneLine(errorWith({good, good, good}), QStringLiteral("the model has no input '2'")),
                 qPrintable(errorWith({good, good, good})));
        QVERIFY2(
            isOneLine(errorWith({good, folder.filePath(QStringLiteral("nowhere.pb"))}), QStringLiteral("nowhere.pb")),
            "a file that is not there is named");
        view.setInputFiles({});
        QVERIFY(view.seedBox()->isEnabled());
        QCOMPARE(errorWith({}), QString());
    }

    void sameSeedSameNumbers()
    {
        const auto run = runOfSample("small-resnet");
        AccuracyView view;
        showView(view, run);
        choose(view, StepId{0}, StepId{0}, resultNode(*run, StepId{0}));
        const auto firstValue = [&] {
            return view.elements()->view()->model()->index(0, ElementsModel::After).data().toString();
        };
        QVERIFY(pressAndWait(view, view.computeButton()));
        const QString one = firstValue();
        view.seedBox()->setValue(2);
        QVERIFY(pressAndWait(view, view.computeButton()));
        QVERIFY(firstValue() != one);
        view.seedBox()->setValue(1);
        QVERIFY(pressAndWait(view, view.computeButton()));
        QCOMPARE(firstValue(), one);
    }
};

QTEST_MAIN(TestAccuracyView)
#include "tst_accuracy_view.moc"
