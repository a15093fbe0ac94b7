// Fused attention as fusion rules make it. Part of the fused family.

#include "engine/ops/attention_core.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

// Input slots of FlashAttentionScore.
enum Slot { Query, Key, Value, RealShift, DropMask, PaddingMask, AttenMask };

const char* const flashDoc =
    "y = softmax(scale · q·kᵀ + real_shift, masked) · v. Both products accumulate in fp32 on the cube, the softmax "
    "runs in "
    "fp32 on the vector unit; scores never leave the chip and y is rounded once, on storage.\n"
    "input_layout: BNSD (any leading batch axes), BSND, BSH, SBH, or BS3ND: query alone, holding q, k and v as "
    "[B, S, 3, N, D] (or flat [B, S, 3·N·D]), key and value unconnected. key_layout, value_layout and output_layout "
    "differ "
    "from it where a transpose was absorbed (BNDS: keys stored transposed). Fewer key heads than query heads: each "
    "serves "
    "a group.\n"
    "real_shift broadcasts to [B, N, Sq, Skv]; it is added after the scale (pse_type 0), or before it (1, CANN's own "
    "default). atten_mask: bool or uint8, not zero = masked; of a floating type it is added like real_shift. "
    "sparse_mode "
    "2 or 3 is causal, aligned to the first or the last key; pre_tockens and next_tockens bound the band in mode 4. "
    "A row that sees no key gives zeros.\n"
    "The simulator makes attention_out only; CANN's softmax_max, softmax_sum and softmax_out serve training.";

struct FlashPlan {
    HeadLayout q, k, v, out;
    Shape outShape;
    bool isPacked = false;
};

std::string layoutOf(const AttrMap& attrs, std::string_view name, const std::string& otherwise)
{
    const std::string layout = attrString(attrs, name);
    return layout.empty() ? otherwise : layout;
}

/// q, k and v of [B, S, 3, N, D] or [B, S, 3·N·D].
Result<FlashPlan> planPacked(const AttrMap& attrs, const Shape& shape)
{
    FlashPlan plan;
    plan.isPacked = true;
    std::int64_t heads = attrInt(attrs, "head_num"), size = 0;
    if (shape.rank() == 5) {
        if (shape.dim(2) != 3)
            return Error::invalid(fmt::format("query of shape {} is not [B, S, 3, N, D]", shape.text()));
        heads = shape.dim(3);
        size = shape.dim(4);
    } else if (shape.rank() == 3 && heads > 0 && (shape.dim(2) < 0 || shape.dim(2) % (3 * heads) == 0)) {
        size = shape.dim(2) < 0 ? unknownDim : shape.dim(2) / (3 * heads);
    } else {
        return Error::invalid(fmt::format("query of shape {} does not hold 3 x {} heads", shape.text(), heads));
    }
    HeadLayout& q = plan.q;
    q.batch = shape.dim(0);
    q.rows = shape.dim(1);
    q.heads = heads;
    q.size = size;
    q.headStride = size;
    q.rowStride = 3 * heads * size;
    q.batchStride = q.rows * q.rowStride;
    plan.k = plan.v = q;
    return plan;
}

Shape outputShape(const FlashPlan& plan, const std::string& layout, const Shape& query, const std::string& queryLayout)
{
    Shape out;
    const auto batch = [&] {
        const int at = queryLayout == "SBH" ? 1 : 0;
        out.append(plan.q.batch, query.symbol(static_cast<std::size_t>(at)));
    };
    const auto rows = [&] {
        int at = queryLayout == "SBH"                         ? 0
                 : queryLayout == "BNSD"                      ? query.rank() - 2
                 : query.rank() == 3 && queryLayout == "BSND" ? 0
                                                              : 1;
        out.append(plan.q.rows, query.symbol(static_cast<std::size_t>(at)));
    };
    const std::int64_t width = plan.v.size < 0 || plan.q.heads < 0 ? unknownDim : plan.q.heads * plan.v.size;
    if (layout == "BNSD" && queryLayout == "BNSD") {
        for (int i = 0; i + 1 < query.rank(); ++i) appendDim(out, query, i);
        out.append(plan.v.size);
    } else if (layout == "BNSD") {
        batch();
        out.append(plan.q.heads);
        rows();
        out.append(plan.v.size);
    } else if (layout == "BSND") {
        batch();
        rows();
        out.append(plan.q.heads);
        out.append(plan.v.size);
    } else if (layout == "SBH") {
        rows();
        batch();
        out.append(width);
    } else {
        batch();
        rows();
        out.append(width);
    }
    return out;
}

