#include "engine/formats/ge_model_parts_internal.h"

#include <limits>

namespace gelens {

using namespace ge::proto;

namespace {

constexpr std::size_t blockBytes = std::size_t{32} << 10;
constexpr std::size_t maxPieces = 200'000; ///< of one operator; more are damage

google::protobuf::ArenaOptions optionsWith(std::vector<char>& block)
{
    google::protobuf::ArenaOptions options;
    options.initial_block = block.data();
    options.initial_block_size = block.size();
    return options;
}

/// Parses a message's fields but those of one number, which go into `pieces`.
bool split(std::string_view message, int number, std::int64_t most, google::protobuf::MessageLite& rest,
           std::vector<std::string_view>& pieces)
{
    std::string others;
    WireFields fields(message);
    for (WireFields::Field field; static_cast<std::int64_t>(pieces.size()) <= most && fields.next(field);) {
        if (field.isMessage && field.number == static_cast<std::uint32_t>(number))
            pieces.push_back(field.content);
        else
            others.append(field.whole);
    }
    return fields.isSound() && parseWire(others, rest);
}

/// What is derived from the graph when nobody asks for it: input_name, src_name, src_index, dst_name, dst_index and
/// is_input_const.
bool isNeighbourField(std::uint32_t number)
{
    return (number >= OpDef::kInputNameFieldNumber && number <= OpDef::kDstIndexFieldNumber) ||
           number == OpDef::kIsInputConstFieldNumber;
}

} // namespace

std::optional<std::uint64_t> WireFields::varint()
{
    std::uint64_t value = 0;
    std::size_t at = 0;
    for (int shift = 0; shift < 64 && at < m_rest.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_rest[at++]);
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) {
            m_rest.remove_prefix(at);
            return value;
        }
    }
    return std::nullopt;
}

bool WireFields::next(Field& field)
{
    if (m_rest.empty() || !m_isSound) return false;
    m_isSound = false; // until all of the field is there
    const std::string_view start = m_rest;
    const auto key = varint();
    if (!key || *key >> 3 == 0 || *key > std::numeric_limits<std::uint32_t>::max()) return false;
    field.number = static_cast<std::uint32_t>(*key >> 3);
    field.isMessage = (*key & 7) == 2;
    std::uint64_t bytes = 0;
    switch (*key & 7) {
    case 0:
        if (!varint()) return false;
        break;
    case 1: bytes = 8; break;
    case 2: {
        const auto length = varint();
        if (!length) return false;
        bytes = *length;
        break;
    }
    case 5: bytes = 4; break;
    default: return false; // groups occur in no such file
    }
    if (bytes > m_rest.size()) return false;
    field.content = m_rest.substr(0, static_cast<std::size_t>(bytes));
    m_rest.remove_prefix(field.content.size());
    field.whole = start.substr(0, start.size() - m_rest.size());
    m_isSound = true;
    return true;
}

bool parseWire(std::string_view bytes, google::protobuf::MessageLite& message)
{
    return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
           message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

std::optional<ModelDefParts> ModelDefParts::of(std::string_view model, std::int64_t most)
{
    std::optional<ModelDefParts> parts(std::in_place);
    if (!split(model, ModelDef::kGraphFieldNumber, most, parts->rest, parts->graphs)) return std::nullopt;
    return parts;
}

std::optional<GraphDefParts> GraphDefParts::of(std::string_view graph, std::int64_t most)
{
    std::optional<GraphDefParts> parts(std::in_place);
    if (!split(graph, GraphDef::kOpFieldNumber, most, parts->rest, parts->ops)) return std::nullopt;
    return parts;
}

OpDefParts::OpDefParts() : m_block(blockBytes), m_arena(optionsWith(m_block)) {}

OpDef* OpDefParts::read(std::string_view op, bool withNeighbours)
{
    m_bare.clear();
    m_attrs.clear();
    m_inputDescs.clear();
    m_outputDescs.clear();
    WireFields fields(op);
    for (WireFields::Field field; fields.next(field);) {
        if (field.isMessage && field.number == OpDef::kAttrFieldNumber)
            m_attrs.push_back(field.content);
        else if (field.isMessage && field.number == OpDef::kInputDescFieldNumber)
            m_inputDescs.push_back(field.content);
        else if (field.isMessage && field.number == OpDef::kOutputDescFieldNumber)
            m_outputDescs.push_back(field.content);
        else if (withNeighbours || !isNeighbourField(field.number))
            m_bare.append(field.whole);
        if (m_attrs.size() + m_inputDescs.size() + m_outputDescs.size() > maxPieces) return nullptr;
    }
    m_arena.Reset();
    auto* const message = google::protobuf::Arena::CreateMessage<OpDef>(&m_arena);
    return fields.isSound() && parseWire(m_bare, *message) ? message : nullptr;
}

TensorDescriptor* OpDefParts::readDesc(std::string_view desc)
{
    auto* const message = google::protobuf::Arena::CreateMessage<TensorDescriptor>(&m_arena);
    return parseWire(desc, *message) ? message : nullptr;
}

AttrDef* OpDefParts::readAttr(std::string_view value)
{
    auto* const message = google::protobuf::Arena::CreateMessage<AttrDef>(&m_arena);
    return parseWire(value, *message) ? message : nullptr;
}

std::optional<std::pair<std::string_view, std::string_view>> mapEntry(std::string_view entry)
{
    std::pair<std::string_view, std::string_view> result;
    WireFields fields(entry);
    for (WireFields::Field field; fields.next(field);) {
        if (field.isMessage && field.number == 1) result.first = field.content;
        if (field.isMessage && field.number == 2) result.second = field.content;
    }
    if (!fields.isSound()) return std::nullopt;
    return result;
}

} // namespace gelens
