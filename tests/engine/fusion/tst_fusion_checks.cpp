// Each reason where it alone blocks a fusion, with the numbers of its evidence worked out by hand.

#include "engine/fusion/fusion_switch.h"
#include "tests/engine/fusion/fusion_graphs.h"

using namespace gelens;
using namespace gelens::test;

namespace {

const DataType fp32 = DataType::Float;

/// relu(conv(x)): two kernels that TbeConvSingleInFusionPass joins on a chip with combined cores.
struct ConvRelu {
    OutputRef conv, relu;
    ConvRelu(FusionGraph& g, Shape image = {1, 4, 6, 6})
    {
        conv = g.op("Conv2D", "conv", {g.data("x", std::move(image), fp32), g.weight("w", {8, 4, 3, 3}, fp32)},
                    {{"strides", IntList{1, 1, 1, 1}},
                     {"pads", IntList{1, 1, 1, 1}},
                     {"dilations", IntList{1, 1, 1, 1}},
                     {"groups", 1},
                     {"data_format", "NCHW"}});
        relu = g.op("Relu", "relu", {conv});
        g.result({relu});
    }
};

OutputRef mmBias(FusionGraph& g)
{
    const OutputRef mm = g.op("MatMulV2", "mm", {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32)});
    g.result({g.op("Add", "add", {mm, g.weight("b", {16}, fp32)})});
    return mm;
}

#define VERIFY_ALONE(outcome, reason)                                                                                  \
    QVERIFY2((outcome).matched == 1 && (outcome).effective == 0 && refusal(outcome) &&                                 \
                 blocksAlone(*refusal(outcome), reason),                                                               \
             explain(outcome).c_str())

} // namespace

class TestFusionChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ruleDisabled();
    void graphOutput();
    void multiConsumer();
    void controlEdge();
    void controlEdgesMove();
    void cycle();
    void readersBetweenMove();
    void subgraphBorder();
    void constantFromOutside();
    void dynamicShape();
    void dtype();
    void format();
    void value();
    void scalarValue();
    void absentValues();
    void alignment();
    void sliceMismatch();
    void sharedAttributes_data();
    void sharedAttributes();
    void inheritsSharedAttributes();
    void dump();
    void kernelChecks_data();
    void kernelChecks();
    void chip();
    void units();
    void aiCpu();
    void ubCapacity();
    void l0Capacity();
    void tileSearch();
    void precisionMode();
    void nearMiss();
    void headlineOrder();
    void cancels();
};

void TestFusionChecks::ruleDisabled()
{
    FusionGraph g;
    mmBias(g);
    const auto switches = FusionSwitch::parse("MatMulBiasAddFusionPass:off", "s.cfg");
    FusionEnvironment environment;
    environment.switches = &*switches;
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B(), environment);
    VERIFY_ALONE(outcome, Reason::RuleDisabled);
    QVERIFY(refusal(outcome)->headline()->what.find("s.cfg:1") != std::string::npos);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C01"));
}

void TestFusionChecks::graphOutput()
{
    FusionGraph g;
    const OutputRef mm = mmBias(g);
    g.result({mm, g.graph().node(g.graph().findNode("add")).output()});
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::GraphOutput);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C10"));
}

void TestFusionChecks::multiConsumer()
{
    FusionGraph g;
    const ConvRelu parts(g);
    g.op("Neg", "other", {parts.conv});
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc310P());
    VERIFY_ALONE(outcome, Reason::MultiConsumer);
    const Check& check = *refusal(outcome)->headline();
    QCOMPARE(*check.needs, 1.0); // readers inside the chain
    QCOMPARE(*check.has, 2.0);
    QCOMPARE(check.code, std::string("U05"));
    QVERIFY(check.what.find("'other'") != std::string::npos);
}

void TestFusionChecks::controlEdge()
{
    std::vector<Message> messages;
    RuleSet rules;
    rules.addText("rule { id: \"R\" evidence: \"A\" unit: VECTOR no_control_edges: true input { name: \"x\" } node { "
                  "name: \"b\" op: \"Relu\" in: \"a\" } node { name: \"a\" op: \"Sigmoid\" in: \"x\" } root: \"b\" "
                  "new_node { name: \"m\" op: \"Relu6\" in: \"x=x\" } output { of: \"b\" by: \"m\" } }",
                  "f", messages);
    QVERIFY(messages.empty());
    FusionGraph g;
    const OutputRef x = g.data("x", {4}), a = g.op("Sigmoid", "a", {x}), other = g.op("Neg", "other", {x});
    g.result({g.op("Relu", "b", {a})});
    g.editor().connectControl(other.node, a.node);
    FusionEnvironment environment;
    const SocSpec soc = soc910B();
    environment.soc = &soc;
    const RuleOutcome outcome = applyRule(g.editor(), *rules.find("R"), environment);
    VERIFY_ALONE(outcome, Reason::ControlEdge);
    QCOMPARE(*refusal(outcome)->headline()->has, 1.0);
}

