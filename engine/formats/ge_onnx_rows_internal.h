#pragma once
// The flat list of attributes that a ge_onnx node has: what its skeleton and its decoding both know of the rows.
// Private to this folder, for .cpp files only.

#include "engine/formats/text_memo_internal.h"
#include "engine/formats/text_scan_internal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace gelens {

/// Of one side of a node; beyond that a number in a row is damage.
inline constexpr std::int64_t maxOnnxDescriptors = 65'536;

/// Rows of a constant's value, and their places in the list.
enum class ConstantRow { Dtype, Dims, Layout, Device, Data };
inline constexpr std::array<std::string_view, 5> constantRows = {
    "value_desc_dtype", "value_desc_shape", "value_desc_layout", "value_desc_device_type", "value_data"};

/// `name: "…"` at the beginning of an attribute.
inline std::optional<std::string_view> readOnnxName(TextScan& scan, bool& hasEscapes)
{
    if (scan.literal("\n      name: \"")) // as GE prints it
        return scan.behindQuote(hasEscapes);
    hasEscapes = false;
    return scan.word() == "name" && scan.sign(':') ? scan.quoted(hasEscapes) : std::nullopt;
}

/// Rows of numbers that differ between nodes of one kind.
enum class NumberRow { Shape, OriginShape, Size };
inline constexpr int numberRows = 3;
inline int numberTag(int descriptor, NumberRow row) { return descriptor * numberRows + static_cast<int>(row); }

/// The rows of one side's descriptors, which stand together as GE writes them: where they are, and whether they are, but
/// for numbers, the same as in another node, so that what was read there (`Known`) holds here too.
template <typename Known>
class DescRowRun {
public:
    bool isKnown() const { return m_isKnown; }

    /// With `scan` behind the '{' of an attribute: goes over the rows when their text is known. Null when it is not.
    const Known* take(TextScan& scan, bool isInput)
    {
        if (m_start || m_isKnown) return nullptr;
        constexpr std::string_view printed = "\n      name: ";
        const std::string_view head = scan.rest().substr(0, 64), mark = isInput ? "\"input_desc_" : "\"output_desc_";
        const auto quote = head.starts_with(printed) ? printed.size() : head.find('"');
        if (quote >= head.size() || !head.substr(quote).starts_with(mark)) return nullptr;
        const Known* const known = memo().find(scan);
        m_isKnown = known != nullptr;
        return known;
    }

    /// One row, the node's `field`th field. False when it stands apart from rows that were known: such a node is the
    /// tolerant reader's.
    bool add(const char* start, std::int64_t field)
    {
        if (m_isKnown) return false;
        if (!m_start)
            m_start = start;
        else
            m_isBroken = m_isBroken || m_last + 1 != field;
        m_last = field;
        ++m_rows;
        return true;
    }
    void endAt(const char* end) { m_end = end; } ///< behind the '}' of the row added last
    std::int64_t rows() const { return m_rows; }

    /// Whether the rows, read here and of so many descriptors, are worth keeping for the next node.
    bool isWorthKeeping(std::size_t descriptors) const
    {
        return m_start && !m_isBroken && descriptors <= 64; // a node with more is hardly like another one
    }
    void keep(Known known, const NumberRuns& numbers) const
    {
        memo().add({m_start, static_cast<std::size_t>(m_end - m_start)}, numbers, std::move(known));
    }
    /// Hands over the numbers of the rows taken last, as they stand in this node: descriptor, row, numbers.
    template <typename Take>
    static void eachNumberRow(Take&& take)
    {
        memo().eachRun([&take](int tag, std::span<const std::int64_t> numbers) {
            take(static_cast<std::size_t>(tag / numberRows), static_cast<NumberRow>(tag % numberRows), numbers);
        });
    }

private:
    static TextMemo<Known>& memo()
    {
        thread_local TextMemo<Known> rows;
        return rows;
    }

    const char* m_start = nullptr; ///< behind the first '{'
    const char* m_end = nullptr;   ///< behind the last '}'
    std::int64_t m_last = 0, m_rows = 0;
    bool m_isBroken = false; ///< something else stands between
    bool m_isKnown = false;
};

} // namespace gelens
