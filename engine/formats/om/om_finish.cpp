#include "engine/formats/om/om_finish.h"

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/om/om_plan.h"
#include "engine/formats/onnx/external_data.h"
#include "engine/graph/graph_editor.h"

#include "formats/proto/ge_ir.pb.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace gelens::om {

using namespace ge::proto;

namespace {

constexpr std::int64_t weightAlignment = 512; // GE's
constexpr std::int64_t weightSpare = 32;      // GE's: vector instructions may read past the end
constexpr const char* stringsAttr = "_gelens_strings";
constexpr const char* joinAxisAttr = "_gelens_join_axis";  // of a constant in several places
constexpr const char* stretchesAttr = "_gelens_stretches"; // extent, first and count of each part along that axis
constexpr const char* engineAttr = "_ge_attr_engine_name";
constexpr const char* kernelLibAttr = "_ge_attr_op_kernel_lib_name";
constexpr const char* sizesFilled = "sizes";
constexpr const char* constFlagsFilled = "is_input_const";
constexpr const char* enginesFilled = "engines";
constexpr const char* definitionsFilled = "definitions";

std::int64_t aligned(std::int64_t bytes) { return (bytes + weightAlignment - 1) / weightAlignment * weightAlignment; }

std::uint64_t hashOf(std::span<const std::byte> bytes)
{
    std::uint64_t hash = 14695981039346656037ull + bytes.size(); // FNV-1a over words
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        hash = (hash ^ word) * 1099511628211ull;
        hash ^= hash >> 29;
    }
    for (; at < bytes.size(); ++at) hash = (hash ^ std::to_integer<std::uint64_t>(bytes[at])) * 1099511628211ull;
    return hash;
}

/// Bytes that GE reserves for a tensor: rounded up to 32, and 32 more; 0 when the size is unknown.
std::int64_t reservedBytes(const TensorDesc& desc)
{
    const auto bytes = storageBytes(desc.dtype, desc.shape);
    return bytes ? (*bytes + 31) / 32 * 32 + 32 : 0;
}

const Tensor* valueOf(const Node& node)
{
    return isConstantType(node.type) ? attrTensor(node.attrs, "value") : nullptr;
}

struct Finisher {
    const Graph& graph;
    const WeightLayout& weights;
    bool fillsSizes = true, fillsConstFlags = true, fillsEngines = true, fillsDefinitions = true;

    /// Only where the graph says none of it itself, so that what the reader takes back is exactly what was added.
    void decide()
    {
        for (const NodeId id : graph.allNodes()) {
            const Node& node = graph.node(id);
            const auto hasSize = [](const auto& slot) { return slot.desc.reservedBytes != 0; };
            if (std::any_of(node.inputs.begin(), node.inputs.end(), hasSize) ||
                std::any_of(node.outputs.begin(), node.outputs.end(), hasSize))
                fillsSizes = false;
            if (node.attrs.contains(engineAttr) || node.attrs.contains(kernelLibAttr)) fillsEngines = false;
            if (node.attrs.contains(hiddenFieldsAttr) || node.attrs.contains("is_input_const")) fillsConstFlags = false;
            const auto isFromGe = [](const auto& entry) {
                return isHiddenAttr(entry.first) || isDefinitionAttr(entry.first);
            };
            if (std::any_of(node.attrs.begin(), node.attrs.end(), isFromGe)) fillsDefinitions = false;
        }
        for (const GraphId id : graph.liveSubgraphs())
            if (graph.subgraph(id).attrs.contains(hiddenFieldsAttr)) fillsDefinitions = false;
    }

    void finishDesc(const TensorDesc& desc, TensorDescriptor& def) const
    {
        if (fillsSizes) def.set_size(reservedBytes(desc));
        if (const auto type = desc.attrs.find("onnx_type"); type != desc.attrs.end())
            attrToDef(type->second, (*def.mutable_attr())["onnx_type"]);
        keepType(desc, def);
    }

    /// Element types that GE has no number for.
    static void keepType(const TensorDesc& desc, TensorDescriptor& def)
    {
        if (isTypeBeyondGe(desc.dtype))
            (*def.mutable_attr())[std::string(typeAttr)].set_s(std::string(dataTypeName(desc.dtype)));
    }

