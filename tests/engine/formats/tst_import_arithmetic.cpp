// What becomes of arithmetic, activations, reductions and normalisations, opset by opset.

#include "engine/formats/onnx/onnx_reader.h"
#include "engine/ops/op_registry.h"

#include <QtTest>

#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#include <onnx/onnx_pb.h>

#include <limits>

using namespace gelens;

namespace {

/// A model of one operator with fp32 inputs a, b, c … and outputs y0, y1 …
class OneOp {
public:
    OneOp(const std::string& type, int opset, int outputs = 1)
    {
        m_proto.set_ir_version(8);
        m_proto.add_opset_import()->set_version(opset);
        m_proto.mutable_graph()->set_name("g");
        m_node = m_proto.mutable_graph()->add_node();
        m_node->set_op_type(type);
        m_node->set_name("n");
        for (int i = 0; i < outputs; ++i) {
            const std::string name = "y" + std::to_string(i);
            m_node->add_output(name);
            auto* const info = m_proto.mutable_graph()->add_output();
            info->set_name(name);
            info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
        }
    }
    OneOp& input(const std::string& name, std::vector<std::int64_t> dims, int type = onnx::TensorProto::FLOAT)
    {
        m_node->add_input(name);
        auto* const info = m_proto.mutable_graph()->add_input();
        info->set_name(name);
        auto* const tensor = info->mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(type);
        for (const std::int64_t dim : dims) tensor->mutable_shape()->add_dim()->set_dim_value(dim);
        return *this;
    }
    OneOp& absent()
    {
        m_node->add_input("");
        return *this;
    }
    OneOp& constant(const std::string& name, std::vector<std::int64_t> values)
    {
        m_node->add_input(name);
        auto* const tensor = m_proto.mutable_graph()->add_initializer();
        tensor->set_name(name);
        tensor->set_data_type(onnx::TensorProto::INT64);
        tensor->add_dims(static_cast<std::int64_t>(values.size()));
        for (const std::int64_t value : values) tensor->add_int64_data(value);
        return *this;
    }
    OneOp& attr(const std::string& name, std::int64_t value)
    {
        auto* const attribute = add(name, onnx::AttributeProto::INT);
        attribute->set_i(value);
        return *this;
    }
    OneOp& real(const std::string& name, float value)
    {
        add(name, onnx::AttributeProto::FLOAT)->set_f(value);
        return *this;
    }
    OneOp& text(const std::string& name, const std::string& value)
    {
        add(name, onnx::AttributeProto::STRING)->set_s(value);
        return *this;
    }
    OneOp& list(const std::string& name, std::vector<std::int64_t> values)
    {
        auto* const attribute = add(name, onnx::AttributeProto::INTS);
        for (const std::int64_t value : values) attribute->add_ints(value);
        return *this;
    }

    /// The graph as read; a failed read is an empty graph.
    Graph read() const
    {
        const std::string bytes = m_proto.SerializeAsString();
        auto document = readOnnxBytes(std::as_bytes(std::span(bytes)), nullptr, {});
        return document.ok() ? document.value().graph : Graph("failed: " + document.error().message());
    }

private:
    onnx::AttributeProto* add(const std::string& name, onnx::AttributeProto::AttributeType type)
    {
        auto* const attribute = m_node->add_attribute();
        attribute->set_name(name);
        attribute->set_type(type);
        return attribute;
    }

    onnx::ModelProto m_proto;
    onnx::NodeProto* m_node = nullptr;
};

/// Types of the nodes that are neither inputs, constants nor the end, in a topological order: "Flatten HardMax
/// Reshape".
std::string types(const Graph& graph)
{
    std::string text;
    for (const NodeId id : graph.topologicalOrder()) {
        const Node& node = graph.node(id);
        if (isBoundaryType(node.type)) continue;
        text += (text.empty() ? "" : " ") + node.type + (node.isOpaque ? "?" : "");
    }
    return text.empty() ? graph.name() : text;
}

/// The first node of a type.
const Node& nodeOf(const Graph& graph, std::string_view type)
{
    static const Node none;
    for (const NodeId id : graph.allNodes())
        if (graph.node(id).type == type) return graph.node(id);
    return none;
}

IntList constantInts(const Graph& graph, const Node& node, int input)
{
    const Tensor* const value = graph.constantInput(node, input);
    return value && value->asInts() ? *value->asInts() : IntList{-999};
}

double constantReal(const Graph& graph, const Node& node, int input)
{
    const Tensor* const value = graph.constantInput(node, input);
    return value && value->asDoubles() && value->asDoubles()->size() == 1 ? value->asDoubles()->front() : -999.0;
}

} // namespace

