#include "engine/ops/attention_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr std::int64_t rowBlock = 128; // bounds the score matrix that is alive at one time

/// c = op(a)·op(b) over strided operands, with a fallback in plain loops.
void gemmStrided(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a, std::int64_t lda,
                 const float* b, std::int64_t ldb, bool transposeB, float* c, std::int64_t ldc)
{
    if (m == 0 || n == 0) return;
    if (k > 0 && onednn::gemm(false, transposeB, m, n, k, alpha, a, lda, b, ldb, 0.0f, c, ldc)) return;
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            float sum = 0;
            for (std::int64_t p = 0; p < k; ++p) sum += a[i * lda + p] * (transposeB ? b[j * ldb + p] : b[p * ldb + j]);
            c[i * ldc + j] = alpha * sum;
        }
    }
}

/// Copies rows whose elements are not neighbours.
AttentionRows dense(const AttentionRows& rows, std::int64_t count, std::int64_t size, std::vector<float>& storage)
{
    if (rows.step == 1) return rows;
    storage.resize(static_cast<std::size_t>(count * size));
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t d = 0; d < size; ++d)
            storage[static_cast<std::size_t>(i * size + d)] = rows.data[i * rows.rowStride + d * rows.step];
    return {storage.data(), size, 1};
}

void capScores(float* row, std::int64_t count, float cap)
{
    for (std::int64_t j = 0; j < count; ++j) row[j] = cap * std::tanh(row[j] / cap);
}

void maskRow(const AttentionOptions& options, const AttentionHead& head, std::int64_t i, float* row)
{
    const std::int64_t own = i + head.causalShift;
    if (options.isCausal)
        for (std::int64_t j = std::max<std::int64_t>(own + 1, 0); j < head.keys; ++j) row[j] = options.masked;
    if (options.windowAhead >= 0)
        for (std::int64_t j = std::max<std::int64_t>(own + options.windowAhead + 1, 0); j < head.keys; ++j)
            row[j] = options.masked;
    if (options.window > 0)
        for (std::int64_t j = 0; j < std::min(own - options.window + 1, head.keys); ++j) row[j] = options.masked;
}

void softmaxRow(float* row, std::int64_t count, bool isSmooth)
{
    float largest = isSmooth ? 0.0f : -std::numeric_limits<float>::infinity();
    for (std::int64_t j = 0; j < count; ++j) largest = std::max(largest, row[j]);
    if (largest == -std::numeric_limits<float>::infinity()) { // nothing to see
        std::fill(row, row + count, 0.0f);
        return;
    }
    float sum = isSmooth ? std::exp(-largest) : 0.0f;
    for (std::int64_t j = 0; j < count; ++j) sum += row[j] = std::exp(row[j] - largest);
    for (std::int64_t j = 0; j < count; ++j) row[j] /= sum;
}

void keepScores(const AttentionOptions& options, const AttentionHead& head, ScoreStage stage, std::int64_t i,
                const float* row)
{
    if (!head.scores || options.stage != stage) return;
    float* const to = head.scores + i * options.keyRows;
    std::copy(row, row + head.keys, to);
    const float rest = stage == ScoreStage::Softmax ? 0.0f : options.masked;
    std::fill(to + head.keys, to + options.keyRows, rest);
}

void finishRow(const AttentionOptions& options, const AttentionHead& head, std::int64_t i, float* row)
{
    keepScores(options, head, ScoreStage::Scaled, i, row);
    if (options.softcap > 0 && options.capBeforeBias) capScores(row, head.keys, options.softcap);
    if (head.bias) {
        const float factor = options.biasBeforeScale ? options.scale : 1.0f;
        const float* const bias = head.bias + i * head.biasRow;
        for (std::int64_t j = 0; j < head.keys; ++j) row[j] += factor * bias[j * head.biasColumn];
    }
    maskRow(options, head, i, row);
    keepScores(options, head, ScoreStage::Biased, i, row);
    if (options.softcap > 0 && !options.capBeforeBias) capScores(row, head.keys, options.softcap);
    keepScores(options, head, ScoreStage::Capped, i, row); // what goes into the softmax, in either order
    softmaxRow(row, head.keys, options.smoothSoftmax);
    keepScores(options, head, ScoreStage::Softmax, i, row);
}

} // namespace

