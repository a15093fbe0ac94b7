// EmbedLayerNormalization of com.microsoft. Part of the fused family.

#include "engine/ops/attention_job.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

enum Slot { Ids, Segments, Words, PositionTable, SegmentTable, Gamma, Beta, Mask, Positions };

Status inferEmbed(InferContext& context)
{
    const Shape &ids = context.shape(Ids), &words = context.shape(Words);
    Shape out = Shape::unknownRank(), lengths = Shape::unknownRank();
    if (ids.hasRank()) {
        if (ids.rank() != 2) return context.error(fmt::format("input_ids of shape {} needs two axes", ids.text()));
        out = ids;
        out.append(words.hasRank() && words.rank() == 2 ? words.dim(1) : unknownDim);
        lengths = Shape();
        appendDim(lengths, ids, 0);
    }
    context.setOutput(0, context.dtype(Words), out);
    context.setOutput(1, DataType::Int32, lengths);
    context.setOutput(2, context.dtype(Words), out);
    return {};
}

/// Row `index` of a table of `width` columns; an error names the table.
Result<const float*> rowOf(const KernelContext& context, const FloatOperand& table, int slot, std::int64_t index,
                           std::int64_t width)
{
    const Shape& shape = context.input(slot).shape;
    if (shape.rank() != 2 || shape.dim(1) != width)
        return context.error(fmt::format("table {} of shape {} has not {} columns", slot, shape.text(), width));
    if (index < 0 || index >= shape.dim(0))
        return context.error(fmt::format("index {} lies outside table {} of {} rows", index, slot, shape.dim(0)));
    return table.data() + index * width;
}

Status embedKernel(KernelContext& context)
{
    const Shape& ids = context.input(Ids).shape;
    if (ids.rank() != 2 || context.input(Words).shape.rank() != 2)
        return context.error("input_ids and word_embedding need two axes");
    const std::int64_t batch = ids.dim(0), rows = ids.dim(1), width = context.input(Words).shape.dim(1);
    GELENS_ASSIGN(const std::vector<std::int64_t> words, context.ints(Ids));
    GELENS_ASSIGN(const FloatOperand wordTable, FloatOperand::of(context, Words));
    GELENS_ASSIGN(const FloatOperand positionTable, FloatOperand::of(context, PositionTable));
    GELENS_ASSIGN(const FloatOperand gamma, FloatOperand::of(context, Gamma));
    GELENS_ASSIGN(const FloatOperand beta, FloatOperand::of(context, Beta));
    if (context.input(Gamma).elementCount() != width || context.input(Beta).elementCount() != width)
        return context.error("gamma and beta do not fit the embedding");
    std::vector<std::int64_t> segments, positions;
    FloatOperand segmentTable;
    if (context.hasInput(Segments) && context.hasInput(SegmentTable)) {
        GELENS_ASSIGN(segments, context.ints(Segments));
        GELENS_ASSIGN(segmentTable, FloatOperand::of(context, SegmentTable));
        if (segments.size() != words.size()) return context.error("segment_ids does not fit input_ids");
    }
    if (context.hasInput(Positions)) {
        GELENS_ASSIGN(positions, context.ints(Positions));
        if (positions.size() != words.size() && static_cast<std::int64_t>(positions.size()) != rows)
            return context.error("position_ids does not fit input_ids");
    }
    const double epsilon = attrFloat(context.attrs(), "epsilon", 1e-12);
    std::vector<float> sum(words.size() * static_cast<std::size_t>(width)), y(sum.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::int64_t position =
            positions.empty() ? static_cast<std::int64_t>(i) % rows : positions[i % positions.size()];
        GELENS_ASSIGN(const float* const word, rowOf(context, wordTable, Words, words[i], width));
        GELENS_ASSIGN(const float* const place, rowOf(context, positionTable, PositionTable, position, width));
        const float* segment = nullptr;
        if (!segments.empty()) {
            GELENS_ASSIGN(segment, rowOf(context, segmentTable, SegmentTable, segments[i], width));
        }
        float* const to = sum.data() + static_cast<std::int64_t>(i) * width;
        double total = 0, squares = 0;
        for (std::int64_t k = 0; k < width; ++k) total += to[k] = word[k] + place[k] + (segment ? segment[k] : 0.0f);
        const double mean = total / static_cast<double>(width);
        for (std::int64_t k = 0; k < width; ++k) squares += (to[k] - mean) * (to[k] - mean);
        const double scale = 1 / std::sqrt(squares / static_cast<double>(width) + epsilon);
        for (std::int64_t k = 0; k < width; ++k)
            y[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)] =
                static_cast<float>((to[k] - mean) * scale) * gamma.data()[k] + beta.data()[k];
    }
    const DataType type = context.input(Words).dtype;
    const Shape out{batch, rows, width};
    GELENS_TRY(context.setFloats(0, type, out, y));
    if (context.outputCount() > 1) {
        GELENS_ASSIGN(std::int32_t* const lengths, context.outputAs<std::int32_t>(1, DataType::Int32, Shape{batch}));
        std::fill(lengths, lengths + batch, 0);
        if (context.hasInput(Mask)) {
            GELENS_ASSIGN(const std::vector<std::int64_t> mask, context.ints(Mask));
            if (mask.size() != words.size()) return context.error("mask does not fit input_ids");
            for (std::size_t i = 0; i < mask.size(); ++i)
                lengths[static_cast<std::int64_t>(i) / rows] += mask[i] != 0 ? 1 : 0;
        }
    }
    return context.outputCount() > 2 ? context.setFloats(2, type, out, sum) : Status();
}

} // namespace

void registerContribNormOps(OpRegistry& registry)
{
    registry.add(OpDef("EmbedLayerNormalization")
                     .doc("Sum of word, position and segment embeddings, normalised over the last axis in fp32; also "
                          "the number of "
                          "unmasked tokens of each row and the sum itself")
                     .source("simulator (com.microsoft EmbedLayerNormalization-1)")
                     .input("input_ids")
                     .optionalInput("segment_ids")
                     .input("word_embedding")
                     .input("position_embedding")
                     .optionalInput("segment_embedding")
                     .input("gamma")
                     .input("beta")
                     .optionalInput("mask")
                     .optionalInput("position_ids")
                     .output("output")
                     .output("mask_index")
                     .output("embedding_sum")
                     .attr("epsilon", 1e-12f)
                     .unit(Unit::Vector)
                     .fusionClass(FusionClass::Gather)
                     .infer(inferEmbed)
                     .cost(elementwise(10))
                     .kernel(embedKernel));
}

} // namespace gelens
