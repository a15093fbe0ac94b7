// Attention operators of com.microsoft, as optimised exports carry them. Part of the fused family.

#include "engine/ops/contrib_attention_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

using contrib_attention::contribOp;
using contrib_attention::finish;
using contrib_attention::setScale;

namespace {

/// A key mask of com.microsoft as an additive term: [B] lengths, [2B] ends and starts, [3B+2] (lengths first), [B, T],
/// [B, S, T] or [B, 1, M, M] of ones for keys to keep.
Status readKeyMask(const KernelContext& context, int slot, std::int64_t past, float masked, AttentionJob& job)
{
    const Shape& shape = context.input(slot).shape;
    GELENS_ASSIGN(const std::vector<std::int64_t> values, context.ints(slot));
    const std::int64_t batch = job.batch, keys = job.keys;
    const auto count = static_cast<std::int64_t>(values.size());
    const auto keep = [&](std::int64_t b, std::int64_t i, std::int64_t j) -> bool {
        switch (shape.rank()) {
        case 1: {
            const bool hasStarts = count == 2 * batch;
            return j < values[static_cast<std::size_t>(b)] &&
                   (!hasStarts || j >= values[static_cast<std::size_t>(batch + b)]);
        }
        case 2: return values[static_cast<std::size_t>((shape.dim(0) == 1 ? 0 : b) * keys + j)] != 0;
        case 3: return values[static_cast<std::size_t>((b * job.queries + i) * keys + j)] != 0;
        default: return values[static_cast<std::size_t>((b * shape.dim(2) + past + i) * shape.dim(3) + j)] != 0;
        }
    };
    bool fits = false;
    switch (shape.rank()) {
    case 1: fits = count == batch || count == 2 * batch || count == 3 * batch + 2; break;
    case 2: fits = (shape.dim(0) == batch || shape.dim(0) == 1) && shape.dim(1) == keys; break;
    case 3: fits = shape.dim(0) == batch && shape.dim(1) == job.queries && shape.dim(2) == keys; break;
    case 4:
        fits = shape.dim(0) == batch && shape.dim(1) == 1 && shape.dim(2) >= past + job.queries && shape.dim(3) >= keys;
        break;
    default: break;
    }
    if (!fits)
        return context.error(
            fmt::format("a mask of shape {} fits neither {} batches nor {} keys", shape.text(), batch, keys));
    const std::int64_t rows = shape.rank() < 3 ? 1 : job.queries;
    job.maskShape = Shape{batch, 1, rows, keys};
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < keys; ++j) job.mask.push_back(keep(b, i, j) ? 0.0f : masked);
    return {};
}

// ---- Attention: input, weights, bias, mask_index, past, attention_bias ----

struct Widths {
    std::int64_t q, k, v;
};

Result<Widths> projectedWidths(const AttrMap& attrs, const Shape& weights)
{
    const IntList stated = attrInts(attrs, "qkv_hidden_sizes");
    Widths w{};
    if (stated.size() == 3)
        w = {stated[0], stated[1], stated[2]};
    else if (weights.rank() == 2 && weights.dim(1) > 0 && weights.dim(1) % 3 == 0)
        w = {weights.dim(1) / 3, weights.dim(1) / 3, weights.dim(1) / 3};
    const std::int64_t heads = attrInt(attrs, "num_heads");
    if (heads < 1 || w.q < 1 || w.q != w.k || w.v < 1 || w.q % heads != 0 || w.v % heads != 0 ||
        (weights.rank() == 2 && dimsContradict(weights.dim(1), w.q + w.k + w.v)))
        return Error::invalid(
            fmt::format("weights of shape {} do not hold q, k and v of {} heads", weights.text(), heads));
    return w;
}

