#include "engine/formats/ge_lazy_op_internal.h"

#include "engine/formats/ge_onnx_decode_internal.h"
#include "engine/formats/ge_onnx_op_internal.h"
#include "engine/formats/text_proto_reader_internal.h"
#include "engine/formats/text_scan_internal.h"

namespace gelens {

namespace {

/// How GE begins an attribute of an operator.
constexpr char printedAttr[] = "attr {\n      key: \"";

/// Reads one message of the text. Each function returns false as soon as something is not as GE writes it.
class Sketcher {
public:
    Sketcher(std::string_view text, const std::shared_ptr<const DumpText>& dump, OpSketch& sketch)
        : m_scan(text), m_text(text), m_dump(dump), m_sketch(sketch)
    {
    }

    std::optional<std::size_t> read(std::shared_ptr<GeLazyOp>& source)
    {
        while (!m_scan.isNext('}'))
            if (!readField()) return std::nullopt;
        m_scan.sign('}');
        const auto length = static_cast<std::size_t>(m_scan.at() - m_text.data());
        source = std::make_shared<GeLazyOp>(GeLazyOp::Form::Proto, m_dump, m_text.substr(0, length));
        for (const auto& [isInput, index, place] : m_lazyDescs) {
            auto& node = m_sketch.node;
            TensorDesc& desc = isInput ? node.inputs[index].desc : node.outputs[index].desc;
            desc.attrs = AttrMap(source, GeLazyOp::descPlace(isInput, index, place));
        }
        return finishConstant() ? std::optional(length) : std::nullopt;
    }

private:
    bool readField()
    {
        if (m_scan.literal(printedAttr)) {
            bool hasEscapes = false;
            const auto key = m_scan.behindQuote(hasEscapes);
            return key && !hasEscapes && readAttr(*key);
        }
        const std::string_view name = m_scan.word();
        Node& node = m_sketch.node;
        Placement& placement = node.placement;
        if (name == "attr") {
            const auto key = m_scan.sign('{') ? readAttrKey(m_scan) : std::nullopt;
            return key && readAttr(*key);
        }
        if (name == "input_desc") {
            if (node.inputs.empty()) node.inputs.reserve(m_sketch.inputs.size());
            node.inputs.emplace_back();
            return m_scan.sign('{') && readDesc(node.inputs.back().desc, true, node.inputs.size() - 1);
        }
        if (name == "output_desc") {
            node.outputs.emplace_back();
            return m_scan.sign('{') && readDesc(node.outputs.back().desc, false, node.outputs.size() - 1);
        }
        if (name == "attr_groups") return m_scan.sign('{') && m_scan.skipMessage();
        if (!m_scan.sign(':')) return false;
        if (name == "input") return readInputText(m_scan, m_sketch);
        if (name == "name") return m_scan.readText(node.name);
        if (name == "type") return m_scan.readText(node.type);
        if (name == "stream_id") return m_scan.readNumber(placement.streamId);
        if (name == "input_i") return m_scan.appendNumber(placement.inputOffsets);
        if (name == "output_i") return m_scan.appendNumber(placement.outputOffsets);
        if (name == "workspace") return m_scan.appendNumber(placement.workspaceOffsets);
        if (name == "workspace_bytes") return m_scan.appendNumber(placement.workspaceBytes);
        if (name == "subgraph_name") return m_scan.appendText(m_sketch.subgraphs);
        return !name.empty() && m_scan.skipScalar();
    }

    bool readAttr(std::string_view key)
    {
        if (key.starts_with('_')) {
            if (key.starts_with("_input_name_")) return readNames(key.substr(12), m_sketch.inputNames);
            if (key.starts_with("_output_name_")) return readNames(key.substr(13), m_sketch.outputNames);
            if (key == peerOrderAttr) return readListAttr(m_scan, nullptr, &m_sketch.peers);
            if (key == "_ge_attr_engine_name") return readTextAttr(m_scan, m_sketch.node.placement.engine);
            if (key == "_ge_attr_op_kernel_lib_name") return readTextAttr(m_scan, m_sketch.node.placement.kernelLib);
        } else if (key == "value") {
            m_value = m_scan.at();
        }
        return skipAttrValue(m_scan);
    }