void TestFusionChecks::controlEdgesMove()
{
    FusionGraph g;
    const OutputRef mm = mmBias(g), other = g.op("Neg", "other", {g.data("y", {4})});
    g.editor().connectControl(other.node, mm.node);
    QCOMPARE(apply(g, "MatMulBiasAddFusion", soc910B()).effective, 1);
    QCOMPARE(g.graph().node(g.only("MatMulV2")->id).controlInputs, std::vector<NodeId>{other.node});
}

void TestFusionChecks::cycle()
{
    // The sum leaves the pair Add + RmsNorm, and a control edge brings it back in front of the norm.
    FusionGraph g;
    const OutputRef add = g.op("Add", "add", {g.data("a", {4, 64}), g.data("b", {4, 64})});
    const OutputRef side = g.op("Neg", "side", {add});
    const OutputRef norm = g.op("RmsNorm", "norm", {add, g.weight("gamma", {64})}, {}, 2);
    g.result({norm, side});
    g.editor().connectControl(side.node, norm.node);
    const RuleOutcome outcome = apply(g, "AddRmsNormFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::Cycle);
    QVERIFY(refusal(outcome)->headline()->what.find("'side'") != std::string::npos);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C07"));
    g.editor().disconnectControl(side.node, norm.node);
    QCOMPARE(apply(g, "AddRmsNormFusion", soc910B()).effective, 1);
}

void TestFusionChecks::readersBetweenMove()
{
    // A reader of the sum stands before the norm in order; the fused node stands at the norm's place, so the reader
    // moves.
    FusionGraph g;
    const OutputRef add = g.op("Add", "add", {g.data("a", {4, 64}), g.data("b", {4, 64})});
    const OutputRef side = g.op("Neg", "side", {add}), next = g.op("Abs", "next", {side});
    const OutputRef norm = g.op("RmsNorm", "norm", {add, g.weight("gamma", {64})}, {}, 2);
    g.result({norm, next});
    QCOMPARE(apply(g, "AddRmsNormFusion", soc910B()).effective, 1);
    std::vector<std::string> order;
    g.graph().forEachNode(rootGraph, [&](const Node& node) {
        if (isOperator(node)) order.push_back(node.type);
    });
    QCOMPARE(order, (std::vector<std::string>{"AddRmsNorm", "Neg", "Abs"}));
}

void TestFusionChecks::subgraphBorder()
{
    FusionGraph g;
    const ConvRelu parts(g);
    g.editor().addSubgraph("body", parts.relu.node);
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc310P());
    VERIFY_ALONE(outcome, Reason::SubgraphBorder);
}

void TestFusionChecks::constantFromOutside()
{
    // In a branch, what comes in through Data may be constant outside; the rule cannot look there.
    FusionGraph g;
    const OutputRef owner = g.op("Relu", "owner", {g.data("c", {1})});
    const GraphId body = g.editor().addSubgraph("body", owner.node);
    const auto add = [&](const char* type, const char* name, Shape shape, std::vector<OutputRef> inputs) {
        NodeSpec spec{name, type, {}, {{"y", TensorDesc(fp32, shape)}}, {}};
        for (std::size_t i = 0; i < inputs.size(); ++i)
            spec.inputs.emplace_back("x" + std::to_string(i + 1), g.graph().outputDesc(inputs[i]));
        const NodeId id = g.editor().addNode(std::move(spec), body);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            g.editor().connect(inputs[i], {id, static_cast<std::int32_t>(i)});
        return OutputRef{id, 0};
    };
    const OutputRef x = add("Data", "x", {4, 8}, {}), w = add("Data", "w", {8, 16}, {}), b = add("Data", "b", {16}, {});
    add("Add", "sum", {4, 16}, {add("MatMulV2", "mm", {4, 16}, {x, w}), b});
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::SubgraphBorder);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C09"));
}