Status inferMsAttention(InferContext& context)
{
    const Shape &x = context.shape(0), &weights = context.shape(1);
    if (!x.hasRank() || !weights.hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        context.setOutput(1, context.dtype(0), Shape::unknownRank());
        return {};
    }
    const auto w = projectedWidths(context.attrs(), weights);
    if (!w.ok()) return context.error(w.error().what);
    if (x.rank() != 3) return context.error(fmt::format("input of shape {} needs three axes", x.text()));
    Shape out;
    appendDim(out, x, 0);
    appendDim(out, x, 1);
    out.append(w->v);
    context.setOutput(0, context.dtype(0), out);
    const std::int64_t heads = attrInt(context.attrs(), "num_heads");
    std::int64_t total = x.dim(1);
    if (context.hasInput(4)) {
        const Shape& past = context.shape(4);
        total = total < 0 || !past.hasRank() || past.rank() != 5 || past.dim(3) < 0 ? unknownDim : total + past.dim(3);
    }
    Shape present{2};
    appendDim(present, x, 0);
    present.append(heads);
    present.append(total);
    present.append(w->k / heads);
    context.setOutput(1, context.dtype(0), present);
    return {};
}

Status msAttentionKernel(KernelContext& context)
{
    const Shape &x = context.input(0).shape, &weights = context.input(1).shape;
    const auto w = projectedWidths(context.attrs(), weights);
    if (!w.ok()) return context.error(w.error().what);
    if (x.rank() != 3 || weights.rank() != 2 || x.dim(2) != weights.dim(0))
        return context.error(
            fmt::format("input of shape {} and weights of shape {} do not fit", x.text(), weights.text()));
    if (attrInt(context.attrs(), "do_rotary") != 0) return context.error("do_rotary is not supported");
    AttentionJob job;
    job.batch = x.dim(0);
    job.queries = x.dim(1);
    job.heads = job.keyHeads = attrInt(context.attrs(), "num_heads");
    job.headSize = w->q / job.heads;
    job.valueSize = w->v / job.heads;
    job.stop = context.stop;
    const std::int64_t width = w->q + w->k + w->v, rows = job.batch * job.queries;
    GELENS_ASSIGN(const FloatOperand input, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand matrix, FloatOperand::of(context, 1));
    std::vector<float> projected(static_cast<std::size_t>(rows * width));
    gemmFloat(false, false, rows, width, x.dim(2), input.data(), matrix.data(), projected.data());
    if (context.hasInput(2)) {
        if (context.input(2).elementCount() != width) return context.error("bias does not fit the weights");
        GELENS_ASSIGN(const FloatOperand bias, FloatOperand::of(context, 2));
        addBroadcast(projected.data(), Shape{rows, width}, bias.data(), Shape{width});
    }
    const auto part = [&](std::int64_t from, std::int64_t size) {
        std::vector<float> values(static_cast<std::size_t>(rows * size));
        for (std::int64_t r = 0; r < rows; ++r)
            std::copy_n(projected.begin() + r * width + from, size, values.begin() + r * size);
        return headsFirst(values, job.batch, job.queries, job.heads, size / job.heads);
    };
    job.query = part(0, w->q);
    job.key = part(w->q, w->k);
    job.value = part(w->q + w->k, w->v);
    std::int64_t past = 0;
    const std::int64_t outer = job.batch * job.heads;
    if (context.hasInput(4)) {
        const Shape& shape = context.input(4).shape;
        if (shape.rank() != 5 || shape.dim(0) != 2 || shape.dim(1) != job.batch || shape.dim(2) != job.heads ||
            shape.dim(4) != job.headSize || job.headSize != job.valueSize)
            return context.error(fmt::format("past of shape {} does not fit", shape.text()));
        past = shape.dim(3);
        GELENS_ASSIGN(const std::vector<float> cache, context.floats(4));
        const std::span<const float> all(cache);
        job.key = joinRows(all.first(all.size() / 2), past, job.key, job.queries, outer, job.headSize);
        job.value = joinRows(all.last(all.size() / 2), past, job.value, job.queries, outer, job.valueSize);
    }
    job.keys = past + job.queries;
    setScale(job, context.attrs());
    job.options.isCausal = attrInt(context.attrs(), "unidirectional") != 0;
    job.shifts.assign(static_cast<std::size_t>(job.batch), past);
    if (context.hasInput(3))
        GELENS_TRY(readKeyMask(context, 3, past,
                               static_cast<float>(attrFloat(context.attrs(), "mask_filter_value", -10000)), job));
    if (context.hasInput(5)) {
        GELENS_ASSIGN(job.bias, context.floats(5));
        job.biasShape = context.input(5).shape;
    }
    GELENS_TRY(finish(context, job, context.input(0).dtype));
    if (context.outputCount() < 2) return {};
    std::vector<float> present = job.key;
    present.insert(present.end(), job.value.begin(), job.value.end());
    if (job.headSize != job.valueSize) return context.error("present needs equal head sizes of key and value");
    return context.setFloats(1, context.input(0).dtype, Shape{2, job.batch, job.heads, job.keys, job.headSize},
                             present);
}

