#pragma once
// Attention as exporters' own operators define it: operands gathered into dense tensors, with a cache, masks and
// lengths by batch element, then run head by head.

#include "engine/ops/attention_core.h"

namespace gelens {

class OpRegistry;

void registerOnnxAttentionOps(OpRegistry&);    ///< Attention, RotaryEmbedding
void registerContribAttentionOps(OpRegistry&); ///< MsAttention, MsMultiHeadAttention, MsGroupQueryAttention
void registerContribNormOps(OpRegistry&);      ///< EmbedLayerNormalization

struct AttentionJob {
    std::int64_t batch = 1, heads = 1, keyHeads = 1, queries = 0, keys = 0, headSize = 0, valueSize = 0;
    std::vector<float> query;      ///< [batch, heads, queries, headSize]
    std::vector<float> key, value; ///< [batch, keyHeads, keys, size], the cache in front
    std::vector<float> bias;       ///< added to the scores; empty for none
    Shape biasShape;               ///< broadcasts to [batch, heads, queries, keys]
    std::vector<float> mask;       ///< a second term, the same way
    Shape maskShape;
    std::vector<std::int64_t> keyCounts; ///< keys that take part, by batch element; empty: all
    std::vector<std::int64_t> shifts;    ///< causal shift by batch element; empty: 0
    AttentionOptions options;            ///< scale, softcap, causal … sizes are filled in
    bool wantsScores = false;

    std::vector<float> out; ///< [batch, queries, heads · valueSize], or [batch, heads, queries, valueSize]
    bool outHeadsFirst = false;
    std::vector<float> scores; ///< [batch, heads, queries, keys]
    std::stop_token stop;
};

/// Text of what does not fit together; empty when all does.
std::string checkAttention(const AttentionJob& job);
/// False when it was stopped.
bool runAttention(AttentionJob& job);

/// [batch, rows, heads·size] (or [batch, heads, rows, size] as it is) to [batch, heads, rows, size].
std::vector<float> headsFirst(std::span<const float> x, std::int64_t batch, std::int64_t rows, std::int64_t heads,
                              std::int64_t size);
/// past [outer, past, size] and now [outer, rows, size] joined along the middle.
std::vector<float> joinRows(std::span<const float> past, std::int64_t pastRows, std::span<const float> now,
                            std::int64_t rows, std::int64_t outer, std::int64_t size);

} // namespace gelens
