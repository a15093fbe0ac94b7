// GE wants the condition of an If as an int32 scalar.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

class CondPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if ((node.type != "If" && node.type != "StatelessIf") || !node.hasInput(0)) return Status::success();
            const OutputRef source = node.source(0);
            const TensorDesc from = edit.graph().outputDesc(source);
            // GE takes the element count of anything that is no scalar. ONNX means the value of its one element, so such
            // conditions stay as they are.
            if (!from.originShape.hasRank() || from.originShape.rank() != 0 || from.dtype == DataType::Int32 ||
                from.dtype == DataType::Undefined || from.dtype == DataType::String)
                return Status::success();
            TensorDesc to = from;
            to.attrs.clear();
            to.dtype = DataType::Int32;
            const NodeId cast =
                edit.addNode({.name = node.name + "/cond_cast",
                              .type = "Cast",
                              .inputs = {{"x", from}},
                              .outputs = {{"y", to}},
                              .attrs = {{"dst_type", AttrValue(static_cast<std::int64_t>(DataType::Int32))}}},
                             node.graph, source.node);
            edit.connect(source, {cast, 0});
            edit.connect({cast, 0}, {id, 0});
            edit.setInputDesc({id, 0}, to);
            report.count("conditions cast");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

} // namespace

PassEntry condPass()
{
    return {.info = {.id = "CondPass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Casts the scalar condition of an If to int32."},
            .make = makePass<CondPass>};
}

} // namespace gelens