// ---- MultiHeadAttention: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value ----

struct HeadForms {
    std::int64_t batch = -1, queries = -1, rows = -1, past = 0, headSize = -1, valueSize = -1;
    enum class Form { Apart, PackedAll, PackedKeys, Cached } form = Form::Apart;
};

Result<HeadForms> readForms(const AttrMap& attrs, const Shape& q, const Shape* k, const Shape* v, const Shape* past)
{
    HeadForms f;
    const std::int64_t heads = attrInt(attrs, "num_heads");
    if (heads < 1) return Error::invalid("num_heads is missing");
    if (q.rank() == 5) { // [B, S, N, 3, D]
        if (k || v || dimsContradict(q.dim(2), heads) || q.dim(3) != 3)
            return Error::invalid(fmt::format("query of shape {} does not hold q, k and v", q.text()));
        f = {q.dim(0), q.dim(1), q.dim(1), 0, q.dim(4), q.dim(4), HeadForms::Form::PackedAll};
        return f;
    }
    if (q.rank() != 3 || (q.dim(2) >= 0 && q.dim(2) % heads != 0))
        return Error::invalid(fmt::format("query of shape {} does not fit {} heads", q.text(), heads));
    if (!k) return Error::invalid("key is missing");
    f.batch = q.dim(0);
    f.queries = q.dim(1);
    f.headSize = q.dim(2) < 0 ? unknownDim : q.dim(2) / heads;
    if (k->rank() == 5) { // [B, S, N, 2, D]
        f.form = HeadForms::Form::PackedKeys;
        f.rows = k->dim(1);
        f.valueSize = k->dim(4);
    } else if (k->rank() == 4 && v && v->rank() == 4) { // already by head: cross attention from a cache
        f.form = HeadForms::Form::Cached;
        f.rows = k->dim(2);
        f.valueSize = v->dim(3);
    } else if (k->rank() == 3 && v && v->rank() == 3) {
        if (v->dim(2) >= 0 && v->dim(2) % heads != 0)
            return Error::invalid(fmt::format("value of shape {} does not fit {} heads", v->text(), heads));
        f.rows = k->dim(1);
        f.valueSize = v->dim(2) < 0 ? unknownDim : v->dim(2) / heads;
    } else {
        return Error::invalid("key and value do not fit together");
    }
    if (past) f.past = past->hasRank() && past->rank() == 4 ? past->dim(2) : unknownDim;
    return f;
}