Result<FlashPlan> planFlash(const AttrMap& attrs, const Shape& query, const Shape* key, const Shape* value)
{
    const std::string layout = attrString(attrs, "input_layout", "BNSD");
    const std::int64_t heads = attrInt(attrs, attrs.contains("num_heads") ? "num_heads" : "head_num");
    FlashPlan plan;
    std::string queryLayout = layout, outLayout = layoutOf(attrs, "output_layout", layout);
    if (layout == "BS3ND") {
        GELENS_ASSIGN(plan, planPacked(attrs, query));
        outLayout = layoutOf(attrs, "output_layout", "BSH");
        queryLayout = "BSH";
    } else {
        if (!key || !value) return Error::invalid("key and value are missing");
        GELENS_ASSIGN(plan.q, readHeadLayout(layout, query, heads));
        GELENS_ASSIGN(plan.k, readHeadLayout(layoutOf(attrs, "key_layout", layout), *key, 0, plan.q.size));
        const std::int64_t keyHeads = plan.k.heads;
        GELENS_ASSIGN(plan.v, readHeadLayout(layoutOf(attrs, "value_layout", layout), *value, keyHeads));
    }
    if (dimsContradict(plan.q.size, plan.k.size))
        return Error::invalid(fmt::format("head sizes of query and key differ: {} and {}", plan.q.size, plan.k.size));
    if (dimsContradict(plan.k.rows, plan.v.rows))
        return Error::invalid(fmt::format("key has {} rows, value has {}", plan.k.rows, plan.v.rows));
    if (dimsContradict(plan.k.heads, plan.v.heads)) return Error::invalid("key and value have different head counts");
    if (plan.k.heads == 0 || (plan.q.heads > 0 && plan.k.heads > 0 && plan.q.heads % plan.k.heads != 0))
        return Error::invalid(fmt::format("{} query heads cannot share {} key heads", plan.q.heads, plan.k.heads));
    if (dimsContradict(plan.q.batch, plan.k.batch) || dimsContradict(plan.q.batch, plan.v.batch))
        return Error::invalid("query, key and value have different batch sizes");
    plan.outShape = outputShape(plan, outLayout, query, queryLayout);
    if (plan.outShape.isStatic()) {
        GELENS_ASSIGN(plan.out, readHeadLayout(outLayout, plan.outShape, plan.q.heads));
    }
    return plan;
}

Status inferFlash(InferContext& context)
{
    const Shape& query = context.shape(Query);
    const bool isKnown = query.hasRank() && (!context.hasInput(Key) || context.shape(Key).hasRank()) &&
                         (!context.hasInput(Value) || context.shape(Value).hasRank());
    if (!isKnown) {
        context.setOutput(0, context.dtype(Query), Shape::unknownRank());
        return {};
    }
    auto plan = planFlash(context.attrs(), query, context.hasInput(Key) ? &context.shape(Key) : nullptr,
                          context.hasInput(Value) ? &context.shape(Value) : nullptr);
    if (!plan.ok()) return context.error(plan.error().what);
    context.setOutput(0, context.dtype(Query), plan->outShape);
    return {};
}

/// An additive term over [B, N, Sq, Skv]: strides in elements.
struct Bias {
    std::vector<float> values;
    const float* data = nullptr;
    std::vector<std::int64_t> strides;
};

/// Reads input `slot` as an additive term; a mask of bools becomes 0 and -inf.
Result<Bias> readBias(const KernelContext& context, int slot, const Shape& leading, const FlashPlan& plan, bool isMask)
{
    Bias bias;
    const TensorView& view = context.input(slot);
    Shape scores = leading;
    scores.append(plan.q.rows);
    scores.append(plan.k.rows);
    if (!broadcastsTo(view.shape, scores))
        return context.error(fmt::format("input {} of shape {} does not broadcast to the scores {}", slot,
                                         view.shape.text(), scores.text()));
    GELENS_ASSIGN(bias.values, context.floats(slot));
    if (isMask)
        for (float& value : bias.values) value = value != 0 ? -std::numeric_limits<float>::infinity() : 0.0f;
    bias.data = bias.values.data();
    bias.strides = broadcastStrides(view.shape, scores);
    return bias;
}

