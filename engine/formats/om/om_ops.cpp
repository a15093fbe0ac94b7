#include "engine/formats/om/om_ops.h"

#include "engine/formats/ge_ir_convert.h"

namespace gelens::om {

using namespace ge::proto;

namespace {

constexpr std::size_t maxKnown = 4'096, maxKnownBytes = 1'024; ///< what is remembered takes a few megabytes at most

} // namespace

OpDef* OpReader::readBare(std::string_view bytes)
{
    OpDef* const op = m_parts.read(bytes, !m_unfinisher || !m_unfinisher->dropsDefinitions());
    if (op) m_unknownNames += m_names.expand(*op, m_outer);
    return op;
}

std::optional<OpReader::Op> OpReader::read(std::string_view bytes)
{
    Op op;
    op.message = readBare(bytes);
    if (!op.message) return std::nullopt;
    if (m_unfinisher) op.place = m_unfinisher->unfinish(*op.message);
    op.descs.inputs.reserve(m_parts.inputDescs().size());
    op.descs.outputs.reserve(m_parts.outputDescs().size());
    for (const std::string_view desc : m_parts.inputDescs()) {
        auto read = readDesc(desc, false);
        if (!read) return std::nullopt;
        op.descs.inputs.push_back(std::move(*read));
    }
    for (const std::string_view desc : m_parts.outputDescs()) {
        const bool isFirst = op.descs.outputs.empty();
        auto read = readDesc(desc, isFirst && op.place);
        if (!read) return std::nullopt;
        if (isFirst && op.message->attr().contains("value")) { // the place of a constant's bytes may stand here
            TensorDescriptor& first = *op.message->add_output_desc();
            first.set_weight_size(attrInt(read->attrs, "weight_size"));
            first.set_data_offset(attrInt(read->attrs, "data_offset"));
        }
        op.descs.outputs.push_back(std::move(*read));
    }
    return op;
}

std::optional<TensorDesc> OpReader::readDesc(std::string_view bytes, bool isOfPlacedConstant)
{
    auto& known = m_known[isOfPlacedConstant];
    if (const auto found = known.find(bytes); found != known.end()) return found->second;
    TensorDescriptor* const message = m_parts.readDesc(bytes);
    if (!message) return std::nullopt;
    const int unknownNames = m_names.expand(*message, m_outer);
    m_unknownNames += unknownNames;
    if (m_unfinisher) m_unfinisher->unfinish(*message, isOfPlacedConstant);
    TensorDesc desc = descFromDef(*message);
    if (unknownNames == 0 && bytes.size() <= maxKnownBytes && known.size() < maxKnown) known.emplace(bytes, desc);
    return desc;
}

} // namespace gelens::om