    bool readNames(std::string_view rest, SlotNames& names)
    {
        const bool isOld = rest.starts_with("idx_");
        if (isOld) // two spellings at once are the tolerant reader's
            rest.remove_prefix(4);
        if (rest != "key" && rest != "value") return skipAttrValue(m_scan);
        bool& hasOther = isOld ? m_hasNewNames : m_hasOldNames;
        (isOld ? m_hasOldNames : m_hasNewNames) = true;
        if (hasOther) return false;
        return rest == "key" ? readListAttr(m_scan, &names.names, nullptr)
                             : readListAttr(m_scan, nullptr, &names.slots);
    }

    bool readDesc(TensorDesc& desc, bool isInput, std::size_t index)
    {
        thread_local DescTextReader reader(false);
        thread_local ReadDesc read;
        const auto place = static_cast<std::uint64_t>(m_scan.at() - m_text.data());
        if (!reader.read(m_scan, read)) return false;
        desc = std::move(read.desc);
        if (read.hasMore) m_lazyDescs.push_back({isInput, index, place});
        return true;
    }

    /// What there is to know of a constant's value without decoding it.
    bool finishConstant()
    {
        if (!isConstantType(m_sketch.node.type)) return true;
        LazyConstant& constant = m_sketch.constant.emplace();
        if (!m_value) return true;
        m_scan.jump(m_value);
        if (m_scan.word() != "value" || !m_scan.sign('{') || m_scan.word() != "t" || !m_scan.sign('{')) return false;
        constant.hasValue = true;
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (name == "desc") {
                DescFacts facts;
                NumberRuns numbers;
                bool hasMore = false;
                if (!m_scan.sign('{') || !readDescFacts(m_scan, facts, nullptr, hasMore, numbers)) return false;
                const TensorDesc desc = descFromFacts(std::move(facts), DescUse::Value);
                constant.declaredBytes = storageBytes(desc.dtype, desc.shape).value_or(0);
            } else if (name == "data") {
                const auto content = m_scan.sign(':') ? m_scan.quoted() : std::nullopt;
                if (!content || m_scan.isNext('"')) return false;
                constant.bytes = static_cast<std::int64_t>(unescapedLength(*content));
            } else {
                return false;
            }
        }
        return true;
    }

    struct LazyDesc {
        bool isInput;
        std::size_t index;
        std::uint64_t place;
    };

    TextScan m_scan;
    std::string_view m_text;
    const std::shared_ptr<const DumpText>& m_dump;
    OpSketch& m_sketch;
    std::vector<LazyDesc> m_lazyDescs;
    const char* m_value = nullptr;
    bool m_hasOldNames = false, m_hasNewNames = false;
};

/// Parses what stands before a closing '}' into a message, as far as it can be read.
void parseBody(std::string_view body, google::protobuf::Message& message)
{
    TextMessageSink none;
    (void)parseProtoText(body, message, none);
}

/// The lists of slot names that stand among an operator's attributes, in today's spelling and in that of about 2020.
/// Those of today's count first.
class SlotNameLists {
public:
    struct List {
        SlotNames names;
        bool hasKeys = false;
    };
    /// The list that an attribute belongs to, and whether it is that of the names; null for any other attribute.
    List* listOf(std::string_view key, bool& areKeys)
    {
        const bool isInput = key.starts_with("_input_name_");
        if (!isInput && !key.starts_with("_output_name_")) return nullptr;
        key.remove_prefix(isInput ? 12 : 13);
        const bool isOld = key.starts_with("idx_");
        if (isOld) key.remove_prefix(4);
        areKeys = key == "key";
        return areKeys || key == "value" ? &m_lists[isInput][isOld] : nullptr;
    }
    SlotNames take(bool isInput)
    {
        for (List& list : m_lists[isInput])
            if (list.hasKeys) return std::move(list.names);
        return {};
    }

private:
    List m_lists[2][2];
};

/// Takes the lists of slot names out of attributes that were read; false for lists of a strange kind.
bool takeSlotNames(AttrMap::Map& attrs, SlotNameLists& lists)
{
    bool areUsual = true;
    const auto assign = [&](const AttrValue& value, auto& out) {
        if (const auto* list = value.as<std::decay_t<decltype(out)>>())
            out = *list;
        else
            areUsual = areUsual && value.as<UntypedList>();
    };
    for (auto at = attrs.lower_bound("_input_name_"); at != attrs.end() && at->first < "_output_name_z";) {
        bool areKeys = false;
        SlotNameLists::List* const list = lists.listOf(at->first, areKeys);
        if (!list) {
            ++at;
            continue;
        }
        list->hasKeys = list->hasKeys || areKeys;
        if (areKeys)
            assign(at->second, list->names.names);
        else
            assign(at->second, list->names.slots);
        at = attrs.erase(at);
    }
    if (const auto found = attrs.find(peerOrderAttr); found != attrs.end()) attrs.erase(found);
    return areUsual;
}

void setSlotNames(OpFields& fields, SlotNameLists& lists)
{
    SlotNames inputs = lists.take(true), outputs = lists.take(false);
    fields.inputNames = std::move(inputs.names);
    fields.inputSlots = std::move(inputs.slots);
    fields.outputNames = std::move(outputs.names);
    fields.outputSlots = std::move(outputs.slots);
}

/// All attributes and fields of one operator; false when the tolerant reader has to do it.
struct OpDecoder {
    explicit OpDecoder(std::string_view body) : m_scan(body) {}