/// Adds two terms into one over the whole score shape.
Bias addBiases(const Bias& a, const Bias& b, const Shape& leading, const FlashPlan& plan)
{
    Bias sum;
    Shape scores = leading;
    scores.append(plan.q.rows);
    scores.append(plan.k.rows);
    sum.values.assign(static_cast<std::size_t>(scores.elementCount().value_or(0)), 0.0f);
    for (const Bias* part : {&a, &b}) {
        for (std::size_t i = 0; i < sum.values.size(); ++i) {
            auto rest = static_cast<std::int64_t>(i);
            std::int64_t at = 0;
            for (int axis = scores.rank() - 1; axis >= 0; --axis) {
                at += rest % scores.dim(axis) * part->strides[static_cast<std::size_t>(axis)];
                rest /= scores.dim(axis);
            }
            sum.values[i] += part->data[at];
        }
    }
    sum.data = sum.values.data();
    sum.strides = broadcastStrides(scores, scores);
    return sum;
}

AttentionOptions readOptions(const AttrMap& attrs, const FlashPlan& plan)
{
    AttentionOptions options;
    options.queries = plan.q.rows;
    options.keyRows = plan.k.rows;
    options.headSize = plan.q.size;
    options.valueSize = plan.v.size;
    options.scale = static_cast<float>(attrFloat(attrs, "scale_value", 1));
    options.biasBeforeScale = attrInt(attrs, "pse_type") == 1;
    const std::int64_t mode = attrInt(attrs, "sparse_mode");
    options.isCausal = mode == 2 || mode == 3;
    if (mode == 4) {
        options.window = std::max<std::int64_t>(attrInt(attrs, "pre_tockens", 2147483647), 0) + 1;
        options.windowAhead = std::max<std::int64_t>(attrInt(attrs, "next_tockens", 2147483647), 0);
    }
    return options;
}

/// Batch and head axes of the scores: the query's own leading axes, so that a mask of any rank lines up.
Shape leadingAxes(const AttrMap& attrs, const Shape& query, const FlashPlan& plan)
{
    Shape leading;
    if (attrString(attrs, "input_layout", "BNSD") == "BNSD")
        for (int i = 0; i + 2 < query.rank(); ++i) leading.append(query.dim(i));
    else
        leading = Shape{plan.q.batch, plan.q.heads};
    return leading;
}