void TestFusionChecks::dynamicShape()
{
    {
        FusionGraph g;
        const ConvRelu parts(g, {-1, 4, 6, 6});
        const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc310P());
        VERIFY_ALONE(outcome, Reason::DynamicShape);
        QCOMPARE(refusal(outcome)->headline()->code, std::string("U08"));
    }
    FusionGraph g; // how many keys there are decides what fits
    const OutputRef q = g.data("q", {1, 2, -1, 16}), k = g.data("k", {1, 2, 16, -1}), v = g.data("v", {1, 2, -1, 16});
    g.result({g.op("BatchMatMulV2", "pv",
                   {g.op("SoftmaxV2", "softmax", {g.op("BatchMatMulV2", "qk", {q, k})}, {{"axes", IntList{-1}}}), v})});
    const RuleOutcome outcome = apply(g, "FlashAttentionFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::DynamicShape);
    // The online form tiles the keys, so it need not know.
    QCOMPARE(apply(g, "FlashAttentionOnlineFusion", soc910B()).effective, 1);
}

void TestFusionChecks::dtype()
{
    FusionGraph g;
    const OutputRef x = g.data("x", {4, 32}, DataType::Double);
    g.result({g.op("Mul", "out", {x, g.op("Sigmoid", "s", {x})})});
    const RuleOutcome outcome = apply(g, "SwishFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::DtypeMismatch);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C13"));
}

void TestFusionChecks::format()
{
    FusionGraph g;
    const OutputRef add = g.op("Add", "add", {g.data("a", {16, 64}), g.data("b", {16, 64})});
    g.result({g.op("RmsNorm", "norm", {add, g.weight("gamma", {64})}, {}, 2)});
    TensorDesc desc = g.graph().outputDesc(add);
    desc.format = Format::FractalNz;
    g.editor().setOutputDesc({add.node, 0}, desc);
    const RuleOutcome outcome = apply(g, "AddRmsNormFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::FormatMismatch);
}

void TestFusionChecks::value()
{
    FusionGraph g; // a bias of 16 numbers for 16 columns fits; of one number it does not
    const OutputRef mm = g.op("MatMulV2", "mm", {g.data("x", {4, 8}, fp32), g.weight("w", {8, 16}, fp32)});
    g.result({g.op("Add", "add", {mm, g.weight("b", {1}, fp32)})});
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::ValueMismatch);
    QCOMPARE(*refusal(outcome)->headline()->needs, 16.0);
    QCOMPARE(*refusal(outcome)->headline()->has, 1.0);
}

