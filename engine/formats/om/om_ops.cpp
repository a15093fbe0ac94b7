#include "engine/formats/om/om_ops.h"

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_internal.h"
#include "engine/formats/onnx/text.h"

namespace gelens::om {

using namespace ge::proto;

namespace {

// What is remembered takes a few megabytes at most.
constexpr std::size_t maxKnown = 4'096, maxKnownBytes = 1'024;

template <typename Value>
void remember(std::unordered_map<std::string_view, Value>& known, std::string_view bytes, const Value& value)
{
    if (bytes.size() <= maxKnownBytes && known.size() < maxKnown) known.emplace(bytes, value);
}

} // namespace

std::optional<OpReader::Op> OpReader::read(std::string_view bytes)
{
    Op op;
    OpDef* const message = m_parts.read(bytes, !m_unfinisher || !m_unfinisher->dropsDefinitions());
    op.message = message;
    if (!message || !readAttrs(op)) return std::nullopt;
    if (m_unfinisher) {
        m_unfinisher->unfinish(*message);
        op.place = Unfinisher::takePlace(message->type(), op.values.attrs);
        if (op.place && op.place->isExternal) message->set_type("Const");
    }
    if (!readDescs(op)) return std::nullopt;
    if (!m_unfinisher) findValue(op);
    return op;
}

bool OpReader::readAttrs(Op& op)
{
    const bool dropsDefinitions = m_unfinisher && m_unfinisher->dropsDefinitions();
    for (const std::string_view entry : m_parts.attrs()) {
        if (const auto found = m_knownAttrs.find(entry); found != m_knownAttrs.end()) {
            op.values.take(found->second.name, found->second.value);
            continue;
        }
        const auto content = mapEntry(entry);
        if (!content) return false;
        const auto [name, value] = *content;
        if (!onnx_import::isValidUtf8(name)) return false; // as protobuf has it
        if (isHiddenAttr(name) || (dropsDefinitions && isDefinitionAttr(name))) continue;
        AttrDef* const message = m_parts.readAttr(value);
        if (!message) return false;
        Attr attr{std::string(name), {}};
        const int unknownNames = m_names.expand(attr.name, *message, m_outer);
        m_unknownNames += unknownNames;
        attr.value = message->has_t() ? AttrValue(tensorFromDef(message->t(), m_weights)) : attrFromDef(*message);
        op.values.take(attr.name, attr.value);
        const bool hasBytes = message->has_t() && !message->t().data().empty(); // equal constants are still two
        if (unknownNames == 0 && !hasBytes) remember(m_knownAttrs, entry, attr);
    }
    return true;
}

bool OpReader::readDescs(Op& op)
{
    op.values.inputs.reserve(m_parts.inputDescs().size());
    op.values.outputs.reserve(m_parts.outputDescs().size());
    for (const std::string_view bytes : m_parts.inputDescs()) {
        auto desc = readDesc(bytes, false);
        if (!desc) return false;
        op.values.inputs.push_back(std::move(*desc));
    }
    for (const std::string_view bytes : m_parts.outputDescs()) {
        auto desc = readDesc(bytes, op.values.outputs.empty() && op.place);
        if (!desc) return false;
        op.values.outputs.push_back(std::move(*desc));
    }
    return true;
}

std::optional<TensorDesc> OpReader::readDesc(std::string_view bytes, bool isOfPlacedConstant)
{
    auto& known = m_knownDescs[isOfPlacedConstant];
    if (const auto found = known.find(bytes); found != known.end()) return found->second;
    TensorDescriptor* const message = m_parts.readDesc(bytes);
    if (!message) return std::nullopt;
    const int unknownNames = m_names.expand(*message, m_outer);
    m_unknownNames += unknownNames;
    if (m_unfinisher) m_unfinisher->unfinish(*message, isOfPlacedConstant);
    TensorDesc desc = descFromDef(*message);
    if (unknownNames == 0) remember(known, bytes, desc);
    return desc;
}

/// Some files say only at the constant's output where its bytes lie.
void OpReader::findValue(Op& op) const
{
    if (op.values.outputs.empty() || m_weights.isEmpty()) return;
    const AttrMap& place = op.values.outputs[0].attrs;
    const std::int64_t bytes = attrInt(place, "weight_size"), offset = attrInt(place, "data_offset");
    const auto size = static_cast<std::int64_t>(m_weights.size());
    if (bytes <= 0 || offset < 0 || offset > size || bytes > size - offset) return;
    for (auto& [name, value] : op.values.attrs) {
        const auto* const tensor = value.as<AttrValue::TensorPtr>();
        if (!tensor || !*tensor || !(*tensor)->data.isEmpty() || attrInt((*tensor)->desc.attrs, "weight_size") > 0)
            continue;
        Tensor placed = **tensor;
        placed.data = Bytes::window(std::make_shared<const Bytes>(m_weights), m_weights.data() + offset,
                                    static_cast<std::size_t>(bytes));
        value = AttrValue(std::move(placed));
    }
}

} // namespace gelens::om