Status inferMultiHead(InferContext& context)
{
    const auto shapeOf = [&](int i) { return context.hasInput(i) ? &context.shape(i) : nullptr; };
    for (int i = 0; i < 4; ++i) context.setOutput(i, context.dtype(0), Shape::unknownRank());
    for (const int i : {0, 1, 2})
        if (context.hasInput(i) && !context.shape(i).hasRank()) return {};
    const auto f = readForms(context.attrs(), context.shape(0), shapeOf(1), shapeOf(2), shapeOf(6));
    if (!f.ok()) return context.error(f.error().what);
    const std::int64_t heads = attrInt(context.attrs(), "num_heads");
    const Shape& q = context.shape(0);
    Shape out;
    out.append(f->batch, q.symbol(0));
    out.append(f->queries, q.symbol(1));
    out.append(f->valueSize < 0 ? unknownDim : heads * f->valueSize);
    context.setOutput(0, context.dtype(0), out);
    // A stated past length means that past is a buffer, whose size the present keeps.
    const bool isBuffer = context.hasInput(8);
    const std::int64_t keys = isBuffer ? f->past : f->rows < 0 || f->past < 0 ? unknownDim : f->rows + f->past;
    context.setOutput(1, context.dtype(0), Shape{f->batch, heads, keys, f->headSize});
    context.setOutput(2, context.dtype(0), Shape{f->batch, heads, keys, f->valueSize});
    context.setOutput(3, context.dtype(0), Shape{f->batch, heads, f->queries, isBuffer ? unknownDim : keys});
    return {};
}

/// Takes `count` interleaved tensors apart: [B, S, N, count, D] to one [B, N, S, D].
std::vector<float> unpackHeads(std::span<const float> x, const HeadForms& f, std::int64_t rows, std::int64_t heads,
                               std::int64_t count, std::int64_t which)
{
    std::vector<float> result(x.size() / static_cast<std::size_t>(count));
    for (std::int64_t b = 0; b < f.batch; ++b)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t h = 0; h < heads; ++h)
                std::copy_n(x.data() + (((b * rows + r) * heads + h) * count + which) * f.headSize, f.headSize,
                            result.data() + ((b * heads + h) * rows + r) * f.headSize);
    return result;
}

void addHeadBias(std::vector<float>& x, std::span<const float> bias, std::int64_t rows, std::int64_t heads,
                 std::int64_t size)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        x[i] += bias[static_cast<std::size_t>(at / size / rows % heads * size + at % size)];
    }
}

/// The first `count` of `rows` rows of each block.
std::vector<float> firstRows(const std::vector<float>& x, std::int64_t rows, std::int64_t count, std::int64_t size)
{
    std::vector<float> result;
    for (std::size_t at = 0; at < x.size(); at += static_cast<std::size_t>(rows * size))
        result.insert(result.end(), x.begin() + static_cast<std::int64_t>(at),
                      x.begin() + static_cast<std::int64_t>(at) + count * size);
    return result;
}

