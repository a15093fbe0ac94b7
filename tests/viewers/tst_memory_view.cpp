// The memory map: what is painted where, what is said about one tensor and about two.

#include "engine/report/chart_svg.h"
#include "tests/viewers/graph_models.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/common/table_panel.h"
#include "viewers/memory/alive_model.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/memory_view.h"
#include "viewers/memory/savings_model.h"
#include "viewers/memory/share_reason.h"
#include "viewers/models/roles.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QWheelEvent>

#include <random>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Shown {
    std::shared_ptr<const Run> run;
    MemoryView view;
    explicit Shown(std::shared_ptr<const Run> which) : run(std::move(which))
    {
        view.resize(1400, 420);
        view.show();
        view.setRun(run);
        QTRY_VERIFY(view.isReady());
        QTest::qWait(1);
    }
    MemoryCanvas* canvas() { return view.canvas(); }
    const MemoryBuffer& buffer(int index) const { return run->plan.buffers[static_cast<std::size_t>(index)]; }
    void click(int index, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(canvas(), Qt::LeftButton, modifiers, canvas()->rectOf(index).center().toPoint());
        QTest::qWait(1);
    }
    void wheel(int delta, Qt::KeyboardModifiers modifiers)
    {
        const QPointF at = canvas()->plotRect().center();
        QWheelEvent event(at, canvas()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(canvas(), &event);
    }
    /// Two buffers wide and high enough to be hit, for which `isWanted` holds.
    template <typename F>
    std::pair<int, int> pair(F&& isWanted)
    {
        const auto& blocks = view.picture()->blocks();
        const auto isLarge = [&](int index) {
            const QRectF rect = canvas()->rectOf(index);
            return rect.width() > 8 && rect.height() > 8;
        };
        for (const auto& a : blocks)
            for (const auto& b : blocks)
                if (a.buffer != b.buffer && isLarge(a.buffer) && isLarge(b.buffer) &&
                    isWanted(buffer(a.buffer), buffer(b.buffer)))
                    return {a.buffer, b.buffer};
        return {-1, -1};
    }
};

/// A plan of many buffers in lanes: lane k holds the addresses from k · 1024, one buffer after the other.
std::shared_ptr<const Run> laneRun(int count, int lanes)
{
    auto run = makeRun(1);
    std::mt19937 random(7);
    std::vector<std::int64_t> free(static_cast<std::size_t>(lanes), 0);
    for (int i = 0; i < count; ++i) {
        const auto lane = static_cast<std::size_t>(i % lanes);
        MemoryBuffer buffer;
        buffer.id = i;
        buffer.name = "tensor_" + std::to_string(i) + ":0";
        buffer.bytes = buffer.blockBytes = 512 * (1 + static_cast<std::int64_t>(random() % 2));
        buffer.lifetime.begin = free[lane] + static_cast<std::int64_t>(random() % 3);
        buffer.lifetime.end = free[lane] = buffer.lifetime.begin + 1 + static_cast<std::int64_t>(random() % 40);
        buffer.offset = static_cast<std::int64_t>(lane) * 1024;
        run->plan.buffers.push_back(std::move(buffer));
    }
    run->plan.order.assign(static_cast<std::size_t>(*std::max_element(free.begin(), free.end())), NodeId{});
    run->plan.totals.lowerBound = lanes * 1024;
    run->plan.totals.featureMapPeak = lanes * 1024;
    return run;
}

} // namespace

class MemoryViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useEnglish(); }

    void statesSayWhatToDo()
    {
        MemoryView view;
        view.show();
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("Ctrl+O")));
        auto stopped = std::make_shared<Run>();
        stopped->failed = true;
        view.setRun(stopped);
        QTRY_VERIFY(view.stateText().contains(QStringLiteral("before memory was planned")));
    }

    void headerTellsTheSavingsApart()
    {
        Shown s(sampleRun("llama-7b"));
        const QString text = s.view.summary();
        for (const char* part : {"Peak ", "lower bound ", "GE's policy ", "unshared ", "Fusion saves ", "Reuse saves "})
            QVERIFY2(text.contains(QLatin1String(part)), part);
    }

    /// What is written beside the bound and the peak stands over no block.
    void aboveTheBlocksIsRoomForTheMarks()
    {
        Shown s(sampleRun("llama-7b"));
        for (const int height : {420, 560, 300}) {
            s.view.resize(1400, height);
            QTest::qWait(1);
            double top = 1e9;
            for (std::size_t i = 0; i < s.run->plan.buffers.size(); ++i)
                if (const QRectF rect = s.canvas()->rectOf(static_cast<int>(i)); !rect.isEmpty())
                    top = std::min(top, rect.top());
            const double room = top - s.canvas()->plotRect().top();
            QVERIFY2(room >= s.canvas()->fontMetrics().height() + 1, qPrintable(QString::number(room)));
            QVERIFY(room < s.canvas()->plotRect().height() / 4);
        }
    }

    void overlappingLifetimesNeverOverlapOnTheMap()
    {
        Shown s(sampleRun("tiny-llama"));
        const auto& blocks = s.view.picture()->blocks();
        QVERIFY(blocks.size() > 20);
        for (const bool isTime : {false, true}) {
            s.view.setTimeMode(isTime);
            int compared = 0;
            for (const auto& a : blocks)
                for (const auto& b : blocks) {
                    if (a.buffer >= b.buffer || !s.buffer(a.buffer).lifetime.overlaps(s.buffer(b.buffer).lifetime))
                        continue;
                    const QRectF common = s.canvas()->rectOf(a.buffer).intersected(s.canvas()->rectOf(b.buffer));
                    QVERIFY2(common.width() < 0.01 || common.height() < 0.01, s.buffer(a.buffer).name.c_str());
                    ++compared;
                }
            QVERIFY(compared > 20);
        }
    }

    void peakIsMadeOfNames()
    {
        Shown s(sampleRun("tiny-llama"));
        const auto* model = s.view.aliveList()->view()->model();
        double sum = 0, last = 1e300;
        for (int row = 0; row < model->rowCount(); ++row) {
            const double size = model->index(row, AliveModel::Size).data(SortRole).toDouble();
            QVERIFY(size <= last);
            last = size;
            sum += size;
        }
        std::vector<std::int64_t> live(s.run->plan.order.size() + 1, 0);
        for (const MemoryBuffer& buffer : s.run->plan.buffers)
            if (buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace)
                for (std::int64_t at = buffer.lifetime.begin; at < buffer.lifetime.end; ++at)
                    live[static_cast<std::size_t>(at)] += buffer.blockBytes;
        QCOMPARE(static_cast<std::int64_t>(sum), *std::max_element(live.begin(), live.end()));
    }

    void clickSelectsEverywhere()
    {
        Shown s(sampleRun("tiny-llama"));
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        const int largest = s.view.picture()->aliveAt(s.view.picture()->peakPosition()).front();
        s.click(largest);
        QCOMPARE(chosen.count(), 1);
        const auto selection = qvariant_cast<Selection>(chosen.first().first());
        QCOMPARE(selection.buffer, largest);
        QCOMPARE(selection.node, s.buffer(largest).tensor.node);
        QVERIFY(s.view.details().contains(QString::fromStdString(s.buffer(largest).name)));
        // And the other way round: a node chosen elsewhere.
        s.view.setSelection(Selection::ofNode(s.run->plan.order.back()));
        QTest::qWait(1);
        const int first = s.view.picture()->blocks().front().buffer;
        s.view.setSelection(Selection::ofNode(s.buffer(first).tensor.node));
        QTRY_VERIFY(std::find(s.canvas()->selected().begin(), s.canvas()->selected().end(), first) !=
                    s.canvas()->selected().end());
    }

    void twoTensorsThatLiveTogether()
    {
        Shown s(sampleRun("tiny-llama"));
        const auto [a, b] =
            s.pair([](const MemoryBuffer& x, const MemoryBuffer& y) { return x.lifetime.overlaps(y.lifetime); });
        QVERIFY(a >= 0);
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        s.click(a);
        s.click(b, Qt::ControlModifier);
        QVERIFY2(s.view.details().startsWith(QStringLiteral("They could not share: their lifetimes overlap")),
                 qPrintable(s.view.details()));
        QCOMPARE(s.canvas()->selected(), (std::vector<int>{b, a}));
        // The hub hands our request back: the pair stays.
        s.view.setSelection(qvariant_cast<Selection>(chosen.last().first()));
        QTest::qWait(1);
        QCOMPARE(s.canvas()->selected(), (std::vector<int>{b, a}));
    }

    void twoTensorsThatShareOrCould()
    {
        Shown s(sampleRun("tiny-llama"));
        const auto doOverlap = [](const MemoryBuffer& x, const MemoryBuffer& y) {
            return x.offset < y.offset + y.blockBytes && y.offset < x.offset + x.blockBytes;
        };
        const auto [a, b] = s.pair([&](const MemoryBuffer& x, const MemoryBuffer& y) {
            return !x.lifetime.overlaps(y.lifetime) && doOverlap(x, y);
        });
        QVERIFY(a >= 0);
        s.click(a);
        s.click(b, Qt::ControlModifier);
        QVERIFY2(s.view.details().startsWith(QStringLiteral("They share ")), qPrintable(s.view.details()));
        const auto [c, d] = s.pair([&](const MemoryBuffer& x, const MemoryBuffer& y) {
            return !x.lifetime.overlaps(y.lifetime) && !doOverlap(x, y);
        });
        QVERIFY(c >= 0);
        QVERIFY(whyNotShared(*s.run, c, d).startsWith(QStringLiteral("They could share")));
        int weight = -1;
        for (const MemoryBuffer& buffer : s.run->plan.buffers)
            if (buffer.kind == BufferKind::Weight) weight = buffer.id;
        QVERIFY(weight >= 0);
        QVERIFY(whyNotShared(*s.run, weight, a).contains(QStringLiteral("Different kinds")));
    }

    void zoomAndPan()
    {
        Shown s(sampleRun("llama-7b"));
        const double span = s.canvas()->time().span(), height = s.canvas()->address().span();
        s.wheel(240, Qt::NoModifier);
        QVERIFY(s.canvas()->time().span() < span);
        QCOMPARE(s.canvas()->address().span(), height);
        const double zoomed = s.canvas()->time().span();
        s.wheel(240, Qt::ControlModifier);
        QCOMPARE(s.canvas()->time().span(), zoomed);
        QVERIFY(s.canvas()->address().span() < height);
        s.canvas()->setFocus();
        const double from = s.canvas()->time().from();
        QTest::keyClick(s.canvas(), Qt::Key_D);
        QVERIFY(s.canvas()->time().from() > from);
        QTest::keyClick(s.canvas(), Qt::Key_A);
        QVERIFY(std::abs(s.canvas()->time().from() - from) < 1e-6);
        QTest::keyClick(s.canvas(), Qt::Key_W);
        QVERIFY(s.canvas()->time().span() < zoomed);
        QTest::keyClick(s.canvas(), Qt::Key_S);
        QVERIFY(std::abs(s.canvas()->time().span() - zoomed) < 1e-6);
        QTest::keyClick(s.canvas(), Qt::Key_Home);
        QCOMPARE(s.canvas()->time().span(), span);
        QCOMPARE(s.canvas()->address().span(), height);
    }

    void timeAxisIsEstimatedTime()
    {
        Shown s(sampleRun("llama-7b"));
        s.view.setTimeMode(true);
        QVERIFY(std::abs(s.canvas()->time().high() - s.run->timeline.totalUs) < 1);
    }

    void arrowKeysWalkFromTensorToTensor()
    {
        Shown s(sampleRun("tiny-llama"));
        s.canvas()->setFocus();
        QTest::keyClick(s.canvas(), Qt::Key_Right);
        QTest::qWait(1);
        QCOMPARE(s.canvas()->selected().front(), s.view.picture()->blocks()[0].buffer);
        QTest::keyClick(s.canvas(), Qt::Key_Right);
        QTest::qWait(1);
        QCOMPARE(s.canvas()->selected().front(), s.view.picture()->blocks()[1].buffer);
    }

    void anotherPlanLiesOverIt()
    {
        Shown s(sampleRun("tiny-llama"));
        auto* box = s.view.findChild<QComboBox*>(QStringLiteral("overlay"));
        QVERIFY(box != nullptr);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down); // the simple policy
        QTRY_VERIFY(s.canvas()->overlay() != nullptr);
        QVERIFY(s.canvas()->overlay()->addressEnd() >= s.view.picture()->addressEnd());
        QVERIFY2(s.view.summary().contains(QStringLiteral("outlines: simple policy")), qPrintable(s.view.summary()));
        const QImage with = s.canvas()->grab().toImage();
        s.view.setOverlay(std::nullopt);
        QVERIFY(s.canvas()->overlay() == nullptr);
        QVERIFY(with != s.canvas()->grab().toImage());
    }

    void headerSaysHowFarBelowGe()
    {
        Shown s(sampleRun("llama-7b"));
        const MemoryTotals& totals = s.run->plan.totals;
        QVERIFY(totals.featureMapPeak <= totals.gePeak);
        QVERIFY(s.view.summary().contains(totals.featureMapPeak < totals.gePeak
                                              ? QStringLiteral("below GE's policy")
                                              : QStringLiteral("the same as GE's policy")));
    }

    void freePlacesAreHatched()
    {
        // One buffer below, one above, nothing between them.
        auto run = makeRun(1);
        for (int i = 0; i < 2; ++i) {
            MemoryBuffer buffer;
            buffer.id = i;
            buffer.name = "tensor_" + std::to_string(i) + ":0";
            buffer.bytes = buffer.blockBytes = 1024;
            buffer.lifetime = {0, 10};
            buffer.offset = i * 3072;
            run->plan.buffers.push_back(buffer);
        }
        run->plan.order.assign(10, NodeId{});
        run->plan.totals.lowerBound = 2048;
        run->plan.totals.featureMapPeak = 4096;
        Shown s(run);
        QCOMPARE(s.view.picture()->holesAt(5), std::int64_t{2048});
        const auto coloursInHole = [&] {
            const QImage image = s.canvas()->grab().toImage();
            const QRectF low = s.canvas()->rectOf(0), high = s.canvas()->rectOf(1);
            QSet<QRgb> colours;
            for (int x = 0; x < 24; ++x)
                colours.insert(image.pixel(static_cast<int>(low.left()) + 150 + x,
                                           static_cast<int>((low.top() * 2 + high.bottom()) / 3)));
            return colours.size();
        };
        QCOMPARE(coloursInHole(), 2); // strokes and what lies between them
        auto* holes = s.view.findChild<QCheckBox*>(QStringLiteral("holes"));
        QVERIFY(holes != nullptr);
        QTest::mouseClick(holes, Qt::LeftButton, {}, QPoint(8, holes->height() / 2));
        QVERIFY(!s.canvas()->areHolesShown());
        QCOMPARE(coloursInHole(), 1);
    }

    void whatWouldLowerThePeakIsRanked()
    {
        Shown s(sampleRun("tiny-llama"));
        QTabBar* bar = s.view.tabs()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
        auto* view = s.view.savingsList()->view();
        QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 3, 20000);
        double last = 1e300;
        QSet<QString> actions;
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const double saves = view->model()->index(row, SavingsModel::Saves).data(SortRole).toDouble();
            QVERIFY(saves <= last);
            QVERIFY(!view->model()->index(row, SavingsModel::How).data().toString().isEmpty());
            actions.insert(view->model()->index(row, SavingsModel::Action).data().toString());
            last = saves;
        }
        QVERIFY(actions.contains(QStringLiteral("remove")) && actions.size() > 1);
        // A row shows its tensor in the map.
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        view->setFocus();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(0, 0)).center());
        QTRY_VERIFY(chosen.count() > 0);
        QCOMPARE(s.canvas()->selected().size(), std::size_t{1});
        QCOMPARE(qvariant_cast<Selection>(chosen.last().first()).buffer, s.canvas()->selected().front());
    }

    void exportStandsInTheContextMenu()
    {
        Shown s(sampleRun("tiny-llama"));
        QCOMPARE(s.canvas()->contextMenuPolicy(), Qt::ActionsContextMenu);
        QStringList texts;
        for (const QAction* action : s.canvas()->actions()) texts += action->text() + action->shortcut().toString();
        QVERIFY2(texts.contains(QStringLiteral("Export…Ctrl+Shift+E")), qPrintable(texts.join(QLatin1Char(','))));
    }

    void exportsTheMap()
    {
        Shown s(sampleRun("tiny-llama"));
        QTemporaryDir folder;
        QString error;
        for (const char* ending : {"svg", "png", "pdf", "csv"}) {
            const QString path = folder.filePath(QStringLiteral("map.") + QLatin1String(ending));
            QVERIFY2(s.view.exporting()->exportTo(path, &error), qPrintable(error));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QFile svg(folder.filePath(QStringLiteral("map.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("<text") && text.contains("lower bound") && text.contains("class=\"w\""));
        QCOMPARE(text.toStdString(), memoryToSvg(*s.run)); // what the command line writes
        QImage png(folder.filePath(QStringLiteral("map.png")));
        QCOMPARE(png.size(), QSize(3200, 1800));
        QFile csv(folder.filePath(QStringLiteral("map.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), static_cast<qsizetype>(s.run->plan.buffers.size()) + 1);
        QVERIFY(!s.view.exporting()->exportTo(folder.filePath(QStringLiteral("map.txt")), &error));
        QVERIFY(error.contains(QStringLiteral(".svg")));
        QVERIFY(!s.view.exporting()->exportTo(QStringLiteral("/no/such/folder/map.svg"), &error));
    }

    void reasonsOfAllKinds()
    {
        // Two streams whose order no event says, and a tensor inside a continuous piece of memory.
        const auto run = sampleRun("tiny-llama");
        int input = -1, planned = -1;
        for (const MemoryBuffer& buffer : run->plan.buffers) {
            if (buffer.kind == BufferKind::Input) input = buffer.id;
            if (buffer.kind == BufferKind::FeatureMap) planned = buffer.id;
        }
        QVERIFY(input >= 0 && planned >= 0);
        QVERIFY(whyNotShared(*run, input, planned).contains(QStringLiteral("holds it for the whole run")));
        QVERIFY(whyNotShared(*run, planned, planned).startsWith(QStringLiteral("This is one buffer")));
    }

    void hundredThousandBuffers()
    {
        const auto run = laneRun(100000, 64);
        Shown s(run);
        const MemoryPicture& picture = *s.view.picture();
        QCOMPARE(picture.blocks().size(), std::size_t(100000));
        // The index finds what a search through all finds.
        for (const std::int64_t from : {0, 5000, 20000}) {
            std::size_t expected = 0, found = 0;
            for (const auto& block : picture.blocks()) expected += block.begin < from + 10 && block.end > from;
            picture.forEachIn(from, from + 10, [&](const MemoryPicture::Block&) { ++found; });
            QCOMPARE(found, expected);
        }
        QElapsedTimer timer;
        qint64 slowest = 0;
        s.canvas()->setFocus();
        for (int i = 0; i < 12; ++i) {
            timer.start();
            QTest::keyClick(s.canvas(), i < 6 ? Qt::Key_W : Qt::Key_S);
            s.canvas()->grab();
            slowest = std::max(slowest, timer.elapsed());
        }
        qInfo("slowest of 12 frames: %lld ms", static_cast<long long>(slowest));
        QVERIFY(slowest < 1000); // a hang, not a benchmark
    }
};

QTEST_MAIN(MemoryViewTest)
#include "tst_memory_view.moc"
