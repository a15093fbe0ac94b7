// ONNX's own Attention and RotaryEmbedding. Part of the fused family.

#include "engine/ops/attention_job.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

enum Slot { Query, Key, Value, Mask, PastKey, PastValue, ValidKeys };

/// Sizes of the operands; -1 when unknown.
struct Sizes {
    std::int64_t batch = -1, heads = -1, keyHeads = -1, queries = -1, rows = -1, past = 0, headSize = -1,
                 valueSize = -1;
    bool isFlat = false; ///< [batch, rows, heads·size]
    std::int64_t keys() const { return rows < 0 || past < 0 ? unknownDim : rows + past; }
};

Result<Sizes> readSizes(const AttrMap& attrs, const Shape& q, const Shape& k, const Shape& v, const Shape* past)
{
    Sizes s;
    const int rank = q.rank();
    if ((rank != 3 && rank != 4) || k.rank() != rank || v.rank() != rank)
        return Error::invalid(
            fmt::format("Q, K and V need three or four axes each: {}, {}, {}", q.text(), k.text(), v.text()));
    s.batch = q.dim(0);
    s.isFlat = rank == 3;
    if (s.isFlat) {
        s.heads = attrInt(attrs, "q_num_heads");
        s.keyHeads = attrInt(attrs, "kv_num_heads");
        if (s.keyHeads == 0) s.keyHeads = s.heads;
        if (s.heads < 1 || s.keyHeads < 1)
            return Error::invalid("q_num_heads and kv_num_heads must be stated for three axes");
        const auto divided = [](std::int64_t width, std::int64_t heads) {
            return width < 0 ? unknownDim : width / heads;
        };
        for (const auto& [shape, heads] :
             {std::pair{&q, s.heads}, std::pair{&k, s.keyHeads}, std::pair{&v, s.keyHeads}})
            if (shape->dim(2) >= 0 && shape->dim(2) % heads != 0)
                return Error::invalid(fmt::format("{} heads do not divide {}", heads, shape->text()));
        s.queries = q.dim(1);
        s.rows = k.dim(1);
        s.headSize = divided(q.dim(2), s.heads);
        s.valueSize = divided(v.dim(2), s.keyHeads);
    } else {
        s.heads = q.dim(1);
        s.keyHeads = k.dim(1);
        s.queries = q.dim(2);
        s.rows = k.dim(2);
        s.headSize = q.dim(3);
        s.valueSize = v.dim(3);
    }
    if (past) {
        if (past->hasRank() && past->rank() != 4)
            return Error::invalid(fmt::format("past_key of shape {} needs four axes", past->text()));
        s.past = past->hasRank() ? past->dim(2) : unknownDim;
    }
    return s;
}

Status inferAttention(InferContext& context)
{
    const Shape &q = context.shape(Query), &k = context.shape(Key), &v = context.shape(Value);
    for (int i = 0; i < 4; ++i)
        context.setOutput(i,
                          context.dtype(i == 1   ? static_cast<int>(Key)
                                        : i == 2 ? static_cast<int>(Value)
                                                 : static_cast<int>(Query)),
                          Shape::unknownRank());
    if (!q.hasRank() || !k.hasRank() || !v.hasRank()) return {};
    const bool hasPast = context.hasInput(PastKey);
    auto s = readSizes(context.attrs(), q, k, v, hasPast ? &context.shape(PastKey) : nullptr);
    if (!s.ok()) return context.error(s.error().what);
    Shape out = q;
    out.setDim(static_cast<std::size_t>(q.rank() - 1),
               s->isFlat ? (s->valueSize < 0 ? unknownDim : s->heads * s->valueSize) : s->valueSize);
    context.setOutput(0, context.dtype(Query), out);
    const auto present = [&](std::int64_t size) {
        Shape shape;
        shape.append(s->batch, q.symbol(0));
        shape.append(s->keyHeads);
        shape.append(s->keys(), hasPast ? std::string_view() : k.symbol(s->isFlat ? 1 : 2));
        shape.append(size);
        return shape;
    };
    context.setOutput(1, context.dtype(Key), present(s->headSize));
    context.setOutput(2, context.dtype(Value), present(s->valueSize));
    Shape scores;
    scores.append(s->batch, q.symbol(0));
    scores.append(s->heads);
    scores.append(s->queries, q.symbol(s->isFlat ? 1 : 2));
    scores.append(s->keys());
    context.setOutput(3, context.dtype(Query), scores);
    return {};
}

