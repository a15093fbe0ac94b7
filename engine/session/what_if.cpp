#include "engine/session/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace gelens {
namespace {

using Kind = OptionChange::Kind;

std::string shapeText(const std::vector<std::int64_t>& dims) { return fmt::format("{}", fmt::join(dims, ",")); }
std::string bytesOrNothing(std::int64_t value) { return value == 0 ? std::string() : std::to_string(value); }
std::string onOff(bool isOn) { return isOn ? "on" : "off"; }
std::string number(double value) { return value == 0 ? std::string() : fmt::format("{:g}", value); }

/// The entries of two maps that differ, as changes of one kind.
template <typename Value, typename Text>
void addMapChanges(std::vector<OptionChange>& changes, Kind kind, const std::map<std::string, Value>& before,
                   const std::map<std::string, Value>& after, Text text)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : before) keys.insert(key);
    for (const auto& [key, value] : after) keys.insert(key);
    for (const std::string& key : keys) {
        const auto a = before.find(key), b = after.find(key);
        const std::string from = a == before.end() ? std::string() : text(a->second);
        const std::string to = b == after.end() ? std::string() : text(b->second);
        if (from != to) changes.push_back({kind, key, from, to});
    }
}

void addListChanges(std::vector<OptionChange>& changes, Kind kind, const std::vector<std::string>& before,
                    const std::vector<std::string>& after)
{
    const auto has = [](const std::vector<std::string>& list, const std::string& text) {
        return std::find(list.begin(), list.end(), text) != list.end();
    };
    for (const std::string& text : before)
        if (!has(after, text)) changes.push_back({kind, text, "on", {}});
    for (const std::string& text : after)
        if (!has(before, text)) changes.push_back({kind, text, {}, "on"});
}

void addChange(std::vector<OptionChange>& changes, Kind kind, std::string subject, std::string before,
               std::string after)
{
    if (before != after) changes.push_back({kind, std::move(subject), std::move(before), std::move(after)});
}

/// The size of the buffer that a threshold's symbol names ("soc.L1"), as a field of the overrides.
std::int64_t BufferOverrides::*bufferOf(const std::string& symbol)
{
    std::string name = symbol.starts_with("soc.") ? symbol.substr(4) : std::string();
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& [known, field] : bufferFields)
        if (name == known) return field;
    return nullptr;
}

class RemedyList {
public:
    explicit RemedyList(const Run& run) : m_run(run) {}

    void add(const CompileOptions& options)
    {
        const auto changes = optionChanges(m_run.options, options);
        if (changes.empty()) return;
        for (const Remedy& known : m_remedies)
            if (known.options == options) return;
        m_remedies.push_back({changes.front(), options});
    }

    void addSoc(const std::string& soc)
    {
        if (soc == m_run.options.soc && m_run.options.socFile.empty()) return;
        CompileOptions options = m_run.options;
        options.soc = soc;
        options.socFile.clear();
        add(options);
    }

    void addRule(const std::string& rule)
    {
        CompileOptions options = m_run.options;
        options.ruleSwitches[rule] = true;
        add(options);
    }

    /// Autofusion with every class of operators that it can lower.
    void addAutofuse()
    {
        CompileOptions options = m_run.options;
        options.autofuseFlags =
            "--enable_autofuse=true;--autofuse_enable_pass=reduce,concat,slice,split,gather,transpose";
        add(options);
    }

    void addPrecision(PrecisionMode precision)
    {
        CompileOptions options = m_run.options;
        options.precision = precision;
        add(options);
    }

    /// Every input dim that stands at the refused value is brought down to the limit.
    void addShapes(const Threshold& threshold)
    {
        CompileOptions options = m_run.options;
        const auto first = m_run.graphAt(StepId{0});
        first->forEachNode(rootGraph, [&](const Node& node) {
            if (node.type != "Data" || node.outputs.empty()) return;
            const Shape& shape = node.outputs.front().desc.originShape;
            // A shape that the file fixes cannot be set; one that was set before can.
            if (!shape.isStatic() || !m_run.options.inputShapes.contains(node.name)) return;
            std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
            bool isChanged = false;
            for (std::int64_t& dim : dims)
                if (static_cast<double>(dim) == threshold.current) {
                    dim = static_cast<std::int64_t>(threshold.limit);
                    isChanged = true;
                }
            if (isChanged) options.inputShapes[node.name] = std::move(dims);
        });
        add(options);
    }

    void addCapacity(const FusionVerdict& verdict)
    {
        for (const Threshold& threshold : verdict.thresholds)
            if (const auto field = bufferOf(threshold.symbol)) {
                CompileOptions options = m_run.options;
                options.buffers.*field = static_cast<std::int64_t>(threshold.limit);
                add(options);
                addLargerSoc(field, threshold.limit);
            }
        for (const Threshold& threshold : verdict.thresholds)
            if (threshold.isUpperLimit && threshold.limit >= 1 && bufferOf(threshold.symbol) == nullptr)
                addShapes(threshold);
    }

