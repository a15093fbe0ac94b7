#include "engine/formats/ge_payloads_internal.h"

#include <array>
#include <cstring>
#include <random>

namespace gelens {
namespace {

/// Smaller payloads are copied: a window costs about as much.
constexpr std::size_t smallest = 4096;

/// Fields on the way from ModelDef to the data of a constant: graph, op, attr, value, t, data.
constexpr std::array<std::uint32_t, 6> way = {7, 6, 10, 2, 12, 2};

std::optional<std::uint64_t> readVarint(std::span<const std::byte> bytes, std::size_t& at)
{
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at >= bytes.size()) return std::nullopt;
        const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
        value |= (byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) return value;
    }
    return std::nullopt;
}

void appendVarint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

void append(std::string& out, std::span<const std::byte> bytes)
{
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Moves behind a field's value; false when it runs past the end.
bool skipValue(std::span<const std::byte> bytes, std::uint64_t wireType, std::size_t& at)
{
    switch (wireType) {
    case 0: return readVarint(bytes, at).has_value();
    case 1: at += 8; return at <= bytes.size();
    case 5: at += 4; return at <= bytes.size();
    default: return false; // groups do not occur
    }
}

} // namespace

std::shared_ptr<const GePayloads> GePayloads::takeOut(std::span<const std::byte> bytes,
                                                      std::shared_ptr<const void> owner)
{
    auto payloads = std::make_shared<GePayloads>();
    payloads->m_owner = std::move(owner);
    std::random_device random; // no file can hold a mark of its own
    payloads->m_mark = "payload " + std::to_string(random()) + "-" + std::to_string(random()) + " ";
    if (!payloads->m_owner || !payloads->copy(bytes, 0, payloads->m_bare) || payloads->m_payloads.empty())
        return nullptr;
    return payloads;
}

/// Copies one message on the way; `level` bounds the recursion.
bool GePayloads::copy(std::span<const std::byte> message, std::size_t level, std::string& out)
{
    std::size_t at = 0;
    while (at < message.size()) {
        const std::size_t start = at;
        const auto key = readVarint(message, at);
        if (!key) return false;
        if ((*key & 7) != 2) {
            if (!skipValue(message, *key & 7, at)) return false;
            append(out, message.subspan(start, at - start));
            continue;
        }
        const auto length = readVarint(message, at);
        if (!length || *length > message.size() - at) return false;
        const auto content = message.subspan(at, static_cast<std::size_t>(*length));
        at += content.size();
        if (*key >> 3 != way[level] || content.size() < smallest) {
            append(out, message.subspan(start, at - start));
            continue;
        }
        std::string inner;
        if (level + 1 == way.size()) {
            inner = m_mark + std::to_string(m_payloads.size());
            m_payloads.push_back(content);
        } else if (!copy(content, level + 1, inner)) {
            return false;
        }
        appendVarint(out, *key);
        appendVarint(out, inner.size());
        out += inner;
    }
    return true;
}

std::optional<Bytes> GePayloads::find(std::string_view data) const
{
    if (data.size() > m_mark.size() + 20 || !data.starts_with(m_mark)) return std::nullopt;
    const std::size_t index = std::strtoull(std::string(data.substr(m_mark.size())).c_str(), nullptr, 10);
    if (index >= m_payloads.size()) return std::nullopt;
    return Bytes::window(m_owner, m_payloads[index].data(), m_payloads[index].size());
}

} // namespace gelens