void TestFusionChecks::scalarValue()
{
    FusionGraph g; // a cube where the formula has a square
    const OutputRef x = g.data("x", {4, 64});
    const OutputRef mean =
        g.op("ReduceMean", "mean", {g.op("Pow", "sq", {x, g.number("three", 3)}), g.ints("axes", {-1})},
             {{"keep_dims", true}});
    const OutputRef root = g.op("Sqrt", "root", {g.op("Add", "plus", {mean, g.number("eps", 1e-5)})});
    g.result({g.op("Mul", "out", {g.op("RealDiv", "div", {x, root}), g.weight("gamma", {64})})});
    const RuleOutcome outcome = apply(g, "RmsNormDecomposedFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::ValueMismatch);
    QCOMPARE(*refusal(outcome)->headline()->needs, 2.0);
    QCOMPARE(*refusal(outcome)->headline()->has, 3.0);
}

void TestFusionChecks::absentValues()
{
    FusionGraph g;
    const OutputRef conv = g.op("Conv2D", "conv", {g.data("x", {1, 4, 6, 6}, fp32), g.absent("w", {8, 4, 3, 3}, fp32)},
                                {{"strides", IntList{1, 1, 1, 1}},
                                 {"pads", IntList{1, 1, 1, 1}},
                                 {"dilations", IntList{1, 1, 1, 1}},
                                 {"groups", 1},
                                 {"data_format", "NCHW"}});
    g.result({g.op(
        "BatchNorm", "bn",
        {conv, g.weight("g", {8}, fp32), g.weight("b", {8}, fp32), g.weight("m", {8}, fp32), g.weight("v", {8}, fp32)},
        {{"is_training", false}, {"data_format", "NCHW"}}, 5)});
    const RuleOutcome outcome = apply(g, "ConvBatchnormFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::NotConstant);
    QVERIFY(refusal(outcome)->headline()->what.find("absent") != std::string::npos);
}

void TestFusionChecks::alignment()
{
    const auto outcomeFor = [](std::int64_t width) {
        FusionGraph g;
        const OutputRef turned = g.op("Transpose", "t", {g.data("x", {2, 16, 4, width}), g.ints("perm", {0, 2, 1, 3})});
        g.result({g.op("Reshape", "r", {turned, g.ints("shape", {2, 4, 16 * width})})});
        const auto switches = FusionSwitch::parse("TransposeReshapeFusionPass:on", "s.cfg");
        FusionEnvironment environment;
        environment.switches = &*switches;
        return apply(g, "TransposeReshapeFusion", soc910B(), environment);
    };
    QCOMPARE(outcomeFor(32).effective, 1);
    const RuleOutcome outcome = outcomeFor(24);
    VERIFY_ALONE(outcome, Reason::Alignment);
    QCOMPARE(*refusal(outcome)->headline()->needs, 16.0);
    QCOMPARE(*refusal(outcome)->headline()->has, 24.0);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("C18"));
}

void TestFusionChecks::sliceMismatch()
{
    FusionGraph h;
    const OutputRef conv = h.op("Conv2D", "conv", {h.data("x", {1, 4, 6, 6}, fp32), h.weight("w", {8, 4, 3, 3}, fp32)},
                                {{"strides", IntList{1, 1, 1, 1}},
                                 {"pads", IntList{1, 1, 1, 1}},
                                 {"dilations", IntList{1, 1, 1, 1}},
                                 {"groups", 1},
                                 {"data_format", "NCHW"}});
    h.result({h.op("Add", "add", {conv, h.data("other", {1, 8, 1, 1}, fp32)})});
    const RuleOutcome outcome = apply(h, "ConvAddReluUbFusion", soc310P());
    VERIFY_ALONE(outcome, Reason::SliceMismatch);
    QCOMPARE(refusal(outcome)->headline()->code, std::string("U10"));
}

void TestFusionChecks::sharedAttributes_data()
{
    QTest::addColumn<QString>("attribute");
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("code");
    QTest::newRow("stream label") << "_stream_label" << int(Reason::StreamLabel) << "C02";
    QTest::newRow("scope") << "_super_kernel_scope" << int(Reason::ScopeDiffers) << "C03";
    QTest::newRow("cores") << "_op_aicore_num" << int(Reason::CoreCount) << "C04";
    QTest::newRow("vector cores") << "_op_vectorcore_num" << int(Reason::CoreCount) << "C04";
    QTest::newRow("determinism") << "deterministic" << int(Reason::Determinism) << "C05";
}

void TestFusionChecks::sharedAttributes()
{
    QFETCH(QString, attribute);
    QFETCH(int, reason);
    QFETCH(QString, code);
    FusionGraph g;
    const OutputRef mm = mmBias(g);
    g.editor().setAttr(mm.node, attribute.toStdString(), AttrValue("one"));
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B());
    VERIFY_ALONE(outcome, static_cast<Reason>(reason));
    QCOMPARE(refusal(outcome)->headline()->code, code.toStdString());
    QCOMPARE(*refusal(outcome)->headline()->has, 2.0); // "one" and none
}

void TestFusionChecks::inheritsSharedAttributes()
{
    FusionGraph g;
    const OutputRef mm = mmBias(g);
    g.editor().setAttr(mm.node, "_stream_label", AttrValue("one"));
    g.editor().setAttr(g.graph().findNode("add"), "_stream_label", AttrValue("one"));
    QCOMPARE(apply(g, "MatMulBiasAddFusion", soc910B()).effective, 1);
    QCOMPARE(attrString(g.only("MatMulV2")->attrs, "_stream_label"), std::string("one"));
}

void TestFusionChecks::dump()
{
    FusionGraph g;
    const OutputRef mm = mmBias(g);
    g.editor().setAttr(mm.node, "_dump_able", AttrValue(true));
    FusionEnvironment environment;
    environment.isDumpMode = true;
    const RuleOutcome outcome = apply(g, "MatMulBiasAddFusion", soc910B(), environment);
    VERIFY_ALONE(outcome, Reason::DumpEnabled);
    QCOMPARE(apply(g, "MatMulBiasAddFusion", soc910B()).effective, 1); // no dump, no obstacle
}

