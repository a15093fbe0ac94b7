// Random models, run as they are and compiled onto the device: what the compiler does must not change what they compute.
#include "engine/npu/compare.h"
#include "engine/npu/device.h"
#include "engine/passes/pipeline.h"
#include "engine/session/session.h"
#include "tests/support/random_graph.h"

#include <QtTest>

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

using namespace gelens;
using namespace gelens::test;

namespace {

constexpr std::uint64_t firstSeed = 1;
constexpr int allGraphs = 1000, someGraphs = 300;

/// The same model with fp32 for fp16, fed with the same numbers: what the model means.
Recipe widened(Recipe recipe)
{
    const auto wide = [](TensorDesc& desc) {
        if (desc.dtype == DataType::Float16) desc.dtype = DataType::Float;
    };
    for (Recipe::Node& node : recipe.nodes) {
        for (TensorDesc& desc : node.outputs) wide(desc);
        if (node.type == "Cast") node.attrs["dst_type"] = static_cast<std::int64_t>(DataType::Float);
        if (node.constant.dtype != DataType::Float16) continue;
        const auto count = static_cast<std::size_t>(node.constant.shape.elementCount().value_or(0));
        const auto values = node.constant.toConstant().asDoubles(count);
        node.constant = HostTensor::fromConstant(Tensor::fromDoubles(*values, node.constant.shape, DataType::Float));
    }
    return recipe;
}

HostTensor asFloats(const HostTensor& tensor)
{
    if (tensor.dtype != DataType::Float16) return tensor;
    const auto values = tensor.toConstant().asDoubles(static_cast<std::size_t>(tensor.shape.elementCount().value_or(0)));
    return HostTensor::fromConstant(Tensor::fromDoubles(*values, tensor.shape, DataType::Float));
}

/// Some models make much of little roundings (a norm over nearly equal numbers). There the imported model is as far from
/// what it means as the compiled one, and no tolerance for all models can tell: the compiled one may be at most three
/// times as far off.
bool isAsGoodAsTheModel(const Recipe& recipe, const std::map<std::string, HostTensor>& inputs, std::size_t output,
                        const HostTensor& imported, const HostTensor& compiled)
{
    std::map<std::string, HostTensor> wideInputs;
    for (const auto& [name, value] : inputs) wideInputs[name] = asFloats(value);
    const auto meant = interpret(widened(recipe).build(), wideInputs);
    if (!meant.ok()) return false;
    const HostTensor& truth = meant->outputs[output].value;
    const ErrorMeasure own = compareTensors(truth, asFloats(imported), "own"), other = compareTensors(truth, asFloats(compiled), "other");
    return other.maxAbs <= 3 * own.maxAbs && other.overall <= 3 * own.overall;
}

struct Compiler {
    SocSpec soc;
    CompileOptions options;
    RuleSet rules;
    FusionSwitch switches;

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
        Graph graph = imported;
        Journal journal;
        GraphEditor edit(graph, journal);
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
                const ErrorMeasure error = compareOutputs(reference->outputs[i], run->outputs[i]);
                if (!error.holds() && !isAsGoodAsTheModel(recipe, inputs, i, reference->outputs[i].value, run->outputs[i].value))
                    return fmt::format("output {} differs in {} of {} elements, by {:.3g} at most, {:.3g} of its norm", i,
                                       error.mismatches, error.elements, error.maxAbs, error.overall);
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
                if (node.type == "Sigmoid" && recipe.nodes[static_cast<std::size_t>(node.inputs[0].node)].type == "BatchMatMulV2")
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

    void compiledModelsAgree()
    {
        const bool isWhole = qEnvironmentVariableIsSet("GELENS_TEST_ALL");
        const int count = isWhole ? allGraphs : someGraphs;
        const std::uint64_t seed = qEnvironmentVariableIsSet("GELENS_TEST_SEED")
                                       ? qEnvironmentVariable("GELENS_TEST_SEED").toULongLong()
                                       : firstSeed;
        qInfo("seeds %llu to %llu", static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed) + count - 1);
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
                const Recipe small = shrink(recipe, [&](const Recipe& form) { return !compiler.judge(form, own).empty(); });
                faults.push_back(fmt::format("seed {} on {}: {}; the smallest part that fails ({}):\n{}", own, compiler.options.soc,
                                             fault, compiler.judge(small, own), small.text()));
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