    std::string type;
    OpFields fields;
    AttrMap::Map attrs;
    bool hasDefinition = false;

    bool read()
    {
        fields.hasOutAttr = false;
        while (!m_scan.isNext('}'))
            if (!readField()) return false;
        setSlotNames(fields, m_names);
        return true;
    }

private:
    bool readField()
    {
        if (m_scan.literal(printedAttr)) {
            bool hasEscapes = false;
            const auto key = m_scan.behindQuote(hasEscapes);
            return key && !hasEscapes && readAttr(*key);
        }
        const std::string_view name = m_scan.word();
        if (name == "attr") {
            const auto key = m_scan.sign('{') ? readAttrKey(m_scan) : std::nullopt;
            return key && readAttr(*key);
        }
        if (name == "input_desc" || name == "output_desc") {
            ++(name[0] == 'i' ? fields.inputDescs : fields.outputDescs);
            return m_scan.sign('{') && m_scan.skipMessage();
        }
        if (name == "attr_groups" || name.empty() || !m_scan.sign(':')) return false;
        if (name == "input") {
            const bool isRead = m_scan.readText(m_edge);
            fields.inputEntries += !isControlEdge(m_edge);
            return isRead;
        }
        if (name == "type") return m_scan.readText(type);
        if (name == "id") return m_scan.readNumber(fields.id);
        if (name == "stream_id") return m_scan.readNumber(fields.streamId);
        if (name == "has_out_attr") return readFlag([this](bool flag) { fields.hasOutAttr = flag; });
        if (name == "input_name") return m_scan.appendText(fields.inputName);
        if (name == "src_name") return m_scan.appendText(fields.srcName);
        if (name == "src_index") return m_scan.appendNumber(fields.srcIndex);
        if (name == "dst_name") return m_scan.appendText(fields.dstName);
        if (name == "dst_index") return m_scan.appendNumber(fields.dstIndex);
        if (name == "is_input_const") return readFlag([this](bool flag) { fields.isInputConst.push_back(flag); });
        return m_scan.skipScalar();
    }

    template <typename Put>
    bool readFlag(Put&& put)
    {
        const std::string_view text = m_scan.word();
        put(text == "true");
        return text == "true" || text == "false";
    }

    bool readAttr(std::string_view key)
    {
        if (key.starts_with('_')) {
            bool areKeys = false;
            if (auto* const list = m_names.listOf(key, areKeys)) {
                list->hasKeys = list->hasKeys || areKeys;
                return areKeys ? readListAttr(m_scan, &list->names.names, nullptr)
                               : readListAttr(m_scan, nullptr, &list->names.slots);
            }
            if (key == peerOrderAttr) return skipAttrValue(m_scan);
            hasDefinition = hasDefinition || isDefinitionAttr(key);
        }
        return readOpAttrValue(m_scan, attrs.try_emplace(attrs.end(), std::string(key))->second);
    }

    TextScan m_scan;
    SlotNameLists m_names;
    std::string m_edge;
};

} // namespace

bool readInputText(TextScan& scan, OpSketch& sketch)
{
    bool hasEscapes = false;
    const auto content = scan.quoted(hasEscapes);
    if (!content || scan.isNext('"')) return false;
    if (!hasEscapes) {
        sketch.inputs.push_back(*content);
        return true;
    }
    sketch.texts.push_back(std::make_unique<const std::string>(unescapedText(*content)));
    sketch.inputs.push_back(*sketch.texts.back());
    return true;
}

void OpSketch::clear()
{
    node = {};
    node.placement.streamId = 0;
    inputs.clear();
    texts.clear();
    peers.clear();
    for (SlotNames* names : {&inputNames, &outputNames}) {
        names->names.clear();
        names->slots.clear();
    }
    subgraphs.clear();
    constant.reset();
}

