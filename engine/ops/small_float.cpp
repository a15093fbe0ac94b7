#include "engine/ops/small_float.h"

#include "engine/graph/tensor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace gelens {

const SmallFloat* SmallFloat::of(DataType dtype)
{
    static const std::map<DataType, std::unique_ptr<const SmallFloat>> all = [] {
        std::map<DataType, std::unique_ptr<const SmallFloat>> made;
        for (const DataType type :
             {DataType::Float8E4M3FN, DataType::Float8E4M3FNUZ, DataType::Float8E5M2, DataType::Float8E5M2FNUZ,
              DataType::Float8E8M0, DataType::Float4E2M1, DataType::HiFloat8})
            made.emplace(type, std::unique_ptr<const SmallFloat>(new SmallFloat(type)));
        return made;
    }();
    const auto found = all.find(dtype);
    return found == all.end() ? nullptr : found->second.get();
}

SmallFloat::SmallFloat(DataType dtype)
{
    // The meaning of every code comes from the codec of engine/graph, so that both agree.
    const int count = 1 << dataTypeBits(dtype);
    std::vector<std::byte> codes(static_cast<std::size_t>(count) * static_cast<std::size_t>(dataTypeBits(dtype)) / 8);
    for (int code = 0; code < count; ++code) {
        if (dataTypeBits(dtype) == 8)
            codes[static_cast<std::size_t>(code)] = static_cast<std::byte>(code);
        else
            codes[static_cast<std::size_t>(code / 2)] |= static_cast<std::byte>(code << (code % 2 * 4));
    }
    Tensor all;
    all.desc = TensorDesc(dtype, Shape{count});
    all.data = Bytes::owned(std::move(codes));
    m_values.assign(256, 0.0f);
    const std::vector<double> values = all.asDoubles().value();
    for (std::size_t code = 0; code < m_values.size(); ++code) // a 4-bit code may come with rubbish above it
        m_values[code] = static_cast<float>(values[code % values.size()]);

    m_isSigned = dtype != DataType::Float8E8M0;
    m_signBit = m_isSigned ? static_cast<std::uint8_t>(count / 2) : 0;
    std::vector<std::pair<float, std::uint8_t>> positive;
    for (int code = 0; code < count; ++code) {
        const float value = m_values[static_cast<std::size_t>(code)];
        const auto byte = static_cast<std::uint8_t>(code);
        if (std::isnan(value)) {
            if (!m_hasNan) m_nan = byte;
            m_hasNan = true;
        } else if (std::isinf(value)) {
            if (value > 0) m_infinity = byte;
            m_hasInfinity = true;
        } else if (!std::signbit(value)) {
            positive.emplace_back(value, byte);
        } else if (value == 0) {
            m_hasNegativeZero = true;
        }
    }
    std::sort(positive.begin(), positive.end());
    for (const auto& [value, code] : positive) {
        m_positive.push_back(value);
        m_codes.push_back(code);
    }
    const std::size_t last = m_positive.size() - 1;
    m_overflow = m_positive[last] + (m_positive[last] - m_positive[last - 1]) / 2;
    m_tieOverflows = (m_codes[last] & 1u) != 0; // the next code would be the even one
}

std::uint8_t SmallFloat::encode(float value, bool saturate) const
{
    if (std::isnan(value)) return m_hasNan ? m_nan : m_codes.back();
    const bool isNegative = std::signbit(value);
    const std::uint8_t sign = isNegative ? m_signBit : 0;
    if (isNegative && !m_isSigned) return m_codes.front();
    const float magnitude = std::fabs(value);
    if (magnitude >= m_positive.back()) {
        const bool overflows = magnitude > m_overflow || (magnitude == m_overflow && m_tieOverflows);
        if (overflows && !saturate) {
            if (m_hasInfinity) return static_cast<std::uint8_t>(m_infinity | sign);
            if (m_hasNan) return m_nan;
        }
        // ONNX saturates infinite inputs like finite ones.
        return static_cast<std::uint8_t>(m_codes.back() | sign);
    }
    const auto above = std::upper_bound(m_positive.begin(), m_positive.end(), magnitude) - m_positive.begin();
    if (above == 0) return m_codes.front(); // below the smallest number of a type without zero
    auto nearest = static_cast<std::size_t>(above) - 1;
    const float down = magnitude - m_positive[nearest];
    const float up = m_positive[nearest + 1] - magnitude;
    if (up < down || (up == down && (m_codes[nearest] & 1u) != 0)) ++nearest;
    if (m_positive[nearest] == 0 && !m_hasNegativeZero) return m_codes[nearest];
    return static_cast<std::uint8_t>(m_codes[nearest] | sign);
}

} // namespace gelens
