// Graph::fingerprint: one pass over all that a dump shows.

#include "engine/graph/graph.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace gelens {
namespace {

class Hasher {
public:
    void add(std::uint64_t value) { m_state = mix(m_state ^ value); }
    void addInt(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    void addText(std::string_view text) { addBytes(text.data(), text.size()); }
    void addBytes(const void* data, std::size_t size)
    {
        add(size);
        const auto* bytes = static_cast<const unsigned char*>(data);
        std::uint64_t word = 0;
        for (; size >= sizeof(word); size -= sizeof(word), bytes += sizeof(word)) {
            std::memcpy(&word, bytes, sizeof(word));
            add(word);
        }
        if (size == 0) return;
        word = 0;
        std::memcpy(&word, bytes, size);
        add(word);
    }
    std::uint64_t value() const { return m_state; }

private:
    // The finaliser of SplitMix64: a bijection, so no two single values collide.
    static std::uint64_t mix(std::uint64_t x)
    {
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
    std::uint64_t m_state = 0;
};

void addAttrs(Hasher& hash, const AttrMap& attrs);
void addTensor(Hasher& hash, const Tensor& tensor);

void addShape(Hasher& hash, const Shape& shape)
{
    hash.add(shape.dims().size());
    for (std::size_t i = 0; i < shape.dims().size(); ++i) {
        hash.addInt(shape[i]);
        if (const auto symbol = shape.symbol(i); !symbol.empty()) hash.addText(symbol);
    }
}

void addDesc(Hasher& hash, const TensorDesc& desc)
{
    hash.addText(desc.name);
    hash.addInt(static_cast<std::int64_t>(desc.dtype));
    hash.addInt(desc.format.packed());
    hash.addInt(desc.originFormat.packed());
    addShape(hash, desc.shape);
    addShape(hash, desc.originShape);
    hash.addInt(desc.reservedBytes);
    addAttrs(hash, desc.attrs);
}

void addValue(Hasher&, std::monostate) {}
void addValue(Hasher& hash, std::int64_t value) { hash.addInt(value); }
void addValue(Hasher& hash, float value) { hash.add(std::bit_cast<std::uint32_t>(value)); }
void addValue(Hasher& hash, bool value) { hash.add(value ? 1 : 0); }
void addValue(Hasher& hash, const std::string& value) { hash.addText(value); }
void addValue(Hasher& hash, const RawBytes& value) { hash.addText(value.bytes); }
void addValue(Hasher& hash, DataType value) { hash.addInt(static_cast<std::int64_t>(value)); }
void addValue(Hasher& hash, const Expression& value) { hash.addText(value.text); }
void addValue(Hasher& hash, const AttrValue::TensorPtr& value)
{
    hash.add(value ? 1 : 0);
    if (value) addTensor(hash, *value);
}
void addValue(Hasher& hash, const AttrValue::TensorDescPtr& value)
{
    hash.add(value ? 1 : 0);
    if (value) addDesc(hash, *value);
}
void addValue(Hasher& hash, const AttrValue::GraphPtr& value) { hash.add(value ? value->fingerprint() : 0); }
void addValue(Hasher& hash, const NamedAttrs& value)
{
    hash.addText(value.name);
    if (value.attrs)
        addAttrs(hash, *value.attrs);
    else
        hash.add(0); // as an empty map
}
void addValue(Hasher&, UntypedList) {}
template <typename T>
void addValue(Hasher& hash, const std::vector<T>& values)
{
    hash.add(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) addValue(hash, static_cast<const T&>(values[i]));
}

void addAttrs(Hasher& hash, const AttrMap& attrs)
{
    hash.add(attrs.size());
    for (const auto& [name, value] : attrs) {
        hash.addText(name);
        hash.add(value.variant().index());
        std::visit([&hash](const auto& held) { addValue(hash, held); }, value.variant());
    }
}

/// Weights of many megabytes would have to be paged in from the model file for every fingerprint. Their bytes never
/// change, so above 64 KiB an evenly spread sample has to do; size and descriptor count in full.
void addTensor(Hasher& hash, const Tensor& tensor)
{
    constexpr std::size_t wholeLimit = 64 * 1024;
    constexpr std::size_t chunk = 512;
    constexpr std::size_t chunks = 64;
    addDesc(hash, tensor.desc);
    const std::size_t size = tensor.data.size();
    hash.add(size);
    if (size <= wholeLimit) {
        hash.addBytes(tensor.data.data(), size);
    } else {
        for (std::size_t i = 0; i < chunks; ++i) // the first chunk is at the start, the last one at the end
            hash.addBytes(tensor.data.data() + (size - chunk) / (chunks - 1) * i, chunk);
        hash.addBytes(tensor.data.data() + size - chunk, chunk);
    }
    addValue(hash, tensor.strings);
    if (size == 0 && tensor.external) {
        hash.addText(tensor.external->location);
        hash.addInt(tensor.external->offset);
        hash.addInt(tensor.external->length);
    }
    if (!tensor.externalPieces.empty()) hash.addInt(tensor.externalAxis);
    for (const ExternalPiece& piece : tensor.externalPieces) {
        hash.addText(piece.source.location);
        for (const std::int64_t number :
             {piece.source.offset, piece.source.length, piece.extent, piece.first, piece.count})
            hash.addInt(number);
    }
}

void addPlacement(Hasher& hash, const Placement& placement)
{
    hash.addInt(placement.streamId);
    hash.addText(placement.engine);
    hash.addText(placement.kernelLib);
    addValue(hash, placement.inputOffsets);
    addValue(hash, placement.outputOffsets);
    addValue(hash, placement.workspaceOffsets);
    addValue(hash, placement.workspaceBytes);
}

} // namespace

std::uint64_t Graph::fingerprint() const
{
    // Nodes and graphs count by their place among the live ones, so that ids used up by dead ones leave no trace.
    std::vector<std::int32_t> nodePlace(m_nodes.size(), -1);
    std::vector<std::int32_t> graphPlace(m_subgraphs.size(), -1);
    std::int32_t nextNode = 0;
    std::int32_t nextGraph = 0;
    const std::vector<GraphId> graphs = liveSubgraphs();
    for (const GraphId graph : graphs) {
        graphPlace[static_cast<std::size_t>(graph.value)] = nextGraph++;
        forEachNode(graph, [&](const Node& n) { nodePlace[static_cast<std::size_t>(n.id.value)] = nextNode++; });
    }
    const auto placeOf = [&](NodeId id) {
        return id.value >= 0 && id.value < nodeIdBound() ? nodePlace[static_cast<std::size_t>(id.value)] : -1;
    };

    Hasher hash;
    hash.add(graphs.size());
    for (const GraphId graph : graphs) {
        const SubgraphInfo& info = subgraph(graph);
        hash.addText(info.name);
        hash.addInt(placeOf(info.parentNode));
        addAttrs(hash, info.attrs);
        hash.add(info.outputs.size());
        for (const OutputRef ref : info.outputs) {
            hash.addInt(placeOf(ref.node));
            hash.addInt(ref.index);
        }
        hash.addInt(info.nodeCount);
        forEachNode(graph, [&](const Node& n) {
            hash.addText(n.name);
            hash.addText(n.type);
            hash.add(n.isOpaque ? 1 : 0);
            hash.add(n.inputs.size());
            for (const InputSlot& slot : n.inputs) {
                hash.addText(slot.name);
                addDesc(hash, slot.desc);
                hash.addInt(slot.source.isValid() ? placeOf(slot.source.node) : -1);
                hash.addInt(slot.source.isValid() ? slot.source.index : -1);
            }
            hash.add(n.outputs.size());
            for (const OutputSlot& slot : n.outputs) {
                hash.addText(slot.name);
                addDesc(hash, slot.desc);
            }
            hash.add(n.controlInputs.size());
            for (const NodeId source : n.controlInputs) hash.addInt(placeOf(source));
            hash.add(n.subgraphs.size());
            for (const GraphId owned : n.subgraphs) hash.addInt(graphPlace[static_cast<std::size_t>(owned.value)]);
            addAttrs(hash, n.attrs);
            addPlacement(hash, n.placement);
        });
    }
    return hash.value();
}

} // namespace gelens