/// `past` rows of the cache come first; it may be a buffer of more.
Status readHeads(const KernelContext& context, const HeadForms& f, std::int64_t past, AttentionJob& job)
{
    using Form = HeadForms::Form;
    GELENS_ASSIGN(job.query, context.floats(0));
    const std::int64_t heads = job.heads;
    const auto expect = [&](std::size_t have, std::int64_t want) { return static_cast<std::int64_t>(have) == want; };
    if (f.form == Form::PackedAll) {
        const std::vector<float> all = std::move(job.query);
        job.query = unpackHeads(all, f, f.rows, heads, 3, 0);
        job.key = unpackHeads(all, f, f.rows, heads, 3, 1);
        job.value = unpackHeads(all, f, f.rows, heads, 3, 2);
    } else {
        if (!expect(job.query.size(), f.batch * f.queries * heads * f.headSize))
            return context.error("query does not fit");
        job.query = headsFirst(job.query, f.batch, f.queries, heads, f.headSize);
        GELENS_ASSIGN(std::vector<float> key, context.floats(1));
        if (!expect(key.size(), f.batch * f.rows * heads * f.headSize * (f.form == Form::PackedKeys ? 2 : 1)))
            return context.error("key does not fit query");
        if (f.form == Form::PackedKeys) {
            job.key = unpackHeads(key, f, f.rows, heads, 2, 0);
            job.value = unpackHeads(key, f, f.rows, heads, 2, 1);
        } else {
            GELENS_ASSIGN(std::vector<float> value, context.floats(2));
            if (!expect(value.size(), f.batch * f.rows * heads * f.valueSize))
                return context.error("value does not fit key");
            job.key = f.form == Form::Cached ? std::move(key) : headsFirst(key, f.batch, f.rows, heads, f.headSize);
            job.value =
                f.form == Form::Cached ? std::move(value) : headsFirst(value, f.batch, f.rows, heads, f.valueSize);
        }
    }
    if (context.hasInput(3)) {
        GELENS_ASSIGN(const std::vector<float> bias, context.floats(3));
        const std::int64_t wide = heads * f.headSize;
        const std::span<const float> all(bias);
        if (!expect(bias.size(), 2 * wide + heads * f.valueSize)) return context.error("bias does not fit the heads");
        addHeadBias(job.query, all.first(static_cast<std::size_t>(wide)), f.queries, heads, f.headSize);
        if (f.form != Form::Cached) { // what is cached has its bias already
            addHeadBias(job.key, all.subspan(static_cast<std::size_t>(wide), static_cast<std::size_t>(wide)), f.rows,
                        heads, f.headSize);
            addHeadBias(job.value, all.subspan(static_cast<std::size_t>(2 * wide)), f.rows, heads, f.valueSize);
        }
    }
    if (!context.hasInput(6) || !context.hasInput(7)) return {};
    GELENS_ASSIGN(const std::vector<float> pastKey, context.floats(6));
    GELENS_ASSIGN(const std::vector<float> pastValue, context.floats(7));
    const std::int64_t outer = f.batch * heads;
    if (!expect(pastKey.size(), outer * f.past * f.headSize) || !expect(pastValue.size(), outer * f.past * f.valueSize))
        return context.error("past_key and past_value do not fit");
    job.key = joinRows(firstRows(pastKey, f.past, past, f.headSize), past, job.key, f.rows, outer, f.headSize);
    job.value = joinRows(firstRows(pastValue, f.past, past, f.valueSize), past, job.value, f.rows, outer, f.valueSize);
    return {};
}

/// Key or value with what went before: as joined, or laid into the buffer that `slot` holds.
Status writePresent(KernelContext& context, int output, int slot, const AttentionJob& job,
                    const std::vector<float>& joined, std::int64_t size, std::int64_t bufferRows)
{
    if (output >= context.outputCount()) return {};
    const DataType type = context.input(0).dtype;
    if (bufferRows == 0) return context.setFloats(output, type, Shape{job.batch, job.heads, job.keys, size}, joined);
    GELENS_ASSIGN(std::vector<float> buffer, context.floats(slot));
    for (std::int64_t i = 0; i < job.batch * job.heads; ++i)
        std::copy_n(joined.begin() + i * job.keys * size, job.keys * size, buffer.begin() + i * bufferRows * size);
    return context.setFloats(output, type, Shape{job.batch, job.heads, bufferRows, size}, buffer);
}

