#pragma once
// Fast encoding into floating types of at most 8 bits, for kernels (engine/graph has the slow, general codec).

#include "engine/graph/data_type.h"

#include <cstdint>
#include <vector>

namespace gelens {

/// Tables of one type. Thread-safe once made; `of` makes each type's tables once.
class SmallFloat {
public:
    /// Null for types that are not floats of at most 8 bits.
    static const SmallFloat* of(DataType dtype);

    float decode(std::uint8_t code) const { return m_values[code]; }
    /// Rounds to nearest even. Beyond the largest finite number: that number when `saturate`, else infinity, or NaN
    /// where the type has no infinity (ONNX Cast-19). NaN stays NaN; types without NaN give the largest number.
    std::uint8_t encode(float value, bool saturate = true) const;

private:
    explicit SmallFloat(DataType dtype);

    std::vector<float> m_values;       ///< by code
    std::vector<float> m_positive;     ///< finite values from 0 up, ascending
    std::vector<std::uint8_t> m_codes; ///< their codes
    std::uint8_t m_signBit = 0;
    std::uint8_t m_nan = 0;
    std::uint8_t m_infinity = 0; ///< positive; as m_nan where the type has none
    bool m_hasInfinity = false, m_hasNan = false, m_hasNegativeZero = false, m_isSigned = true;
    float m_overflow = 0; ///< from here on a number no longer rounds to the largest finite one
    bool m_tieOverflows = false;
};

} // namespace gelens
