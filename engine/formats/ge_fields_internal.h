#pragma once
// Fields of GE's operator and graph messages that our graph has no member for. They are derived where they follow from
// the graph; what a file says differently is kept under one hidden attribute, so that it is written back unchanged.
// Private to this folder.

#include "engine/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// Bundle of the values that differ from the derived ones; no writer prints it.
inline constexpr std::string_view hiddenFieldsAttr = "gelens.fields";

inline bool isHiddenAttr(std::string_view name) { return name.substr(0, 7) == "gelens."; }

/// Attributes that describe the operator's definition and are written without a list type.
bool isDefinitionAttr(std::string_view name);

struct OpFields {
    std::int64_t id = 0;
    std::int64_t streamId = 0;
    bool hasOutAttr = true;
    StringList inputName, srcName, dstName;
    IntList srcIndex, dstIndex;
    std::vector<bool> isInputConst;
    StringList inputNames; ///< `_input_name_key`, sorted
    IntList inputSlots;    ///< `_input_name_value`
    StringList outputNames;
    IntList outputSlots;
    std::int64_t inputEntries = 0; ///< data entries of `input`, unconnected ones included
    std::int64_t inputDescs = 0;
    std::int64_t outputDescs = 0;
    bool operator==(const OpFields&) const = default;
};

/// What follows from the graph. `position` is the node's place in its graph.
OpFields derivedOpFields(const Graph& graph, const Node& node, std::int64_t position);
/// Of these, the names of what feeds the node and of what it feeds.
void addNeighbours(const Graph& graph, const Node& node, OpFields& fields);
/// The same with what the node's file said instead.
OpFields opFieldsOf(const Graph& graph, const Node& node, std::int64_t position);
/// The bundle that turns `derived` into `actual`; unset when they agree. `hasDefinition` is false when the file had no
/// definition attributes although we know the operator.
AttrValue hiddenOpFields(const OpFields& derived, const OpFields& actual, bool hasDefinition);

/// `_ir_attr_names`, `_ir_inputs_key` … : the node's own, or the registry's when it came from no GE file.
AttrMap definitionAttrs(const Node& node);
/// Whether the registry would give definition attributes for such a node.
bool hasKnownDefinition(const Node& node);

/// Recorded inputs of a graph ("x:0"): as the file had them, or its Data nodes.
StringList graphInputsOf(const Graph& graph, GraphId id);
StringList derivedGraphInputs(const Graph& graph, GraphId id);
/// Graphs below `root` in GE's order of writing: each node's graphs last to first, each followed by those below it.
std::vector<GraphId> graphsBelow(const Graph& graph, GraphId root);

/// Attribute of an OM's descriptors, with the name of an element type that GE has no number for.
inline constexpr std::string_view typeAttr = "_gelens_dtype";
inline bool isTypeBeyondGe(DataType type) { return dataTypeProtoNumber(type) == 0 && dataTypeBits(type) > 0; }

/// A tensor that shape inference has not reached: GE's own default descriptor.
inline bool isUntouched(const TensorDesc& desc)
{
    return desc.dtype == DataType::Undefined && !desc.originShape.hasRank() && desc.format.primary != Format::Reserved;
}
/// Whether GE would hold the origin shape as set.
bool isOriginShapeSet(const TensorDesc& desc);

/// Descriptor attributes that are fields of TensorDescriptor.
bool isDescField(std::string_view name);
/// Descriptor attributes that ge_proto adds when it is written; our descriptors hold them as members.
bool isDerivedDescAttr(std::string_view name);

} // namespace gelens
