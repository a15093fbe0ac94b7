#include "engine/graph/format.h"

#include <charconv>

namespace gelens {
namespace {

struct Row {
    Format format;
    std::string_view text;
};

constexpr Row rows[] = {
    {Format::NCHW, "NCHW"},
    {Format::NHWC, "NHWC"},
    {Format::ND, "ND"},
    {Format::NC1HWC0, "NC1HWC0"},
    {Format::FractalZ, "FRACTAL_Z"},
    {Format::Nc1c0hwpad, "NC1C0HWPAD"},
    {Format::NHWC1C0, "NHWC1C0"},
    {Format::FsrNCHW, "FSR_NCHW"},
    {Format::FractalDeconv, "FRACTAL_DECONV"},
    {Format::C1HWNC0, "C1HWNC0"},
    {Format::FractalDeconvTranspose, "FRACTAL_DECONV_TRANSPOSE"},
    {Format::FractalDeconvSpStrideTrans, "FRACTAL_DECONV_SP_STRIDE_TRANS"},
    {Format::NC1HWC0C04, "NC1HWC0_C04"},
    {Format::FractalZC04, "FRACTAL_Z_C04"},
    {Format::CHWN, "CHWN"},
    {Format::FractalDeconvSpStride8Trans, "DECONV_SP_STRIDE8_TRANS"},
    {Format::HWCN, "HWCN"},
    {Format::Nc1khkwhwc0, "NC1KHKWHWC0"},
    {Format::BnWeight, "BN_WEIGHT"},
    {Format::FilterHwck, "FILTER_HWCK"},
    {Format::HashtableLookupLookups, "LOOKUP_LOOKUPS"},
    {Format::HashtableLookupKeys, "LOOKUP_KEYS"},
    {Format::HashtableLookupValue, "LOOKUP_VALUE"},
    {Format::HashtableLookupOutput, "LOOKUP_OUTPUT"},
    {Format::HashtableLookupHits, "LOOKUP_HITS"},
    {Format::C1HWNCoC0, "C1HWNCoC0"},
    {Format::MD, "MD"},
    {Format::NDHWC, "NDHWC"},
    {Format::FractalZz, ""},
    {Format::FractalNz, "FRACTAL_NZ"},
    {Format::NCDHW, "NCDHW"},
    {Format::DHWCN, "DHWCN"},
    {Format::NDC1HWC0, "NDC1HWC0"},
    {Format::FractalZ3d, "FRACTAL_Z_3D"},
    {Format::CN, "CN"},
    {Format::NC, "NC"},
    {Format::DHWNC, "DHWNC"},
    {Format::FractalZ3dTranspose, "FRACTAL_Z_3D_TRANSPOSE"},
    {Format::FractalZnLstm, "FRACTAL_ZN_LSTM"},
    {Format::FractalZG, "FRACTAL_Z_G"},
    {Format::Reserved, "FORMAT_RESERVED"},
    {Format::All, "ALL"},
    {Format::Null, "NULL"},
    {Format::NdRnnBias, "ND_RNN_BIAS"},
    {Format::FractalZnRnn, "FRACTAL_ZN_RNN"},
    {Format::Nyuv, "NYUV"},
    {Format::NyuvA, "NYUV_A"},
    {Format::NCL, "NCL"},
    {Format::FractalZWino, "FRACTAL_Z_WINO"},
    {Format::C1HWC0, "C1HWC0"},
    {Format::FractalNzC016, "FRACTAL_NZ_C0_16"},
    {Format::FractalNzC032, "FRACTAL_NZ_C0_32"},
    {Format::FractalNzC02, "FRACTAL_NZ_C0_2"},
    {Format::FractalNzC04, "FRACTAL_NZ_C0_4"},
    {Format::FractalNzC08, "FRACTAL_NZ_C0_8"},
    {Format::End, "END"},
};

} // namespace

std::string_view formatName(Format format)
{
    for (const Row& row : rows)
        if (row.format == format) return row.text;
    return "RESERVED";
}

std::int32_t TensorFormat::packed() const
{
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(primary) & 0xffu) | (std::uint32_t{group} << 8) |
                                     ((std::uint32_t{c0Code} & 0xfu) << 24));
}

TensorFormat TensorFormat::fromPacked(std::int32_t number)
{
    const auto bits = static_cast<std::uint32_t>(number);
    TensorFormat format;
    format.primary = static_cast<Format>(bits & 0xffu);
    format.group = static_cast<std::uint16_t>((bits >> 8) & 0xffffu);
    format.c0Code = static_cast<std::uint8_t>((bits >> 24) & 0xfu);
    return format;
}

std::string TensorFormat::text() const
{
    std::string text(formatName(primary));
    if (group != 0) text += ":" + std::to_string(group);
    return text;
}

TensorFormat TensorFormat::fromText(std::string_view text)
{
    TensorFormat format(Format::Reserved);
    if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
        const std::string_view digits = text.substr(colon + 1);
        std::from_chars(digits.data(), digits.data() + digits.size(), format.group);
        text = text.substr(0, colon);
    }
    for (const Row& row : rows)
        if (!row.text.empty() && row.text == text) format.primary = row.format;
    return format;
}

bool isPrivateFormat(Format format)
{
    switch (format) {
    case Format::NC1HWC0:
    case Format::FractalZ:
    case Format::FractalNz:
    case Format::FractalZz:
    case Format::NC1HWC0C04:
    case Format::FractalZC04:
    case Format::C1HWNCoC0:
    case Format::NDC1HWC0:
    case Format::FractalZ3d:
    case Format::C1HWC0:
    case Format::FractalNzC02:
    case Format::FractalNzC04:
    case Format::FractalNzC08:
    case Format::FractalNzC016:
    case Format::FractalNzC032: return true;
    default: return false;
    }
}

} // namespace gelens
