#include "engine/npu/random_inputs.h"

#include "engine/npu/interpreter.h"

#include <algorithm>
#include <cctype>
#include <random>
#include <unordered_set>

namespace gelens {

namespace {

/// What the readers of an input say of its values.
struct Usage {
    std::int64_t rows = 0; ///< > 0: indices into a table with that many rows
    bool mustBePositive = false;
};

bool isTransparent(const std::string& type)
{
    static const std::unordered_set<std::string> types{
        "Cast",       "Identity",     "Reshape",        "Squeeze", "Unsqueeze", "UnsqueezeV3", "ExpandDims",
        "Flatten",    "FlattenV2",    "Tile",           "TileD",   "Expand",    "BroadcastTo", "Transpose",
        "TransposeD", "StridedSlice", "StridedSliceV2", "SliceV2", "Slice",     "ConcatD",     "Concat"};
    return types.contains(type);
}

/// Follows an input to the operators that give its values a meaning. Bounded, since only nearby readers matter.
Usage usageOf(const Graph& graph, OutputRef data)
{
    constexpr std::size_t maxVisited = 256;
    Usage usage;
    std::vector<OutputRef> open{data};
    std::unordered_set<int> seen;
    while (!open.empty() && seen.size() < maxVisited) {
        const OutputRef ref = open.back();
        open.pop_back();
        for (const InputRef& reader : graph.consumers(ref)) {
            const Node& node = graph.node(reader.node);
            const bool isGather = node.type == "GatherV2" || node.type == "Gather" || node.type == "GatherV2D" ||
                                  node.type == "EmbeddingLookup" || node.type == "GatherElements" ||
                                  node.type == "GatherNd";
            if (isGather && reader.index == 1 && node.hasInput(0)) {
                const Shape& table = graph.outputDesc(node.source(0)).originShape;
                std::int64_t axis = attrInt(node.attrs, "axis", 0);
                if (const Tensor* given = graph.constantInput(node, 2))
                    if (const auto ints = given->asInts(1); ints && ints->size() == 1) axis = ints->front();
                if (axis < 0) axis += table.rank();
                if (axis >= 0 && axis < table.rank() && table.dim(static_cast<int>(axis)) > 0) {
                    const std::int64_t rows = table.dim(static_cast<int>(axis));
                    usage.rows = usage.rows == 0 ? rows : std::min(usage.rows, rows);
                }
            }
            if (node.type == "OneHot" && reader.index == 0)
                if (const Tensor* depth = graph.constantInput(node, 1))
                    if (const auto ints = depth->asInts(1); ints && ints->size() == 1)
                        usage.rows = usage.rows == 0 ? ints->front() : std::min(usage.rows, ints->front());
            if (node.type == "Sqrt" || node.type == "Log" || node.type == "Rsqrt") usage.mustBePositive = true;
            if (isTransparent(node.type) && seen.insert(node.id.value).second)
                for (int i = 0; i < node.outputCount(); ++i) open.push_back(node.output(i));
        }
    }
    return usage;
}

bool contains(const std::string& name, std::string_view word)
{
    const auto found = std::search(name.begin(), name.end(), word.begin(), word.end(),
                                   [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    return found != name.end();
}

/// 53 random bits as [0, 1): the standard distributions differ between libraries, this does not.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

} // namespace

std::map<std::string, HostTensor> randomInputs(const Graph& graph, std::uint64_t seed, std::int64_t unknownDim)
{
    std::map<std::string, HostTensor> inputs;
    std::uint64_t number = 0;
    for (const NodeId id : dataNodes(graph)) {
        const Node& node = graph.node(id);
        ++number;
        if (node.outputs.empty()) continue;
        const TensorDesc& desc = node.outputs.front().desc;
        std::vector<std::int64_t> dims;
        if (desc.shape.hasRank())
            for (const std::int64_t dim : desc.shape.dims()) dims.push_back(dim < 0 ? unknownDim : dim);
        const Shape shape(dims);
        // A cap against absurd declarations: such inputs are left out, and the run says that they are missing.
        constexpr std::int64_t maxElements = std::int64_t{1} << 28;
        const std::int64_t count = shape.elementCount().value_or(maxElements + 1);
        if (count > maxElements) continue;

        std::mt19937_64 random(seed * 1000003 + number);
        const Usage usage = usageOf(graph, node.output());
        const std::int64_t width = dims.empty() ? 1 : std::max<std::int64_t>(1, dims.back());
        if (desc.dtype == DataType::String) {
            HostTensor text = HostTensor::zeros(desc.dtype, shape);
            for (std::string& value : *text.strings) value = std::string(1, static_cast<char>('a' + random() % 26));
            inputs[node.name] = std::move(text);
            continue;
        }
        if (!isInteger(desc.dtype) && !isFloating(desc.dtype) && desc.dtype != DataType::Bool) continue;
        std::vector<double> values(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            double& value = values[static_cast<std::size_t>(i)];
            const std::int64_t column = i % width;
            if (contains(node.name, "position"))
                value = static_cast<double>(usage.rows > 0 ? column % usage.rows : column);
            else if (usage.rows > 0)
                value = static_cast<double>(random() % static_cast<std::uint64_t>(usage.rows));
            else if (desc.dtype == DataType::Bool || contains(node.name, "mask"))
                value = column == 0 || random() % 8 != 0;
            else if (isInteger(desc.dtype))
                value = static_cast<double>(random() % (dataTypeBits(desc.dtype) < 4 ? 2 : 8));
            else
                value = usage.mustBePositive ? 0.1 + uniform(random) : 2 * uniform(random) - 1;
        }
        inputs[node.name] = HostTensor::fromConstant(Tensor::fromDoubles(values, shape, desc.dtype));
    }
    return inputs;
}

} // namespace gelens
