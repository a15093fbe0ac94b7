#include "engine/ops/attention_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

/// A term over [batch, heads, queries, keys] of one (batch, head) pair.
struct Term {
    const float* data = nullptr;
    std::vector<std::int64_t> strides{0, 0, 0, 0};
    std::int64_t offset(std::int64_t b, std::int64_t h) const { return b * strides[0] + h * strides[1]; }
};

Term termOf(const std::vector<float>& values, const Shape& shape, const Shape& scores)
{
    Term term;
    if (values.empty()) return term;
    term.data = values.data();
    term.strides = broadcastStrides(shape, scores);
    return term;
}

Shape scoreShape(const AttentionJob& job) { return {job.batch, job.heads, job.queries, job.keys}; }

} // namespace

std::string checkAttention(const AttentionJob& job)
{
    if (job.heads < 1 || job.keyHeads < 1 || job.heads % job.keyHeads != 0)
        return fmt::format("{} query heads cannot share {} key heads", job.heads, job.keyHeads);
    const auto fits = [](const std::vector<float>& data, std::initializer_list<std::int64_t> dims) {
        return Shape(dims).elementCount() == static_cast<std::int64_t>(data.size());
    };
    if (!fits(job.query, {job.batch, job.heads, job.queries, job.headSize}) ||
        !fits(job.key, {job.batch, job.keyHeads, job.keys, job.headSize}) ||
        !fits(job.value, {job.batch, job.keyHeads, job.keys, job.valueSize}))
        return "query, key and value do not fit together";
    for (const auto& [values, shape] : {std::pair{&job.bias, &job.biasShape}, std::pair{&job.mask, &job.maskShape}})
        if (!values->empty() && !broadcastsTo(*shape, scoreShape(job)))
            return fmt::format("a mask of shape {} does not broadcast to the scores {}", shape->text(),
                               scoreShape(job).text());
    for (const std::int64_t count : job.keyCounts)
        if (count < 0 || count > job.keys) return fmt::format("{} valid keys of {} are stated", count, job.keys);
    return {};
}

bool runAttention(AttentionJob& job)
{
    job.options.queries = job.queries;
    job.options.keyRows = job.keys;
    job.options.headSize = job.headSize;
    job.options.valueSize = job.valueSize;
    job.out.assign(static_cast<std::size_t>(job.batch * job.heads * job.queries * job.valueSize), 0.0f);
    const std::int64_t scoreCount = job.queries * job.keys;
    if (job.wantsScores) job.scores.assign(static_cast<std::size_t>(job.batch * job.heads * scoreCount), 0.0f);
    const Term bias = termOf(job.bias, job.biasShape, scoreShape(job)),
               mask = termOf(job.mask, job.maskShape, scoreShape(job));
    std::vector<float> joined; // both terms of one head
    for (std::int64_t b = 0; b < job.batch; ++b) {
        for (std::int64_t h = 0; h < job.heads; ++h) {
            if (job.stop.stop_requested()) return false;
            const std::int64_t kv = b * job.keyHeads + h / (job.heads / job.keyHeads);
            AttentionHead head;
            head.query = {job.query.data() + (b * job.heads + h) * job.queries * job.headSize, job.headSize, 1};
            head.key = {job.key.data() + kv * job.keys * job.headSize, job.headSize, 1};
            head.value = {job.value.data() + kv * job.keys * job.valueSize, job.valueSize, 1};
            head.outStride = job.outHeadsFirst ? job.valueSize : job.heads * job.valueSize;
            head.out = job.out.data() + (job.outHeadsFirst ? (b * job.heads + h) * job.queries * job.valueSize
                                                           : (b * job.queries * job.heads + h) * job.valueSize);
            head.keys = job.keyCounts.empty() ? job.keys : job.keyCounts[static_cast<std::size_t>(b)];
            head.causalShift = job.shifts.empty() ? 0 : job.shifts[static_cast<std::size_t>(b)];
            if (job.wantsScores) head.scores = job.scores.data() + (b * job.heads + h) * scoreCount;
            const Term& only = bias.data ? bias : mask;
            if (only.data) {
                head.bias = only.data + only.offset(b, h);
                head.biasRow = only.strides[2];
                head.biasColumn = only.strides[3];
            }
            if (bias.data && mask.data) {
                joined.resize(static_cast<std::size_t>(scoreCount));
                for (std::int64_t i = 0; i < scoreCount; ++i)
                    joined[static_cast<std::size_t>(i)] =
                        bias.data[bias.offset(b, h) + i / job.keys * bias.strides[2] + i % job.keys * bias.strides[3]] +
                        mask.data[mask.offset(b, h) + i / job.keys * mask.strides[2] + i % job.keys * mask.strides[3]];
                head.bias = joined.data();
                head.biasRow = job.keys;
                head.biasColumn = 1;
            }
            attend(job.options, head);
        }
    }
    return true;
}

std::vector<float> headsFirst(std::span<const float> x, std::int64_t batch, std::int64_t rows, std::int64_t heads,
                              std::int64_t size)
{
    std::vector<float> result(x.size());
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t h = 0; h < heads; ++h)
                std::copy_n(x.data() + ((b * rows + r) * heads + h) * size, size,
                            result.data() + ((b * heads + h) * rows + r) * size);
    return result;
}

std::vector<float> joinRows(std::span<const float> past, std::int64_t pastRows, std::span<const float> now,
                            std::int64_t rows, std::int64_t outer, std::int64_t size)
{
    std::vector<float> result;
    result.reserve(past.size() + now.size());
    for (std::int64_t i = 0; i < outer; ++i) {
        result.insert(result.end(), past.begin() + i * pastRows * size, past.begin() + (i + 1) * pastRows * size);
        result.insert(result.end(), now.begin() + i * rows * size, now.begin() + (i + 1) * rows * size);
    }
    return result;
}

} // namespace gelens
