#pragma once
// What the quantisation operators share, and its parts that live in files of their own.

#include "engine/ops/cube_common.h"

namespace gelens {

class OpRegistry;

void registerQuantizedProductOps(OpRegistry&); ///< MatMulInteger, ConvInteger, QLinearMatMul, QLinearConv, MatMulNBits
void registerAscendQuantOps(OpRegistry&); ///< AscendQuant, AscendQuantV2, AscendDequant, AscendAntiQuant, DynamicQuant

/// Values of one quantised type: the range integers saturate to, whether it is a float.
struct QuantRange {
    double lowest = 0, highest = 0;
    bool isFloat = false;
};
/// Error for a type that nothing quantises to.
Result<QuantRange> quantRange(DataType type);

/// Stores y = saturate(round half to even (value) + zero) as `type`; floats are rounded by the type. `saturates` false:
/// floats beyond the range become NaN, or infinity where the type has one.
void storeQuantized(std::vector<double>& values, DataType type, const QuantRange& range, bool saturates);
/// Writes numbers of any type, packed ones too.
Status writeDoubles(KernelContext& context, int i, DataType type, const Shape& shape,
                    const std::vector<double>& values);

/// Which scale each element takes: per tensor, per index of one axis, or per block of an axis.
class ScalePlan {
public:
    /// Errors are texts: scales that fit neither the axis nor the blocks.
    static Result<ScalePlan> make(const Shape& x, const Shape& scale, std::int64_t axis, std::int64_t blockSize);
    std::int64_t operator()(std::int64_t element) const
    {
        if (m_isSingle) return 0;
        const std::int64_t inner = element % m_inner, at = element / m_inner % m_length;
        if (!m_isBlocked) return at;
        return (element / m_inner / m_length * m_blocks + at / m_block) * m_inner + inner;
    }

private:
    bool m_isSingle = true, m_isBlocked = false;
    std::int64_t m_inner = 1, m_length = 1, m_block = 1, m_blocks = 1;
};

/// Type named by an attribute that is text ("DT_INT8"), or an integer of GE's enum; `otherwise` when absent.
DataType typeAttr(const AttrMap& attrs, std::string_view name, DataType otherwise);

} // namespace gelens
