#pragma once
// What operators share that move elements without computing on them: element-width independent access, strided copies,
// size limits that hold before anything is allocated.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/infer_helpers.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op_def.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gelens::movement {

/// No output of one operator may be larger. Unit: bytes. A wrong constant in a file (a dimension of 2^40) then is an
/// error and not an exhausted machine.
inline constexpr std::int64_t maxOutputBytes = std::int64_t{2} << 30;

/// Elements of `shape`, or an error when a dim is negative or the bytes pass maxOutputBytes.
Result<std::int64_t> checkedElements(DataType dtype, const Shape& shape);
/// The same as a check, with the node's name in the error.
Status checkOutput(const KernelContext& context, DataType dtype, const Shape& shape);
Status checkOutput(const InferContext& context, DataType dtype, const Shape& shape);

/// The elements of one input as opaque cells of `width` bytes.
struct Cells {
    const std::byte* data = nullptr;
    Shape shape;
    std::int64_t width = 0; ///< bytes of a cell
    std::int64_t count = 0; ///< cells
};

/// Gives a kernel the elements of its inputs and outputs as cells of 1, 2, 4, 8 or 16 bytes, whatever the type:
/// 4-bit elements are unpacked to bytes, strings become 64-bit numbers of a pool in which 0 is the empty string.
/// After the cells are written, finish() packs them again. Zero cells are zero (or the empty string) in every type.
class CellMover {
public:
    explicit CellMover(KernelContext& context) : m_context(context) {}
    Result<Cells> input(int i);
    /// Zeroed only when `zeroed`. Fails when the output is too large.
    Result<std::byte*> output(int i, DataType dtype, const Shape& shape, bool zeroed = false);
    Status finish();

private:
    struct Pending {
        int index = 0;
        DataType dtype = DataType::Undefined;
        Shape shape;
        std::vector<std::byte> cells;
        std::byte* target = nullptr;
    };
    KernelContext& m_context;
    std::vector<std::vector<std::byte>> m_unpacked;
    std::vector<const std::string*> m_pool; // number k + 1 is m_pool[k]
    std::vector<Pending> m_pending;
};

/// Bytes of a cell for a type: its own width, 1 for 4-bit types, 8 for strings.
std::int64_t cellWidth(DataType dtype);

/// Copies a box of `dims` cells; strides in cells, may be 0 (repeat) or negative (reverse). Contiguous inner parts are
/// copied whole; transposed inner planes are copied in tiles.
void copyBox(std::byte* to, std::span<const std::int64_t> toStrides, const std::byte* from,
             std::span<const std::int64_t> fromStrides, std::span<const std::int64_t> dims, std::int64_t width);
/// Writes the cell at `value` into `count` cells.
void fillCells(std::byte* to, const std::byte* value, std::int64_t count, std::int64_t width);

/// Row-major strides in cells.
std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> dims);
std::int64_t product(std::span<const std::int64_t> dims, std::size_t begin, std::size_t end);
inline std::int64_t product(std::span<const std::int64_t> dims) { return product(dims, 0, dims.size()); }

/// Copies input `in` to output `out` under another shape: bytes, strings or a sequence alike.
Status passThrough(KernelContext& context, int in, int out, const Shape& shape);
/// Writes a host tensor (bytes, strings or sequence) as output.
Status writeOutput(KernelContext& context, int out, const HostTensor& tensor);
/// A host tensor that looks into the view's memory without owning it.
HostTensor windowOf(const TensorView& view);
/// A copy with memory of its own.
HostTensor ownedCopy(const HostTensor& tensor);

/// Axis of the attribute or an error with the node's name.
Result<int> axisOf(const InferContext& context, std::int64_t axis, int rank);
Result<int> axisOf(const KernelContext& context, std::int64_t axis, int rank);
/// The one integer of an input (scalar or one element).
Result<std::int64_t> scalarInt(const KernelContext& context, int input);
std::optional<std::int64_t> constantInt(const InferContext& context, int input);
/// Integers of an input that may also be stored as floating point (ONNX allows it for OneHot's depth).
Result<std::vector<std::int64_t>> looseInts(const KernelContext& context, int input);

/// "1, -1, 3": a list for an error text, cut off after 16 numbers.
std::string listText(std::span<const std::int64_t> values);

/// Output 0 has the type of input 0 and an unknown shape of the given rank (-1: rank unknown too).
Shape unknownDims(int rank);
/// A copy of dim `i` of `from` with its symbol.
void appendDim(Shape& to, const Shape& from, int i);

} // namespace gelens::movement