/// The mask as an additive term; keys beyond a short mask's last axis are masked.
Status readMask(const KernelContext& context, AttentionJob& job)
{
    const TensorView& mask = context.input(Mask);
    GELENS_ASSIGN(std::vector<float> values, context.floats(Mask));
    constexpr float hidden = -std::numeric_limits<float>::infinity();
    if (mask.dtype == DataType::Bool)
        for (float& value : values) value = value != 0 ? 0.0f : hidden;
    Shape shape = mask.shape;
    if (shape.rank() < 1) return context.error("attn_mask has no axes");
    const std::int64_t width = shape.dim(-1);
    if (width != job.keys && width != 1 && width < job.keys) {
        std::vector<float> wide;
        const std::int64_t rows = width ? static_cast<std::int64_t>(values.size()) / width : 0;
        for (std::int64_t r = 0; r < rows; ++r) {
            wide.insert(wide.end(), values.begin() + r * width, values.begin() + (r + 1) * width);
            wide.insert(wide.end(), static_cast<std::size_t>(job.keys - width), hidden);
        }
        values = std::move(wide);
        shape.setDim(static_cast<std::size_t>(shape.rank() - 1), job.keys);
    }
    job.bias = std::move(values);
    job.biasShape = shape;
    return {};
}

Status readOperands(const KernelContext& context, const Sizes& s, AttentionJob& job)
{
    GELENS_ASSIGN(job.query, context.floats(Query));
    GELENS_ASSIGN(job.key, context.floats(Key));
    GELENS_ASSIGN(job.value, context.floats(Value));
    if (s.isFlat) {
        job.query = headsFirst(job.query, s.batch, s.queries, s.heads, s.headSize);
        job.key = headsFirst(job.key, s.batch, s.rows, s.keyHeads, s.headSize);
        job.value = headsFirst(job.value, s.batch, s.rows, s.keyHeads, s.valueSize);
    }
    if (context.hasInput(PastKey) != context.hasInput(PastValue))
        return context.error("past_key and past_value come together");
    if (context.hasInput(PastKey)) {
        GELENS_ASSIGN(const std::vector<float> pastKey, context.floats(PastKey));
        GELENS_ASSIGN(const std::vector<float> pastValue, context.floats(PastValue));
        const std::int64_t outer = s.batch * s.keyHeads;
        if (static_cast<std::int64_t>(pastKey.size()) != outer * s.past * s.headSize ||
            static_cast<std::int64_t>(pastValue.size()) != outer * s.past * s.valueSize)
            return context.error("past_key and past_value do not fit K and V");
        if (static_cast<std::int64_t>(job.key.size()) != outer * s.rows * s.headSize ||
            static_cast<std::int64_t>(job.value.size()) != outer * s.rows * s.valueSize)
            return context.error("K and V do not fit together");
        job.key = joinRows(pastKey, s.past, job.key, s.rows, outer, s.headSize);
        job.value = joinRows(pastValue, s.past, job.value, s.rows, outer, s.valueSize);
    }
    return {};
}

