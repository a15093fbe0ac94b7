#include "engine/graph/shape.h"

namespace gelens {

bool Shape::isStatic() const
{
    for (const std::int64_t dim : m_dims)
        if (dim < 0) return false;
    return true;
}

std::string_view Shape::symbol(std::size_t i) const
{
    return i < m_symbols.size() ? std::string_view(m_symbols[i]) : std::string_view();
}

void Shape::setSymbol(std::size_t i, std::string name)
{
    if (m_symbols.size() != m_dims.size()) {
        if (name.empty()) return;
        m_symbols.resize(m_dims.size());
    }
    m_symbols[i] = std::move(name);
    for (const std::string& symbol : m_symbols)
        if (!symbol.empty()) return;
    m_symbols.clear(); // no name left: equal to a shape that never had one
}

void Shape::setDim(std::size_t i, std::int64_t value)
{
    m_dims[i] = value;
    if (value >= 0) setSymbol(i, {});
}

void Shape::append(std::int64_t value, std::string_view symbolName)
{
    m_dims.push_back(value);
    if (!m_symbols.empty()) m_symbols.emplace_back();
    if (!symbolName.empty()) setSymbol(m_dims.size() - 1, std::string(symbolName));
}

std::optional<std::int64_t> Shape::elementCount() const
{
    constexpr std::int64_t limit = std::int64_t{1} << 62;
    std::int64_t count = 1;
    bool hasZero = false;
    for (const std::int64_t dim : m_dims) {
        if (dim < 0) return std::nullopt;
        if (dim == 0) {
            hasZero = true;
            continue;
        }
        if (count > limit / dim) return std::nullopt;
        count *= dim;
    }
    return hasZero ? 0 : count;
}

std::string Shape::text() const
{
    if (!hasRank()) return "[...]";
    std::string text = "[";
    for (std::size_t i = 0; i < m_dims.size(); ++i) {
        if (i > 0) text += ", ";
        if (m_dims[i] >= 0)
            text += std::to_string(m_dims[i]);
        else
            text += symbol(i).empty() ? std::string_view("?") : symbol(i);
    }
    return text + "]";
}

} // namespace gelens