Status flashKernel(KernelContext& context)
{
    const Shape& query = context.input(Query).shape;
    const auto plan = planFlash(context.attrs(), query, context.hasInput(Key) ? &context.input(Key).shape : nullptr,
                                context.hasInput(Value) ? &context.input(Value).shape : nullptr);
    if (!plan.ok()) return context.error(plan.error().what);
    GELENS_ASSIGN(const FloatOperand q, FloatOperand::of(context, Query));
    FloatOperand k, v;
    if (!plan->isPacked) {
        GELENS_ASSIGN(k, FloatOperand::of(context, Key));
        GELENS_ASSIGN(v, FloatOperand::of(context, Value));
    }
    const std::int64_t packedStep = plan->isPacked ? plan->q.heads * plan->q.size : 0;
    const float* const keys = plan->isPacked ? q.data() + packedStep : k.data();
    const float* const values = plan->isPacked ? q.data() + 2 * packedStep : v.data();
    const Shape leading = leadingAxes(context.attrs(), query, *plan);
    Bias bias;
    for (const int slot : {static_cast<int>(RealShift), static_cast<int>(AttenMask)}) {
        if (!context.hasInput(slot)) continue;
        const bool isMask = slot == AttenMask && !isFloating(context.input(slot).dtype);
        GELENS_ASSIGN(Bias read, readBias(context, slot, leading, *plan, isMask));
        bias = bias.data ? addBiases(bias, read, leading, *plan) : std::move(read);
        bias.data = bias.values.data();
    }
    GELENS_ASSIGN(FloatResult y,
                  FloatResult::make(context, 0, outputTypeOr(context, 0, context.input(Query).dtype), plan->outShape));
    const AttentionOptions options = readOptions(context.attrs(), *plan);
    // Where each (batch, head) pair starts in the bias.
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(plan->q.batch * plan->q.heads), 0);
    if (bias.data) {
        std::vector<std::int64_t> index(static_cast<std::size_t>(leading.rank()), 0);
        for (std::int64_t& offset : offsets) {
            for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * bias.strides[axis];
            for (std::size_t axis = index.size(); axis-- > 0;) {
                if (++index[axis] < leading[axis]) break;
                index[axis] = 0;
            }
        }
    }
    const std::int64_t group = plan->q.heads / plan->k.heads;
    for (std::int64_t b = 0; b < plan->q.batch; ++b) {
        if (context.stop.stop_requested()) return Error::cancelled();
        for (std::int64_t h = 0; h < plan->q.heads; ++h) {
            AttentionHead head;
            head.query = {plan->q.at(q.data(), b, h), plan->q.rowStride, plan->q.step};
            head.key = {plan->k.at(keys, b, h / group), plan->k.rowStride, plan->k.step};
            head.value = {plan->v.at(values, b, h / group), plan->v.rowStride, plan->v.step};
            head.out = plan->out.at(y.data(), b, h);
            head.outStride = plan->out.rowStride;
            head.keys = plan->k.rows;
            head.causalShift = attrInt(context.attrs(), "sparse_mode") == 2 ? 0 : plan->k.rows - plan->q.rows;
            if (bias.data) {
                head.bias = bias.data + offsets[static_cast<std::size_t>(b * plan->q.heads + h)];
                head.biasRow = bias.strides[bias.strides.size() - 2];
                head.biasColumn = bias.strides.back();
            }
            attend(options, head);
        }
    }
    return y.finish(context);
}

Cost flashCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const Shape& query = inputDesc(node, graph, Query).originShape;
    if (!query.hasRank()) return cost;
    const Shape &key = inputDesc(node, graph, Key).originShape, &value = inputDesc(node, graph, Value).originShape;
    const auto plan = planFlash(node.attrs, query, node.hasInput(Key) && key.hasRank() ? &key : nullptr,
                                node.hasInput(Value) && value.hasRank() ? &value : nullptr);
    if (!plan.ok()) return cost;
    const auto known = [](std::int64_t value) { return std::max<std::int64_t>(value, 1); };
    cost.batch = known(plan->q.batch) * known(plan->q.heads);
    cost.m = known(plan->q.rows);
    cost.k = known(plan->q.size);
    cost.n = known(plan->k.rows);
    const double scores = static_cast<double>(cost.batch) * static_cast<double>(cost.m) * static_cast<double>(cost.n);
    cost.cubeMacs = scores * static_cast<double>(cost.k + known(plan->v.size));
    cost.vectorOps = scores * 8; // scale, bias, maximum, subtract, exp (4), sum; the division is by row
    return cost;
}

} // namespace

void registerFlashAttentionOps(OpRegistry& registry)
{
    registry.add(OpDef("FlashAttentionScore")
                     .doc(flashDoc)
                     .source("CANN operator library; layouts per operand and BS3ND are the simulator's")
                     .input("query")
                     .optionalInput("key")
                     .optionalInput("value")
                     .optionalInput("real_shift")
                     .optionalInput("drop_mask")
                     .optionalInput("padding_mask")
                     .optionalInput("atten_mask")
                     .output("attention_out")
                     .attr("scale_value", 1.0f)
                     .attr("keep_prob", 1.0f)
                     .attr("pre_tockens", 2147483647)
                     .attr("next_tockens", 2147483647)
                     .attr("head_num", 0)
                     .requiredAttr("input_layout")
                     .attr("inner_precise", 0)
                     .attr("sparse_mode", 0)
                     .attr("pse_type", 0)
                     .attr("key_layout", "")
                     .attr("value_layout", "")
                     .attr("output_layout", "")
                     .unit(Unit::Mix)
                     .fusionClass(FusionClass::Other)
                     .formats(FormatSupport::Matrices)
                     .infer(inferFlash)
                     .cost(flashCost)
                     .kernel(flashKernel));
}

} // namespace gelens