    void finishOp(const Node& node, OpDef& op) const
    {
        for (int i = 0; i < std::min(op.input_desc_size(), node.inputCount()); ++i)
            finishDesc(node.inputs[static_cast<std::size_t>(i)].desc, *op.mutable_input_desc(i));
        for (int i = 0; i < std::min(op.output_desc_size(), node.outputCount()); ++i)
            finishDesc(node.outputs[static_cast<std::size_t>(i)].desc, *op.mutable_output_desc(i));
        if (fillsEngines && !node.placement.engine.empty())
            (*op.mutable_attr())[engineAttr].set_s(node.placement.engine);
        if (fillsEngines && !node.placement.kernelLib.empty())
            (*op.mutable_attr())[kernelLibAttr].set_s(node.placement.kernelLib);
        if (const Tensor* const value = valueOf(node)) finishConstant(node, *value, op);
        if (fillsConstFlags) finishConstInputs(node, op);
    }

    void finishConstant(const Node& node, const Tensor& value, OpDef& op) const
    {
        keepType(value.desc, *(*op.mutable_attr())["value"].mutable_t()->mutable_desc());
        if (!value.strings.empty()) {
            auto& list = *(*op.mutable_attr())[stringsAttr].mutable_list();
            list.set_val_type(AttrDef::ListValue::VT_LIST_STRING);
            for (const std::string& text : value.strings) list.add_s(text);
            return;
        }
        const auto place = weights.places.find(node.id);
        if (place != weights.places.end()) {
            const auto [offset, bytes] = place->second;
            TensorDescriptor& desc = *(*op.mutable_attr())["value"].mutable_t()->mutable_desc();
            desc.set_data_offset(offset);
            desc.set_weight_size(bytes);
            if (op.output_desc_size() > 0) {
                op.mutable_output_desc(0)->set_data_offset(offset);
                op.mutable_output_desc(0)->set_weight_size(bytes);
            }
            if (op.output_i_size() > 0) op.set_output_i(0, offset);
            return;
        }
        const std::int64_t bytes = storageBytes(value.desc.dtype, value.desc.shape).value_or(0);
        if (bytes == 0 || value.isPresent()) return;
        op.set_type("FileConstant");
        auto& attrs = *op.mutable_attr();
        if (!value.externalPieces.empty()) {
            writePieces(value, op);
        } else {
            attrs["location"].set_s(value.external ? value.external->location : std::string());
            attrs["offset"].set_i(value.external ? value.external->offset : 0);
            attrs["length"].set_i(value.external ? value.external->length : bytes);
        }
        attrs["file_path"] = attrs["location"];
        attrs["dtype"].set_dt(static_cast<std::int64_t>(value.desc.dtype));
        auto& shape = *attrs["shape"].mutable_list();
        shape.set_val_type(AttrDef::ListValue::VT_LIST_INT);
        for (const std::int64_t dim : value.desc.shape.dims()) shape.add_i(dim);
    }

    /// A constant that a pass joined: the places of its parts as lists, and along which axis they follow each other. A
    /// loader that expects one place finds a list and stops, which is better than the bytes of the first part alone.
    static void writePieces(const Tensor& value, OpDef& op)
    {
        auto& attrs = *op.mutable_attr();
        const auto list = [&](const char* name, AttrDef::ListValue::ListValueType type) -> AttrDef::ListValue& {
            auto& made = *attrs[name].mutable_list();
            made.set_val_type(type);
            return made;
        };
        auto& locations = list("location", AttrDef::ListValue::VT_LIST_STRING);
        auto& offsets = list("offset", AttrDef::ListValue::VT_LIST_INT);
        auto& lengths = list("length", AttrDef::ListValue::VT_LIST_INT);
        auto& stretches = list(stretchesAttr, AttrDef::ListValue::VT_LIST_INT);
        for (const ExternalPiece& piece : value.externalPieces) {
            locations.add_s(piece.source.location);
            offsets.add_i(piece.source.offset);
            lengths.add_i(piece.source.length);
            for (const std::int64_t number : {piece.extent, piece.first, piece.count}) stretches.add_i(number);
        }
        attrs[joinAxisAttr].set_i(value.externalAxis);
    }

