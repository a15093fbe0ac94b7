#include "engine/memory/csv_instance.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <unordered_set>

namespace gelens {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; };
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (std::size_t from = 0;;) {
        const std::size_t comma = line.find(',', from);
        fields.push_back(trimmed(line.substr(from, comma == std::string_view::npos ? comma : comma - from)));
        if (comma == std::string_view::npos) return fields;
        from = comma + 1;
    }
}

class Reader {
public:
    explicit Reader(std::string_view fileName) : m_file(fileName) {}

    Result<CsvInstance> read(std::string_view text)
    {
        if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::string_view line = trimmed(text.substr(0, end));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            ++m_line;
            if (line.empty()) continue;
            GELENS_TRY(m_columns.empty() ? readHeader(line) : readRow(line));
        }
        if (m_columns.empty())
            return Error::invalid("the file is empty; a header 'id,lower,upper,size' is expected", m_file);
        return std::move(m_instance);
    }

private:
    Error error(std::string text) const
    {
        return Error::invalid(std::move(text), fmt::format("{}:{}", m_file, m_line));
    }

    Status readHeader(std::string_view line)
    {
        for (const std::string_view field : fieldsOf(line)) m_columns.emplace_back(field);
        for (const char* name : {"id", "lower", "upper", "size"}) {
            const auto found = std::find(m_columns.begin(), m_columns.end(), name);
            if (found == m_columns.end())
                return error(fmt::format("the header has no column '{}'; 'id,lower,upper,size' is expected", name));
            m_wanted.push_back(static_cast<std::size_t>(found - m_columns.begin()));
        }
        return {};
    }

    Result<std::int64_t> number(std::string_view field, std::string_view column) const
    {
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
        if (problem != std::errc() || end != field.data() + field.size())
            return error(fmt::format("'{}' in column '{}' is no whole number of 64 bits", field.substr(0, 40), column));
        return value;
    }

    Status readRow(std::string_view line)
    {
        const std::vector<std::string_view> fields = fieldsOf(line);
        if (fields.size() < m_columns.size())
            return error(fmt::format("{} fields, the header names {}", fields.size(), m_columns.size()));
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            if (m_columns[i] == "alignment" && fields[i] != "1" && !fields[i].empty())
                return error("only an alignment of 1 is supported");
            if (m_columns[i] == "gaps" && !fields[i].empty()) return error("gaps within a buffer are not supported");
        }
        PlanItem item;
        GELENS_ASSIGN(item.lower, number(fields[m_wanted[1]], "lower"));
        GELENS_ASSIGN(item.upper, number(fields[m_wanted[2]], "upper"));
        GELENS_ASSIGN(item.size, number(fields[m_wanted[3]], "size"));
        if (item.upper < item.lower) return error(fmt::format("upper {} is before lower {}", item.upper, item.lower));
        if (item.size < 0) return error(fmt::format("the size {} is negative", item.size));
        constexpr std::int64_t limit = std::int64_t{1} << 62;
        if (item.size > limit - m_sum) return error("the sizes add up to more than 2^62");
        // Differences of times must fit as well.
        if (item.lower < -limit || item.upper > limit) return error("a time lies beyond 2^62");
        m_sum += item.size;
        const std::string_view id = fields[m_wanted[0]];
        if (id.empty()) return error("the id is empty");
        if (!m_seen.emplace(id).second) return error(fmt::format("the id '{}' comes twice", id.substr(0, 40)));
        m_instance.ids.emplace_back(id);
        m_instance.items.push_back(item);
        return {};
    }

    std::string m_file;
    int m_line = 0;
    std::vector<std::string> m_columns;
    std::vector<std::size_t> m_wanted;
    std::unordered_set<std::string> m_seen;
    std::int64_t m_sum = 0;
    CsvInstance m_instance;
};

} // namespace

Result<CsvInstance> readCsvInstance(std::string_view text, std::string_view fileName)
{
    return Reader(fileName).read(text);
}

} // namespace gelens