void TestFusionChecks::kernelChecks_data()
{
    QTest::addColumn<QString>("attribute");
    QTest::addColumn<int>("value");
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("code");
    QTest::newRow("already fused") << "fusion_scope" << 7 << int(Reason::AlreadyFused) << "U01";
    QTest::newRow("kernel kind") << "_fe_imply_type" << 5 << int(Reason::KernelType) << "U02";
    QTest::newRow("threads") << "_thread_mode" << 1 << int(Reason::ThreadMode) << "U03";
}

void TestFusionChecks::kernelChecks()
{
    QFETCH(QString, attribute);
    QFETCH(int, value);
    QFETCH(int, reason);
    QFETCH(QString, code);
    FusionGraph g;
    const ConvRelu parts(g);
    g.editor().setAttr(parts.conv.node, attribute.toStdString(), AttrValue(value));
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc310P());
    VERIFY_ALONE(outcome, static_cast<Reason>(reason));
    QCOMPARE(refusal(outcome)->headline()->code, code.toStdString());
}

void TestFusionChecks::chip()
{
    FusionGraph g;
    const OutputRef q = g.data("q", {1, 2, 8, 16}), k = g.data("k", {1, 2, 16, 8}), v = g.data("v", {1, 2, 8, 16});
    g.result({g.op("BatchMatMulV2", "pv",
                   {g.op("SoftmaxV2", "softmax", {g.op("BatchMatMulV2", "qk", {q, k})}, {{"axes", IntList{-1}}}), v})});
    const RuleOutcome outcome = apply(g, "FlashAttentionOnlineFusion", soc310P());
    VERIFY_ALONE(outcome, Reason::ChipUnsupported);
    QVERIFY(refusal(outcome)->headline()->what.find("Ascend310P3") != std::string::npos);
    // A chip without buffer fusion has none of those passes.
    FusionGraph h;
    const ConvRelu parts(h);
    SocSpec soc = soc310P();
    soc.hasUbFusion = false;
    const RuleOutcome second = apply(h, "ConvReluUbFusion", soc);
    VERIFY_ALONE(second, Reason::ChipUnsupported);
}

void TestFusionChecks::units()
{
    FusionGraph g;
    const ConvRelu parts(g);
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc910B());
    VERIFY_ALONE(outcome, Reason::UnitConflict);
    const Check& check = *refusal(outcome)->headline();
    QCOMPARE(check.code, std::string("U11"));
    QCOMPARE(check.nodes, (std::vector<NodeId>{parts.conv.node, parts.relu.node}));
    for (const char* part : {"'conv' (Conv2D)", "cube", "'relu' (Relu)", "vector", "Ascend910B1", "L0C"})
        QVERIFY2(check.what.find(part) != std::string::npos, check.what.c_str());
    QVERIFY(refusal(outcome)->remedy.find("Ascend310P3") != std::string::npos);
    QCOMPARE(apply(g, "ConvReluUbFusion", soc310P()).effective, 1);
}

void TestFusionChecks::aiCpu()
{
    // A rule that joins a cube kernel with an operator that AI cores do not run.
    std::string foreign;
    for (const OpDef* def : OpRegistry::instance().all())
        if (def->unitOf() == Unit::AiCpu && def->inputs().size() == 1 && def->outputs().size() == 1 &&
            def->outputs()[0].kind == PortKind::Required)
            foreign = def->type();
    QVERIFY(!foreign.empty());
    std::vector<Message> messages;
    RuleSet rules;
    rules.addText("rule { id: \"R\" evidence: \"A\" group: UB unit: CUBE_THEN_VECTOR input { name: \"x\" } input { "
                  "name: \"w\" } node { name: \"b\" op: \"" +
                      foreign +
                      "\" in: \"a\" } node { name: \"a\" op: \"MatMulV2\" in: \"x\" in: \"w\" } root: \"b\" new_node { "
                      "name: \"m\" op: \"MatMulV2\" in: \"x1=x\" in: \"x2=w\" } output { of: \"b\" by: \"m\" } }",
                  "f", messages);
    QVERIFY(messages.empty());
    FusionGraph g;
    const OutputRef mm = g.op("MatMulV2", "mm", {g.data("x", {4, 4}, fp32), g.weight("w", {4, 4}, fp32)});
    NodeSpec spec{"foreign", foreign, {{"x", g.graph().outputDesc(mm)}}, {{"y", g.graph().outputDesc(mm)}}, {}};
    const NodeId id = g.editor().addNode(std::move(spec));
    g.editor().connect(mm, {id, 0});
    g.result({{id, 0}});
    FusionEnvironment environment;
    const SocSpec soc = soc310P();
    environment.soc = &soc;
    const RuleOutcome outcome = applyRule(g.editor(), *rules.find("R"), environment);
    VERIFY_ALONE(outcome, Reason::UnitConflict);
}

