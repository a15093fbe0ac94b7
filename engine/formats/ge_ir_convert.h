#pragma once
// Between GE's ModelDef (OM files, .air files, ge_proto dumps) and our graph, both ways.
// The message classes are only named here; whoever fills or reads one includes the generated header in its .cpp file.

#include "engine/formats/ge_onnx_writer.h"
#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/spec/step.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace ge::proto {
class AttrDef;
class GraphDef;
class ModelDef;
class OpDef;
class TensorDescriptor;
} // namespace ge::proto

namespace gelens {

/// What is known of a constant before its value is decoded.
struct LazyConstant {
    bool hasValue = false;          ///< the attribute is there
    std::int64_t bytes = 0;         ///< of its data; 0 when they are absent
    std::int64_t declaredBytes = 0; ///< by type and shape of the value
};

/// A ModelDef as read. What a file says beyond the graph's own fields is kept so that it is written back unchanged:
/// see ge_fields_internal.h.
struct GeModel {
    Graph graph;
    std::string name;
    std::uint32_t version = 0;
    std::string customVersion; ///< platform version text
    AttrMap attrs;             ///< of the model: memory_size, stream_num …
    /// Constants whose values still lie in the text, by rising id.
    std::vector<std::pair<NodeId, LazyConstant>> constants;
    std::vector<Message> messages;
};

class GePayloads;

struct GeReadOptions {
    /// The WEIGHTS_DATA partition: constants without data of their own point into it (data_offset, weight_size).
    Bytes weights;
    std::int64_t maxNodes = 1'000'000;
    std::stop_token stop;
    /// Values that stayed in the file while the rest was parsed.
    std::shared_ptr<const GePayloads> payloads;
    /// The format has no definition attributes (`_ir_…`) and no names of outputs: that they are absent says nothing.
    bool lacksDefinitions = false;
    /// It does not say who owns a sub-graph: names tell.
    bool guessOwners = false;
    /// What an operator's fields say beyond the graph is kept, and the attributes that name its engine; not wanted of what
    /// a writer of ours added.
    bool keepsOpFields = true, keepsEngines = true;
};

/// Errors: no graph inside, a cycle, more nodes than allowed. Oddities that a viewer can live with (duplicate names,
/// edges from nowhere, sub-graphs without an owner) are messages.
Result<GeModel> graphFromModelDef(const ge::proto::ModelDef& model, const GeReadOptions& options = {});
/// Name, version and attributes of the model itself.
void takeModelFields(const ge::proto::ModelDef& message, GeModel& model);
/// From the wire form; an error when the bytes are no ModelDef. With an `owner`, who keeps the bytes in memory, large
/// values of constants are windows into them.
Result<GeModel> graphFromModelDefBytes(std::span<const std::byte> bytes, GeReadOptions options = {},
                                       std::shared_ptr<const void> owner = {});

struct GeWriteOptions {
    /// NoData and Topology leave out the values of constants and what else GE drops at those levels.
    DumpDetail detail = DumpDetail::Full;
    /// Adds the consumer order that only ge_proto dumps carry.
    bool withPeerOrder = false;
    /// When set, values of constants are appended here (each at a multiple of 512 bytes) and leave the ModelDef with
    /// data_offset and weight_size, as in an OM file.
    std::string* weights = nullptr;
    /// Graph to write with those below it; the root stands for the whole model.
    GraphId graph = rootGraph;
};

/// Adds the graphs to `model`; its name, version and attributes are the caller's.
void modelDefFromGraph(const Graph& graph, const GeWriteOptions& options, ge::proto::ModelDef& model);
/// Model attributes, one by one, for callers that build a ModelDef.
void setModelAttr(ge::proto::ModelDef& model, const std::string& name, const AttrValue& value);
/// The whole model in wire form, map entries sorted, so that equal models give equal bytes.
std::string modelDefBytes(const ge::proto::ModelDef& model);

AttrValue attrFromDef(const ge::proto::AttrDef& def);
void attrToDef(const AttrValue& value, ge::proto::AttrDef& def);
/// The value as protobuf prints it: "i: 5\n".
std::string attrDebugText(const AttrValue& value);
TensorDesc descFromDef(const ge::proto::TensorDescriptor& def);
void descToDef(const TensorDesc& desc, ge::proto::TensorDescriptor& def);

/// `_input_name_key`/`_input_name_value` and their relatives, also in the spelling of about 2020.
struct SlotNames {
    StringList names;
    IntList slots;

    static SlotNames of(const ge::proto::OpDef& op, bool isInput);
    /// The name of each of the first `count` slots, empty where there is none. Without any list the operator's
    /// definition tells.
    StringList bySlot(int count, const std::string& type, bool isInput) const;
};

/// The part of one operator that is worth decoding apart from its message.
struct OpValues {
    std::vector<TensorDesc> inputs, outputs;
    SlotNames inputNames, outputNames;
    IntList peers;      ///< where each data input stands among the readers of its producer; empty where nothing says
    AttrMap::Map attrs; ///< all others

    /// Puts an attribute where it belongs.
    void take(const std::string& name, const AttrValue& value);
};

struct OpSketch;
class GeLazyOp;

/// Builds a graph operator by operator, for readers that never hold a whole ModelDef.
class GeGraphBuilder {
public:
    explicit GeGraphBuilder(const GeReadOptions& options);
    ~GeGraphBuilder();

    void beginGraph(const std::string& name);
    Status addOp(const ge::proto::OpDef& op);
    /// The same with values decoded before, in place of those of the message.
    Result<NodeId> addOp(const ge::proto::OpDef& op, OpValues values);
    /// An operator whose attributes stay in the text; what the sketch holds is used up.
    Status addSketch(OpSketch& sketch, std::shared_ptr<GeLazyOp> source);
    /// How many operators the graph at hand will have in all, about: room is made once, and not by doubling.
    void expectNodes(std::int64_t count);
    /// Name, recorded inputs and outputs and attributes; operators inside `rest` are not looked at.
    void endGraph(const ge::proto::GraphDef& rest);
    /// Type and shape of a node whose operator had no descriptors; before endGraph().
    void setOutputDesc(const std::string& node, const ge::proto::TensorDescriptor& desc);
    int nodeCount() const;
    Result<GeModel> finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace gelens
