// Planners over bare items: every policy's plans hold, the bound is right, and the worked example comes out to the byte.

#include "engine/memory/csv_instance.h"
#include "engine/memory/lower_bound.h"
#include "engine/memory/plan.h"
#include "engine/memory/planners/exact.h"
#include "engine/memory/planners/ge.h"
#include "engine/memory/planners/greedy.h"
#include "engine/memory/planners/search.h"
#include "engine/memory/planners/simple.h"
#include "engine/memory/validator.h"

#include <QDir>
#include <QTest>

#include <limits>
#include <numeric>
#include <random>

using namespace gelens;

namespace {

std::vector<PlanItem> randomItems(std::uint64_t seed, int count, int horizon, int longest)
{
    std::mt19937_64 random(seed);
    std::vector<PlanItem> items;
    for (int i = 0; i < count; ++i) {
        const auto lower = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(horizon));
        const auto length = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(longest));
        items.push_back({lower, lower + length, 512 * (1 + static_cast<std::int64_t>(random() % 64))});
    }
    return items;
}

std::int64_t slowBound(const std::vector<PlanItem>& items)
{
    std::int64_t best = 0;
    for (const PlanItem& at : items) {
        std::int64_t sum = 0;
        for (const PlanItem& item : items)
            if (item.lower <= at.lower && at.lower < item.upper) sum += item.size;
        best = std::max(best, sum);
    }
    return best;
}

/// Compares all pairs: a second opinion on the validator.
bool slowIsSound(const std::vector<PlanItem>& items, const std::vector<std::int64_t>& offsets)
{
    for (std::size_t i = 0; i < items.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (items[i].overlaps(items[j]) && offsets[i] < offsets[j] + items[j].size &&
                offsets[j] < offsets[i] + items[i].size)
                return false;
    return true;
}

} // namespace

