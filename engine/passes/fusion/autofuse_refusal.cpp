// GE's tests of a pair of kernels, in its order, with its codes.
#include "engine/ops/op_registry.h"
#include "engine/passes/fusion/autofuse_box.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gelens {
namespace {

constexpr int maxInputs = 8;                                    // K08
constexpr std::int64_t maxOutputBytes = std::int64_t{13} << 30; // K08
constexpr int maxBehindReduce = 3;                              // NF1030, NF1031

Check failed(Reason reason, std::string code, std::string what)
{
    Check check;
    check.reason = reason;
    check.held = false;
    check.what = std::move(what);
    check.code = std::move(code);
    check.evidence = 'S';
    return check;
}

Check over(Reason reason, std::string code, std::string what, double needs, double has, std::string unit)
{
    Check check = failed(reason, std::move(code), std::move(what));
    check.needs = needs;
    check.has = has;
    check.unit = std::move(unit);
    return check;
}

std::string dimsText(const std::vector<std::int64_t>& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

/// Operands of an element-wise operator that are tensors.
int tensorOperands(const Graph& graph, const Node& node)
{
    int count = 0;
    for (int i = 0; i < node.inputCount(); ++i) count += isLoad(graph, node, i);
    return count;
}

bool hasTwoOperands(const Graph& graph, const Box& box)
{
    return std::any_of(box.nodes.begin(), box.nodes.end(),
                       [&](NodeId id) { return tensorOperands(graph, graph.node(id)) > 1; });
}

std::optional<Check> limits(const Graph& graph, const BoxPair& pair, const AutofuseFlags& flags)
{
    const int operators = pair.a->operators + pair.b->operators;
    if (operators > flags.maxFusionSize)
        return over(Reason::NodeLimit, "NF1010",
                    fmt::format("one kernel would hold {} operators; the limit is {}", operators, flags.maxFusionSize),
                    operators, flags.maxFusionSize, "nodes");
    const Box whole = merged(pair);
    if (whole.inputs.size() > static_cast<std::size_t>(maxInputs))
        return over(Reason::InputCount, "NF1007",
                    fmt::format("one kernel would read {} tensors; the limit is {}", whole.inputs.size(), maxInputs),
                    static_cast<double>(whole.inputs.size()), maxInputs, "inputs");
    std::int64_t bytes = 0;
    for (const NodeId id : whole.nodes)
        for (const OutputSlot& slot : graph.node(id).outputs) {
            const bool isGiven = std::any_of(slot.consumers.begin(), slot.consumers.end(), [&](const InputRef& reader) {
                return std::find(whole.nodes.begin(), whole.nodes.end(), reader.node) == whole.nodes.end();
            });
            if (isGiven) bytes += storageBytes(slot.desc.dtype, slot.desc.originShape).value_or(0);
        }
    if (bytes > maxOutputBytes)
        return over(Reason::OutputLimit, "K08",
                    fmt::format("one kernel would write {} bytes; the limit is {}", bytes, maxOutputBytes),
                    static_cast<double>(bytes), static_cast<double>(maxOutputBytes), "B");
    const auto coresOf = [&](const Box& box) {
        return attrInt(graph.node(box.nodes.front()).attrs, "_op_vectorcore_num", 0);
    };
    if (coresOf(*pair.a) != coresOf(*pair.b))
        return over(Reason::CoreCount, "NF1025",
                    fmt::format("the two are told to use {} and {} vector cores", coresOf(*pair.a), coresOf(*pair.b)),
                    static_cast<double>(coresOf(*pair.b)), static_cast<double>(coresOf(*pair.a)), "cores");
    const auto labelOf = [&](const Box& box) {
        return attrString(graph.node(box.nodes.front()).attrs, "_stream_label");
    };
    if (labelOf(*pair.a) != labelOf(*pair.b))
        return failed(Reason::StreamLabel, "",
                      fmt::format("their stream labels differ: '{}' and '{}'", labelOf(*pair.a), labelOf(*pair.b)));
    return std::nullopt;
}

/// What may follow a kernel with a reduction in it.
std::optional<Check> behindReduce(const Graph& graph, const Box& a, const Box& b)
{
    if (b.has(FusionClass::Concat))
        return failed(Reason::AttributeMismatch, "NF1012", "a Concat does not join a reduction");
    if (b.has(FusionClass::Reduce))
        return failed(Reason::AttributeMismatch, "NF1009",
                      "the axes of two reductions in a row cannot be one loop nest");
    if (!b.isPointwise())
        return failed(Reason::AttributeMismatch, "NF1031", "behind a reduction only element-wise operators may follow");
    if (b.has(FusionClass::Broadcast) || b.out != a.out)
        return failed(Reason::AttributeMismatch, "NF1035",
                      "the reduced values are spread over the whole row again, which needs a second pass over it");
    if (hasTwoOperands(graph, b))
        return failed(Reason::InputCount, "NF1032",
                      "an element-wise operator behind a reduction reads more than one tensor");
    if (a.behindReduce + b.operators > maxBehindReduce)
        return over(Reason::RepeatCount, b.operators > maxBehindReduce ? "NF1031" : "NF1030",
                    fmt::format("{} element-wise operators would follow the reduction; the limit is {}",
                                a.behindReduce + b.operators, maxBehindReduce),
                    a.behindReduce + b.operators, maxBehindReduce, "nodes");
    return std::nullopt;
}

std::optional<Check> vertical(const Graph& graph, const BoxPair& pair)
{
    const Box &a = *pair.a, &b = *pair.b;
    const auto refuse = [](std::string code, std::string what) {
        return failed(Reason::AttributeMismatch, std::move(code), std::move(what));
    };
    if (b.has(FusionClass::Split)) return refuse("NF1028", "a Split does not join what comes before it");
    if (b.has(FusionClass::Gather)) return refuse("NF1016", "a Gather does not join what comes before it");
    if (a.has(FusionClass::Split)) {
        if (b.has(FusionClass::Reduce)) return refuse("NF1038", "a Split does not join a reduction");
        if (b.has(FusionClass::Concat)) return refuse("NF1029", "a Split does not join a Concat behind it");
        if (b.hasView()) return refuse("NF1051", "a Split does not join a change of dims");
        if (!b.isPointwise()) return refuse("NF1026", "only element-wise operators may follow a Split");
        return std::nullopt;
    }
    if (a.has(FusionClass::Gather)) {
        if (b.has(FusionClass::Reduce)) return refuse("NF1017", "a Gather does not join a reduction");
        if (b.has(FusionClass::Concat)) return refuse("NF1018", "a Gather does not join a Concat");
        if (b.hasView()) return refuse("NF1020", "a Gather does not join element-wise operators that change dims");
        if (!b.isPointwise() || b.has(FusionClass::Broadcast))
            return refuse("NF1027", "only element-wise operators may follow a Gather");
    }
    if (a.has(FusionClass::Slice) || b.has(FusionClass::Slice)) {
        if (a.hasView() || b.hasView()) return refuse("NF1047", "a slice does not join a change of dims");
        if (a.has(FusionClass::Slice) && b.has(FusionClass::Reduce))
            return refuse("", "a slice ends its kernel before a reduction");
    }
    if (a.has(FusionClass::Transpose) && !b.isPointwise())
        return refuse("NF1022", "a Transpose joins element-wise operators alone");
    if (b.has(FusionClass::Transpose) && !a.isPointwise())
        return refuse("NF1022", "a Transpose joins element-wise operators alone");
    if (a.has(FusionClass::Reduce)) return behindReduce(graph, a, b);
    if (a.has(FusionClass::Concat)) {
        if (b.has(FusionClass::Concat)) return refuse("NF1013", "a Concat does not join another Concat");
        if (b.has(FusionClass::Reduce)) return refuse("NF1012", "a Concat does not join a reduction");
        for (const OutputRef& ref : pair.between)
            if (fusionClassOf(graph.node(ref.node)) != FusionClass::Concat)
                return refuse("NF1034",
                              fmt::format("'{}' ({}) is read from the kernel of a Concat, and is not its result",
                                          graph.node(ref.node).name, graph.node(ref.node).type));
        if (b.has(FusionClass::Broadcast))
            return refuse("NF1035", "an operator behind a Concat spreads values over more than it reads");
        if (!b.isPointwise() || b.hasView() || hasTwoOperands(graph, b) || b.operators > 1)
            return refuse("NF1033", "behind a Concat only one plain element-wise operator of one operand may follow");
    } else if (b.has(FusionClass::Concat)) {
        if (!a.isPointwise())
            return refuse("NF1011", "only element-wise operators may come before a Concat in its kernel");
        const std::size_t axesBefore = std::max(a.in.size(), a.out.size()), axesOfConcat = b.in.size();
        if (axesBefore > axesOfConcat)
            return over(Reason::AttributeMismatch, "NF1015",
                        fmt::format("what comes before the Concat loops over {} axes, the Concat over {}", axesBefore,
                                    axesOfConcat),
                        static_cast<double>(axesBefore), static_cast<double>(axesOfConcat), "axes");
    }
    return std::nullopt;
}

std::optional<Check> horizontal(const BoxPair& pair)
{
    const auto anyHas = [&](FusionClass c) { return pair.a->has(c) || pair.b->has(c); };
    const auto refuse = [](std::string code, std::string what) {
        return failed(Reason::AttributeMismatch, std::move(code), std::move(what));
    };
    if (pair.a->has(FusionClass::Split) && pair.b->has(FusionClass::Split))
        return refuse("NF1037", "two Splits side by side stay two kernels");
    if (anyHas(FusionClass::Split)) return refuse("NF1039", "a Split joins nothing beside it");
    if (anyHas(FusionClass::Gather)) return refuse("NF1027", "a Gather joins only what follows it");
    if (anyHas(FusionClass::Reduce)) return refuse("NF1021", "a reduction joins nothing beside it");
    if (anyHas(FusionClass::Concat))
        return refuse("NF1014", "a Concat joins nothing that only reads the same tensor beside it");
    if (anyHas(FusionClass::Slice)) return refuse("NF1023", "a slice is linked only by a tensor that both read");
    if (anyHas(FusionClass::Transpose))
        return refuse("NF1022", "a Transpose joins element-wise operators before or behind it alone");
    return std::nullopt;
}

/// Does the loop nest of the producer fit that of the reader, at each tensor between them?
std::optional<Check> axes(const Graph& graph, const BoxPair& pair)
{
    const auto refuse = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
        return failed(Reason::AttributeMismatch, "NF1006",
                      fmt::format("loops over {} and {} cannot be one nest", dimsText(a), dimsText(b)));
    };
    if (!pair.isVertical)
        return axesUnify(pair.a->in, pair.b->in) ? std::nullopt : std::optional(refuse(pair.a->in, pair.b->in));
    // Changes of dims on the way count too: the nest must walk what comes in and what goes out.
    if (pair.a->isPointwise() && pair.b->isPointwise() && !axesUnify(pair.a->in, pair.b->out))
        return refuse(pair.a->in, pair.b->out);
    const bool isPart =
        pair.b->has(FusionClass::Concat) || pair.a->has(FusionClass::Split); // a part of the other's axis
    for (const OutputRef& ref : pair.between) {
        const std::vector<std::int64_t>& dims = graph.outputDesc(ref).originShape.dims();
        if (!isPart && !axesUnify(dims, pair.b->in)) return refuse(dims, pair.b->in);
        if (!pair.a->has(FusionClass::Reduce) && !pair.a->has(FusionClass::Split) && !axesUnify(pair.a->out, dims))
            return refuse(pair.a->out, dims);
    }
    return std::nullopt;
}

/// Side by side, both results live at once: that must not cost more than is saved.
std::optional<Check> peak(const Graph& graph, const BoxPair& pair)
{
    if (pair.isVertical) return std::nullopt;
    std::int64_t extra = 0;
    for (const NodeId id : pair.b->nodes)
        for (const OutputSlot& slot : graph.node(id).outputs)
            extra += storageBytes(slot.desc.dtype, slot.desc.originShape).value_or(0);
    // The later kernel moves up to the earlier one: nothing changes when they are neighbours.
    if (pair.b->first - pair.a->last <= 1 || extra <= pair.savedBytes) return std::nullopt;
    return over(
        Reason::PeakMemory, "NF1003",
        fmt::format("results of {} bytes would live from the earlier place on, and {} bytes of traffic are saved",
                    extra, pair.savedBytes),
        static_cast<double>(extra), static_cast<double>(pair.savedBytes), "B");
}

/// Of a Split's results more than a fifth must find a reader that joins it.
constexpr double leastSplitRatio = 0.2; // S: NF1050

} // namespace

