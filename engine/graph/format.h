#pragma once
// Storage formats of tensors, with GE's numbers.

#include <cstdint>
#include <string>
#include <string_view>

namespace gelens {

enum class Format : std::int32_t {
    NCHW = 0,
    NHWC = 1,
    ND = 2,
    NC1HWC0 = 3,
    FractalZ = 4,
    Nc1c0hwpad = 5,
    NHWC1C0 = 6,
    FsrNCHW = 7,
    FractalDeconv = 8,
    C1HWNC0 = 9,
    FractalDeconvTranspose = 10,
    FractalDeconvSpStrideTrans = 11,
    NC1HWC0C04 = 12,
    FractalZC04 = 13,
    CHWN = 14,
    FractalDeconvSpStride8Trans = 15,
    HWCN = 16,
    Nc1khkwhwc0 = 17,
    BnWeight = 18,
    FilterHwck = 19,
    HashtableLookupLookups = 20,
    HashtableLookupKeys = 21,
    HashtableLookupValue = 22,
    HashtableLookupOutput = 23,
    HashtableLookupHits = 24,
    C1HWNCoC0 = 25,
    MD = 26,
    NDHWC = 27,
    FractalZz = 28,
    FractalNz = 29,
    NCDHW = 30,
    DHWCN = 31,
    NDC1HWC0 = 32,
    FractalZ3d = 33,
    CN = 34,
    NC = 35,
    DHWNC = 36,
    FractalZ3dTranspose = 37,
    FractalZnLstm = 38,
    FractalZG = 39,
    Reserved = 40,
    All = 41,
    Null = 42,
    NdRnnBias = 43,
    FractalZnRnn = 44,
    Nyuv = 45,
    NyuvA = 46,
    NCL = 47,
    FractalZWino = 48,
    C1HWC0 = 49,
    FractalNzC016 = 50,
    FractalNzC032 = 51,
    FractalNzC02 = 52,
    FractalNzC04 = 53,
    FractalNzC08 = 54,
    End = 55,
};

/// A format with its two modifiers. `group` is the sub-format (groups of FRACTAL_Z, 0 = none); `c0Code` encodes the
/// block size of the C axis as C0 = 2^(code-1), 0 = not stated.
struct TensorFormat {
    Format primary = Format::ND;
    std::uint16_t group = 0;
    std::uint8_t c0Code = 0;

    constexpr TensorFormat() = default;
    constexpr TensorFormat(Format format) : primary(format) {}
    constexpr bool operator==(const TensorFormat&) const = default;

    /// GE's packed 32-bit number: bits 0–7 primary, 8–23 group, 24–27 C0 code.
    std::int32_t packed() const;
    static TensorFormat fromPacked(std::int32_t number);
    /// Text of the dumps: "FRACTAL_Z:32"; the C0 code has no text. Unknown numbers give "RESERVED".
    std::string text() const;
    /// Reads the text form; Format::Reserved when unknown.
    static TensorFormat fromText(std::string_view text);
};

std::string_view formatName(Format format);

/// Layouts whose storage differs from the logical dims (NC1HWC0, FRACTAL_*, C1HWNCoC0 …).
bool isPrivateFormat(Format format);

} // namespace gelens