Status attentionKernel(KernelContext& context)
{
    const bool hasPast = context.hasInput(PastKey);
    const auto sizes = readSizes(context.attrs(), context.input(Query).shape, context.input(Key).shape,
                                 context.input(Value).shape, hasPast ? &context.input(PastKey).shape : nullptr);
    if (!sizes.ok()) return context.error(sizes.error().what);
    const Sizes& s = *sizes;
    AttentionJob job;
    job.batch = s.batch;
    job.heads = s.heads;
    job.keyHeads = s.keyHeads;
    job.queries = s.queries;
    job.keys = s.keys();
    job.headSize = s.headSize;
    job.valueSize = s.valueSize;
    job.outHeadsFirst = !s.isFlat;
    job.stop = context.stop;
    GELENS_TRY(readOperands(context, s, job));
    if (context.hasInput(Mask)) GELENS_TRY(readMask(context, job));
    if (context.hasInput(ValidKeys)) {
        GELENS_ASSIGN(job.keyCounts, context.ints(ValidKeys));
        if (static_cast<std::int64_t>(job.keyCounts.size()) != s.batch)
            return context.error("nonpad_kv_seqlen does not fit the batch");
    }
    const double scale = attrFloat(context.attrs(), "scale");
    job.options.scale = scale != 0 ? static_cast<float>(scale)
                                   : 1.0f / std::sqrt(static_cast<float>(std::max<std::int64_t>(s.headSize, 1)));
    job.options.softcap = static_cast<float>(attrFloat(context.attrs(), "softcap"));
    job.options.isCausal = attrInt(context.attrs(), "is_causal") != 0;
    job.options.capBeforeBias = true; // a cap behind the mask would let masked keys back in
    job.shifts.assign(static_cast<std::size_t>(s.batch), s.past);
    const std::int64_t mode = attrInt(context.attrs(), "qk_matmul_output_mode");
    if (mode < 0 || mode > 3) return context.error(fmt::format("qk_matmul_output_mode {} is not known", mode));
    job.options.stage = static_cast<ScoreStage>(mode);
    job.wantsScores = context.outputCount() > 3;
    if (const std::string problem = checkAttention(job); !problem.empty()) return context.error(problem);
    if (!runAttention(job)) return Error::cancelled();
    Shape out = context.input(Query).shape;
    out.setDim(static_cast<std::size_t>(out.rank() - 1), s.isFlat ? s.heads * s.valueSize : s.valueSize);
    GELENS_TRY(context.setFloats(0, context.input(Query).dtype, out, job.out));
    if (context.outputCount() > 1)
        GELENS_TRY(
            context.setFloats(1, context.input(Key).dtype, Shape{s.batch, s.keyHeads, job.keys, s.headSize}, job.key));
    if (context.outputCount() > 2)
        GELENS_TRY(context.setFloats(2, context.input(Value).dtype, Shape{s.batch, s.keyHeads, job.keys, s.valueSize},
                                     job.value));
    if (context.outputCount() > 3)
        GELENS_TRY(
            context.setFloats(3, context.input(Query).dtype, Shape{s.batch, s.heads, s.queries, job.keys}, job.scores));
    return {};
}

Cost attentionCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const Shape &q = inputDesc(node, graph, Query).originShape, &k = inputDesc(node, graph, Key).originShape,
                &v = inputDesc(node, graph, Value).originShape;
    if (!q.hasRank() || !k.hasRank() || !v.hasRank()) return cost;
    const auto s = readSizes(node.attrs, q, k, v, nullptr);
    if (!s.ok()) return cost;
    const auto known = [](std::int64_t value) { return std::max<std::int64_t>(value, 1); };
    cost.batch = known(s->batch) * known(s->heads);
    cost.m = known(s->queries);
    cost.k = known(s->headSize);
    cost.n = known(s->keys());
    const double scores = static_cast<double>(cost.batch) * static_cast<double>(cost.m) * static_cast<double>(cost.n);
    cost.cubeMacs = scores * static_cast<double>(cost.k + known(s->valueSize));
    cost.vectorOps = scores * 8;
    return cost;
}

// ---- RotaryEmbedding: x, cos_cache, sin_cache, position_ids ----

Status inferRotary(InferContext& context)
{
    context.setOutput(0, context.dtype(0), context.shape(0));
    return {};
}