void TestFusionChecks::ubCapacity()
{
    // LayerNorm keeps a row, γ and β in fp32: 12 B for each element. 196,608 B of UB hold 16,384 elements.
    const auto outcomeFor = [](std::int64_t width) {
        FusionGraph g;
        const OutputRef sum = g.op("Add", "add", {g.data("a", {1, width}), g.data("b", {1, width})});
        g.result({g.op("RmsNorm", "norm", {sum, g.weight("gamma", {width})}, {}, 2)});
        return apply(g, "AddRmsNormFusion", soc910B());
    };
    QCOMPARE(outcomeFor(16384).effective, 1);
    const RuleOutcome outcome = outcomeFor(16400);
    VERIFY_ALONE(outcome, Reason::UbCapacity);
    const FusionVerdict& verdict = *refusal(outcome);
    QCOMPARE(*verdict.headline()->needs, 196800.0); // 3 · 16,400 · 4
    QCOMPARE(*verdict.headline()->has, 196608.0);
    QCOMPARE(verdict.thresholds[0].quantity, std::string("hidden size"));
    QCOMPARE(verdict.thresholds[0].limit, 16384.0);
    QCOMPARE(verdict.thresholds[1].quantity, std::string("UB size"));
    QCOMPARE(verdict.thresholds[1].limit, 196800.0);
}

void TestFusionChecks::l0Capacity()
{
    FusionGraph g;
    const OutputRef x = g.data("x", {4, 8}), gate = g.op("BatchMatMulV2", "gate", {x, g.weight("wg", {8, 16})}),
                    up = g.op("BatchMatMulV2", "up", {x, g.weight("wu", {8, 16})});
    g.result({g.op("SwiGluMul", "swiglu", {gate, up})});
    FusionEnvironment environment;
    environment.buffers.l0c = 2047; // the smallest pair of tiles: 2 · 16 · 16 · 4 = 2,048 B
    const RuleOutcome outcome = apply(g, "MatmulSwigluFusion", soc310P(), environment);
    VERIFY_ALONE(outcome, Reason::L0Capacity);
    QCOMPARE(*refusal(outcome)->headline()->needs, 2048.0);
    QCOMPARE(*refusal(outcome)->headline()->has, 2047.0);
    environment.buffers.l0c = 2048;
    QCOMPARE(apply(g, "MatmulSwigluFusion", soc310P(), environment).effective, 1);
}

void TestFusionChecks::tileSearch()
{
    // Online attention, head size 64 in fp16: the largest legal tile has 128 rows and 256 columns, because 512 columns
    // would need 128 · 512 · 4 = 262,144 B of scores in 196,608 B of UB.
    FusionGraph g;
    const OutputRef q = g.data("q", {1, 2, 8, 64}), k = g.data("k", {1, 2, 64, 9000}),
                    v = g.data("v", {1, 2, 9000, 64});
    g.result({g.op("BatchMatMulV2", "pv",
                   {g.op("SoftmaxV2", "softmax", {g.op("BatchMatMulV2", "qk", {q, k})}, {{"axes", IntList{-1}}}), v})});
    const RuleOutcome outcome = apply(g, "FlashAttentionOnlineFusion", soc910B());
    QCOMPARE(outcome.effective, 1);
    double needsL1 = 0, needsUb = 0;
    for (const Check& check : outcome.verdicts[0].checks) {
        if (check.reason == Reason::L1Capacity) needsL1 = *check.needs;
        if (check.reason == Reason::UbCapacity) needsUb = *check.needs;
    }
    // The columns count most: 512 of them with 64 rows. L1: 64·64·2 + 4·512·64·2; UB: 64·512·4 + 2·64·32.
    QCOMPARE(needsL1, 270336.0);
    QCOMPARE(needsUb, 135168.0);
}

