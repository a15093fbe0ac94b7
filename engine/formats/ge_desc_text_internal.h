#pragma once
// Descriptors straight from ge_proto text, and a memory of those read last. The layers of a network repeat each other's
// descriptors but for their dimensions and sizes: to compare the words and read the numbers alone is several times
// quicker than to read all of it once more. Private to this folder, for .cpp files only.

#include "engine/formats/ge_ir_internal.h"
#include "engine/formats/text_scan_internal.h"

#include <array>
#include <span>

namespace gelens {

/// Where the numbers of one descriptor stand that differ between descriptors of one kind.
class DescNumbers {
public:
    enum Kind : std::uint8_t { Dims, OriginShape, Size };
    struct Run {
        Kind kind = Dims;
        const char* start = nullptr;  ///< a list: from behind its '{'
        const char* digits = nullptr; ///< its first number
        const char* end = nullptr;    ///< behind its last number
    };

    void begin(Kind kind, const char* place);
    void add(const char* digits, const char* end); ///< one number of the run begun last
    void spoil() { m_isPlain = false; }            ///< numbers stand apart from each other

    /// False when something is said twice or in pieces: then only a reader knows what it means.
    bool isPlain() const { return m_isPlain; }
    std::span<const Run> runs() const { return {m_runs.data(), m_count}; }

private:
    std::array<Run, 3> m_runs;
    std::size_t m_count = 0;
    bool m_isPlain = true;
};

/// A TensorDescriptor from behind its '{' up to its '}'. Attributes beyond the facts go to `attrs`; without one they are
/// skipped and `hasMore` tells that there are some.
bool readDescFacts(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, bool& hasMore, DescNumbers& numbers);

/// Holds copies of the texts, so that it may outlive the dump that they came from. Not for several threads at once.
class DescMemo {
public:
    struct Known {
        DescFacts facts; ///< its numbers are those of the text found last
        AttrMap::Map attrs;
        bool hasMore = false;
    };

    /// The descriptor that begins at the scan, which then stands behind it; null, and the scan unmoved, when no known one does.
    const Known* find(TextScan& scan);
    /// The descriptor that find() gave, with the numbers that it read.
    TensorDesc descOf(const Known& known) const;
    /// In the place of the one that was of no use for the longest time.
    void add(std::string_view text, const DescNumbers& numbers, Known known);

private:
    static constexpr std::size_t maxText = 16 << 10;

    struct Run {
        DescNumbers::Kind kind = DescNumbers::Dims;
        std::size_t begin = 0, end = 0;
        std::size_t lead = 0; ///< characters before the first number; 0 for a list without any
    };
    struct Entry {
        std::string text; ///< empty: free
        std::array<Run, 3> run;
        std::size_t runs = 0;
        Known known;
    };

    bool matches(const Entry& entry, TextScan& scan);
    bool readRun(const Run& run, std::string_view lead, TextScan& scan);
    void toFront(std::size_t i);

    std::array<Entry, 16> m_entries;
    std::array<unsigned char, 16> m_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    std::vector<std::int64_t> m_dims, m_originShape; // of the text found last
    std::int64_t m_size = 0;
};

} // namespace gelens
