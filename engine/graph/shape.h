#pragma once
// Dimensions of a tensor, known or symbolic.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

inline constexpr std::int64_t unknownDim = -1;      ///< one dimension is not known
inline constexpr std::int64_t unknownRankMark = -2; ///< alone: not even the rank is known

/// Row-major dims. An empty list is a scalar. A dimension of -1 may carry the name of the symbol it stands for
/// ("batch"); names are kept only where there is one.
class Shape {
public:
    Shape() = default;
    Shape(std::initializer_list<std::int64_t> dims) : m_dims(dims) {}
    explicit Shape(std::vector<std::int64_t> dims) : m_dims(std::move(dims)) {}
    static Shape unknownRank() { return Shape{unknownRankMark}; }

    bool hasRank() const { return !(m_dims.size() == 1 && m_dims[0] == unknownRankMark); }
    /// 0 for a scalar and for an unknown rank; ask hasRank() first.
    int rank() const { return hasRank() ? static_cast<int>(m_dims.size()) : 0; }
    bool isScalar() const { return m_dims.empty(); }
    /// Every dimension is known and not negative.
    bool isStatic() const;
    std::int64_t operator[](std::size_t i) const { return m_dims[i]; }
    std::int64_t dim(int i) const { return m_dims[static_cast<std::size_t>(i < 0 ? i + rank() : i)]; }
    const std::vector<std::int64_t>& dims() const { return m_dims; }

    /// Name of the symbol at dimension i, or empty.
    std::string_view symbol(std::size_t i) const;
    void setSymbol(std::size_t i, std::string name);
    void setDim(std::size_t i, std::int64_t value);
    void append(std::int64_t value, std::string_view symbolName = {});

    /// Product of the dims; nothing when a dim is unknown or the product overflows 2^62.
    std::optional<std::int64_t> elementCount() const;
    /// "[1, 3, batch, ?]"; "[]" for a scalar; "[...]" for an unknown rank.
    std::string text() const;

    bool operator==(const Shape& other) const = default;

private:
    std::vector<std::int64_t> m_dims;
    std::vector<std::string> m_symbols; // empty, or as long as m_dims
};

} // namespace gelens