    std::vector<Remedy> take() { return std::move(m_remedies); }

private:
    /// The first chip of the catalogue whose buffer is large enough; one of the same family before others.
    void addLargerSoc(std::int64_t BufferOverrides::*field, double needed)
    {
        std::string best;
        for (const std::string& name : socNames()) {
            CompileOptions options;
            options.soc = name;
            const auto soc = loadSoc(options);
            if (!soc.ok() || name == m_run.options.soc || static_cast<double>(bufferSizeOn(*soc, field)) < needed)
                continue;
            if (best.empty() || soc->family == m_run.soc.family) best = name;
            if (soc->family == m_run.soc.family) break;
        }
        if (!best.empty()) addSoc(best);
    }

    const Run& m_run;
    std::vector<Remedy> m_remedies;
};

} // namespace

std::string_view precisionName(PrecisionMode precision)
{
    constexpr std::array<std::string_view, 4> names{"must_keep_origin_dtype", "force_fp16", "allow_fp32_to_fp16",
                                                    "allow_mix_precision"};
    return names[static_cast<std::size_t>(precision)];
}

std::string_view memoryPolicyName(MemoryPolicy policy)
{
    constexpr std::array<std::string_view, 5> names{"best", "ge", "simple", "greedy", "optimal"};
    return names[static_cast<std::size_t>(policy)];
}

std::string_view modeName(CompileMode mode)
{
    constexpr std::array<std::string_view, 3> names{"auto", "full", "light"};
    return names[static_cast<std::size_t>(mode)];
}

std::int64_t bufferSizeOn(const SocSpec& soc, std::int64_t BufferOverrides::*field)
{
    if (field == &BufferOverrides::l1) return soc.buffers.l1;
    if (field == &BufferOverrides::ub) return soc.buffers.ub;
    if (field == &BufferOverrides::l0a) return soc.buffers.l0a;
    if (field == &BufferOverrides::l0b) return soc.buffers.l0b;
    if (field == &BufferOverrides::l0c) return soc.buffers.l0c;
    return soc.l2Bytes;
}

std::vector<OptionChange> optionChanges(const CompileOptions& base, const CompileOptions& other)
{
    std::vector<OptionChange> changes;
    addChange(changes, Kind::Soc, {}, base.soc, other.soc);
    addChange(changes, Kind::SocFile, {}, base.socFile, other.socFile);
    addChange(changes, Kind::Mode, {}, std::string(modeName(base.mode)), std::string(modeName(other.mode)));
    addChange(changes, Kind::Precision, {}, std::string(precisionName(base.precision)),
              std::string(precisionName(other.precision)));
    addChange(changes, Kind::MemoryPolicy, {}, std::string(memoryPolicyName(base.memoryPolicy)),
              std::string(memoryPolicyName(other.memoryPolicy)));
    for (const auto& [name, field] : bufferFields)
        addChange(changes, Kind::Buffer, name, bytesOrNothing(base.buffers.*field),
                  bytesOrNothing(other.buffers.*field));
    addMapChanges(changes, Kind::Rule, base.ruleSwitches, other.ruleSwitches, onOff);
    addMapChanges(changes, Kind::Shape, base.inputShapes, other.inputShapes, shapeText);
    addListChanges(changes, Kind::RuleFolder, base.ruleFolders, other.ruleFolders);
    addChange(changes, Kind::SwitchFile, {}, base.fusionSwitchFile, other.fusionSwitchFile);
    addListChanges(changes, Kind::SkippedPass, base.skippedPasses, other.skippedPasses);
    addChange(changes, Kind::Autofuse, {}, base.autofuseFlags, other.autofuseFlags);
    addChange(changes, Kind::Cards, {}, std::to_string(base.cards), std::to_string(other.cards));
    addChange(changes, Kind::Streams, {}, base.parallelStreams ? "parallel" : "single",
              other.parallelStreams ? "parallel" : "single");
    addMapChanges(changes, Kind::StreamLabel, base.streamLabels, other.streamLabels,
                  [](const std::string& label) { return label; });
    addMapChanges(changes, Kind::SuperKernel, base.superKernelScopes, other.superKernelScopes,
                  [](const std::string& scope) { return scope; });
    addChange(changes, Kind::TimeLimit, {}, number(base.timeLimitSeconds), number(other.timeLimitSeconds));
    addChange(changes, Kind::Verify, {}, onOff(base.verify), onOff(other.verify));
    addChange(changes, Kind::Seed, {}, std::to_string(base.seed), std::to_string(other.seed));
    return changes;
}