class TestPlanners : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boundIsTheLargestLiveSum()
    {
        const LowerBound bound =
            lowerBound(std::vector<PlanItem>{{0, 3, 4}, {3, 9, 4}, {0, 9, 4}, {9, 21, 4}, {0, 21, 4}});
        QCOMPARE(bound.bytes, std::int64_t{12});
        QCOMPARE(bound.positions, (std::vector<std::int64_t>{0}));
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const auto items = randomItems(seed, 40, 60, 20);
            QCOMPARE(lowerBound(items).bytes, slowBound(items));
        }
    }

    void halfOpenLifetimesMayTouch()
    {
        const std::vector<PlanItem> items{{0, 4, 512}, {4, 8, 512}};
        QCOMPARE(planGreedy(items).peak, std::int64_t{512});
        QCOMPARE(planSimple(items).peak, std::int64_t{512});
    }

    void everyPolicyMakesSoundPlans()
    {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const auto items = randomItems(seed, 5 + static_cast<int>(seed) * 3, 50, 1 + static_cast<int>(seed) % 30);
            const std::int64_t bound = lowerBound(items).bytes;
            std::int64_t best = 0, ge = 0;
            for (const MemoryPolicy policy : {MemoryPolicy::Simple, MemoryPolicy::Greedy, MemoryPolicy::Ge,
                                              MemoryPolicy::Best, MemoryPolicy::Optimal}) {
                MemoryOptions options;
                options.policy = policy;
                options.searchSteps = 20000;
                const PlanResult plan = planItems(items, options);
                const auto violations = validateOffsets(items, plan.offsets, plan.peak);
                QVERIFY2(violations.empty(), violations.empty() ? "" : violations.front().text.c_str());
                QVERIFY(slowIsSound(items, plan.offsets));
                QVERIFY(plan.peak >= bound);
                QVERIFY(!plan.isProvedOptimal || policy == MemoryPolicy::Optimal || plan.peak == bound);
                if (policy == MemoryPolicy::Best) best = plan.peak;
                if (policy == MemoryPolicy::Ge) ge = plan.peak;
            }
            QVERIFY2(best <= ge, "the default policy must never be above GE's");
        }
    }

    void validatorNamesSeededFaults()
    {
        int caught = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const auto items = randomItems(seed, 30, 40, 15);
            PlanResult plan = planGreedy(items);
            std::mt19937_64 random(seed);
            const std::size_t moved = random() % items.size();
            plan.offsets[moved] = static_cast<std::int64_t>(random() % 64) * 512;
            const bool isSound = slowIsSound(items, plan.offsets);
            QCOMPARE(validateOffsets(items, plan.offsets).empty(), isSound);
            caught += isSound ? 0 : 1;
        }
        QVERIFY(caught > 10);
        const std::vector<PlanItem> items{{0, 4, 512}, {2, 8, 512}};
        QCOMPARE(validateOffsets(items, {0, 512}, 1000).front().kind, PlanViolation::Kind::OutOfBounds);
        QCOMPARE(validateOffsets(items, {0, -1}).front().kind, PlanViolation::Kind::Missing);
        QCOMPARE(validateOffsets(items, {0, 256}).front().kind, PlanViolation::Kind::Overlap);
    }

    /// facts/pipeline 5.12: MatMul, Gelu, MatMul, Relu, MatMul, Add; ids and sizes as GE itself gives them.
    void workedExampleOfGe()
    {
        const std::int64_t small = 2097664, large = 8389120;
        const std::vector<GeRequest> requests{
            {small, 0, 1, 6}, {small, 0, 2, 3}, {large, 0, 3, 4}, {large, 0, 4, 5}, {small, 0, 5, 6},
        };
        const GePlan plan = planGe(requests);
        QCOMPARE(plan.winner, std::string("binary-block"));
        QCOMPARE(plan.total, std::int64_t{18875904});
        const std::vector<std::pair<std::string, std::int64_t>> tie{{"binary-block", 18875904},
                                                                    {"max-block", 18875904}};
        QCOMPARE(plan.candidates, tie);
        QCOMPARE(plan.offsets, (std::vector<std::int64_t>{16778240, 8389120, 0, 8389120, 0}));
        std::vector<PlanItem> items;
        for (const GeRequest& request : requests) items.push_back({request.begin, request.end + 1, request.size});
        QCOMPARE(lowerBound(items).bytes, std::int64_t{18875904});
    }

    /// GE's own plan of a chain where the shrunk max-blocks win by one step of the tolerance.
    void maxBlockWinsWhereTheToleranceCosts()
    {
        // op1 4128 B … as in GE's plan: odd tensors of 4,608 B blocks, even ones too, the last of 2,048 B is the user's.
        const std::vector<GeRequest> requests{{4608, 0, 1, 2}, {4608, 0, 2, 3}, {4608, 0, 3, 4}, {4608, 0, 4, 5}};
        const GePlan plan = planGe(requests);
        QCOMPARE(plan.total, std::int64_t{9216});
        QCOMPARE(plan.offsets, (std::vector<std::int64_t>{0, 4608, 0, 4608}));
    }

    void localSearchNeverGetsWorse()
    {
        const auto items = randomItems(7, 120, 200, 60);
        const PlanResult start = planSimple(items);
        SearchBudget budget;
        budget.steps = 200000;
        const PlanResult better = planLocalSearch(items, start, budget);
        QVERIFY(better.peak <= start.peak);
        QVERIFY(slowIsSound(items, better.offsets));
        QCOMPARE(planLocalSearch(items, start, budget).offsets, better.offsets); // same input, same plan
    }

    /// Every order of placement, each item as low as it goes: the least of all is the optimum.
    void exactSearchFindsTheOptimumOfSmallInstances()
    {
        std::mt19937_64 random(5);
        for (int round = 0; round < 400; ++round) {
            const auto count = 4 + random() % 4;
            std::vector<PlanItem> items;
            for (std::size_t i = 0; i < count; ++i) {
                const auto lower = static_cast<std::int64_t>(random() % 7);
                items.push_back({lower, lower + 1 + static_cast<std::int64_t>(random() % 4),
                                 1 + static_cast<std::int64_t>(random() % 5)});
            }
            std::vector<std::int32_t> order(items.size());
            std::iota(order.begin(), order.end(), 0);
            std::int64_t best = std::numeric_limits<std::int64_t>::max();
            do best = std::min(best, placeInOrder(items, order, Fit::Lowest).peak);
            while (std::next_permutation(order.begin(), order.end()));
            SearchBudget budget;
            budget.steps = 10'000'000;
            const PlanResult plan = planExact(items, planSimple(items), budget);
            QCOMPARE(plan.peak, best);
            QVERIFY(plan.isProvedOptimal);
            QVERIFY(slowIsSound(items, plan.offsets));
            if (best > 1) QCOMPARE(findPlan(items, best - 1, budget).outcome, ExactOutcome::Impossible);
        }
    }

    /// The public hard instances, where the corpus is there: each within its stated capacity.
    void hardInstancesFitTheirCapacity()
    {
        const QDir folder(QStringLiteral(GELENS_CORPUS_DIR "/memplan"));
        const QStringList files = folder.entryList({QStringLiteral("*.csv")}, QDir::Files);
        if (files.isEmpty()) QSKIP("the corpus is not here");
        for (const QString& file : files) {
            QFile opened(folder.filePath(file));
            QVERIFY(opened.open(QIODevice::ReadOnly));
            const auto instance = readCsvInstance(opened.readAll().toStdString(), file.toStdString());
            QVERIFY(instance.ok());
            const std::int64_t capacity = file.section(QLatin1Char('.'), 1, 1).toLongLong();
            const PlanResult plan = planItems(instance->items, {}, capacity);
            QVERIFY2(plan.peak <= capacity, qPrintable(file));
            QVERIFY(validateOffsets(instance->items, plan.offsets, capacity).empty());
        }
    }

    void emptyAndZeroSizedItems()
    {
        MemoryOptions options;
        QCOMPARE(planItems({}, options).peak, std::int64_t{0});
        QCOMPARE(planItems({{3, 3, 512}, {0, 5, 0}}, options).peak, std::int64_t{0});
    }
};

QTEST_GUILESS_MAIN(TestPlanners)
#include "tst_planners.moc"
