// GroupQueryAttention of com.microsoft. Part of the fused family.

#include "engine/ops/contrib_attention_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

using contrib_attention::contribOp;
using contrib_attention::finish;
using contrib_attention::setScale;

namespace {

// ---- GroupQueryAttention: query, key, value, past_key, past_value, seqlens_k, total_sequence_length, cos_cache,
// sin_cache,
//      position_ids, attention_bias, head_sink ----

struct GroupSizes {
    std::int64_t batch, queries, heads, keyHeads, headSize, past = 0;
    bool isPacked = false;
};

Result<GroupSizes> readGroups(const AttrMap& attrs, const Shape& q, bool hasKey, const Shape* past)
{
    GroupSizes g{};
    g.heads = attrInt(attrs, "num_heads");
    g.keyHeads = attrInt(attrs, "kv_num_heads");
    g.isPacked = !hasKey;
    const std::int64_t parts = g.isPacked ? g.heads + 2 * g.keyHeads : g.heads;
    if (q.rank() != 3 || g.heads < 1 || g.keyHeads < 1 || g.heads % g.keyHeads != 0 ||
        (q.dim(2) >= 0 && q.dim(2) % parts != 0))
        return Error::invalid(
            fmt::format("query of shape {} does not fit {} heads over {}", q.text(), g.heads, g.keyHeads));
    g.batch = q.dim(0);
    g.queries = q.dim(1);
    g.headSize = q.dim(2) < 0 ? unknownDim : q.dim(2) / parts;
    if (past) g.past = past->hasRank() && past->rank() == 4 ? past->dim(2) : unknownDim;
    return g;
}

Status inferGroups(InferContext& context)
{
    const Shape& q = context.shape(0);
    for (int i = 0; i < 3; ++i) context.setOutput(i, context.dtype(0), Shape::unknownRank());
    if (!q.hasRank()) return {};
    const auto g =
        readGroups(context.attrs(), q, context.hasInput(1), context.hasInput(3) ? &context.shape(3) : nullptr);
    if (!g.ok()) return context.error(g.error().what);
    Shape out;
    appendDim(out, q, 0);
    appendDim(out, q, 1);
    out.append(g->headSize < 0 ? unknownDim : g->heads * g->headSize);
    context.setOutput(0, context.dtype(0), out);
    for (const int i : {1, 2})
        context.setOutput(i, context.dtype(0), Shape{g->batch, g->keyHeads, unknownDim, g->headSize});
    return {};
}

/// Rotates [batch, heads, rows, size] in place, row r of batch b being at position first[b] + r.
Status rotateHeads(const KernelContext& context, std::vector<float>& x, std::int64_t batch, std::int64_t heads,
                   std::int64_t rows, std::int64_t size, const std::vector<std::int64_t>& positions)
{
    GELENS_ASSIGN(const FloatOperand cosine, FloatOperand::of(context, 7));
    GELENS_ASSIGN(const FloatOperand sine, FloatOperand::of(context, 8));
    const Shape& cache = context.input(7).shape;
    const std::int64_t half = cache.rank() == 2 ? cache.dim(1) : 0;
    if (half < 1 || 2 * half > size || context.input(8).shape.dims() != cache.dims())
        return context.error(fmt::format("caches of shape {} do not fit heads of {}", cache.text(), size));
    const bool interleaved = attrInt(context.attrs(), "rotary_interleaved") != 0;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t position = positions[static_cast<std::size_t>(b * rows + r)];
                if (position < 0 || position >= cache.dim(0))
                    return context.error(
                        fmt::format("position {} lies outside the cache of {}", position, cache.dim(0)));
                float* const row = x.data() + ((b * heads + h) * rows + r) * size;
                for (std::int64_t i = 0; i < half; ++i) {
                    float& first = row[interleaved ? 2 * i : i];
                    float& second = row[interleaved ? 2 * i + 1 : i + half];
                    const float c = cosine.data()[position * half + i], s = sine.data()[position * half + i],
                                before = first;
                    first = before * c - second * s;
                    second = second * c + before * s;
                }
            }
    return {};
}