std::vector<std::string> argumentsOf(const CompileOptions& options)
{
    std::vector<std::string> arguments;
    const auto add = [&](std::string name, std::string value) {
        arguments.push_back(std::move(name));
        if (!value.empty()) arguments.push_back(std::move(value));
    };
    for (const OptionChange& change : optionChanges(CompileOptions(), options)) switch (change.kind) {
        case Kind::Soc: add("--soc", change.after); break;
        case Kind::SocFile: add("--soc-file", change.after); break;
        case Kind::Mode: add("--mode", change.after); break;
        case Kind::Precision: add("--precision", change.after); break;
        case Kind::MemoryPolicy: add("--memory-policy", change.after); break;
        case Kind::Buffer: add("--" + change.subject, change.after); break;
        case Kind::Rule: add("--rule-" + change.after, change.subject); break;
        case Kind::Shape: add("--set", change.subject + "=" + change.after); break;
        case Kind::RuleFolder: add("--rules", change.subject); break;
        case Kind::SwitchFile: add("--fusion-switch", change.after); break;
        case Kind::SkippedPass: add("--skip-pass", change.subject); break;
        case Kind::Autofuse: add("--autofuse=" + change.after, {}); break;
        case Kind::Cards: add("--cards", change.after); break;
        case Kind::Streams: add("--parallel-streams", {}); break;
        case Kind::StreamLabel: add("--stream-label", change.subject + "=" + change.after); break;
        case Kind::SuperKernel: add("--super-kernel", change.subject + "=" + change.after); break;
        case Kind::TimeLimit: add("--time-limit", change.after); break;
        case Kind::Seed: add("--seed", change.after); break;
        case Kind::Verify: add("--verify", {}); break;
        }
    return arguments;
}

std::vector<Remedy> remediesFor(const Run& run, const FusionVerdict& verdict)
{
    RemedyList list(run);
    switch (verdict.reason) {
    case Reason::RuleDisabled:
        if (verdict.rule == "AutoFuse")
            list.addAutofuse();
        else
            list.addRule(verdict.rule);
        break;
    case Reason::L1Capacity:
    case Reason::UbCapacity:
    case Reason::L0Capacity: list.addCapacity(verdict); break;
    case Reason::UnitConflict:
        // Cube and vector on one core, or on cores of their own: the other kind of chip.
        list.addSoc(run.soc.coreLayout == CoreLayout::Split ? "Ascend310P3" : "Ascend910B1");
        break;
    case Reason::ChipUnsupported:
    case Reason::CoreCount:
    case Reason::KernelType:
        for (const char* soc : {"Ascend910B1", "Ascend310P3", "Ascend910_95"}) list.addSoc(soc);
        break;
    case Reason::PrecisionMode:
    case Reason::DtypeMismatch:
        list.addPrecision(PrecisionMode::ForceFp16);
        list.addPrecision(PrecisionMode::AllowMixPrecision);
        break;
    default: break;
    }
    return list.take();
}

std::vector<FigureChange> figureChanges(const Run& base, const Run& other)
{
    using Unit = FigureChange::Unit;
    const RunStatistics &a = base.statistics, &b = other.statistics;
    const auto chains = [](const Run& run) {
        int count = 0;
        for (const Chain& chain : run.chains) count += chain.count;
        return static_cast<double>(count);
    };
    return {{"operators", Unit::Count, double(a.nodes.after), double(b.nodes.after), true},
            {"intermediate_tensors", Unit::Count, double(a.intermediateTensors.after),
             double(b.intermediateTensors.after), true},
            {"memory_peak", Unit::Bytes, double(a.memoryAfter), double(b.memoryAfter), true},
            {"lower_bound", Unit::Bytes, double(a.memoryLowerBound), double(b.memoryLowerBound), true},
            {"memory_unshared", Unit::Bytes, double(a.memoryUnsharedAfter), double(b.memoryUnsharedAfter), true},
            {"weights", Unit::Bytes, double(a.weightBytes), double(b.weightBytes), true},
            {"tasks", Unit::Count, double(a.tasks.after), double(b.tasks.after), true},
            {"latency", Unit::Microseconds, a.latencyUs.after, b.latencyUs.after, true},
            {"fusion_rate", Unit::Ratio, a.fusionRate, b.fusionRate, false},
            {"memory_reuse_rate", Unit::Ratio, a.memoryReuseRate, b.memoryReuseRate, false},
            {"unfused_chains", Unit::Count, chains(base), chains(other), true}};
}

std::vector<RuleChange> ruleChanges(const Run& base, const Run& other)
{
    std::map<std::string, RuleChange> rules;
    for (const FusionSummary& fusion : base.fusions) rules[fusion.rule].baseEffective = fusion.effective;
    for (const FusionSummary& fusion : other.fusions) rules[fusion.rule].otherEffective = fusion.effective;
    std::vector<RuleChange> changes;
    for (auto& [name, change] : rules) {
        change.rule = name;
        if (change.baseEffective != change.otherEffective) changes.push_back(change);
    }
    return changes;
}

} // namespace gelens
