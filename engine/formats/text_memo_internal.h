#pragma once
// What the last texts of a kind were read as. The layers of a network repeat each other, and so do the descriptors and
// lists of attributes in its dump: to compare a text is many times quicker than to read it once more.
// Private to this folder.

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace gelens {

/// Holds copies of the texts, so that an entry may outlive the dump that it came from. Only for a reading that depends
/// on nothing but its text, and that stops where the text ends whatever stands behind. Not for several threads at once.
template <typename Value>
class TextMemo {
public:
    struct Entry {
        std::string text; ///< empty: free
        Value value;
    };

    /// The entry whose text `rest` begins with, or null.
    const Entry* find(std::string_view rest)
    {
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const std::size_t place = m_order[i];
            const std::string& text = m_entries[place].text;
            if (text.empty())
                break; // those behind were never used
            if (text.size() > rest.size() || std::memcmp(text.data(), rest.data(), text.size()) != 0)
                continue;
            toFront(i);
            return &m_entries[place];
        }
        return nullptr;
    }

    /// In the place of the one that was of no use for the longest time.
    void add(std::string_view text, Value value)
    {
        if (text.empty() || text.size() > maxText)
            return;
        Entry& entry = m_entries[m_order.back()];
        toFront(m_order.size() - 1);
        entry.text.assign(text);
        entry.value = std::move(value);
    }

private:
    static constexpr std::size_t maxText = 16 << 10;

    void toFront(std::size_t i)
    {
        const std::size_t place = m_order[i];
        for (; i > 0; --i)
            m_order[i] = m_order[i - 1];
        m_order[0] = static_cast<unsigned char>(place);
    }

    std::array<Entry, 16> m_entries;
    std::array<unsigned char, 16> m_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

} // namespace gelens
