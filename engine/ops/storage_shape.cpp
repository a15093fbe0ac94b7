#include "engine/ops/storage_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

namespace gelens {
namespace {

constexpr std::int64_t cubeRows = 16; // M0, and N0 of filters

/// Axis letters of a plain format; empty for ND and private formats.
std::string_view axisLetters(Format format)
{
    switch (format) {
    case Format::NCHW: return "NCHW";
    case Format::NHWC: return "NHWC";
    case Format::HWCN: return "HWCN";
    case Format::CHWN: return "CHWN";
    case Format::NCDHW: return "NCDHW";
    case Format::NDHWC: return "NDHWC";
    case Format::DHWCN: return "DHWCN";
    case Format::DHWNC: return "DHWNC";
    case Format::NCL: return "NCL";
    case Format::NC: return "NC";
    case Format::CN: return "CN";
    default: return {};
    }
}

bool isPlain(Format format) { return format == Format::ND || !axisLetters(format).empty(); }

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return a < 0 ? unknownDim : (a + b - 1) / b; }

std::int64_t times(std::initializer_list<std::int64_t> factors)
{
    std::int64_t result = 1;
    for (const std::int64_t factor : factors) {
        if (factor < 0) return unknownDim;
        if (__builtin_mul_overflow(result, factor, &result)) return unknownDim;
    }
    return result;
}

/// Sizes of a filter or feature map by letter, and the axis of the origin tensor behind each (-1: not there, size 1).
struct Axes {
    std::int64_t n = 1, c = 1, d = 1, h = 1, w = 1;
    int axisN = -1, axisC = -1, axisD = -1, axisH = -1, axisW = -1;
};

Result<Axes> namedAxes(const Shape& shape, Format origin, std::string_view wanted, std::string_view formatText)
{
    std::string_view letters = axisLetters(origin);
    if (origin == Format::ND && shape.rank() == static_cast<int>(wanted.size())) letters = wanted;
    if (static_cast<int>(letters.size()) != shape.rank() || letters.size() != wanted.size())
        return Error::invalid(fmt::format("a tensor of shape {} in {} cannot be stored as {}", shape.text(),
                                          formatName(origin), formatText));
    Axes axes;
    for (int i = 0; i < shape.rank(); ++i) {
        const std::int64_t size = shape.dim(i);
        switch (letters[static_cast<std::size_t>(i)]) {
        case 'N':
            axes.n = size;
            axes.axisN = i;
            break;
        case 'C':
            axes.c = size;
            axes.axisC = i;
            break;
        case 'D':
            axes.d = size;
            axes.axisD = i;
            break;
        case 'H':
            axes.h = size;
            axes.axisH = i;
            break;
        default:
            axes.w = size;
            axes.axisW = i;
            break;
        }
    }
    return axes;
}

std::int64_t blockOf(TensorFormat format, DataType dtype, std::int64_t stated)
{
    switch (format.primary) {
    case Format::NC1HWC0C04: return 4;
    case Format::FractalNzC02: return 2;
    case Format::FractalNzC04: return 4;
    case Format::FractalNzC08: return 8;
    case Format::FractalNzC016: return 16;
    case Format::FractalNzC032: return 32;
    default: break;
    }
    if (stated > 0) return stated;
    if (format.c0Code > 0) return std::int64_t{1} << (format.c0Code - 1);
    return blockSizeOf(dtype);
}

/// How groups of a filter share blocks: E groups side by side fill whole blocks.
struct GroupPacking {
    std::int64_t groups = 1, perBlock = 1;        ///< G, E
    std::int64_t inChannels = 1, outChannels = 1; ///< of one group
};

Result<GroupPacking> packGroups(const Axes& axes, std::int64_t groups, std::int64_t c0)
{
    GroupPacking packing;
    packing.groups = std::max<std::int64_t>(groups, 1);
    packing.inChannels = axes.c;
    packing.outChannels = axes.n;
    if (packing.groups == 1) return packing;
    if (axes.n < 0 || axes.c < 1) return Error::invalid("a grouped filter needs known channels");
    if (axes.n % packing.groups != 0)
        return Error::invalid(fmt::format("{} output channels cannot be divided into {} groups", axes.n, groups));
    packing.outChannels = axes.n / packing.groups;
    if (packing.outChannels < 1) return Error::invalid("a grouped filter needs output channels");
    packing.perBlock =
        std::min(std::lcm(c0 / std::gcd(packing.inChannels, c0), cubeRows / std::gcd(packing.outChannels, cubeRows)),
                 packing.groups);
    return packing;
}

bool isNz(Format format)
{
    switch (format) {
    case Format::FractalNz:
    case Format::FractalNzC02:
    case Format::FractalNzC04:
    case Format::FractalNzC08:
    case Format::FractalNzC016:
    case Format::FractalNzC032: return true;
    default: return false;
    }
}

Shape nzShape(const Shape& given, std::int64_t n0)
{
    Shape shape = given;
    if (shape.rank() == 1) {
        shape = Shape{1};
        shape.append(given[0], given.symbol(0));
    }
    Shape storage;
    for (int i = 0; i + 2 < shape.rank(); ++i) storage.append(shape.dim(i), shape.symbol(static_cast<std::size_t>(i)));
    storage.append(ceilDiv(shape.dim(-1), n0));
    storage.append(ceilDiv(shape.dim(-2), cubeRows));
    storage.append(cubeRows);
    storage.append(n0);
    return storage;
}

} // namespace

