// Operators on strings (UTF-8). Case changes touch ASCII letters only: results do not depend on the machine's locale.

#include "engine/ops/kernel_helpers.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/random_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace gelens {
namespace {

Result<const std::vector<std::string>*> strings(const KernelContext& context, int i)
{
    const TensorView& view = context.input(i);
    if (view.dtype != DataType::String || !view.strings)
        return context.error(fmt::format("input {} holds no strings", i));
    return view.strings;
}

/// The limit holds for text too: what a node makes may not pass 2 GiB.
constexpr std::size_t maxTextBytes = static_cast<std::size_t>(movement::maxOutputBytes);

// ---- StringConcat ----

Status runConcat(KernelContext& context)
{
    GELENS_ASSIGN(const auto* const a, strings(context, 0));
    GELENS_ASSIGN(const auto* const b, strings(context, 1));
    const Shape &shapeA = context.input(0).shape, &shapeB = context.input(1).shape;
    const auto shape = broadcastShapes(shapeA, shapeB);
    if (!shape.ok()) return context.error(shape.error().what);
    GELENS_TRY(movement::checkOutput(context, DataType::String, shape.value()));
    std::vector<std::string> result(static_cast<std::size_t>(shape.value().elementCount().value_or(0)));
    std::size_t total = 0;
    bool isTooLarge = false;
    if (!result.empty()) {
        const BroadcastPlan plan(shape.value(), {&shapeA, &shapeB});
        const std::int64_t sa = plan.rowStride(0), sb = plan.rowStride(1);
        plan.forEachRow([&](std::int64_t at, const std::int64_t* offsets) {
            for (std::int64_t i = 0; i < plan.rowLength() && !isTooLarge; ++i) {
                const std::string& left = (*a)[static_cast<std::size_t>(offsets[0] + i * sa)];
                const std::string& right = (*b)[static_cast<std::size_t>(offsets[1] + i * sb)];
                total += left.size() + right.size();
                isTooLarge = total > maxTextBytes;
                if (!isTooLarge) result[static_cast<std::size_t>(at + i)] = left + right;
            }
        });
    }
    if (isTooLarge) return context.error("the strings grow beyond 2 GiB");
    context.setStrings(0, shape.value(), std::move(result));
    return {};
}

// ---- StringSplit ----

/// Pieces of a text. Without a delimiter runs of white space separate, and none is at the ends.
std::vector<std::string> pieces(const std::string& text, const std::string& delimiter, std::int64_t maxSplits)
{
    std::vector<std::string> result;
    if (text.empty()) return result;
    std::size_t at = 0;
    const auto isSpace = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    if (delimiter.empty()) {
        while (true) {
            while (at < text.size() && isSpace(text[at])) ++at;
            if (at == text.size()) return result;
            if (static_cast<std::int64_t>(result.size()) == maxSplits) {
                result.push_back(text.substr(at));
                return result;
            }
            std::size_t end = at;
            while (end < text.size() && !isSpace(text[end])) ++end;
            result.push_back(text.substr(at, end - at));
            at = end;
        }
    }
    while (static_cast<std::int64_t>(result.size()) != maxSplits) {
        const std::size_t found = text.find(delimiter, at);
        if (found == std::string::npos) break;
        result.push_back(text.substr(at, found - at));
        at = found + delimiter.size();
    }
    result.push_back(text.substr(at));
    return result;
}

Status inferSplit(InferContext& context)
{
    Shape shape = context.shape(0);
    if (shape.hasRank()) shape.append(unknownDim);
    context.setOutput(0, DataType::String, std::move(shape));
    context.setOutput(1, DataType::Int64, context.shape(0));
    return {};
}

Status runSplit(KernelContext& context)
{
    GELENS_ASSIGN(const auto* const texts, strings(context, 0));
    const std::string delimiter = attrString(context.attrs(), "delimiter");
    const std::int64_t maxSplits = attrInt(context.attrs(), "maxsplit", -1);
    std::vector<std::vector<std::string>> all;
    std::size_t widest = 0;
    for (const std::string& text : *texts) {
        all.push_back(pieces(text, delimiter, maxSplits));
        widest = std::max(widest, all.back().size());
    }
    Shape shape(context.input(0).shape.dims());
    shape.append(static_cast<std::int64_t>(widest));
    GELENS_TRY(movement::checkOutput(context, DataType::String, shape));
    std::vector<std::string> result(all.size() * widest);
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        counts.push_back(static_cast<std::int64_t>(all[i].size()));
        std::move(all[i].begin(), all[i].end(), result.begin() + static_cast<std::ptrdiff_t>(i * widest));
    }
    context.setStrings(0, shape, std::move(result));
    if (context.outputCount() < 2) return {};
    return movement::writeOutput(context, 1,
                                 HostTensor::fromConstant(Tensor::fromInts(counts, context.input(0).shape)));
}

// ---- StringNormalizer ----

