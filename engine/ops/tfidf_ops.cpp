// Counts of word sequences (n-grams).

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/random_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gelens {
namespace {

using Gram = std::vector<std::int64_t>;

/// The pool of n-grams that are counted. Words are numbers; strings get numbers of their own.
struct GramPool {
    std::map<Gram, std::int64_t> columnOf;
    std::unordered_map<std::string, std::int64_t> numberOf;
    std::vector<double> weightOf; ///< by column
    std::int64_t shortest = 1, longest = 1, skips = 0, columns = 0;
    std::string mode;
};

/// Words of the pool as numbers.
Gram poolWords(const AttrMap& attrs, GramPool& pool)
{
    const StringList texts = attrStrings(attrs, "pool_strings");
    if (texts.empty()) return attrInts(attrs, "pool_int64s");
    Gram words;
    for (const std::string& text : texts)
        words.push_back(pool.numberOf.try_emplace(text, static_cast<std::int64_t>(pool.numberOf.size())).first->second);
    return words;
}

Result<std::int64_t> columnCount(const AttrMap& attrs)
{
    const IntList columns = attrInts(attrs, "ngram_indexes");
    std::int64_t count = 0;
    for (const std::int64_t column : columns) {
        if (column < 0 || column > (1 << 28)) return Error::invalid(fmt::format("an n-gram has the column {}", column));
        count = std::max(count, column + 1);
    }
    if (count == 0) return Error::invalid("there are no n-grams");
    return count;
}

Result<GramPool> readPool(const AttrMap& attrs)
{
    GramPool pool;
    GELENS_ASSIGN(pool.columns, columnCount(attrs));
    pool.shortest = attrInt(attrs, "min_gram_length", 1);
    pool.longest = attrInt(attrs, "max_gram_length", 1);
    pool.skips = attrInt(attrs, "max_skip_count", 0);
    pool.mode = attrString(attrs, "mode", "TF");
    if (pool.shortest < 1 || pool.longest < pool.shortest || pool.skips < 0)
        return Error::invalid("the lengths of the n-grams make no range");
    if (pool.mode != "TF" && pool.mode != "IDF" && pool.mode != "TFIDF")
        return Error::invalid(fmt::format("the mode '{}' is not known", pool.mode));
    const Gram words = poolWords(attrs, pool);
    const IntList columns = attrInts(attrs, "ngram_indexes"), starts = attrInts(attrs, "ngram_counts");
    const FloatList weights = attrFloats(attrs, "weights");
    pool.weightOf.assign(static_cast<std::size_t>(pool.columns), 1.0);
    std::size_t gram = 0;
    for (std::size_t n = 1; n <= starts.size(); ++n) {
        const std::int64_t begin = starts[n - 1];
        const std::int64_t end = n < starts.size() ? starts[n] : static_cast<std::int64_t>(words.size());
        const auto length = static_cast<std::int64_t>(n);
        if (begin < 0 || end < begin || end > static_cast<std::int64_t>(words.size()) || (end - begin) % length != 0)
            return Error::invalid(fmt::format("the pool of {}-grams has wrong bounds", n));
        for (std::int64_t at = begin; at < end; at += length, ++gram) {
            if (gram >= columns.size()) return Error::invalid("there are more n-grams than columns");
            pool.columnOf.emplace(Gram(words.begin() + at, words.begin() + at + length), columns[gram]);
            if (gram < weights.size())
                pool.weightOf[static_cast<std::size_t>(columns[gram])] = static_cast<double>(weights[gram]);
        }
    }
    return pool;
}

/// Adds the counts of one row. A skip leaves out words between those of a gram; single words have none to leave out.
void countGrams(const GramPool& pool, const std::int64_t* row, std::int64_t length, float* counts)
{
    for (std::int64_t step = 1; step <= std::min(pool.skips, length) + 1; ++step)
        for (std::int64_t n = std::max<std::int64_t>(pool.shortest, step > 1 ? 2 : 1);
             n <= std::min(pool.longest, length); ++n)
            for (std::int64_t start = 0; start + (n - 1) * step < length; ++start) {
                Gram gram;
                for (std::int64_t k = 0; k < n; ++k) gram.push_back(row[start + k * step]);
                const auto found = pool.columnOf.find(gram);
                if (found != pool.columnOf.end()) counts[found->second] += 1;
            }
}

Status inferTfIdf(InferContext& context)
{
    const Shape& x = context.shape(0);
    if (x.hasRank() && (x.rank() < 1 || x.rank() > 2))
        return context.error(fmt::format("{} are no rows of words", x.text()));
    const auto columns = columnCount(context.attrs());
    if (!columns.ok()) return at(context, columns.error());
    Shape shape = Shape::unknownRank();
    if (x.hasRank()) {
        shape = Shape();
        if (x.rank() == 2) movement::appendDim(shape, x, 0);
        shape.append(columns.value());
    }
    context.setOutput(0, DataType::Float, std::move(shape));
    return {};
}

Status runTfIdf(KernelContext& context)
{
    const auto pool = readPool(context.attrs());
    if (!pool.ok()) return context.error(pool.error().what);
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 1 || x.shape.rank() > 2)
        return context.error(fmt::format("{} are no rows of words", x.shape.text()));
    Gram words;
    if (x.dtype == DataType::String) {
        for (const std::string& text : *x.strings) {
            const auto found = pool.value().numberOf.find(text);
            words.push_back(found == pool.value().numberOf.end() ? -1 : found->second); // -1: not in the pool
        }
    } else {
        GELENS_ASSIGN(words, context.ints(0));
    }
    const std::int64_t length = x.shape.dim(-1), columns = pool.value().columns;
    const std::int64_t rows = x.shape.rank() == 2 ? x.shape[0] : 1;
    const Shape shape = x.shape.rank() == 2 ? Shape{rows, columns} : Shape{columns};
    GELENS_TRY(movement::checkOutput(context, DataType::Float, shape));
    GELENS_ASSIGN(float* const out, context.outputAs<float>(0, DataType::Float, shape));
    std::fill(out, out + rows * columns, 0.0f);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (context.stop.stop_requested()) return Error::cancelled();
        countGrams(pool.value(), words.data() + r * length, length, out + r * columns);
        for (std::int64_t c = 0; c < columns && pool.value().mode != "TF"; ++c) {
            float& value = out[r * columns + c];
            const auto weight = static_cast<float>(pool.value().weightOf[static_cast<std::size_t>(c)]);
            value = pool.value().mode == "IDF" ? (value > 0 ? weight : 0.0f) : value * weight;
        }
    }
    return {};
}

} // namespace

void registerTfIdfOps(OpRegistry& ops)
{
    ops.add(
        OpDef("TfIdfVectorizer")
            .arithmetic(Arithmetic::Fp32)
            .doc(
                "Counts of word sequences of a pool in each row, weighted by how rare they are (mode TF, IDF or TFIDF)")
            .source("ONNX TfIdfVectorizer-9")
            .unit(Unit::AiCpu)
            .fusionClass(FusionClass::Opaque)
            .formats(FormatSupport::NdOnly)
            .input("x")
            .output("y")
            .requiredAttr("max_gram_length")
            .requiredAttr("max_skip_count")
            .requiredAttr("min_gram_length")
            .requiredAttr("mode")
            .requiredAttr("ngram_counts")
            .requiredAttr("ngram_indexes")
            .attr("pool_int64s", IntList{})
            .attr("pool_strings", StringList{})
            .attr("weights", FloatList{})
            .infer(inferTfIdf)
            .cost(perInputElement(64))
            .kernel(runTfIdf));
}

} // namespace gelens
