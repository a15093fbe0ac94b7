// Random models, run as they are and compiled onto the device: what the compiler does must not change what they compute.
#include "engine/npu/compare.h"
#include "engine/npu/device.h"
#include "engine/passes/pipeline.h"
#include "engine/session/session.h"
#include "tests/support/random_graph.h"

#include <QtTest>

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

using namespace gelens;
using namespace gelens::test;

namespace {

constexpr std::uint64_t firstSeed = 1;
constexpr int allGraphs = 1000, someGraphs = 300;

struct Compiler {
    SocSpec soc;
    CompileOptions options;
    RuleSet rules;
    FusionSwitch switches;
    /// What a faulty pass would do, before all others; none in earnest.
    std::function<void(GraphEditor&)> fault;

    explicit Compiler(const char* name)
    {
        options.soc = name;
        auto loaded = loadSoc(options);
        if (!loaded.ok()) qFatal("%s", loaded.error().message().c_str());
        soc = *loaded;
        std::vector<Message> messages;
        rules = RuleSet::load({resourceFolder() + "/rules"}, messages);
    }

    /// Empty when compiled and imported model agree; else what is wrong. `fired` collects the rules that took effect.
    std::string judge(const Recipe& recipe, std::uint64_t seed, std::set<std::string>* fired = nullptr) const
    {
        const Graph imported = recipe.build();
        const auto inputs = recipeInputs(imported, seed);
        const auto reference = interpret(imported, inputs);
        if (!reference.ok()) return "the model itself does not run: " + reference.error().message();
        const std::vector<Rounding> roundings = measureRounding(imported, inputs, reference->outputs);
        Graph graph = imported;
        Journal journal;
        GraphEditor edit(graph, journal);
        if (fault) fault(edit);
        KernelCache kernels;
        PassContext context{soc, options, rules, switches, kernels, {}, {}, {}, {}, {}, {}, {}};
        std::vector<Step> steps(1);
        const Status status = runPipeline(fullPipeline(rules, switches), edit, context, steps, {});
        if (!status.ok()) return "compiling fails: " + status.error().message();
        if (fired != nullptr)
            for (const Step& step : steps)
                if (!step.rule.empty() && step.hasChanged()) fired->insert(step.rule);
        if (!context.plan.isComplete) return "the plan is not complete";
        for (const std::uint64_t order : {std::uint64_t{0}, seed + 1}) {
            DeviceOptions device;
            device.interleaving = order;
            const auto run = runOnDevice(graph, context.plan, context.tasks, inputs, device);
            if (!run.ok()) return "the device refuses: " + run.error().message();
            if (run->outputs.size() != reference->outputs.size()) return "another number of outputs";
            for (std::size_t i = 0; i < run->outputs.size(); ++i) {
                const ErrorMeasure error = compareOutputs(reference->outputs[i], run->outputs[i], roundings[i]);
                if (!error.holds())
                    return fmt::format("output {} differs in {} of {} elements, by {:.3g} at most, {:.3g} of its norm",
                                       i, error.mismatches, error.elements, error.maxAbs, error.overall);
            }
        }
        return {};
    }
};

} // namespace

class TestRandomGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipesAreReproducibleAndVaried()
    {
        QCOMPARE(randomRecipe(7).text(), randomRecipe(7).text());
        QVERIFY(randomRecipe(7).text() != randomRecipe(8).text());
        std::set<std::string> types;
        int smallest = 1000, largest = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Recipe recipe = randomRecipe(seed);
            smallest = std::min(smallest, recipe.operatorCount());
            largest = std::max(largest, recipe.operatorCount());
            for (const Recipe::Node& node : recipe.nodes) types.insert(node.type);
        }
        QVERIFY2(types.size() >= 45, std::to_string(types.size()).c_str());
        QVERIFY(largest >= 40 && largest <= 80);
        QVERIFY(smallest <= 8);
    }

    void shrinkingFindsTheFault()
    {
        // "Wrong" is every model in which a Sigmoid reads a product: two operators are enough to show it.
        const auto isWrong = [](const Recipe& recipe) {
            for (const Recipe::Node& node : recipe.nodes)
                if (node.type == "Sigmoid" &&
                    recipe.nodes[static_cast<std::size_t>(node.inputs[0].node)].type == "BatchMatMulV2")
                    return true;
            return false;
        };
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 400 && found < 3; ++seed) {
            const Recipe recipe = randomRecipe(seed);
            if (!isWrong(recipe) || recipe.operatorCount() < 10) continue;
            ++found;
            const Recipe small = shrink(recipe, isWrong);
            QVERIFY(isWrong(small));
            QCOMPARE(small.operatorCount(), 2);
            QVERIFY(small.text().find("Sigmoid") != std::string::npos);
        }
        QVERIFY(found > 0);
    }

    void aFaultyPassIsFoundAndShownSmall_data()
    {
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("wrong");
        QTest::newRow("another operator") << QStringLiteral("Maximum") << QStringLiteral("Minimum");
        QTest::newRow("operands exchanged") << QStringLiteral("Sub") << QString();
        QTest::newRow("a sum for a mean") << QStringLiteral("ReduceMeanD") << QStringLiteral("ReduceSumD");
    }
    /// A mistake put into the compiler shows as a difference, and the model that shows it is cut down to the spot.
    void aFaultyPassIsFoundAndShownSmall()
    {
        QFETCH(QString, right);
        QFETCH(QString, wrong);
        Compiler compiler("Ascend910B1");
        const std::string type = right.toStdString(), other = wrong.toStdString();
        compiler.fault = [&](GraphEditor& edit) {
            for (const NodeId id : edit.graph().allNodes()) {
                if (edit.node(id).type != type) continue;
                if (!other.empty()) {
                    edit.setType(id, other);
                    continue;
                }
                const OutputRef a = edit.node(id).source(0), b = edit.node(id).source(1);
                if (edit.graph().outputDesc(a).shape.dims() != edit.graph().outputDesc(b).shape.dims()) continue;
                edit.connect(b, {id, 0});
                edit.connect(a, {id, 1});
            }
        };
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 400 && found < 2; ++seed) {
            const Recipe recipe = randomRecipe(seed);
            if (recipe.operatorCount() < 8 || recipe.text().find(type) == std::string::npos) continue;
            if (compiler.judge(recipe, seed).find("differs") == std::string::npos)
                continue; // may not matter to the outputs
            ++found;
            const Recipe small = shrink(recipe, [&](const Recipe& form) {
                return compiler.judge(form, seed).find("differs") != std::string::npos;
            });
            QVERIFY2(small.operatorCount() <= 3, small.text().c_str());
            QVERIFY2(small.text().find(type) != std::string::npos, small.text().c_str());
            Compiler sound("Ascend910B1");
            QVERIFY2(sound.judge(small, seed).empty(), small.text().c_str());
        }
        QCOMPARE(found, 2);
    }

    void compiledModelsAgree()
    {
        const bool isWhole = qEnvironmentVariableIsSet("GELENS_TEST_ALL");
        const int count = isWhole ? allGraphs : someGraphs;
        const std::uint64_t seed = qEnvironmentVariableIsSet("GELENS_TEST_SEED")
                                       ? qEnvironmentVariable("GELENS_TEST_SEED").toULongLong()
                                       : firstSeed;
        qInfo("seeds %llu to %llu", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(seed) + count - 1);
        const Compiler compilers[] = {Compiler("Ascend910B1"), Compiler("Ascend310P3")};
        std::atomic<int> next = 0;
        std::mutex mutex;
        std::set<std::string> fired;
        std::vector<std::string> faults;
        const auto work = [&] {
            for (int i = next++; i < count; i = next++) {
                const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
                const Compiler& compiler = compilers[i % 2];
                std::set<std::string> rules;
                const Recipe recipe = randomRecipe(own);
                const std::string fault = compiler.judge(recipe, own, &rules);
                const std::lock_guard lock(mutex);
                fired.insert(rules.begin(), rules.end());
                if (fault.empty() || faults.size() >= 10) continue;
                const Recipe small =
                    shrink(recipe, [&](const Recipe& form) { return !compiler.judge(form, own).empty(); });
                faults.push_back(fmt::format("seed {} on {}: {}; the smallest part that fails ({}):\n{}", own,
                                             compiler.options.soc, fault, compiler.judge(small, own), small.text()));
            }
        };
        std::vector<std::jthread> threads;
        for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
        work();
        threads.clear();
        for (const std::string& fault : faults) qWarning("%s", fault.c_str());
        qInfo("%d models, %zu rules took effect", count, fired.size());
        QVERIFY2(faults.empty(), fmt::format("{} models differ", faults.size()).c_str());
        QVERIFY2(fired.size() >= 8, "the models meet too few fusion rules");
    }
};

QTEST_GUILESS_MAIN(TestRandomGraphs)
#include "tst_random_graphs.moc"