Status rotaryKernel(KernelContext& context)
{
    const Shape &shape = context.input(0).shape, &cache = context.input(1).shape;
    if (shape.rank() != 3 && shape.rank() != 4)
        return context.error(fmt::format("x of shape {} needs three or four axes", shape.text()));
    const bool isFlat = shape.rank() == 3;
    std::int64_t heads = isFlat ? attrInt(context.attrs(), "num_heads") : shape.dim(1);
    std::int64_t rotated = attrInt(context.attrs(), "rotary_embedding_dim");
    if (isFlat && heads == 0 && rotated == 0 && cache.rank() >= 1 && cache.dim(-1) > 0)
        heads = shape.dim(2) / (2 * cache.dim(-1));
    if (heads < 1 || (isFlat && shape.dim(2) % heads != 0))
        return context.error(fmt::format("num_heads {} does not fit x of shape {}", heads, shape.text()));
    const std::int64_t batch = shape.dim(0), rows = shape.dim(isFlat ? 1 : 2),
                       size = isFlat ? shape.dim(2) / heads : shape.dim(3);
    if (rotated == 0) rotated = size;
    const std::int64_t half = rotated / 2;
    if (rotated % 2 != 0 || rotated > size || cache.rank() < 2 || cache.dim(-1) != half ||
        context.input(2).shape.dims() != cache.dims())
        return context.error(fmt::format("caches of shape {} do not fit {} rotated elements", cache.text(), rotated));
    GELENS_ASSIGN(const std::vector<float> x, context.floats(0));
    GELENS_ASSIGN(const FloatOperand cosine, FloatOperand::of(context, 1));
    GELENS_ASSIGN(const FloatOperand sine, FloatOperand::of(context, 2));
    std::vector<std::int64_t> positions; // row of the cache for each (batch, row)
    const std::int64_t cacheRows = half ? context.input(1).elementCount() / half : 0;
    if (context.hasInput(3)) {
        GELENS_ASSIGN(positions, context.ints(3));
        if (positions.size() == 1 && batch * rows != 1) { // the first position; the others follow
            const std::int64_t first = positions[0];
            positions.clear();
            for (std::int64_t i = 0; i < batch * rows; ++i) positions.push_back(first + i % rows);
        }
    } else {
        const bool isShared = cache.rank() == 2 || cache.dim(0) == 1;
        for (std::int64_t i = 0; i < batch * rows; ++i) positions.push_back(isShared ? i % rows : i);
    }
    if (static_cast<std::int64_t>(positions.size()) != batch * rows)
        return context.error("position_ids does not fit x");
    for (const std::int64_t position : positions)
        if (position < 0 || position >= cacheRows)
            return context.error(fmt::format("position {} lies outside the cache of {}", position, cacheRows));
    const bool interleaved = attrInt(context.attrs(), "interleaved") != 0;
    std::vector<float> y = x;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t h = 0; h < heads; ++h) {
                const std::int64_t at =
                    isFlat ? ((b * rows + r) * heads + h) * size : ((b * heads + h) * rows + r) * size;
                const std::int64_t row = positions[static_cast<std::size_t>(b * rows + r)] * half;
                for (std::int64_t i = 0; i < half; ++i) {
                    const std::int64_t first = at + (interleaved ? 2 * i : i),
                                       second = at + (interleaved ? 2 * i + 1 : i + half);
                    const float c = cosine.data()[row + i], s = sine.data()[row + i];
                    y[static_cast<std::size_t>(first)] =
                        x[static_cast<std::size_t>(first)] * c - x[static_cast<std::size_t>(second)] * s;
                    y[static_cast<std::size_t>(second)] =
                        x[static_cast<std::size_t>(second)] * c + x[static_cast<std::size_t>(first)] * s;
                }
            }
    return context.setFloats(0, context.input(0).dtype, shape, y);
}

} // namespace

void registerOnnxAttentionOps(OpRegistry& registry)
{
    registry.add(
        OpDef("Attention")
            .doc("ONNX's attention: y = softmax(softcap(scale · Q·Kᵀ) + mask) · V, Q as [B, N, S, D] or [B, S, N·D], "
                 "fewer "
                 "key heads, a cache in front of K and V, causal from the end of the cache, lengths by batch element; "
                 "qk_matmul_output_mode says which scores output 3 shows. Products accumulate in fp32, softmax in "
                 "fp32, one rounding on storage; a row that sees no key gives zeros")
            .source("simulator (ONNX Attention-24)")
            .input("q")
            .input("k")
            .input("v")
            .optionalInput("attn_mask")
            .optionalInput("past_key")
            .optionalInput("past_value")
            .optionalInput("nonpad_kv_seqlen")
            .output("y")
            .output("present_key")
            .output("present_value")
            .output("qk_matmul_output")
            .attr("is_causal", 0)
            .attr("q_num_heads", 0)
            .attr("kv_num_heads", 0)
            .attr("scale", 0.0f)
            .attr("softcap", 0.0f)
            .attr("qk_matmul_output_mode", 0)
            .unit(Unit::Mix)
            .fusionClass(FusionClass::Other)
            .infer(inferAttention)
            .cost(attentionCost)
            .kernel(attentionKernel));
    registry.add(
        OpDef("RotaryEmbedding")
            .doc("Rotates pairs of each head by cached angles: x [B, N, S, D] or [B, S, N·D], caches [rows, D/2] "
                 "addressed by "
                 "position_ids, or [B, S, D/2]. The first rotary_embedding_dim elements are rotated, halves or "
                 "(interleaved) neighbours paired. In fp32, one rounding on storage")
            .source("simulator (ONNX RotaryEmbedding-23, com.microsoft RotaryEmbedding-1)")
            .input("x")
            .input("cos_cache")
            .input("sin_cache")
            .optionalInput("position_ids")
            .output("y")
            .attr("interleaved", 0)
            .attr("num_heads", 0)
            .attr("rotary_embedding_dim", 0)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Other)
            .infer(inferRotary)
            .cost(elementwise(3))
            .kernel(rotaryKernel));
}

} // namespace gelens