std::int64_t blockSizeOf(DataType dtype)
{
    switch (dataTypeBits(dtype)) {
    case 8: return 32;
    case 4: return 64;
    case 2: return 128;
    case 1: return 256;
    default: return 16;
    }
}

Result<Shape> storageShape(TensorFormat format, const Shape& shape, Format origin, DataType dtype,
                           std::int64_t blockSize)
{
    if (!shape.hasRank()) return shape;
    if (isPlain(format.primary)) return reorderAxes(shape, origin, format.primary);
    const std::int64_t c0 = blockOf(format, dtype, blockSize);
    const std::string text = format.text();
    if (isNz(format.primary)) {
        if (shape.rank() < 1) return Error::invalid(fmt::format("a scalar cannot be stored as {}", text));
        return nzShape(shape, c0);
    }
    const auto batchOf = [&](Shape& to, const Axes& axes) {
        to.append(axes.n, axes.axisN >= 0 ? shape.symbol(static_cast<std::size_t>(axes.axisN)) : std::string_view());
    };
    switch (format.primary) {
    case Format::NC1HWC0:
    case Format::NC1HWC0C04: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCHW", text));
        if (format.primary == Format::NC1HWC0C04 && a.c > 4)
            return Error::invalid(fmt::format("{} channels do not fit {}", a.c, text));
        Shape storage;
        batchOf(storage, a);
        for (const std::int64_t dim : {ceilDiv(a.c, c0), a.h, a.w, c0}) storage.append(dim);
        return storage;
    }
    case Format::NDC1HWC0: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCDHW", text));
        Shape storage;
        batchOf(storage, a);
        for (const std::int64_t dim : {a.d, ceilDiv(a.c, c0), a.h, a.w, c0}) storage.append(dim);
        return storage;
    }
    case Format::FractalZ: {
        if (shape.rank() == 2) // a K × N weight
            return Shape{ceilDiv(shape.dim(0), c0), ceilDiv(shape.dim(1), cubeRows), cubeRows, c0};
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCHW", text));
        GELENS_ASSIGN(const GroupPacking g, packGroups(a, format.group, c0));
        return Shape{times({ceilDiv(g.groups, g.perBlock), ceilDiv(times({g.perBlock, g.inChannels}), c0), a.h, a.w}),
                     ceilDiv(times({g.perBlock, g.outChannels}), cubeRows), cubeRows, c0};
    }
    case Format::FractalZC04: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCHW", text));
        if (a.c > 4) return Error::invalid(fmt::format("{} channels do not fit {}", a.c, text));
        return Shape{ceilDiv(times({4, a.h, a.w}), c0), ceilDiv(a.n, cubeRows), cubeRows, c0};
    }
    case Format::FractalZ3d: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCDHW", text));
        return Shape{times({a.d, ceilDiv(a.c, c0), a.h, a.w}), ceilDiv(a.n, cubeRows), cubeRows, c0};
    }
    case Format::C1HWNCoC0: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCHW", text));
        return Shape{ceilDiv(a.c, c0), a.h, a.w, ceilDiv(a.n, cubeRows), cubeRows, c0};
    }
    case Format::C1HWC0: {
        GELENS_ASSIGN(const Axes a, namedAxes(shape, origin, "NCHW", text));
        if (a.n > 1) return Error::invalid(fmt::format("a batch of {} does not fit {}", a.n, text));
        return Shape{ceilDiv(a.c, c0), a.h, a.w, c0};
    }
    default: return Error::unsupported(fmt::format("no storage formula for format {}", text));
    }
}

