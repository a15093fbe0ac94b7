#include "engine/formats/text_scan_internal.h"

#include "engine/formats/text_proto_reader_internal.h"

#include <bit>
#include <charconv>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gelens {
namespace {

/// One bit for each of 64 characters.
struct Masks {
    std::uint64_t quote = 0, slash = 0, open = 0, close = 0, newline = 0;
    std::uint64_t odd = 0; ///< what only the tolerant reader understands, unless it stands in a string
};

#if defined(__x86_64__)

[[gnu::always_inline]] inline Masks masksOf(const char* text)
{
    Masks masks;
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const auto bits = [part](__m128i hits) {
            return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(hits))) << (16 * part);
        };
        const auto is = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
        masks.quote |= bits(is('"'));
        masks.slash |= bits(is('\\'));
        masks.open |= bits(is('{'));
        masks.close |= bits(is('}'));
        masks.newline |= bits(is('\n'));
        // '<' and '>' differ in one bit.
        const __m128i angle = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(2)), _mm_set1_epi8('>'));
        const __m128i zero = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
        masks.odd |= bits(_mm_or_si128(_mm_or_si128(angle, zero), _mm_or_si128(is('\''), is('#'))));
    }
    return masks;
}

/// The same with registers of twice the width, where the processor has them.
[[gnu::target("avx2"), gnu::always_inline]] inline Masks masksOfWide(const char* text)
{
    Masks masks;
    for (int part = 0; part < 2; ++part) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32 * part));
        const auto bits = [part](__m256i hits) __attribute__((target("avx2")))
        {
            return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(hits))) << (32 * part);
        };
        const auto is = [&](char c) __attribute__((target("avx2")))
        {
            return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
        };
        masks.quote |= bits(is('"'));
        masks.slash |= bits(is('\\'));
        masks.open |= bits(is('{'));
        masks.close |= bits(is('}'));
        masks.newline |= bits(is('\n'));
        const __m256i angle = _mm256_cmpeq_epi8(_mm256_or_si256(bytes, _mm256_set1_epi8(2)), _mm256_set1_epi8('>'));
        const __m256i zero = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
        masks.odd |= bits(_mm256_or_si256(_mm256_or_si256(angle, zero), _mm256_or_si256(is('\''), is('#'))));
    }
    return masks;
}

#else

inline Masks masksOf(const char* text)
{
    Masks masks;
    for (int i = 0; i < 64; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        switch (text[i]) {
        case '"': masks.quote |= bit; break;
        case '\\': masks.slash |= bit; break;
        case '{': masks.open |= bit; break;
        case '}': masks.close |= bit; break;
        case '\n': masks.newline |= bit; break;
        case '<':
        case '>':
        case '\'':
        case '#':
        case '\0': masks.odd |= bit; break;
        default: break;
        }
    }
    return masks;
}

#endif

/// What one block of 64 characters hands to the next.
struct SkipState {
    std::uint64_t inString = 0;  ///< all ones while a string is open
    std::uint64_t isEscaped = 0; ///< 1 when the last character was a backslash that escapes the next
    int depth = 1;
};

enum class Step { Go, Found, Odd };

/// Characters behind a backslash that is not itself escaped.
[[gnu::always_inline]] inline std::uint64_t escapedOf(std::uint64_t slash, SkipState& state)
{
    std::uint64_t escaped = state.isEscaped;
    std::uint64_t left = slash & ~escaped;
    state.isEscaped = 0;
    while (left != 0) { // a run of backslashes is short, and most blocks have none
        const int at = std::countr_zero(left);
        if (at == 63) {
            state.isEscaped = 1;
            break;
        }
        const std::uint64_t next = std::uint64_t{2} << at;
        escaped |= next;
        left &= ~(next | (next - 1));
    }
    return escaped;
}

[[gnu::always_inline]] inline Step stepOver(const Masks& masks, SkipState& state, std::size_t& found)
{
    std::uint64_t quote = masks.quote;
    if ((masks.slash | state.isEscaped) != 0) quote &= ~escapedOf(masks.slash, state);
    // Each bit becomes the parity of the quotes up to it.
    std::uint64_t inside = quote;
    inside ^= inside << 1;
    inside ^= inside << 2;
    inside ^= inside << 4;
    inside ^= inside << 8;
    inside ^= inside << 16;
    inside ^= inside << 32;
    inside ^= state.inString;
    if (((masks.odd & ~inside) | (masks.newline & inside)) != 0) {
        // What stands behind the end of this message is none of our business.
        const int first = std::countr_zero((masks.odd & ~inside) | (masks.newline & inside));
        const std::uint64_t before = (std::uint64_t{1} << first) - 1;
        int depth = state.depth;
        for (std::uint64_t left = (masks.open | masks.close) & ~inside & before; left != 0; left &= left - 1) {
            const int at = std::countr_zero(left);
            depth += (masks.open >> at & 1) != 0 ? 1 : -1;
            if (depth == 0) {
                found = static_cast<std::size_t>(at) + 1;
                return Step::Found;
            }
        }
        return Step::Odd;
    }
    state.inString = static_cast<std::uint64_t>(static_cast<std::int64_t>(inside) >> 63);
    const std::uint64_t open = masks.open & ~inside, close = masks.close & ~inside;
    if (std::popcount(close) < state.depth) {
        state.depth += std::popcount(open) - std::popcount(close);
        return Step::Go;
    }
    for (std::uint64_t left = open | close; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        state.depth += (open >> at & 1) != 0 ? 1 : -1;
        if (state.depth == 0) {
            found = static_cast<std::size_t>(at) + 1;
            return Step::Found;
        }
    }
    return Step::Go;
}

