// The task timeline: bars, spans, search, and as many tasks as it takes.

#include "tests/viewers/graph_models.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/common/palette.h"
#include "viewers/common/table_panel.h"
#include "viewers/common/view_limits.h"
#include "viewers/models/roles.h"
#include "viewers/timeline/compare_model.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/timeline/totals_model.h"

#include <QAction>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Shown {
    std::shared_ptr<const Run> run;
    TimelineView view;
    explicit Shown(std::shared_ptr<const Run> which) : run(std::move(which))
    {
        view.resize(1400, 420);
        view.show();
        view.setRun(run);
        wait();
    }
    void wait()
    {
        QTest::qWait(1);
        QTRY_VERIFY_WITH_TIMEOUT(view.isReady(), 20000);
        QTest::qWait(1);
    }
    TimelineCanvas* canvas() { return view.canvas(); }
    double sum() const
    {
        double us = 0;
        const auto* model = view.totalsList()->view()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            us += model->index(row, TotalsModel::Time).data(SortRole).toDouble();
        return us;
    }
};

/// `count` tasks on four streams, one after the other on each, a gap after every tenth.
std::shared_ptr<const Run> manyTasks(int count)
{
    auto run = makeRun(1);
    static const char* const types[] = {"MatMulV2", "Add", "SoftmaxV2", "Cast", "Mul"};
    static constexpr Unit units[] = {Unit::Cube, Unit::Vector, Unit::Vector, Unit::Vector, Unit::Mix};
    double ends[4] = {};
    run->tasks.tasks.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const int stream = i % 4, kind = (i / 4) % 5;
        Task task;
        task.index = i;
        task.name = "task_" + std::to_string(i);
        task.opType = types[kind];
        task.unit = units[kind];
        task.stream = stream;
        run->tasks.tasks.push_back(std::move(task));
        TimelineItem item;
        item.task = i;
        item.stream = stream;
        item.startUs = ends[stream];
        item.durationUs = 1 + kind;
        item.computeUs = 0.5;
        item.memoryUs = 0.25 * kind;
        item.ddrBytes = 1e5 * kind;
        item.cores = 1 + i % 24;
        item.unit = units[kind];
        item.bound = static_cast<Bound>(i % 3);
        ends[stream] += item.durationUs + ((i / 4) % 10 == 9 ? 0.5 : 0);
        run->timeline.items.push_back(item);
    }
    std::stable_sort(run->timeline.items.begin(), run->timeline.items.end(),
                     [](const TimelineItem& a, const TimelineItem& b) { return a.startUs < b.startUs; });
    run->timeline.totalUs = *std::max_element(ends, ends + 4);
    return run;
}

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useEnglish(); }

    void statesSayWhatToDo()
    {
        TimelineView view;
        view.show();
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("Ctrl+O")));
        auto stopped = std::make_shared<Run>();
        stopped->wasCancelled = true;
        view.setRun(stopped);
        QTRY_VERIFY(view.stateText().contains(QStringLiteral("before tasks were launched")));
    }

    /// A wait for an event is a task; the figures of the run count what computes.
    void kernelsAreCountedAmongTheTasks()
    {
        const auto run = std::const_pointer_cast<Run>(manyTasks(5));
        Shown kernels(run);
        QVERIFY2(kernels.view.summary().contains(QStringLiteral("tasks 5 ·")), qPrintable(kernels.view.summary()));
        run->tasks.tasks[2].kind = TaskKind::EventWait;
        Shown events(run);
        QVERIFY2(events.view.summary().contains(QStringLiteral("tasks 5 (4 of them kernels)")),
                 qPrintable(events.view.summary()));
    }

    void tracksAreStreamsThenUnits()
    {
        Shown s(sampleRun("llama-7b"));
        const auto& tracks = s.canvas()->index()->tracks();
        QVERIFY(tracks.front().isStream);
        QVERIFY(!tracks.back().isStream);
        std::size_t onStreams = 0, onUnits = 0;
        for (const TimelineTrack& track : tracks) (track.isStream ? onStreams : onUnits) += track.items.size();
        QCOMPARE(onStreams, s.run->timeline.items.size());
        QCOMPARE(onUnits, s.run->timeline.items.size());
        QVERIFY(s.view.summary().startsWith(QStringLiteral("Estimated ")));
    }

    void clickSelectsTheTask()
    {
        Shown s(sampleRun("attention-too-long", "Ascend310P3"));
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        for (const std::uint32_t item : {1u, 3u}) {
            QTest::mouseClick(s.canvas()->viewport(), Qt::LeftButton, {}, s.canvas()->rectOf(item).center().toPoint());
            const auto selection = qvariant_cast<Selection>(chosen.last().first());
            QCOMPARE(selection.node, s.run->timeline.items[item].node);
            QCOMPARE(selection.task, s.run->timeline.items[item].task);
            QVERIFY(s.view.details().contains(QStringLiteral("bound by")));
        }
        QCOMPARE(chosen.count(), 2);
        // From elsewhere.
        s.view.setSelection(Selection::ofNode(s.run->timeline.items[2].node));
        QTRY_COMPARE(s.canvas()->selected(), std::vector<std::uint32_t>{2});
    }

    void dragSumsASpan()
    {
        Shown s(sampleRun("llama-7b"));
        QVERIFY(std::abs(s.sum() - s.run->timeline.totalUs) < 0.01 * s.run->timeline.totalUs);
        QWidget* viewport = s.canvas()->viewport();
        const QRectF plot = s.canvas()->plotRect();
        const int y = static_cast<int>(plot.bottom()) - 4;
        const QPoint from(static_cast<int>(plot.left()) + 100, y), to(static_cast<int>(plot.left()) + 400, y);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QTest::mouseMove(viewport, from + QPoint(20, 0));
        QTest::mouseMove(viewport, to);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        QVERIFY(s.canvas()->span().has_value());
        const double span = s.canvas()->span()->to - s.canvas()->span()->from;
        QVERIFY(std::abs(span - 300 / s.canvas()->time().scale()) < 0.01 * span);
        // One stream without bubbles: the types share the whole span.
        QVERIFY(std::abs(s.sum() - span) < 0.01 * span);
        QVERIFY(s.view.totalsTitle().startsWith(QStringLiteral("From ")));
        s.canvas()->setFocus();
        QTest::keyClick(s.canvas(), Qt::Key_Escape);
        QVERIFY(!s.canvas()->span().has_value());
        QVERIFY(s.view.totalsTitle().startsWith(QStringLiteral("Whole run")));
    }

    void beforeAndAfter()
    {
        Shown s(sampleRun("llama-7b"));
        s.view.setBefore(true);
        s.wait();
        QCOMPARE(s.canvas()->index()->timeline().items.size(), s.run->timelineBefore.items.size());
        QVERIFY(s.view.summary().contains(QStringLiteral("tasks 1,247")));
        s.view.setBefore(false);
        s.wait();
        QCOMPARE(s.canvas()->index()->timeline().items.size(), s.run->timeline.items.size());
    }

    void searchGoesFromMatchToMatch()
    {
        Shown s(sampleRun("llama-7b"));
        int expected = 0;
        for (const Task& task : s.run->tasks.tasks)
            expected += QString::fromStdString(task.name + " " + task.opType)
                            .contains(QStringLiteral("MatMul"), Qt::CaseInsensitive);
        QVERIFY(expected > 3);
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        s.view.find(QStringLiteral("matmul"));
        QTRY_COMPARE(s.view.foundCount(), expected);
        s.view.nextFound(1);
        s.view.nextFound(1);
        s.view.nextFound(-1);
        QCOMPARE(chosen.count(), 3);
        QCOMPARE(qvariant_cast<Selection>(chosen[0].first()), qvariant_cast<Selection>(chosen[2].first()));
        QVERIFY(qvariant_cast<Selection>(chosen[0].first()) != qvariant_cast<Selection>(chosen[1].first()));
    }

    void keysZoom()
    {
        Shown s(sampleRun("llama-7b"));
        s.canvas()->setFocus();
        const double span = s.canvas()->time().span();
        QTest::keyClick(s.canvas(), Qt::Key_W);
        QVERIFY(s.canvas()->time().span() < span);
        QTest::keyClick(s.canvas(), Qt::Key_D);
        QVERIFY(s.canvas()->time().from() > 0);
        QTest::keyClick(s.canvas(), Qt::Key_Home);
        QCOMPARE(s.canvas()->time().span(), span);
        // Left and right walk from task to task.
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        QTest::keyClick(s.canvas(), Qt::Key_Right);
        QTest::keyClick(s.canvas(), Qt::Key_Right);
        QCOMPARE(qvariant_cast<Selection>(chosen.last().first()).node, s.run->timeline.items[1].node);
    }

    void busyTimeLeavesNoGaps()
    {
        // Tasks that follow each other without a gap are painted without one, however thin they are.
        Shown s(sampleRun("llama-7b"));
        const QImage image = s.canvas()->viewport()->grab().toImage();
        const QRectF plot = s.canvas()->plotRect();
        const int y = static_cast<int>(s.canvas()->rectOf(0).center().y());
        const QRgb empty = Palette::of(s.view.palette()).canvas().rgb();
        int gaps = 0;
        for (int x = static_cast<int>(plot.left()) + 2; x < static_cast<int>(plot.right()) - 2; ++x)
            gaps += image.pixel(x, y) == empty;
        QVERIFY2(gaps < plot.width() / 50, qPrintable(QString::number(gaps)));
    }

    void quantitiesHaveRowsOfTheirOwn()
    {
        Shown s(sampleRun("llama-7b"));
        const TimelineIndex& index = *s.canvas()->index();
        QSet<int> kinds;
        for (const TimelineCounter& counter : index.counters()) {
            kinds.insert(static_cast<int>(counter.kind));
            QVERIFY(counter.capacity > 0 && counter.mean > 0 && counter.mean <= counter.highest &&
                    counter.highest <= counter.capacity);
            QCOMPARE(counter.highestIn(0, s.run->timeline.totalUs + 1), counter.highest);
        }
        for (const auto kind :
             {TimelineCounter::Kind::CubeCores, TimelineCounter::Kind::VectorCores, TimelineCounter::Kind::MteCores,
              TimelineCounter::Kind::L2Rate, TimelineCounter::Kind::DdrRate})
            QVERIFY(kinds.contains(static_cast<int>(kind)));
        QVERIFY(index.tracks().back().counter >= 0 && index.tracks().back().items.empty());
        // Bytes are rate times time: what the HBM counter adds up to is what the tasks move.
        double bytes = 0;
        for (const TimelineItem& item : s.run->timeline.items) bytes += item.ddrBytes;
        const TimelineCounter& ddr = index.counters().back();
        QCOMPARE(static_cast<int>(ddr.kind), static_cast<int>(TimelineCounter::Kind::DdrRate));
        QVERIFY(std::abs(ddr.mean * 1000 * s.run->timeline.totalUs - bytes) < 1e-3 * bytes);
    }

    void highestOfAStretch()
    {
        TimelineCounter counter;
        std::vector<double> values;
        for (int i = 0; i < 1000; ++i) {
            values.push_back((i * 7919) % 101 + 1);
            counter.push(i, values.back());
        }
        counter.finish(1000);
        for (int from = 0; from < 990; from += 37)
            for (const int length : {1, 3, 64, 65, 200, 900}) {
                const int to = std::min(1000, from + length);
                QCOMPARE(counter.highestIn(from, to), *std::max_element(values.begin() + from, values.begin() + to));
            }
        QCOMPARE(counter.valueAt(-1), 0.0);
        QCOMPARE(counter.valueAt(500.5), values[500]);
    }

    void originalAgainstOptimisedByTask()
    {
        Shown s(sampleRun("llama-7b"));
        QTabBar* bar = s.view.tabs()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
        const auto* model = s.view.compareList()->view()->model();
        QTRY_VERIFY(model->rowCount() > 100);
        double before = 0, after = 0;
        qlonglong tasks = 0;
        for (int row = 0; row < model->rowCount(); ++row) {
            before += model->index(row, CompareModel::Before).data(SortRole).toDouble();
            after += model->index(row, CompareModel::After).data(SortRole).toDouble();
            tasks += model->index(row, CompareModel::TasksBefore).data(SortRole).toLongLong();
        }
        // One stream before and after: the parts make the whole, and no task counts twice.
        QCOMPARE(tasks, static_cast<qlonglong>(s.run->timelineBefore.items.size()));
        QVERIFY(std::abs(before - s.run->timelineBefore.totalUs) < 1e-3 * before);
        QVERIFY(std::abs(after - s.run->timeline.totalUs) < 1e-3 * after);
        QVERIFY(model->headerData(CompareModel::Before, Qt::Horizontal).toString().contains(QStringLiteral("est.")));
    }

    void exportStandsInTheContextMenu()
    {
        Shown s(sampleRun("tiny-llama"));
        QCOMPARE(s.canvas()->viewport()->contextMenuPolicy(), Qt::ActionsContextMenu);
        QStringList texts;
        for (const QAction* action : s.canvas()->viewport()->actions())
            texts += action->text() + action->shortcut().toString();
        QVERIFY2(texts.contains(QStringLiteral("Export…Ctrl+Shift+E")), qPrintable(texts.join(QLatin1Char(','))));
    }

    void exportsTheTimeline()
    {
        Shown s(sampleRun("llama-7b"));
        QTemporaryDir folder;
        QString error;
        for (const char* ending : {"svg", "png", "pdf", "csv", "json"}) {
            const QString path = folder.filePath(QStringLiteral("tasks.") + QLatin1String(ending));
            QVERIFY2(s.view.exporting()->exportTo(path, &error), qPrintable(error));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray content = file.readAll();
            QVERIFY(content.size() > 1000);
            // Every text form says that times are estimates.
            if (QLatin1String(ending) != QLatin1String("png") && QLatin1String(ending) != QLatin1String("pdf"))
                QVERIFY2(content.contains("estimated"), ending);
        }
        QVERIFY(!s.view.exporting()->exportTo(folder.filePath(QStringLiteral("tasks.doc")), &error));
    }

    void asManyTasksAsItShows()
    {
        const auto run = manyTasks(static_cast<int>(limits::timelineTasks));
        Shown s(run);
        const TimelineIndex& index = *s.canvas()->index();
        QCOMPARE(index.streamCount(), 4);
        // Totals of a span against a plain sum.
        double expected = 0;
        for (const TimelineItem& item : run->timeline.items)
            expected +=
                std::max(0.0, std::min(70000.0, item.startUs + item.durationUs) - std::max(50000.0, item.startUs));
        double found = 0;
        for (const auto& total : index.totals(50000, 70000)) found += total.us;
        QVERIFY(std::abs(found - expected) < 1e-6 * expected);
        QElapsedTimer timer;
        qint64 slowest = 0;
        s.canvas()->setFocus();
        for (int i = 0; i < 40; ++i) {
            timer.start();
            QTest::keyClick(s.canvas(), i < 30 ? Qt::Key_W : Qt::Key_A);
            s.canvas()->viewport()->grab();
            slowest = std::max(slowest, timer.elapsed());
            // The work goes with the pixels, not with the tasks.
            QVERIFY(s.canvas()->barsPainted() < 2 * s.canvas()->width() * static_cast<int>(index.tracks().size()));
        }
        qInfo("slowest of 40 frames: %lld ms", static_cast<long long>(slowest));
        QVERIFY(slowest < 1000); // a hang, not a benchmark
    }
};

QTEST_MAIN(TimelineViewTest)
#include "tst_timeline_view.moc"
