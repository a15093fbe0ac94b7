// Puts a TransData on every edge whose two ends store the tensor differently.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <fmt/format.h>

#include <map>

namespace gelens {
namespace {

class TransNodeInsertionPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        for (const NodeId id : edit.graph().nodes(rootGraph)) {
            if (context.isCancelled()) return Error::cancelled();
            for (int i = 0; i < edit.node(id).inputCount(); ++i)
                if (edit.node(id).hasInput(i)) align(edit, {id, i}, report);
        }
        return report;
    }

private:
    void align(GraphEditor& edit, InputRef slot, PassReport& report)
    {
        const TensorDesc wanted = edit.node(slot.node).inputs[static_cast<std::size_t>(slot.index)].desc;
        const OutputRef source = edit.node(slot.node).source(slot.index);
        const TensorDesc given = edit.graph().outputDesc(source);
        const bool isPrivate = isPrivateFormat(wanted.format.primary) || isPrivateFormat(given.format.primary);
        if (!isPrivate || wanted.format == given.format) return;
        const Node& producer = edit.node(source.node);
        if (isConstantType(producer.type) && storeConstantAs(edit, source, wanted, report)) return;

        // One conversion serves every reader that wants the same format of this tensor.
        const auto key = std::make_pair(source, wanted.format.packed());
        if (const auto found = m_made.find(key); found != m_made.end()) {
            edit.connect({found->second, 0}, slot);
            return;
        }
        TensorDesc from = given, to = wanted;
        if (to.originFormat == Format::ND) to.originFormat = from.originFormat;
        to.originShape = given.originShape;
        if (!isPrivateFormat(to.format.primary)) to.shape = to.originShape;
        const NodeId trans = edit.addNode({.name = fmt::format("trans_TransData_{}", m_counter++),
                                           .type = "TransData",
                                           .inputs = {{"src", from}},
                                           .outputs = {{"dst", to}},
                                           .attrs = {{"src_format", AttrValue(plainName(from))},
                                                     {"dst_format", AttrValue(plainName(to))},
                                                     {"groups", AttrValue(std::int64_t{1})},
                                                     {"_insert_by_trans_node_insertion", AttrValue(true)}}},
                                          rootGraph, source.node);
        edit.connect(source, {trans, 0});
        edit.connect({trans, 0}, slot);
        m_made.emplace(key, trans);
        report.count("TransData inserted");
    }

    /// Format name for TransData: the logical side is named by its meaning (NCHW), matrices by ND.
    static std::string plainName(const TensorDesc& desc)
    {
        const Format format = desc.format.primary;
        return std::string(formatName(isPrivateFormat(format) ? format
                                      : format == Format::ND  ? desc.originFormat.primary
                                                              : format));
    }

    /// A weight whose bytes are not in the file needs no conversion node: it will be stored as its reader wants it.
    bool storeConstantAs(GraphEditor& edit, OutputRef source, const TensorDesc& wanted, PassReport& report)
    {
        const Tensor* value = edit.graph().constantOf(source);
        if (value == nullptr || value->isPresent()) return false;
        for (const InputRef& reader : edit.graph().consumers(source)) {
            const TensorDesc& other = edit.node(reader.node).inputs[static_cast<std::size_t>(reader.index)].desc;
            if (!(other.format == wanted.format)) return false;
        }
        TensorDesc desc = edit.graph().outputDesc(source);
        desc.format = wanted.format;
        desc.shape = wanted.shape;
        desc.originFormat = wanted.originFormat;
        edit.setOutputDesc(source, std::move(desc));
        report.count("weights stored in the reader's format");
        return true;
    }

    std::map<std::pair<OutputRef, std::int32_t>, NodeId> m_made;
    int m_counter = 0;
};

} // namespace

PassEntry transNodeInsertionPass()
{
    return {.info = {.id = "TransNodeInsertion",
                     .phase = "PreRunAfterRefineRunningFormat",
                     .summary = "Inserts TransData where producer and reader store a tensor in different formats."},
            .make = makePass<TransNodeInsertionPass>};
}

} // namespace gelens