    /// A reader of constants sees in its own descriptor where they lie.
    void finishConstInputs(const Node& node, OpDef& op) const
    {
        int connected = 0;
        for (int i = 0; i < node.inputCount(); ++i) {
            const OutputRef source = node.source(i);
            const bool isConst = source.isValid() && valueOf(graph.node(source.node)) != nullptr;
            op.add_is_input_const(isConst);
            const auto place = isConst ? weights.places.find(source.node) : weights.places.end();
            if (place != weights.places.end()) {
                if (i < op.input_desc_size()) op.mutable_input_desc(i)->set_data_offset(place->second.first);
                if (connected < op.input_i_size()) op.set_input_i(connected, place->second.first);
            }
            connected += source.isValid() ? 1 : 0;
        }
    }
};

} // namespace

WeightLayout layOutWeights(const Graph& graph)
{
    WeightLayout layout;
    std::unordered_multimap<std::uint64_t, std::size_t> known; // hash → piece
    std::int64_t end = weightAlignment;
    for (const NodeId id : graph.allNodes()) {
        const Tensor* const value = valueOf(graph.node(id));
        if (!value || value->data.isEmpty() || !value->isPresent()) continue;
        const std::span<const std::byte> bytes = value->data.span();
        const std::uint64_t hash = hashOf(bytes);
        const auto [first, last] = known.equal_range(hash);
        const auto same = std::find_if(first, last, [&](const auto& entry) {
            const auto other = layout.pieces[entry.second].bytes;
            return other.size() == bytes.size() &&
                   (other.data() == bytes.data() || std::memcmp(other.data(), bytes.data(), bytes.size()) == 0);
        });
        std::int64_t offset = 0;
        if (same != last) {
            offset = layout.pieces[same->second].offset;
        } else {
            offset = aligned(end);
            known.emplace(hash, layout.pieces.size());
            layout.pieces.push_back({offset, bytes});
            end = offset + static_cast<std::int64_t>(bytes.size());
        }
        layout.places[id] = {offset, static_cast<std::int64_t>(bytes.size())};
    }
    if (!layout.pieces.empty()) layout.totalBytes = aligned(end + weightSpare);
    return layout;
}

Graph withoutPayloads(const Graph& graph, const WeightLayout& weights)
{
    Graph copy = graph;
    GraphEditor editor(copy);
    for (const auto& [id, place] : weights.places) {
        Tensor bare = *valueOf(graph.node(id));
        bare.data = {};
        editor.setAttr(id, "value", AttrValue(std::move(bare)));
    }
    return copy;
}

void finishModelDef(const Graph& graph, const WeightLayout& weights, ModelDef& model)
{
    Finisher finisher{graph, weights};
    finisher.decide();
    std::vector<GraphId> graphs{rootGraph};
    for (const GraphId id : graphsBelow(graph, rootGraph)) graphs.push_back(id);
    GELENS_ASSERT(static_cast<int>(graphs.size()) == model.graph_size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
        GraphDef& def = *model.mutable_graph(static_cast<int>(g));
        int position = 0;
        graph.forEachNode(graphs[g], [&](const Node& node) { finisher.finishOp(node, *def.mutable_op(position++)); });
    }
    StringList filled;
    for (const auto& [isFilled, name] :
         {std::pair{finisher.fillsSizes, sizesFilled}, std::pair{finisher.fillsConstFlags, constFlagsFilled},
          std::pair{finisher.fillsEngines, enginesFilled}, std::pair{finisher.fillsDefinitions, definitionsFilled}})
        if (isFilled) filled.emplace_back(name);
    setModelAttr(model, filledAttr, AttrValue(std::move(filled)));
}

namespace {

/// Values taken out of a map of attributes, or what stands for one that is not there or of another kind.
class Taker {
public:
    explicit Taker(AttrMap::Map& attrs) : m_attrs(attrs) {}