std::string cased(std::string text, const std::string& action)
{
    for (char& c : text) {
        if (action == "LOWER" && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (action == "UPPER" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return text;
}

Status inferNormalizer(InferContext& context)
{
    const Shape& x = context.shape(0);
    if (x.hasRank() && (x.rank() < 1 || x.rank() > 2 || (x.rank() == 2 && x.dim(0) >= 0 && x.dim(0) != 1)))
        return context.error(fmt::format("{} is neither [C] nor [1, C]", x.text()));
    const bool filters = !attrStrings(context.attrs(), "stopwords").empty();
    Shape shape = x;
    if (filters && x.hasRank()) {
        shape = x.rank() == 2 ? Shape{1, unknownDim} : Shape{unknownDim};
    }
    context.setOutput(0, DataType::String, std::move(shape));
    return {};
}

Status runNormalizer(KernelContext& context)
{
    GELENS_ASSIGN(const auto* const texts, strings(context, 0));
    const Shape& shape = context.input(0).shape;
    if (shape.rank() < 1 || shape.rank() > 2 || (shape.rank() == 2 && shape[0] != 1))
        return context.error(fmt::format("{} is neither [C] nor [1, C]", shape.text()));
    const std::string action = attrString(context.attrs(), "case_change_action", "NONE");
    const bool isSensitive = attrBool(context.attrs(), "is_case_sensitive", false);
    std::vector<std::string> stop = attrStrings(context.attrs(), "stopwords");
    const auto key = [isSensitive](const std::string& text) { return isSensitive ? text : cased(text, "LOWER"); };
    for (std::string& word : stop) word = key(word);
    std::sort(stop.begin(), stop.end());
    std::vector<std::string> result;
    for (const std::string& text : *texts)
        if (!std::binary_search(stop.begin(), stop.end(), key(text))) result.push_back(cased(text, action));
    // ONNX: when nothing is left, one empty string is.
    if (result.empty() && !stop.empty()) result.emplace_back();
    const auto count = static_cast<std::int64_t>(result.size());
    context.setStrings(0, shape.rank() == 2 ? Shape{1, count} : Shape{count}, std::move(result));
    return {};
}

// ---- RegexFullMatch ----

/// std::regex backtracks recursively, so long texts and patterns are refused instead of exhausting the stack.
constexpr std::size_t maxRegexText = 4096, maxPattern = 1024;

Status runRegex(KernelContext& context)
{
    GELENS_ASSIGN(const auto* const texts, strings(context, 0));
    const std::string pattern = attrString(context.attrs(), "pattern");
    if (pattern.size() > maxPattern)
        return context.error(fmt::format("the pattern is longer than {} characters", maxPattern));
    std::vector<std::int64_t> matches;
    try {
        const std::regex regex(pattern, std::regex::ECMAScript);
        for (const std::string& text : *texts) {
            if (text.size() > maxRegexText)
                return context.error(fmt::format("a text is longer than {} characters", maxRegexText));
            if (context.stop.stop_requested()) return Error::cancelled();
            matches.push_back(std::regex_match(text, regex) ? 1 : 0);
        }
    } catch (const std::regex_error& problem) {
        return context.error(fmt::format("the pattern cannot be used: {}", problem.what()));
    }
    return movement::writeOutput(
        context, 0, HostTensor::fromConstant(Tensor::fromInts(matches, context.input(0).shape, DataType::Bool)));
}

OpDef base(const char* type, const char* doc, const char* source)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::AiCpu)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .arithmetic(Arithmetic::None)
        .cost(perInputElement(32));
    return def;
}

} // namespace

void registerStringOps(OpRegistry& ops)
{
    ops.add(base("StringConcat", "Joins strings pairwise, with broadcasting", "ONNX StringConcat-20")
                .input("x1")
                .input("x2")
                .output("y")
                .infer(broadcastTo(DataType::String))
                .kernel(runConcat));
    ops.add(base("StringSplit", "Pieces of each string, filled up with empty ones, and their numbers",
                 "ONNX StringSplit-20")
                .input("x")
                .output("y")
                .output("num_splits")
                .attr("delimiter", "")
                .attr("maxsplit", -1)
                .infer(inferSplit)
                .kernel(runSplit));
    ops.add(base("StringNormalizer", "Drops stop words and changes the case of ASCII letters", "CANN operator library")
                .input("input")
                .output("output")
                .attr("stopwords", StringList{})
                .attr("is_case_sensitive", false)
                .attr("case_change_action", "NONE")
                .attr("locale", "C")
                .infer(inferNormalizer)
                .kernel(runNormalizer));
    ops.add(base("RegexFullMatch", "Whether the whole string matches `pattern` (ECMAScript grammar)",
                 "ONNX RegexFullMatch-20")
                .input("x")
                .output("y")
                .requiredAttr("pattern")
                .infer(sameShapeAs(DataType::Bool))
                .kernel(runRegex));
}

} // namespace gelens
