#pragma once
// How large a PNG may be, and what is said of one that would be larger.

#include "engine/graph/result.h"

#include <string>

namespace gelens {

inline constexpr int largestPngSide = 16000; ///< pixels: beyond, few programs open one

inline Error tooLargeForPng(long long width, long long height)
{
    return Error::limit(std::to_string(width) + " x " + std::to_string(height) +
                        " pixels are too large for a PNG, which holds " + std::to_string(largestPngSide) +
                        " a side. Write SVG or PDF, which have no pixels, or fold blocks and try again.");
}

} // namespace gelens