/// Fills the terms of a map, one format at a time.
class StorageMapBuilder {
public:
    StorageMapBuilder(StorageMap& map, std::int64_t c0) : m_map(map), m_c0(c0) {}

    /// offset += f(index of axis); an axis that the tensor lacks is at index 0.
    template <typename F>
    void axis(int axis, F f)
    {
        if (axis >= 0) joint({axis}, [&](const std::int64_t* i) { return f(i[0]); });
    }

    template <typename F>
    void joint(std::vector<int> axes, F f)
    {
        StorageMap::Term term;
        std::int64_t count = 1;
        for (const int a : axes) count *= m_map.m_dims[static_cast<std::size_t>(a)];
        std::vector<std::int64_t> index(axes.size(), 0);
        term.table.reserve(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            term.table.push_back(f(index.data()));
            for (std::size_t a = axes.size(); a-- > 0;) {
                if (++index[a] < m_map.m_dims[static_cast<std::size_t>(axes[a])]) break;
                index[a] = 0;
            }
        }
        term.axes = std::move(axes);
        m_map.m_terms.push_back(std::move(term));
    }

    void blocked(int at, std::int64_t block, std::int64_t outerStride, std::int64_t innerStride)
    {
        axis(at, [=](std::int64_t i) { return i / block * outerStride + i % block * innerStride; });
    }
    void linear(int at, std::int64_t stride)
    {
        axis(at, [=](std::int64_t i) { return i * stride; });
    }

    void nz()
    {
        const int rank = static_cast<int>(m_map.m_dims.size());
        const std::int64_t m = rank > 1 ? m_map.m_dims[static_cast<std::size_t>(rank - 2)] : 1;
        const std::int64_t n = m_map.m_dims[static_cast<std::size_t>(rank - 1)];
        const std::int64_t m1 = ceilDiv(m, cubeRows), block = cubeRows * m_c0;
        blocked(rank - 1, m_c0, m1 * block, 1);
        if (rank > 1) blocked(rank - 2, cubeRows, block, m_c0);
        std::int64_t stride = ceilDiv(n, m_c0) * m1 * block;
        for (int i = rank - 3; i >= 0; --i) {
            linear(i, stride);
            stride *= m_map.m_dims[static_cast<std::size_t>(i)];
        }
    }

    void fiveHd(const Axes& a)
    {
        const std::int64_t plane = a.h * a.w * m_c0, c1 = ceilDiv(a.c, m_c0);
        linear(a.axisN, a.d * c1 * plane);
        linear(a.axisD, c1 * plane);
        blocked(a.axisC, m_c0, plane, 1);
        linear(a.axisH, a.w * m_c0);
        linear(a.axisW, m_c0);
    }

    /// Filters, one group: blocks in the order (d, c1, h, w, n1), each 16 × C0.
    void filter(const Axes& a)
    {
        const std::int64_t block = cubeRows * m_c0, row = ceilDiv(a.n, cubeRows) * block;
        linear(a.axisD, ceilDiv(a.c, m_c0) * a.h * a.w * row);
        blocked(a.axisC, m_c0, a.h * a.w * row, 1);
        linear(a.axisH, a.w * row);
        linear(a.axisW, row);
        blocked(a.axisN, cubeRows, block, m_c0);
    }

    void groupedFilter(const Axes& a, const GroupPacking& g)
    {
        const std::int64_t block = cubeRows * m_c0;
        const std::int64_t row = ceilDiv(g.perBlock * g.outChannels, cubeRows) * block;
        const std::int64_t c1 = ceilDiv(g.perBlock * g.inChannels, m_c0);
        linear(a.axisH, a.w * row);
        linear(a.axisW, row);
        joint({a.axisN, a.axisC}, [&](const std::int64_t* i) {
            const std::int64_t group = i[0] / g.outChannels, slot = group % g.perBlock;
            const std::int64_t n = slot * g.outChannels + i[0] % g.outChannels, c = slot * g.inChannels + i[1];
            return (group / g.perBlock * c1 + c / m_c0) * a.h * a.w * row + n / cubeRows * block + n % cubeRows * m_c0 +
                   c % m_c0;
        });
    }

