#pragma once
// Names as a file gives them, made fit to be shown; private to this folder.

#include <string>
#include <string_view>

namespace gelens::onnx_import {

bool isValidUtf8(std::string_view text);
/// Bytes that are not UTF-8 become U+FFFD; everything else stays.
std::string replaceInvalidUtf8(std::string_view text);
/// For messages: valid UTF-8, control characters as spaces, at most 200 bytes.
std::string cleanText(std::string_view text);

} // namespace gelens::onnx_import