    template <typename T>
    T take(const char* name)
    {
        const auto found = m_attrs.find(std::string_view(name));
        if (found == m_attrs.end()) return {};
        const T* const value = found->second.as<T>();
        T taken = value ? *value : T();
        m_attrs.erase(found);
        return taken;
    }

private:
    AttrMap::Map& m_attrs;
};

/// Lists that do not fit each other leave the constant without a place.
void readPieces(Taker& attrs, const StringList& locations, ConstantPlace& place)
{
    const IntList offsets = attrs.take<IntList>("offset"), lengths = attrs.take<IntList>("length");
    const IntList stretches = attrs.take<IntList>(stretchesAttr);
    if (offsets.size() != locations.size() || lengths.size() != locations.size() ||
        stretches.size() != 3 * locations.size())
        return;
    for (std::size_t i = 0; i < locations.size(); ++i)
        place.pieces.push_back(
            {{locations[i], offsets[i], lengths[i]}, stretches[3 * i], stretches[3 * i + 1], stretches[3 * i + 2]});
    place.axis = static_cast<int>(std::clamp<std::int64_t>(attrs.take<std::int64_t>(joinAxisAttr), -1, 1'000));
}

} // namespace

Unfinisher::Unfinisher(const StringList& filled)
{
    const auto has = [&](const char* name) { return std::find(filled.begin(), filled.end(), name) != filled.end(); };
    m_dropsSizes = has(sizesFilled);
    m_dropsConstFlags = has(constFlagsFilled);
    m_dropsDefinitions = has(definitionsFilled);
    m_dropsEngines = has(enginesFilled);
}

std::optional<ConstantPlace> Unfinisher::takePlace(const std::string& type, AttrMap::Map& attrs)
{
    if (type != "Const" && type != "Constant" && type != "FileConstant") return std::nullopt;
    const auto found = attrs.find("value");
    const auto* const value = found == attrs.end() ? nullptr : found->second.as<AttrValue::TensorPtr>();
    if (!value || !*value) return std::nullopt;
    ConstantPlace place;
    place.offset = attrInt((*value)->desc.attrs, "data_offset");
    place.bytes = attrInt((*value)->desc.attrs, "weight_size");
    if (place.offset != 0 || place.bytes != 0) {
        Tensor bare = **value;
        bare.desc.attrs.erase("data_offset");
        bare.desc.attrs.erase("weight_size");
        found->second = AttrValue(std::move(bare));
    }
    Taker taker(attrs);
    place.strings = taker.take<StringList>(stringsAttr);
    const auto location = attrs.find("location");
    if (type != "FileConstant" || location == attrs.end()) return place;
    place.isExternal = true;
    if (location->second.as<StringList>()) {
        readPieces(taker, taker.take<StringList>("location"), place);
    } else {
        place.location = taker.take<std::string>("location");
        place.fileOffset = taker.take<std::int64_t>("offset");
        place.fileLength = taker.take<std::int64_t>("length");
    }
    for (const char* name :
         {"location", "file_path", "offset", "length", "dtype", "shape", joinAxisAttr, stretchesAttr})
        attrs.erase(name);
    return place;
}

void Unfinisher::unfinish(OpDef& op) const
{
    if (m_dropsConstFlags) op.clear_is_input_const();
}

void Unfinisher::unfinish(TensorDescriptor& desc, bool isOfPlacedConstant) const
{
    if (m_dropsSizes) desc.clear_size();
    if (m_dropsConstFlags || isOfPlacedConstant) desc.clear_data_offset();
    if (isOfPlacedConstant) desc.clear_weight_size();
}

namespace {

/// Bytes that joined constants may take when a file is opened; a larger one keeps its places and no values.
constexpr std::int64_t maxJoinedBytes = std::int64_t{256} << 20;

/// Bytes of a constant that lies in a file beside the model; none when the file is not there or too short.
Bytes externalBytes(onnx_import::ExternalFiles& files, const ConstantPlace& place, std::vector<Message>& messages)
{
    if (place.location.empty() || place.fileOffset < 0 || place.fileLength <= 0) return {};
    auto file = files.open(place.location);
    if (!file.ok()) {
        messages.push_back({Severity::Warning, "om.external-refused", file.error().message(), {}, {}});
        return {};
    }
    const auto& map = (*file)->map;
    if (!map || static_cast<std::uint64_t>(place.fileOffset) > map->size() ||
        static_cast<std::uint64_t>(place.fileLength) > map->size() - static_cast<std::uint64_t>(place.fileOffset))
        return {};
    return Bytes::window(map, map->bytes().data() + place.fileOffset, static_cast<std::size_t>(place.fileLength));
}

/// Bytes of a constant in several files or places, put together; none when one of them is not there or the numbers do
/// not fit the shape. What would take more than the budget stays absent.
Bytes joinedBytes(onnx_import::ExternalFiles& files, const Tensor& value, std::int64_t& budget,
                  std::vector<Message>& messages)
{
    const Shape& shape = value.desc.shape;
    const auto total = storageBytes(value.desc.dtype, shape);
    const int axis = value.externalAxis;
    if (!total || *total <= 0 || *total > budget || axis < 0 || axis >= shape.rank()) return {};
    std::int64_t rows = 1, length = 0;
    for (int i = 0; i < axis; ++i) rows *= shape.dim(i); // the product of all dims fits, and none is 0
    const std::int64_t step = *total / rows / shape.dim(axis);
    if (step == 0 || step * shape.dim(axis) * rows != *total) return {}; // elements smaller than a byte
    std::vector<Bytes> sources;
    for (const ExternalPiece& piece : value.externalPieces) {
        if (piece.first < 0 || piece.count <= 0 || piece.extent < piece.count ||
            piece.first > piece.extent - piece.count || piece.count > shape.dim(axis) - length ||
            piece.source.length / rows / piece.extent != step || piece.source.length % (rows * step) != 0)
            return {};
        length += piece.count;
        ConstantPlace place;
        place.location = piece.source.location;
        place.fileOffset = piece.source.offset;
        place.fileLength = piece.source.length;
        sources.push_back(externalBytes(files, place, messages));
        if (sources.back().isEmpty()) return {};
    }
    if (length != shape.dim(axis)) return {};
    budget -= *total;
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(*total));
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const ExternalPiece& piece = value.externalPieces[i];
            const std::byte* const from = sources[i].data() + (row * piece.extent + piece.first) * step;
            bytes.insert(bytes.end(), from, from + piece.count * step);
        }
    return Bytes::owned(std::move(bytes));
}

} // namespace