Status groupKernel(KernelContext& context)
{
    const bool hasPast = context.hasInput(3) && context.hasInput(4);
    const auto sizes = readGroups(context.attrs(), context.input(0).shape, context.hasInput(1),
                                  hasPast ? &context.input(3).shape : nullptr);
    if (!sizes.ok()) return context.error(sizes.error().what);
    const GroupSizes& g = *sizes;
    if (g.past < 0) return context.error("past_key needs four axes");
    GELENS_ASSIGN(const std::vector<std::int64_t> lengths, context.ints(5)); // total length - 1, by batch element
    if (static_cast<std::int64_t>(lengths.size()) != g.batch) return context.error("seqlens_k does not fit the batch");
    AttentionJob job;
    job.batch = g.batch;
    job.heads = g.heads;
    job.keyHeads = g.keyHeads;
    job.queries = g.queries;
    job.headSize = job.valueSize = g.headSize;
    job.stop = context.stop;
    std::vector<float> query, key, value;
    GELENS_ASSIGN(query, context.floats(0));
    const std::int64_t rows = g.batch * g.queries, kvWidth = g.keyHeads * g.headSize;
    if (g.isPacked) {
        const std::vector<float> all = std::move(query);
        const std::int64_t qWidth = g.heads * g.headSize, width = qWidth + 2 * kvWidth;
        query.clear();
        for (std::int64_t r = 0; r < rows; ++r) {
            const float* const from = all.data() + r * width;
            query.insert(query.end(), from, from + qWidth);
            key.insert(key.end(), from + qWidth, from + qWidth + kvWidth);
            value.insert(value.end(), from + qWidth + kvWidth, from + width);
        }
    } else {
        GELENS_ASSIGN(key, context.floats(1));
        GELENS_ASSIGN(value, context.floats(2));
    }
    if (static_cast<std::int64_t>(key.size()) != rows * kvWidth || value.size() != key.size())
        return context.error("key and value do not fit query");
    job.query = headsFirst(query, g.batch, g.queries, g.heads, g.headSize);
    key = headsFirst(key, g.batch, g.queries, g.keyHeads, g.headSize);
    value = headsFirst(value, g.batch, g.queries, g.keyHeads, g.headSize);
    // Where the new rows start: behind what each element's cache holds already.
    std::int64_t total = 0;
    std::vector<std::int64_t> first, positions;
    for (const std::int64_t length : lengths) {
        job.keyCounts.push_back(length + 1);
        first.push_back(std::max<std::int64_t>(length + 1 - g.queries, 0));
        if (length < 0 || first.back() > g.past)
            return context.error(fmt::format("sequence length {} does not fit a cache of {}", length + 1, g.past));
        for (std::int64_t r = 0; r < g.queries; ++r) positions.push_back(first.back() + r);
        total = std::max(total, first.back() + g.queries);
    }
    if (context.hasInput(9)) {
        GELENS_ASSIGN(positions, context.ints(9));
        if (static_cast<std::int64_t>(positions.size()) != rows)
            return context.error("position_ids does not fit query");
    }
    if (attrInt(context.attrs(), "do_rotary") != 0) {
        GELENS_TRY(rotateHeads(context, job.query, g.batch, g.heads, g.queries, g.headSize, positions));
        GELENS_TRY(rotateHeads(context, key, g.batch, g.keyHeads, g.queries, g.headSize, positions));
    }
    job.keys = std::max(total, g.past);
    const auto cached = [&](int slot, const std::vector<float>& now) -> Result<std::vector<float>> {
        std::vector<float> past, all(static_cast<std::size_t>(g.batch * g.keyHeads * job.keys * g.headSize), 0.0f);
        if (hasPast) {
            GELENS_ASSIGN(past, context.floats(slot));
            if (static_cast<std::int64_t>(past.size()) != g.batch * g.keyHeads * g.past * g.headSize)
                return context.error("past_key and past_value do not fit");
        }
        for (std::int64_t i = 0; i < g.batch * g.keyHeads; ++i) {
            float* const to = all.data() + i * job.keys * g.headSize;
            if (hasPast) std::copy_n(past.begin() + i * g.past * g.headSize, g.past * g.headSize, to);
            std::copy_n(now.begin() + i * g.queries * g.headSize, g.queries * g.headSize,
                        to + first[static_cast<std::size_t>(i / g.keyHeads)] * g.headSize);
        }
        return all;
    };
    GELENS_ASSIGN(job.key, cached(3, key));
    GELENS_ASSIGN(job.value, cached(4, value));
    setScale(job, context.attrs());
    job.options.isCausal = true;
    job.options.softcap = static_cast<float>(attrFloat(context.attrs(), "softcap"));
    job.options.capBeforeBias = true;
    job.options.smoothSoftmax = attrInt(context.attrs(), "smooth_softmax") > 0;
    if (const std::int64_t window = attrInt(context.attrs(), "local_window_size", -1); window > 0)
        job.options.window = window;
    job.shifts = first;
    if (context.hasInput(10)) {
        GELENS_ASSIGN(job.bias, context.floats(10));
        job.biasShape = context.input(10).shape;
    }
    if (context.hasInput(11)) return context.error("head_sink is not supported");
    const DataType type = context.input(0).dtype;
    GELENS_TRY(finish(context, job, type));
    const Shape present{g.batch, g.keyHeads, job.keys, g.headSize};
    if (context.outputCount() > 1) GELENS_TRY(context.setFloats(1, type, present, job.key));
    if (context.outputCount() > 2) GELENS_TRY(context.setFloats(2, type, present, job.value));
    return {};
}

} // namespace

void registerGroupQueryAttentionOps(OpRegistry& registry)
{
    registry.add(
        contribOp("MsGroupQueryAttention",
                  "Causal attention of many query heads over fewer key heads, with a cache of lengths by batch "
                  "element, rotary embedding, a local window and softcap. In fp32, one rounding on storage",
                  "simulator (com.microsoft GroupQueryAttention-1)")
            .input("query")
            .optionalInput("key")
            .optionalInput("value")
            .optionalInput("past_key")
            .optionalInput("past_value")
            .input("seqlens_k")
            .input("total_sequence_length")
            .optionalInput("cos_cache")
            .optionalInput("sin_cache")
            .optionalInput("position_ids")
            .optionalInput("attention_bias")
            .optionalInput("head_sink")
            .output("output")
            .output("present_key")
            .output("present_value")
            .requiredAttr("num_heads")
            .requiredAttr("kv_num_heads")
            .attr("scale", 0.0f)
            .attr("softcap", 0.0f)
            .attr("do_rotary", 0)
            .attr("rotary_interleaved", 0)
            .attr("local_window_size", -1)
            .attr("smooth_softmax", 0)
            .infer(inferGroups)
            .kernel(groupKernel));
}

} // namespace gelens
