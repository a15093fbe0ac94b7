#pragma once
// What the last texts of a kind were read as. The layers of a network repeat each other, and so do the descriptors and
// rows of attributes in its dump, but for some numbers: to compare the words and read these numbers alone is many times
// quicker than to read all of it once more. Private to this folder.

#include "engine/formats/text_scan_internal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelens {

/// Where the numbers of one text stand that differ between texts of a kind: runs like "dim: 1 dim: 332", in which the
/// same words stand before each number.
class NumberRuns {
public:
    struct Run {
        int tag = 0;                  ///< what the numbers mean; the reader's business
        bool isSingle = false;        ///< just one number, or else any count of them, none included
        const char* start = nullptr;  ///< behind what always stands there
        const char* digits = nullptr; ///< its first number
        const char* end = nullptr;    ///< behind its last number
    };

    void begin(int tag, const char* place, bool isSingle = false)
    {
        m_runs.push_back({tag, isSingle, place, place, place});
        m_isPlain = m_isPlain && m_runs.size() <= maxRuns;
    }
    /// One number of the run begun last.
    void add(const char* digits, const char* end)
    {
        Run& run = m_runs.back();
        if (run.end == run.start) run.digits = digits;
        run.end = end;
    }
    void spoil() { m_isPlain = false; } ///< numbers stand apart from each other, or are said twice
    bool has(int tag) const
    {
        return std::any_of(m_runs.begin(), m_runs.end(), [tag](const Run& run) { return run.tag == tag; });
    }

    /// False where only a reader knows what the numbers mean.
    bool isPlain() const { return m_isPlain; }
    const std::vector<Run>& runs() const { return m_runs; }

private:
    static constexpr std::size_t maxRuns = 256;
    std::vector<Run> m_runs;
    bool m_isPlain = true;
};

/// Holds copies of the texts, so that an entry may outlive the dump that it came from. Only for a reading that depends
/// on nothing but its text, and that stops where the text ends whatever stands behind. Not for several threads at once.
template <typename Value>
class TextMemo {
public:
    /// The value of the text that begins at the scan, which then stands behind it; null, and the scan unmoved, where no
    /// known text does. Its numbers are those of eachRun().
    const Value* find(TextScan& scan)
    {
        const char* const start = scan.at();
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const std::size_t place = m_order[i];
            const Entry& entry = m_entries[place];
            if (entry.text.empty()) break; // those behind were never used
            if (matches(entry, scan)) {
                toFront(i);
                m_found = place;
                return &entry.value;
            }
            scan.jump(start);
        }
        return nullptr;
    }

    /// The numbers of the text found last, run by run, with the tag of each.
    template <typename Take>
    void eachRun(Take&& take) const
    {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < m_ends.size(); ++i) {
            take(m_entries[m_found].runs[i].tag, std::span(m_numbers).subspan(begin, m_ends[i] - begin));
            begin = m_ends[i];
        }
    }

    /// In the place of the one that was of no use for the longest time.
    void add(std::string_view text, const NumberRuns& numbers, Value value)
    {
        if (text.empty() || text.size() > maxText || !numbers.isPlain()) return;
        Entry& entry = m_entries[m_order.back()];
        toFront(m_order.size() - 1);
        entry.text.assign(text);
        entry.value = std::move(value);
        entry.runs.clear();
        for (const NumberRuns::Run& run : numbers.runs())
            entry.runs.push_back({run.tag, run.isSingle, static_cast<std::size_t>(run.start - text.data()),
                                  static_cast<std::size_t>(run.end - text.data()),
                                  static_cast<std::size_t>(run.digits - run.start)});
        std::sort(entry.runs.begin(), entry.runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
    }

private:
    static constexpr std::size_t maxText = 16 << 10;

    struct Run {
        int tag = 0;
        bool isSingle = false;
        std::size_t begin = 0, end = 0;
        std::size_t lead = 0; ///< characters before each number; 0 for a list without any
    };
    struct Entry {
        std::string text;      ///< empty: free
        std::vector<Run> runs; ///< in the order of the text
        Value value;
    };

    bool matches(const Entry& entry, TextScan& scan)
    {
        const std::string_view text = entry.text;
        m_numbers.clear();
        m_ends.clear();
        std::size_t done = 0;
        for (const Run& run : entry.runs) {
            if (!scan.text(text.substr(done, run.begin - done))) return false;
            const std::string_view lead = text.substr(run.begin, run.lead);
            if (run.isSingle) {
                if (!scan.text(lead) || !scan.appendNumber(m_numbers)) return false;
            } else {
                while (!lead.empty() && scan.text(lead))
                    if (!scan.appendNumber(m_numbers)) return false;
            }
            m_ends.push_back(m_numbers.size());
            done = run.end;
        }
        return scan.text(text.substr(done));
    }

    void toFront(std::size_t i)
    {
        const auto place = m_order[i];
        for (; i > 0; --i) m_order[i] = m_order[i - 1];
        m_order[0] = place;
    }

    std::array<Entry, 16> m_entries;
    std::array<unsigned char, 16> m_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    std::size_t m_found = 0;
    std::vector<std::int64_t> m_numbers; // of the text found last
    std::vector<std::size_t> m_ends;
};

} // namespace gelens
