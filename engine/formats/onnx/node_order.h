#pragma once
// The order in which the nodes of one ONNX graph are imported; private to this folder.

#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/graph/result.h"

#include <string>
#include <vector>

namespace gelens::onnx_import {

struct NodeOrder {
    std::vector<int> indices; ///< into the list of nodes, producers before consumers
    bool wasSorted = true;    ///< the file already had them so
    /// Values that several Constant nodes give: the last one counts, as for ONNX Runtime, the others are left out.
    std::vector<std::string> repeatedConstants;
};

/// Keeps the file's order where it can. Errors: a value produced twice, a cycle (naming its nodes).
Result<NodeOrder> orderNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes);

} // namespace gelens::onnx_import
