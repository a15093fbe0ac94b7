#pragma once
// All attributes of a ge_onnx node straight from its text; private to this folder, for .cpp files only.

#include "engine/formats/ge_fields_internal.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens {

struct OnnxNodeValues {
    std::string type;
    OpFields fields;
    AttrMap::Map attrs;                        ///< of the operator, the lists of slot names among them
    std::vector<AttrMap::Map> inputs, outputs; ///< of the descriptors
};

/// `body` stands behind the node's '{' and ends with its '}'. False when the tolerant reader has to do it: rows of JSON,
/// tensors that are not the value of a constant, anything that is not as GE prints it.
bool decodeOnnxNode(std::string_view body, OnnxNodeValues& values);

/// Integers of ge_onnx stand for bools too: for an operator that we know, the definition tells which is meant.
void restoreBools(const std::string& type, AttrMap::Map& attrs);

} // namespace gelens