std::optional<Check> splitRefusalOf(const Graph& graph, NodeId split, const AutofuseFlags& flags)
{
    const Node& node = graph.node(split);
    const Lowering own = lower(graph, node, 0, flags);
    if (!own.box) return std::nullopt;
    int joined = 0;
    for (const OutputSlot& slot : node.outputs)
        joined += std::any_of(slot.consumers.begin(), slot.consumers.end(), [&](const InputRef& reader) {
            const Lowering other = lower(graph, graph.node(reader.node), 1, flags);
            return other.box && !refusalOf(graph, relate(graph, *own.box, *other.box), flags);
        });
    const double ratio = static_cast<double>(joined) / node.outputCount();
    if (ratio > leastSplitRatio) return std::nullopt;
    return over(Reason::NoSavings, "NF1050",
                fmt::format("only {} of {} results of '{}' would join their readers; more than a fifth have to", joined,
                            node.outputCount(), node.name),
                leastSplitRatio, ratio, "of its results");
}

std::optional<Check> refusalOf(const Graph& graph, const BoxPair& pair, const AutofuseFlags& flags)
{
    if (pair.savedBytes <= 0)
        return over(Reason::NoSavings, "NF1001", "the two share no tensor: one kernel would save no memory traffic", 1,
                    0, "B");
    if (auto check = limits(graph, pair, flags)) return check;
    if (auto check = pair.isVertical ? vertical(graph, pair) : horizontal(pair)) return check;
    if (auto check = axes(graph, pair)) return check;
    return peak(graph, pair);
}

} // namespace gelens