void TestFusionChecks::precisionMode()
{
    // The rotated halves come through a Cast: without it all would be there.
    FusionGraph g;
    const OutputRef x = g.data("x", {1, 2, 8, 16}), cos = g.data("cos", {8, 16}), sin = g.data("sin", {8, 16});
    const OutputRef split = g.op("SplitD", "split", {x}, {{"split_dim", -1}, {"num_split", 2}}, 2);
    const OutputRef joined = g.op("ConcatD", "joined", {g.op("Neg", "neg", {OutputRef{split.node, 1}}), split},
                                  {{"concat_dim", -1}, {"N", 2}});
    const OutputRef cast = g.op("Cast", "cast", {joined}, {{"dst_type", static_cast<std::int64_t>(DataType::Float16)}});
    g.result({g.op("Add", "sum", {g.op("Mul", "by_cos", {x, cos}), g.op("Mul", "by_sin", {cast, sin})})});
    const RuleOutcome outcome = apply(g, "RotaryDecomposedFusion", soc910B());
    QCOMPARE(outcome.matched, 0);
    QCOMPARE(outcome.verdicts.size(), std::size_t{1});
    const FusionVerdict& verdict = outcome.verdicts[0];
    QVERIFY2(verdict.reason == Reason::PrecisionMode, explain(outcome).c_str());
    QCOMPARE(verdict.firstMismatch, std::string("rotated"));
    QCOMPARE(verdict.mismatchNode, cast.node);
    QCOMPARE(verdict.headline()->code, std::string("C14"));
}

void TestFusionChecks::nearMiss()
{
    FusionGraph g; // a Tanh stands where attention has its scores
    const OutputRef x = g.data("x", {1, 2, 8, 8}), v = g.data("v", {1, 2, 8, 16});
    g.result({g.op("BatchMatMulV2", "pv",
                   {g.op("SoftmaxV2", "softmax", {g.op("Tanh", "tanh", {x})}, {{"axes", IntList{-1}}}), v})});
    const RuleOutcome outcome = apply(g, "FlashAttentionFusion", soc910B());
    QCOMPARE(outcome.matched, 0);
    QCOMPARE(outcome.verdicts.size(), std::size_t{1});
    const FusionVerdict& verdict = outcome.verdicts[0];
    QCOMPARE(verdict.reason, Reason::NoRule);
    QCOMPARE(verdict.firstMismatch, std::string("scores"));
    QCOMPARE(verdict.mismatchNode, g.graph().findNode("tanh"));
    QCOMPARE(verdict.nodeNames, (std::vector<std::string>{"pv", "softmax"}));
    QCOMPARE(verdict.patternNodes, (std::vector<std::string>{"context", "softmax"}));
    QCOMPARE(*verdict.headline()->needs, 3.0); // context, softmax, scores
    QCOMPARE(*verdict.headline()->has, 2.0);
}

void TestFusionChecks::headlineOrder()
{
    // Everything is wrong at once: the order is rule off, structure, support, unit, capacity.
    FusionGraph g;
    const ConvRelu parts(g);
    g.op("Neg", "other", {parts.conv});
    g.editor().setAttr(parts.conv.node, "_stream_label", AttrValue("one"));
    const auto switches = FusionSwitch::parse("TbeConvSingleInFusionPass:off", "s.cfg");
    FusionEnvironment environment;
    environment.switches = &*switches;
    const RuleOutcome outcome = apply(g, "ConvReluUbFusion", soc910B(), environment);
    QVERIFY(refusal(outcome));
    std::vector<Reason> failed;
    for (const Check& check : refusal(outcome)->checks)
        if (!check.held) failed.push_back(check.reason);
    QCOMPARE(failed, (std::vector<Reason>{Reason::RuleDisabled, Reason::MultiConsumer, Reason::StreamLabel,
                                          Reason::UnitConflict}));
    QCOMPARE(refusal(outcome)->reason, Reason::RuleDisabled);
}

void TestFusionChecks::cancels()
{
    FusionGraph g;
    const OutputRef x = g.data("x", {4});
    for (int i = 0; i < 600; ++i)
        g.op("Mul", "m" + std::to_string(i), {x, g.op("Sigmoid", "s" + std::to_string(i), {x})});
    std::stop_source stop;
    stop.request_stop();
    FusionEnvironment environment;
    environment.stop = stop.get_token();
    const RuleOutcome outcome = apply(g, "SwishFusion", soc910B(), environment);
    QVERIFY(outcome.wasCancelled);
    QVERIFY(outcome.effective < 600);
}

QTEST_GUILESS_MAIN(TestFusionChecks)
#include "tst_fusion_checks.moc"
