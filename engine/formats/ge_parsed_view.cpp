#include "engine/formats/ge_parsed_view.h"

#include "engine/formats/ge_fields_internal.h"
#include "engine/graph/graph_editor.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <array>

namespace gelens {
namespace {

constexpr std::string_view originNames = "_datadump_original_op_names";
constexpr std::string_view outputName = "_origin_output_tensor_name";
constexpr std::string_view parentIndex = "_parent_node_index";

/// Slots whose format GE's parser plug-ins set: an input index, or an output index with `isOutput`.
struct SetSlot {
    std::string_view type;
    bool isOutput;
    int index;
};
constexpr std::array setSlots = {
    SetSlot{"Conv2D", false, 0},       SetSlot{"Conv2D", false, 1},    SetSlot{"Conv2D", true, 0},
    SetSlot{"BatchMatMulV2", true, 0}, SetSlot{"MaxPoolV3", false, 0}, SetSlot{"MaxPoolV3", true, 0},
};

bool isSetSlot(std::string_view type, bool isOutput, int index)
{
    return std::any_of(setSlots.begin(), setSlots.end(), [&](const SetSlot& slot) {
        return slot.type == type && slot.isOutput == isOutput && slot.index == index;
    });
}

/// Marks that GE leaves where a format was set by hand.
void markAsSet(TensorDesc& desc)
{
    desc.format = desc.originFormat = Format::NCHW;
    desc.attrs.insert_or_assign("origin_format_is_set", AttrValue(true));
    desc.attrs.insert_or_assign("placement", AttrValue(0));
    desc.attrs.insert_or_assign("shape_range", AttrValue(AttrValue::Variant(std::vector<IntList>{})));
}

/// GE's default descriptor.
TensorDesc untouched(bool isSet)
{
    TensorDesc desc;
    if (isSet) markAsSet(desc);
    return desc;
}

class View {
public:
    explicit View(const Graph& imported) : m_imported(imported), m_graph(imported), m_editor(m_graph) {}

    Graph make()
    {
        // Outputs first: inputs of a NetOutput repeat those of their producers.
        for (const NodeId id : m_imported.allNodes()) setOutputs(m_imported.node(id));
        for (const NodeId id : m_imported.allNodes()) setInputs(m_imported.node(id));
        return m_graph;
    }

private:
    void setOutputs(const Node& node)
    {
        for (int i = 0; i < node.outputCount(); ++i) {
            const OutputSlot& slot = node.outputs[static_cast<std::size_t>(i)];
            TensorDesc desc = untouched(isSetSlot(node.type, true, i));
            if (node.type == "Data" && node.graph == rootGraph) {
                desc = slot.desc;
                markAsSet(desc);
            }
            for (const InputRef& reader : slot.consumers) {
                const Node& end = m_imported.node(reader.node);
                if (end.type != "NetOutput") continue;
                const AttrMap& attrs = end.inputs[static_cast<std::size_t>(reader.index)].desc.attrs;
                for (const std::string_view name : {outputName, parentIndex})
                    if (const auto found = attrs.find(name); found != attrs.end())
                        desc.attrs.insert_or_assign(found->first, found->second);
            }
            m_editor.setOutputDesc({node.id, i}, std::move(desc));
        }
    }

    void setInputs(const Node& node)
    {
        const bool isMarked = node.attrs.contains(originNames);
        std::vector<bool> constants;
        for (int i = 0; i < node.inputCount(); ++i) {
            const InputSlot& slot = node.inputs[static_cast<std::size_t>(i)];
            if (!slot.source.isValid()) {
                if (node.type == "Data")
                    m_editor.setInputDesc({node.id, i}, m_graph.node(node.id).outputs[0].desc);
                else
                    m_editor.setInputDesc({node.id, i}, TensorDesc::unconnected());
                continue;
            }
            const Node& source = m_graph.node(slot.source.node);
            // Inside what a plug-in expands, constants from outside look like inputs.
            constants.push_back(source.type == "Const" &&
                                (node.type == "NetOutput" || !isMarked || source.attrs.contains(originNames)));
            TensorDesc desc = untouched(isSetSlot(node.type, false, i));
            if (node.type == "NetOutput") {
                desc = m_graph.outputDesc(slot.source);
                desc.attrs.erase(std::string(parentIndex));
            } else if (source.type == "Data" && !isMarked && !isSetSlot(node.type, false, i)) {
                // The parser hands the shape of a graph input to its readers.
                const TensorDesc& data = m_imported.outputDesc(slot.source);
                desc = TensorDesc(data.dtype, data.shape);
            }
            m_editor.setInputDesc({node.id, i}, std::move(desc));
        }
        if (!constants.empty() && !node.attrs.contains("is_input_const"))
            m_editor.setAttr(node.id, "is_input_const", AttrValue(AttrValue::Variant(std::move(constants))));
        if (node.type == "Data") removeOwnNames(node);
        countDynamicInputs(node);
    }

    /// GE keeps the number of inputs of each dynamic one with the operator.
    void countDynamicInputs(const Node& node)
    {
        const OpDef* const def = OpRegistry::instance().find(node.type);
        if (!def || isBoundaryType(node.type)) return;
        for (const Port& port : def->inputs()) {
            if (port.kind != PortKind::Dynamic) continue;
            const auto count = std::count_if(node.inputs.begin(), node.inputs.end(), [&](const InputSlot& slot) {
                return slot.name.size() > port.name.size() && slot.name.starts_with(port.name) &&
                       slot.name.find_first_not_of("0123456789", port.name.size()) == std::string::npos;
            });
            m_editor.setAttr(node.id, "__dynamic_input_" + port.name + "_cnt",
                             AttrValue(static_cast<std::int64_t>(count)));
        }
    }

    /// A Data node's two descriptors are equal but for what marks graph outputs.
    void removeOwnNames(const Node& node)
    {
        TensorDesc desc = m_graph.node(node.id).inputs[0].desc;
        desc.attrs.erase(std::string(outputName));
        m_editor.setInputDesc({node.id, 0}, std::move(desc));
    }

    const Graph& m_imported;
    Graph m_graph;
    GraphEditor m_editor;
};

} // namespace

Graph asParsedByGe(const Graph& imported)
{
    return imported.subgraph(rootGraph).attrs.contains(hiddenFieldsAttr) ? imported : View(imported).make();
}

} // namespace gelens