void restoreNodes(Graph& graph, const std::unordered_map<NodeId, ConstantPlace>& constants, const Bytes& weights,
                  const Unfinisher& unfinisher, const std::filesystem::path& folder, std::vector<Message>& messages)
{
    GraphEditor editor(graph);
    onnx_import::ExternalFiles files(folder);
    std::int64_t joinedBudget = maxJoinedBytes;
    // Notes on how the file differs from what is derived: they are of the finishing, as the definitions were.
    if (unfinisher.dropsDefinitions())
        for (const GraphId id : graph.liveSubgraphs()) editor.dropImportedGraphAttr(id, hiddenFieldsAttr);
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        // Nodes of bodies have no stream of their own; the file has no other word for that than 0.
        if (node.graph != rootGraph && node.placement.streamId == 0) {
            Placement placement = node.placement;
            placement.streamId = -1;
            editor.setPlacement(id, std::move(placement));
        }
        const Tensor* const bare = valueOf(node);
        if (!bare) continue;
        const auto found = constants.find(id);
        if (found == constants.end()) continue;
        const ConstantPlace& place = found->second;
        Tensor value = *bare;
        value.strings = place.strings;
        const auto offset = static_cast<std::uint64_t>(place.offset), bytes = static_cast<std::uint64_t>(place.bytes);
        if (place.isExternal && !place.pieces.empty()) {
            value.externalPieces = place.pieces;
            value.externalAxis = place.axis;
            value.data = joinedBytes(files, value, joinedBudget, messages);
        } else if (place.isExternal) {
            if (!place.location.empty())
                value.external = ExternalData{place.location, place.fileOffset, place.fileLength};
            value.data = externalBytes(files, place, messages);
        } else if (place.offset >= 0 && place.bytes > 0 && offset <= weights.size() &&
                   bytes <= weights.size() - offset) {
            value.data = Bytes::window(std::make_shared<const Bytes>(weights), weights.data() + offset,
                                       static_cast<std::size_t>(bytes));
        }
        editor.setAttr(id, "value", AttrValue(std::move(value)));
    }
}

} // namespace gelens::om