    /// Filters of at most four input channels: (h, w, c) is one axis of 4·H·W.
    void smallChannelFilter(const Axes& a)
    {
        const std::int64_t block = cubeRows * m_c0, row = ceilDiv(a.n, cubeRows) * block;
        joint({a.axisH, a.axisW, a.axisC}, [&](const std::int64_t* i) {
            const std::int64_t k = (i[0] * a.w + i[1]) * 4 + i[2];
            return k / m_c0 * row + k % m_c0;
        });
        blocked(a.axisN, cubeRows, block, m_c0);
    }

    void matrixFilter()
    {
        const std::int64_t block = cubeRows * m_c0, row = ceilDiv(m_map.m_dims[1], cubeRows) * block;
        blocked(0, m_c0, row, 1);
        blocked(1, cubeRows, block, m_c0);
    }

    void plain(Format origin, Format format)
    {
        const std::string_view from = axisLetters(origin), to = axisLetters(format);
        std::int64_t stride = 1;
        for (std::size_t i = m_map.m_dims.size(); i-- > 0;) {
            // Axes are exchanged only where the letters name each of them (as reorderAxes checked).
            const bool isReordered = from != to && to.size() == m_map.m_dims.size() && !from.empty();
            const std::size_t axis = isReordered ? from.find(to[i]) : i;
            linear(static_cast<int>(axis), stride);
            stride *= m_map.m_dims[axis];
        }
    }

private:
    StorageMap& m_map;
    std::int64_t m_c0;
};

Result<StorageMap> StorageMap::make(TensorFormat format, const Shape& shape, Format origin, DataType dtype,
                                    std::int64_t blockSize)
{
    StorageMap map;
    if (!shape.isStatic()) return Error::invalid(fmt::format("shape {} is not known", shape.text()));
    GELENS_ASSIGN(map.m_storage, storageShape(format, shape, origin, dtype, blockSize));
    if (!map.m_storage.isStatic() || !map.m_storage.elementCount())
        return Error::invalid(fmt::format("storage of {} as {} is too large", shape.text(), format.text()));
    map.m_dims = shape.dims();
    const std::int64_t c0 = blockOf(format, dtype, blockSize);
    StorageMapBuilder builder(map, c0);
    const std::string text = format.text();
    if (isPlain(format.primary)) {
        builder.plain(origin, format.primary);
        return map;
    }
    if (isNz(format.primary)) {
        builder.nz();
        return map;
    }
    if (format.primary == Format::FractalZ && shape.rank() == 2) {
        builder.matrixFilter();
        return map;
    }
    const bool has3d = format.primary == Format::NDC1HWC0 || format.primary == Format::FractalZ3d;
    GELENS_ASSIGN(const Axes axes, namedAxes(shape, origin, has3d ? "NCDHW" : "NCHW", text));
    switch (format.primary) {
    case Format::NC1HWC0:
    case Format::NC1HWC0C04:
    case Format::NDC1HWC0:
    case Format::C1HWC0: builder.fiveHd(axes); break;
    case Format::FractalZC04: builder.smallChannelFilter(axes); break;
    case Format::FractalZ: {
        GELENS_ASSIGN(const GroupPacking packing, packGroups(axes, format.group, c0));
        if (packing.groups > 1)
            builder.groupedFilter(axes, packing);
        else
            builder.filter(axes);
        break;
    }
    default: builder.filter(axes); break; // FRACTAL_Z_3D and C1HWNCoC0: the same order of blocks
    }
    return map;
}

Result<Shape> reorderAxes(const Shape& shape, Format from, Format to)
{
    if (from == to || from == Format::ND || to == Format::ND) return shape;
    const std::string_view source = axisLetters(from), target = axisLetters(to);
    const bool fits =
        !source.empty() && source.size() == target.size() && source.size() == static_cast<std::size_t>(shape.rank()) &&
        std::all_of(target.begin(), target.end(), [&](char c) { return source.find(c) != std::string_view::npos; });
    if (!fits)
        return Error::invalid(
            fmt::format("shape {} in {} has no form in {}", shape.text(), formatName(from), formatName(to)));
    Shape result;
    for (const char letter : target) {
        const std::size_t axis = source.find(letter);
        result.append(shape[axis], shape.symbol(axis));
    }
    return result;
}

} // namespace gelens