std::optional<std::size_t> sketchOp(std::string_view text, const std::shared_ptr<const DumpText>& dump,
                                    OpSketch& sketch, std::shared_ptr<GeLazyOp>& source)
{
    sketch.clear();
    return Sketcher(text, dump, sketch).read(source);
}

void GeLazyOp::settle(const Graph& graph, const Node& node, std::int64_t position)
{
    m_position = position;
    m_outputs = node.outputCount();
    if (node.placement.inputOffsets.empty() && node.placement.outputOffsets.empty()) return;
    OpFields fields; // without a look at the attributes, which would decode them
    addNeighbours(graph, node, fields);
    m_neighbours = std::make_unique<const OpFields>(std::move(fields));
}

AttrMap::Map GeLazyOp::load(std::uint64_t place) const
{
    if (m_form == Form::Onnx) return loadFromOnnx(place);
    return place == operatorPlace ? loadOp() : loadDesc(place >> 20);
}

AttrMap::Map GeLazyOp::loadDesc(std::size_t position) const
{
    const std::string_view rest = m_body.substr(position);
    thread_local DescTextReader reader(true);
    TextScan scan(rest);
    if (ReadDesc read; reader.read(scan, read)) {
        read.attrs.insert(read.desc.attrs.begin(), read.desc.attrs.end());
        return std::move(read.attrs);
    }
    const auto length = skipTextMessage(rest);
    ge::proto::TensorDescriptor def;
    parseBody(rest.substr(0, length ? *length - 1 : rest.size()), def);
    const TensorDesc desc = descFromDef(def, DescUse::Slot);
    return {desc.attrs.begin(), desc.attrs.end()};
}

AttrMap::Map GeLazyOp::loadOp() const
{
    OpDecoder decoder(m_body);
    if (decoder.read()) {
        addHidden(decoder.type, std::move(decoder.fields), decoder.hasDefinition, decoder.attrs);
        return std::move(decoder.attrs);
    }
    ge::proto::OpDef op;
    parseBody(m_body.substr(0, m_body.size() - 1), op);
    return opAttrs(op);
}

AttrMap::Map GeLazyOp::loadFromOnnx(std::uint64_t place) const
{
    const std::scoped_lock lock(m_decoded->lock);
    if (auto found = m_decoded->maps.extract(place)) return std::move(found.mapped());
    m_decoded->maps.clear();
    OnnxNodeValues values;
    if (decodeOnnxNode(m_body, values)) {
        SlotNameLists names;
        if (takeSlotNames(values.attrs, names)) {
            setSlotNames(values.fields, names);
            addHidden(values.type, std::move(values.fields), true, values.attrs);
            for (std::size_t i = 0; i < values.inputs.size(); ++i)
                if (!values.inputs[i].empty())
                    m_decoded->maps.emplace(descPlace(true, i, 0), std::move(values.inputs[i]));
            for (std::size_t i = 0; i < values.outputs.size(); ++i)
                if (!values.outputs[i].empty())
                    m_decoded->maps.emplace(descPlace(false, i, 0), std::move(values.outputs[i]));
            m_decoded->maps.emplace(operatorPlace, std::move(values.attrs));
        }
    }
    if (m_decoded->maps.empty()) decodeWhole();
    auto found = m_decoded->maps.extract(place);
    return found ? std::move(found.mapped()) : AttrMap::Map{};
}

void GeLazyOp::decodeWhole() const
{
    ge::proto::OpDef op;
    onnx::NodeProto node;
    parseBody(m_body.substr(0, m_body.size() - 1), node);
    opFromGeOnnxNode(node, op);
    const auto keep = [&](bool isInput, const auto& descs) {
        for (int i = 0; i < descs.size(); ++i) {
            const TensorDesc desc = descFromDef(descs[i], DescUse::Slot);
            m_decoded->maps.emplace(descPlace(isInput, static_cast<std::size_t>(i), 0),
                                    AttrMap::Map(desc.attrs.begin(), desc.attrs.end()));
        }
    };
    keep(true, op.input_desc());
    keep(false, op.output_desc());
    m_decoded->maps.emplace(operatorPlace, opAttrs(op));
}