void attend(const AttentionOptions& options, const AttentionHead& head)
{
    std::vector<float> queryCopy, valueCopy;
    const AttentionRows query = dense(head.query, options.queries, options.headSize, queryCopy);
    const AttentionRows value = dense(head.value, head.keys, options.valueSize, valueCopy);
    // Keys stored transposed are a plain right operand: no copy needed when rows are neighbours.
    const bool keyIsTransposed = head.key.step != 1 && head.key.rowStride == 1;
    std::vector<float> keyCopy;
    const AttentionRows key = keyIsTransposed ? head.key : dense(head.key, head.keys, options.headSize, keyCopy);
    std::vector<float> block(static_cast<std::size_t>(std::min(rowBlock, options.queries) * head.keys));
    for (std::int64_t first = 0; first < options.queries; first += rowBlock) {
        const std::int64_t rows = std::min(rowBlock, options.queries - first);
        gemmStrided(rows, head.keys, options.headSize, options.scale, query.data + first * query.rowStride,
                    query.rowStride, key.data, keyIsTransposed ? key.step : key.rowStride, !keyIsTransposed,
                    block.data(), head.keys);
        for (std::int64_t i = 0; i < rows; ++i) finishRow(options, head, first + i, block.data() + i * head.keys);
        gemmStrided(rows, options.valueSize, head.keys, 1.0f, block.data(), head.keys, value.data, value.rowStride,
                    false, head.out + first * head.outStride, head.outStride);
    }
}

Result<HeadLayout> readHeadLayout(std::string_view layout, const Shape& shape, std::int64_t heads,
                                  std::int64_t headSize)
{
    HeadLayout h;
    const auto misfit = [&](std::string_view why) {
        return Error::invalid(fmt::format("shape {} does not fit layout {}: {}", shape.text(), layout, why));
    };
    if (layout == "BNSD" || layout == "BNDS") {
        if (shape.rank() < 2) return misfit("needs two axes at least");
        const bool isTransposed = layout == "BNDS";
        h.rows = shape.dim(isTransposed ? -1 : -2);
        h.size = shape.dim(isTransposed ? -2 : -1);
        h.heads = shape.rank() > 2 ? shape.dim(-3) : 1;
        for (int i = 0; i + 3 < shape.rank(); ++i)
            h.batch = h.batch < 0 || shape.dim(i) < 0 ? unknownDim : h.batch * shape.dim(i);
        h.rowStride = isTransposed ? 1 : h.size;
        h.step = isTransposed ? h.rows : 1;
        h.headStride = h.rows * h.size;
        h.batchStride = h.heads * h.headStride;
        return h;
    }
    if (layout == "BSND") {
        if (shape.rank() != 4 && shape.rank() != 3) return misfit("needs three or four axes");
        h.batch = shape.rank() == 4 ? shape.dim(0) : 1;
        h.rows = shape.dim(-3);
        h.heads = shape.dim(-2);
        h.size = shape.dim(-1);
        h.headStride = h.size;
        h.rowStride = h.heads * h.size;
        h.batchStride = h.rows * h.rowStride;
        return h;
    }
    if (layout == "BSH" || layout == "SBH") {
        if (shape.rank() != 3) return misfit("needs three axes");
        const std::int64_t width = shape.dim(2);
        if (headSize > 0 && width >= 0) heads = width % headSize == 0 ? width / headSize : 0;
        if (heads < 1) return misfit("the number of heads is not known");
        if (width >= 0 && width % heads != 0) return misfit(fmt::format("{} heads do not divide it", heads));
        const bool rowsFirst = layout == "SBH";
        h.batch = shape.dim(rowsFirst ? 1 : 0);
        h.rows = shape.dim(rowsFirst ? 0 : 1);
        h.heads = heads;
        h.size = width < 0 ? unknownDim : width / heads;
        h.headStride = h.size;
        h.rowStride = rowsFirst ? h.batch * width : width;
        h.batchStride = rowsFirst ? width : h.rows * width;
        return h;
    }
    return Error::invalid(fmt::format("no input layout is called '{}'", layout));
}

} // namespace gelens