/// The last block, filled up with blanks.
struct Tail {
    char block[64];
    explicit Tail(std::string_view rest)
    {
        std::memset(block, ' ', sizeof block);
        std::memcpy(block, rest.data(), rest.size());
    }
};

std::optional<std::size_t> skipPlain(std::string_view text)
{
    SkipState state;
    std::size_t at = 0, found = 0;
    for (; text.size() - at >= 64; at += 64) {
        const Step step = stepOver(masksOf(text.data() + at), state, found);
        if (step == Step::Found) return at + found;
        if (step == Step::Odd) return std::nullopt;
    }
    const Tail tail(text.substr(at));
    return stepOver(masksOf(tail.block), state, found) == Step::Found ? std::optional(at + found) : std::nullopt;
}

#if defined(__x86_64__)
[[gnu::target("avx2,popcnt,bmi")]] std::optional<std::size_t> skipWide(std::string_view text)
{
    SkipState state;
    std::size_t at = 0, found = 0;
    for (; text.size() - at >= 64; at += 64) {
        const Step step = stepOver(masksOfWide(text.data() + at), state, found);
        if (step == Step::Found) return at + found;
        if (step == Step::Odd) return std::nullopt;
    }
    const Tail tail(text.substr(at));
    return stepOver(masksOfWide(tail.block), state, found) == Step::Found ? std::optional(at + found) : std::nullopt;
}

const bool hasWideRegisters = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif

/// Characters before the next quote, backslash or line's end.
std::size_t plainLength(const char* text, const char* end)
{
    const char* at = text;
#if defined(__x86_64__)
    for (; end - at >= 16; at += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i stops = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
        if (const auto bits = static_cast<unsigned>(_mm_movemask_epi8(stops)); bits != 0)
            return static_cast<std::size_t>(at - text) + static_cast<std::size_t>(std::countr_zero(bits));
    }
#endif
    while (at < end && *at != '"' && *at != '\\' && *at != '\n') ++at;
    return static_cast<std::size_t>(at - text);
}

} // namespace

std::optional<std::size_t> skipTextMessage(std::string_view text)
{
#if defined(__x86_64__)
    if (hasWideRegisters) return skipWide(text);
#endif
    return skipPlain(text);
}

std::optional<std::int64_t> TextScan::integer()
{
    if (!space()) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(m_at, m_end, value);
    // Octal, hexadecimal and floating numbers are the tolerant reader's.
    if (code != std::errc() || (*m_at == '0' && end - m_at > 1) ||
        (end < m_end && kinds[static_cast<unsigned char>(*end)] == Word))
        return std::nullopt;
    m_at = end;
    return value;
}

std::optional<std::string_view> TextScan::quoted()
{
    bool hasEscapes = false;
    return quoted(hasEscapes);
}

std::optional<std::string_view> TextScan::behindQuote(bool& hasEscapes)
{
    hasEscapes = false;
    const char* const start = m_at;
    const char* at = m_at;
    for (;;) {
        at += plainLength(at, m_end);
        if (at >= m_end || *at == '\n') return std::nullopt;
        if (*at == '"') break;
        hasEscapes = true;
        at += 2;
        if (at > m_end) return std::nullopt;
    }
    m_at = at + 1;
    return std::string_view(start, static_cast<std::size_t>(at - start));
}

bool TextScan::readReal(float& out)
{
    if (!space()) return false;
    const char* const first = m_at + (*m_at == '-');
    float value = 0;
    const auto [stop, code] = std::from_chars(first, m_end, value);
    if (code != std::errc() || *first < '0' || *first > '9' || stop == m_end ||
        kinds[static_cast<unsigned char>(*stop)] != Blank)
        return false;
    out = *m_at == '-' ? -value : value;
    m_at = stop;
    return true;
}

bool TextScan::readText(std::string& out)
{
    bool hasEscapes = false;
    const auto content = quoted(hasEscapes);
    if (!content || isNext('"')) // a split string is the tolerant reader's
        return false;
    if (!hasEscapes)
        out.assign(*content);
    else
        out = unescapedText(*content);
    return true;
}

std::size_t unescapedLength(std::string_view content)
{
    std::size_t length = content.size();
    for (std::size_t at = content.find('\\'); at != std::string_view::npos; at = content.find('\\', at)) {
        std::size_t end = at + 2;
        if (at + 1 < content.size() && content[at + 1] >= '0' && content[at + 1] <= '7') {
            while (end < content.size() && end < at + 4 && content[end] >= '0' && content[end] <= '7') ++end;
        } else if (at + 1 < content.size() &&
                   std::string_view("xXuU").find(content[at + 1]) != std::string_view::npos) {
            return unescapedText(content).size();
        }
        length -= end - at - 1;
        at = end;
    }
    return length;
}

std::string unescapedText(std::string_view content)
{
    std::string text;
    text.reserve(content.size()); // growing would leave up to half of it unused
    appendUnescaped(content, text);
    return text;
}

} // namespace gelens
