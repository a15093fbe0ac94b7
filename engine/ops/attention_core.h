#pragma once
// Scaled dot-product attention in fp32, one head at a time, in blocks of query rows. Behind FlashAttentionScore and the
// attention operators of ONNX and com.microsoft.

#include "engine/ops/cube_common.h"

#include <functional>
#include <limits>

namespace gelens {

/// Rows of a matrix inside a larger tensor: element (row, d) lies at data[row * rowStride + d * step].
struct AttentionRows {
    const float* data = nullptr;
    std::int64_t rowStride = 0;
    std::int64_t step = 1; ///< 1, or > 1 where rows run along the inner axis (keys stored as [D, S])
};

/// One head of one batch element.
struct AttentionHead {
    AttentionRows query, key, value;
    float* out = nullptr;
    std::int64_t outStride = 0;
    const float* bias = nullptr;              ///< added to the scores; null for none
    std::int64_t biasRow = 0, biasColumn = 0; ///< strides, 0 where it repeats
    std::int64_t keys = 0;                    ///< keys that take part: the first `keys` rows of key and value
    /// Query row i sees keys j with j <= i + causalShift (when causal) and j > i + causalShift - window (window > 0).
    std::int64_t causalShift = 0;
    float* scores = nullptr; ///< [queries, keyRows] where the caller wants the scores; null for none
};

enum class ScoreStage { Scaled, Biased, Capped, Softmax };

struct AttentionOptions {
    std::int64_t queries = 0, keyRows = 0, headSize = 0, valueSize = 0;
    float scale = 1;
    bool biasBeforeScale = false; ///< scale · (q·k + bias) instead of scale · q·k + bias
    float softcap = 0;            ///< > 0: scores become softcap · tanh(scores / softcap)
    bool capBeforeBias = false;
    bool isCausal = false;
    std::int64_t window = 0;       ///< > 0: a query sees at most so many keys up to its own place
    std::int64_t windowAhead = -1; ///< >= 0: and at most so many beyond it
    /// What masked scores become: -inf, so that a row that sees nothing gives zeros, or a large negative number.
    float masked = -std::numeric_limits<float>::infinity();
    ScoreStage stage = ScoreStage::Scaled; ///< what `scores` of a head receives
    bool smoothSoftmax = false;            ///< one more logit of 0 in the denominator
};

/// Runs one head. Products by gemm (fp32 accumulation), softmax in fp32 with the row's maximum subtracted.
void attend(const AttentionOptions& options, const AttentionHead& head);

/// Elements of a 4-axis tensor by strides in the order batch, head, row, element.
struct HeadLayout {
    std::int64_t batch = 1, heads = 1, rows = 1, size = 1;
    std::int64_t batchStride = 0, headStride = 0, rowStride = 0, step = 1;

    const float* at(const float* data, std::int64_t b, std::int64_t h) const
    {
        return data + b * batchStride + h * headStride;
    }
    float* at(float* data, std::int64_t b, std::int64_t h) const { return data + b * batchStride + h * headStride; }
};

/// Reads a layout: BNSD (any leading batch axes; rank 3 is N,S,D; rank 2 one head), BSND, BNDS (keys stored
/// transposed), BSH and SBH ([…, heads·D]); `heads` is needed for the last two, `headSize` may state D instead.
Result<HeadLayout> readHeadLayout(std::string_view layout, const Shape& shape, std::int64_t heads,
                                  std::int64_t headSize = 0);

} // namespace gelens