AttrMap::Map GeLazyOp::opAttrs(const ge::proto::OpDef& op) const
{
    bool hasDefinition = m_form == Form::Onnx; // the format has none
    AttrMap::Map attrs = nodeAttrs(op, GeReadOptions{}, hasDefinition);
    int entries = 0;
    for (const std::string& text : op.input()) entries += !isControlEdge(text);
    addHidden(op.type(), statedOpFields(op, entries), hasDefinition, attrs);
    return attrs;
}

namespace {

/// Whether lists of names say just what the slots' own names would: each slot but the unnamed ones once, by name.
bool areInOrder(const StringList& names, const IntList& slots, std::int64_t count)
{
    if (names.empty() || names.size() != slots.size()) return names.empty() && slots.empty() && count == 0;
    if (count > 64) return false;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (slots[i] < 0 || slots[i] >= count || names[i].empty() || (i > 0 && !(names[i - 1] < names[i])))
            return false;
        const std::uint64_t bit = std::uint64_t{1} << slots[i];
        if (seen & bit) return false;
        seen |= bit;
    }
    return true;
}

} // namespace

bool GeLazyOp::isAsDerived(const std::string& type, const OpFields& stated, bool hasDefinition,
                           const AttrMap::Map& attrs) const
{
    static const OpFields none;
    const OpFields& near = m_neighbours ? *m_neighbours : none;
    if (stated.id != m_position || stated.streamId < 0 || !stated.hasOutAttr ||
        stated.inputEntries != stated.inputDescs || stated.outputDescs != m_outputs ||
        stated.inputName != near.inputName || stated.srcName != near.srcName || stated.srcIndex != near.srcIndex ||
        stated.dstName != near.dstName || stated.dstIndex != near.dstIndex ||
        !areInOrder(stated.inputNames, stated.inputSlots, stated.inputDescs) ||
        !(lacksOutputNames(stated) || areInOrder(stated.outputNames, stated.outputSlots, stated.outputDescs)))
        return false;
    const auto found = attrs.find("is_input_const");
    const auto* const flags = found == attrs.end() ? nullptr : found->second.as<std::vector<bool>>();
    if (flags ? *flags != stated.isInputConst : !stated.isInputConst.empty()) return false;
    if (hasDefinition) return true;
    Node node;
    node.type = type;
    return !hasKnownDefinition(node);
}

void GeLazyOp::addHidden(const std::string& type, OpFields stated, bool hasDefinition, AttrMap::Map& attrs) const
{
    if (isAsDerived(type, stated, hasDefinition, attrs)) // as nearly always; the long way below comes to the same
        return;
    // The node as it was when it was read, as far as its fields follow from itself.
    Node node;
    node.type = type;
    node.placement.streamId = stated.streamId;
    const auto inputs = static_cast<int>(std::max(stated.inputEntries, stated.inputDescs));
    const auto outputs = static_cast<int>(stated.outputDescs);
    SlotNames inputNames{std::move(stated.inputNames), std::move(stated.inputSlots)};
    SlotNames outputNames{std::move(stated.outputNames), std::move(stated.outputSlots)};
    StringList names = inputNames.bySlot(inputs, type, true);
    node.inputs.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) node.inputs[i].name = std::move(names[i]);
    names = outputNames.bySlot(outputs, type, false);
    node.outputs.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) node.outputs[i].name = std::move(names[i]);
    stated.inputNames = std::move(inputNames.names);
    stated.inputSlots = std::move(inputNames.slots);
    stated.outputNames = std::move(outputNames.names);
    stated.outputSlots = std::move(outputNames.slots);
    node.outputs.resize(static_cast<std::size_t>(m_outputs));
    if (const auto found = attrs.find("is_input_const"); found != attrs.end())
        node.attrs.emplace(found->first, found->second);
    static const Graph none;
    OpFields derived = derivedOpFields(none, node, m_position);
    if (m_neighbours) {
        derived.inputName = m_neighbours->inputName;
        derived.srcName = m_neighbours->srcName;
        derived.srcIndex = m_neighbours->srcIndex;
        derived.dstName = m_neighbours->dstName;
        derived.dstIndex = m_neighbours->dstIndex;
    }
    if (lacksOutputNames(stated)) {
        stated.outputNames = derived.outputNames;
        stated.outputSlots = derived.outputSlots;
    }
    AttrValue hidden = hiddenOpFields(derived, stated, hasDefinition || !hasKnownDefinition(node));
    if (hidden.isSet()) attrs.insert_or_assign(std::string(hiddenFieldsAttr), std::move(hidden));
}

} // namespace gelens