class TestImportArithmetic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainOnesKeepTheirInputs()
    {
        const Graph graph = OneOp("Div", 17).input("a", {2, 3}).input("b", {3}).read();
        QCOMPARE(types(graph), std::string("RealDiv"));
        const Node& node = nodeOf(graph, "RealDiv");
        QCOMPARE(node.name, std::string("n"));
        QCOMPARE(node.inputs[1].name, std::string("x2"));
        QCOMPARE(types(OneOp("Mod", 17).input("a", {2}).input("b", {2}).read()), std::string("FloorMod"));
        QCOMPARE(types(OneOp("Mod", 17).attr("fmod", 1).input("a", {2}).input("b", {2}).read()), std::string("Mod"));
    }

    void oldBroadcastingLinesUpAtAnAxis()
    {
        const Graph graph =
            OneOp("Add", 6).attr("broadcast", 1).attr("axis", 1).input("a", {2, 3, 4}).input("b", {3}).read();
        QCOMPARE(types(graph), std::string("Unsqueeze Add"));
        QCOMPARE(attrInts(nodeOf(graph, "Unsqueeze").attrs, "axes"), (IntList{1}));
    }

    void manyInputsBecomeChains()
    {
        QCOMPARE(types(OneOp("Max", 13).input("a", {2}).input("b", {2}).input("c", {1}).read()),
                 std::string("Maximum Maximum"));
        QCOMPARE(types(OneOp("Min", 13).input("a", {2}).read()), std::string("Identity"));
        QCOMPARE(types(OneOp("Sum", 13).input("a", {2}).input("b", {2}).input("c", {2}).read()), std::string("AddN"));
        QCOMPARE(types(OneOp("Sum", 13).input("a", {2}).input("b", {2}).input("c", {1}).read()),
                 std::string("Add Add"));
        const Graph mean = OneOp("Mean", 13).input("a", {2}).input("b", {2}).input("c", {2}).read();
        QCOMPARE(types(mean), std::string("AccumulateNV2 RealDiv"));
        QCOMPARE(constantReal(mean, nodeOf(mean, "RealDiv"), 1), 3.0);
    }

    void clipInBothForms()
    {
        const Graph old = OneOp("Clip", 6).real("min", 0).real("max", 6).input("a", {2}).read();
        QCOMPARE(types(old), std::string("Cast ClipByValue"));
        QCOMPARE(constantReal(old, nodeOf(old, "ClipByValue"), 1), 0.0);
        QCOMPARE(constantReal(old, nodeOf(old, "ClipByValue"), 2), 6.0);
        const Graph open = OneOp("Clip", 13).input("a", {2}).input("low", {}).read();
        QCOMPARE(types(open), std::string("ClipByValue"));
        QCOMPARE(constantReal(open, nodeOf(open, "ClipByValue"), 2), std::numeric_limits<double>::infinity());
        const Graph bytes = OneOp("Clip", 13)
                                .input("a", {2}, onnx::TensorProto::INT8)
                                .absent()
                                .input("high", {}, onnx::TensorProto::INT8)
                                .read();
        QCOMPARE(constantInts(bytes, nodeOf(bytes, "ClipByValue"), 1), (IntList{-128}));
        QCOMPARE(types(OneOp("Clip", 13).input("a", {2}).read()), std::string("Identity"));
    }

    void castsNameGeTypes()
    {
        const Graph graph = OneOp("Cast", 17).attr("to", onnx::TensorProto::FLOAT16).input("a", {2}).read();
        QCOMPARE(attrInt(nodeOf(graph, "Cast").attrs, "dst_type"), std::int64_t{1});
        QCOMPARE(types(OneOp("Cast", 17).attr("to", 0).input("a", {2}).read()).substr(0, 6), std::string("failed"));
        QCOMPARE(types(OneOp("CastLike", 17).input("a", {2}).input("b", {1}, onnx::TensorProto::INT32).read()),
                 std::string("Cast"));
    }

    void softmaxBeforeOpset13TakesAllLaterDims()
    {
        const Graph old = OneOp("Softmax", 11).input("a", {2, 3, 4}).read();
        QCOMPARE(attrInts(nodeOf(old, "SoftmaxV2").attrs, "axes"), (IntList{1, 2}));
        const Graph now = OneOp("Softmax", 13).input("a", {2, 3, 4}).read();
        QCOMPARE(attrInts(nodeOf(now, "SoftmaxV2").attrs, "axes"), (IntList{-1}));
        const Graph logarithm = OneOp("LogSoftmax", 13).attr("axis", 0).input("a", {2, 3}).read();
        QCOMPARE(attrInts(nodeOf(logarithm, "LogSoftmaxV2").attrs, "axes"), (IntList{0}));
        const Graph hard = OneOp("Hardmax", 11).input("a", {2, 3, 4}).read();
        QCOMPARE(attrInt(nodeOf(hard, "Flatten").attrs, "axis"), std::int64_t{1});
        QCOMPARE(hard.node(nodeOf(hard, "HardMax").source(0).node).type, std::string("Flatten"));
        QCOMPARE(hard.node(nodeOf(hard, "Reshape").source(1).node).type, std::string("Shape"));
        QCOMPARE(types(OneOp("Hardmax", 13).input("a", {2, 3, 4}).read()), std::string("HardMax"));
    }

    void activationsCarryOnnxDefaults()
    {
        const Graph sigmoid = OneOp("HardSigmoid", 17).input("a", {2}).read();
        QCOMPARE(static_cast<float>(attrFloat(nodeOf(sigmoid, "HardSigmoid").attrs, "alpha")), 0.2f);
        const Graph leaky = OneOp("LeakyRelu", 17).input("a", {2}).read();
        QCOMPARE(static_cast<float>(attrFloat(nodeOf(leaky, "LeakyRelu").attrs, "negative_slope")), 0.01f);
        QCOMPARE(types(OneOp("Selu", 17).input("a", {2}).read()), std::string("Selu"));
        QCOMPARE(types(OneOp("Selu", 17).real("alpha", 2).input("a", {2}).read()), std::string("Elu"));
        QCOMPARE(types(OneOp("Gelu", 20).text("approximate", "tanh").input("a", {2}).read()), std::string("GeluV2"));
    }

    void preluWeightsOfRankOneLieAlongTheLastDim()
    {
        QCOMPARE(types(OneOp("PRelu", 17).input("a", {1, 2, 4}).input("b", {4}).read()),
                 std::string("Unsqueeze PRelu"));
        QCOMPARE(types(OneOp("PRelu", 17).input("a", {1, 2, 4}).input("b", {2, 1}).read()), std::string("PRelu"));
        QCOMPARE(types(OneOp("PRelu", 17).input("a", {1, 2, 4}).input("b", {1}).read()), std::string("PRelu"));
    }

    void reductionAxesComeAsAttributeOrInput()
    {
        const Graph old =
            OneOp("ReduceMean", 13).list("axes", {1, -1}).attr("keepdims", 0).input("a", {2, 3, 4}).read();
        const Node& mean = nodeOf(old, "ReduceMean");
        QCOMPARE(constantInts(old, mean, 1), (IntList{1, -1}));
        QCOMPARE(attrBool(mean.attrs, "keep_dims", true), false);
        QCOMPARE(attrBool(mean.attrs, "noop_with_empty_axes", true), false);
        const Graph now =
            OneOp("ReduceMean", 18).attr("noop_with_empty_axes", 1).input("a", {2, 3}).constant("axes", {0}).read();
        QCOMPARE(constantInts(now, nodeOf(now, "ReduceMean"), 1), (IntList{0}));
        QCOMPARE(attrBool(nodeOf(now, "ReduceMean").attrs, "noop_with_empty_axes", false), true);
        const Graph sum = OneOp("ReduceSum", 13).input("a", {2, 3}).read();
        QCOMPARE(constantInts(sum, nodeOf(sum, "ReduceSum"), 1), IntList{});
    }

    void normsBecomeLpNorm()
    {
        const Graph graph = OneOp("ReduceL2", 13).list("axes", {1}).input("a", {2, 3}).read();
        QCOMPARE(types(graph), std::string("LpNormV2"));
        QCOMPARE(attrInts(nodeOf(graph, "LpNormV2").attrs, "axes"), (IntList{1}));
        QCOMPARE(types(OneOp("ReduceL2", 18).input("a", {2, 3}).input("axes", {1}, onnx::TensorProto::INT64).read()),
                 std::string("Square ReduceSum Sqrt"));
        QCOMPARE(types(OneOp("ReduceSumSquare", 13).input("a", {2, 3}).read()), std::string("Square ReduceSum"));
    }

    void positionsKeepTheirDim()
    {
        QCOMPARE(types(OneOp("ArgMax", 13).input("a", {2, 3}).read()), std::string("ArgMaxV2 Unsqueeze"));
        const Graph graph = OneOp("ArgMin", 13)
                                .attr("keepdims", 0)
                                .attr("axis", -1)
                                .attr("select_last_index", 1)
                                .input("a", {2, 3})
                                .read();
        QCOMPARE(types(graph), std::string("ArgMin"));
        QCOMPARE(constantInts(graph, nodeOf(graph, "ArgMin"), 1), (IntList{-1}));
        QVERIFY(attrBool(nodeOf(graph, "ArgMin").attrs, "select_last_index"));
    }

    void batchNormalizationInferenceAndTraining()
    {
        const auto model = [](int opset, int outputs) {
            OneOp op("BatchNormalization", opset, outputs);
            op.input("x", {2, 3, 4})
                .input("s", {3})
                .input("b", {3})
                .input("m", {3})
                .input("v", {3})
                .real("momentum", 0.75f);
            return op;
        };
        const Node inference = nodeOf(model(9, 1).read(), "BatchNorm");
        QCOMPARE(attrBool(inference.attrs, "is_training", true), false);
        QCOMPARE(inference.outputCount(), 6);
        const Node old = nodeOf(model(9, 3).read(), "BatchNorm");
        QCOMPARE(attrBool(old.attrs, "is_training", false), true);
        QCOMPARE(attrFloat(old.attrs, "exponential_avg_factor"), 0.25);
        QCOMPARE(
            attrBool(nodeOf(model(15, 3).attr("training_mode", 1).read(), "BatchNorm").attrs, "is_training", false),
            true);
        QCOMPARE(types(model(7, 1).attr("spatial", 0).read()), std::string("BatchNormalization?"));
    }

    void otherNormalisations()
    {
        const Graph layer = OneOp("LayerNormalization", 17).input("x", {2, 3, 4}).input("s", {4}).read();
        QCOMPARE(types(layer), std::string("LayerNormV3"));
        QCOMPARE(attrInt(nodeOf(layer, "LayerNormV3").attrs, "begin_norm_axis"), std::int64_t{-1});
        const Graph lrn = OneOp("LRN", 13).attr("size", 5).real("alpha", 0.5f).input("x", {1, 8, 2, 2}).read();
        QCOMPARE(attrInt(nodeOf(lrn, "LRN").attrs, "depth_radius"), std::int64_t{2});
        QCOMPARE(static_cast<float>(attrFloat(nodeOf(lrn, "LRN").attrs, "alpha")), 0.1f);
        QVERIFY(nodeOf(lrn, "LRN").attrs.count("size") == 0);
        QCOMPARE(types(OneOp("LpNormalization", 13).attr("p", 1).input("x", {2, 3}).read()),
                 std::string("LpNormV2 DivNoNan"));
        QCOMPARE(types(OneOp("RMSNormalization", 23).attr("axis", 1).input("x", {2, 3, 4}).input("s", {4}).read()),
                 std::string("Unsqueeze RmsNorm"));
        QCOMPARE(types(OneOp("GroupNormalization", 21)
                           .attr("num_groups", 2)
                           .input("x", {1, 4, 2})
                           .input("s", {4})
                           .input("b", {4})
                           .read()),
                 std::string("GroupNorm"));
    }

    void dropoutKeepsEverythingInInference()
    {
        QCOMPARE(types(OneOp("Dropout", 13).input("x", {2, 3}).read()), std::string("Identity"));
        QCOMPARE(types(OneOp("Dropout", 13, 2).input("x", {2, 3}).read()), std::string("Identity Shape Fill"));
        QCOMPARE(types(OneOp("Dropout", 13).input("x", {2}).absent().input("t", {}, onnx::TensorProto::BOOL).read()),
                 std::string("Dropout"));
    }

    void missingInputsAreErrors()
    {
        QVERIFY(types(OneOp("Add", 17).input("a", {2}).read()).find("failed") == 0);
        QVERIFY(types(OneOp("BitShift", 17).text("direction", "UP").input("a", {2}).input("b", {2}).read())
                    .find("failed") == 0);
    }
};

QTEST_GUILESS_MAIN(TestImportArithmetic)
#include "tst_import_arithmetic.moc"
