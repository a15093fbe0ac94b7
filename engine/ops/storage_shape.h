#pragma once
// Storage layouts of tensors: shape in memory and place of each element, for every format TransData knows.
// Formulae: […, M, N] in FRACTAL_NZ is […, ⌈N/N0⌉, ⌈M/16⌉, 16, N0]; NC1HWC0 splits C into blocks of C0; FRACTAL_Z holds
// filters as blocks of 16 output channels × C0 input channels, groups packed E at a time. Padding elements are zero.

#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gelens {

/// Elements of a 32-byte block row: 16 for 16- and 32-bit types, 32 for 8-bit, 64 for 4-bit, 128 for 2-bit ones, 256
/// bits. (fp32 uses 16 by CANN's default table; a platform with another block passes it explicitly.)
std::int64_t blockSizeOf(DataType dtype);

/// Shape in memory of a tensor of `originShape` in `originFormat` when stored as `format`; unknown dims stay -1.
/// `blockSize` 0 takes the format's C0 code, else the default of the type. Groups of FRACTAL_Z come from
/// `format.group`. Errors: a rank that the format cannot hold, a format without a formula.
Result<Shape> storageShape(TensorFormat format, const Shape& originShape, Format originFormat, DataType dtype,
                           std::int64_t blockSize = 0);

/// Where each element of a tensor lies in a storage format. All dims known.
class StorageMap {
public:
    static Result<StorageMap> make(TensorFormat format, const Shape& originShape, Format originFormat, DataType dtype,
                                   std::int64_t blockSize = 0);

    const Shape& storage() const { return m_storage; }
    /// Offsets in elements into storage, for all elements of the origin tensor in row-major order of its dims.
    /// f(offset) is called once for each.
    template <typename F>
    void forEachOffset(F f) const
    {
        std::vector<std::int64_t> index(m_dims.size(), 0);
        std::int64_t count = 1;
        for (const std::int64_t dim : m_dims) count *= dim;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t offset = 0;
            for (const Term& term : m_terms) {
                std::int64_t at = 0;
                for (const int axis : term.axes)
                    at = at * m_dims[static_cast<std::size_t>(axis)] + index[static_cast<std::size_t>(axis)];
                offset += term.table[static_cast<std::size_t>(at)];
            }
            f(offset);
            for (std::size_t axis = m_dims.size(); axis-- > 0;) {
                if (++index[axis] < m_dims[axis]) break;
                index[axis] = 0;
            }
        }
    }

private:
    friend class StorageMapBuilder;
    /// Part of an offset, by the joint index of some axes. Most formats need one axis a term.
    struct Term {
        std::vector<int> axes;
        std::vector<std::int64_t> table;
    };
    std::vector<std::int64_t> m_dims;
    std::vector<Term> m_terms;
    Shape m_storage;
};

/// Moves a tensor between two storage formats (either may be plain). `originShape` is in `originFormat`'s order; a
/// plain source or target format other than that has its axes permuted. `from` and `to` hold the whole storage tensors.
Status convertStorage(const std::byte* from, TensorFormat source, std::byte* to, TensorFormat target,
                      const Shape& originShape, Format originFormat, DataType dtype, std::int64_t blockSize = 0);

/// `shape` in `from`'s axis order, reordered to `to`'s (both plain, over the same axes).
Result<Shape> reorderAxes(const Shape& shape, Format from, Format to);

} // namespace gelens
