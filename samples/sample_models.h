#pragma once
// The models that a newcomer opens first. Each function builds one; equal arguments give equal bytes.

#include "samples/model_builder.h"

namespace gelens::samples {

/// Sizes of a LLaMA-style decoder.
struct LlamaSizes {
    int layers = 32;
    int tokens = 332;
    std::int64_t heads = 32;
    std::int64_t headSize = 128;
    std::int64_t feedForward = 11008;
    std::int64_t vocabulary = 32000;
    std::int64_t topK = 50; ///< candidates that the sampling tail keeps
    std::int64_t hidden() const { return heads * headSize; }
};

/// One decoder pass over a padded prompt in fp16, down to the nucleus of the next token. Batch 1, q/k/v weights packed,
/// rotary embedding on q and k together, every norm and activation in its parts: 38 operators a layer and 31 around
/// them. Operands are ordered so that element-wise results which could be written in place are those of the reference
/// decomposition (27 tensors of their own a layer and 28 around them): an operand that is read again, or a constant,
/// comes first where a result needs memory of its own.
onnx::ModelProto llama(const std::string& name, const LlamaSizes& sizes, WeightMode mode,
                       const std::string& weightFile);

/// softmax(q kᵀ · scale + mask) v with `keys` keys and values; q, k, v and mask are graph inputs.
onnx::ModelProto attention(const std::string& name, std::int64_t heads, std::int64_t queries, std::int64_t keys,
                           std::int64_t headSize);

/// A gated feed-forward block: two matrix products whose results meet in SwiGLU, and a third.
onnx::ModelProto gatedFeedForward(const std::string& name, std::int64_t tokens, std::int64_t hidden,
                                  std::int64_t feedForward);

/// A residual network for 32×32 images with batch normalisation, three stages of two blocks, fp32.
onnx::ModelProto smallResnet(const std::string& name);

} // namespace gelens::samples