Status multiHeadKernel(KernelContext& context)
{
    const auto shapeOf = [&](int i) { return context.hasInput(i) ? &context.input(i).shape : nullptr; };
    const auto forms = readForms(context.attrs(), context.input(0).shape, shapeOf(1), shapeOf(2),
                                 context.hasInput(7) ? shapeOf(6) : nullptr);
    if (!forms.ok()) return context.error(forms.error().what);
    const HeadForms& f = *forms;
    if (f.past < 0) return context.error("past_key needs four axes");
    std::int64_t past = f.past;
    const bool isBuffer = context.hasInput(8) && context.hasInput(6) && context.hasInput(7);
    if (isBuffer) {
        GELENS_ASSIGN(const std::vector<std::int64_t> stated, context.ints(8));
        past = stated.size() == 1 ? stated[0] : -1;
        if (past < 0 || past + f.rows > f.past)
            return context.error(fmt::format("past_sequence_length does not fit a cache of {}", f.past));
    }
    if (context.hasInput(9) && context.input(9).shape.rank() == 3 && context.input(9).shape.dim(1) != 1)
        return context.error("cache_indirection of several beams is not supported");
    AttentionJob job;
    job.batch = f.batch;
    job.heads = job.keyHeads = attrInt(context.attrs(), "num_heads");
    job.queries = f.queries;
    job.keys = f.rows + past;
    job.headSize = f.headSize;
    job.valueSize = f.valueSize;
    job.stop = context.stop;
    GELENS_TRY(readHeads(context, f, past, job));
    setScale(job, context.attrs());
    job.options.isCausal = attrInt(context.attrs(), "unidirectional") != 0;
    job.shifts.assign(static_cast<std::size_t>(job.batch), past);
    if (context.hasInput(4))
        GELENS_TRY(readKeyMask(context, 4, past,
                               static_cast<float>(attrFloat(context.attrs(), "mask_filter_value", -10000)), job));
    if (context.hasInput(5)) {
        GELENS_ASSIGN(job.bias, context.floats(5));
        job.biasShape = context.input(5).shape;
    }
    job.wantsScores = context.outputCount() > 3;
    const DataType type = context.input(0).dtype;
    GELENS_TRY(finish(context, job, type));
    GELENS_TRY(writePresent(context, 1, 6, job, job.key, job.headSize, isBuffer ? f.past : 0));
    GELENS_TRY(writePresent(context, 2, 7, job, job.value, job.valueSize, isBuffer ? f.past : 0));
    if (context.outputCount() > 3)
        GELENS_TRY(context.setFloats(3, type, Shape{job.batch, job.heads, job.queries, job.keys}, job.scores));
    return {};
}

} // namespace

void registerContribAttentionOps(OpRegistry& registry)
{
    registry.add(contribOp("MsAttention",
                           "Projects input to q, k and v by one weight matrix and attends: key masks of one to four "
                           "axes, a cache, an additive bias. In fp32, one rounding on storage",
                           "simulator (com.microsoft Attention-1)")
                     .input("input")
                     .input("weights")
                     .optionalInput("bias")
                     .optionalInput("mask_index")
                     .optionalInput("past")
                     .optionalInput("attention_bias")
                     .output("output")
                     .output("present")
                     .requiredAttr("num_heads")
                     .attr("unidirectional", 0)
                     .attr("qkv_hidden_sizes", IntList{})
                     .attr("mask_filter_value", -10000.0f)
                     .attr("scale", 0.0f)
                     .attr("do_rotary", 0)
                     .infer(inferMsAttention)
                     .kernel(msAttentionKernel));
    registry.add(contribOp("MsMultiHeadAttention",
                           "Attention over q, k and v of [B, S, N·D], packed, or cached by head, with input biases, "
                           "key masks, an additive bias and a cache. In fp32, one rounding on storage",
                           "simulator (com.microsoft MultiHeadAttention-1)")
                     .input("query")
                     .optionalInput("key")
                     .optionalInput("value")
                     .optionalInput("bias")
                     .optionalInput("key_padding_mask")
                     .optionalInput("attention_bias")
                     .optionalInput("past_key")
                     .optionalInput("past_value")
                     .optionalInput("past_sequence_length")
                     .optionalInput("cache_indirection")
                     .output("output")
                     .output("present_key")
                     .output("present_value")
                     .output("qk")
                     .requiredAttr("num_heads")
                     .attr("unidirectional", 0)
                     .attr("mask_filter_value", -10000.0f)
                     .attr("scale", 0.0f)
                     .infer(inferMultiHead)
                     .kernel(multiHeadKernel));
    registerGroupQueryAttentionOps(registry);
}

} // namespace gelens
