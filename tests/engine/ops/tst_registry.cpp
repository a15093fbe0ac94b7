#include "engine/graph/graph_editor.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/element_types.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/small_float.h"
#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace gelens;

class TestRegistry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDefinitionIsComplete()
    {
        for (const OpDef* const def : OpRegistry::instance().all()) {
            const char* const type = def->type().c_str();
            QVERIFY2(!def->docText().empty(), type);
            QVERIFY2(!def->sourceText().empty(), type);
            QVERIFY2(def->inferFunction() != nullptr, type);
            // A view makes no task, so it needs no cost.
            QVERIFY2(def->view() || def->costFunction() != nullptr, type);
            if (!isBoundaryType(def->type())) QVERIFY2(def->kernelFunction() != nullptr, type);
        }
    }

    /// What computes says how it rounds and accumulates, in its text or by its arithmetic.
    void everyDefinitionStatesItsArithmetic()
    {
        int stated = 0;
        for (const OpDef* const def : OpRegistry::instance().all()) {
            if (isBoundaryType(def->type()) || def->arithmeticOf() != Arithmetic::ByClass) {
                ++stated;
                continue;
            }
            bool says = false;
            for (const char* const word : {"fp32", "fp64", "int32", "accumulat", "exact", "Exact", "round"})
                says |= def->docText().find(word) != std::string::npos;
            QVERIFY2(says, (def->type() + ": " + def->docText()).c_str());
        }
        QVERIFY(stated > 200);
        const auto textOf = [](const char* type) {
            return std::string(OpRegistry::instance().find(type)->arithmeticText());
        };
        QVERIFY(textOf("Add").find("fp32") != std::string::npos);
        QVERIFY(textOf("ReduceSum").find("fp64") != std::string::npos);
        QVERIFY(textOf("Transpose").empty());
        QVERIFY(OpRegistry::instance().find("MatMulV2")->docText().find("accumulates") != std::string::npos);
    }

    void portAndAttributeNamesAreUnique()
    {
        for (const OpDef* const def : OpRegistry::instance().all()) {
            for (const auto* const ports : {&def->inputs(), &def->outputs()}) {
                std::set<std::string> names;
                int dynamic = 0;
                for (const Port& port : *ports) {
                    QVERIFY2(!port.name.empty(), def->type().c_str());
                    QVERIFY2(names.insert(port.name).second, def->type().c_str());
                    dynamic += port.kind == PortKind::Dynamic ? 1 : 0;
                }
                QVERIFY2(dynamic <= 1 || ports->size() > 1, def->type().c_str());
            }
            std::set<std::string> attrs;
            for (const AttrSpec& attr : def->attrs())
                QVERIFY2(attrs.insert(attr.name).second, (def->type() + "." + attr.name).c_str());
        }
    }

    void inPlacePairsNameSlotsThatExist()
    {
        for (const OpDef* const def : OpRegistry::instance().all()) {
            for (const auto& [out, in] : def->inPlacePairs()) {
                QVERIFY2(out < static_cast<int>(def->outputs().size()), def->type().c_str());
                QVERIFY2(in < static_cast<int>(def->inputs().size()), def->type().c_str());
            }
            const std::set<std::pair<int, int>> unique(def->inPlacePairs().begin(), def->inPlacePairs().end());
            QVERIFY2(unique.size() == def->inPlacePairs().size(), def->type().c_str());
        }
    }

    void coversTheVectorFamilies()
    {
        for (const char* const type :
             {"Data",         "Const",      "NetOutput",    "Variable",    "Add",       "Sub",        "Mul",
              "RealDiv",      "FloorMod",   "Mod",          "Pow",         "Maximum",   "AddN",       "Cast",
              "ClipByValue",  "Sqrt",       "Rsqrt",        "Exp",         "Log",       "Erf",        "Equal",
              "LogicalAnd",   "BitwiseXor", "LeftShift",    "SelectV2",    "IsInf",     "Relu",       "PRelu",
              "GeluV2",       "SoftmaxV2",  "LogSoftmaxV2", "HardMax",     "ReduceSum", "ReduceMean", "ReduceLogSumExp",
              "ArgMaxV2",     "Cumsum",     "LayerNorm",    "LayerNormV3", "RmsNorm",   "BatchNorm",  "BNInfer",
              "InstanceNorm", "GroupNorm",  "LRN",          "MVNV2",       "NLLLoss"})
            QVERIFY2(OpRegistry::instance().find(type) != nullptr, type);
        QVERIFY(OpRegistry::instance().find("NoSuchOperator") == nullptr);
    }

    void dynamicPortsNumberTheirSlots()
    {
        OpDef def("X");
        def.input("first").dynamicInput("x").input("last");
        QCOMPARE(def.inputName(0, 4), std::string("first"));
        QCOMPARE(def.inputName(1, 4), std::string("x0"));
        QCOMPARE(def.inputName(2, 4), std::string("x1"));
        QCOMPARE(def.inputName(3, 4), std::string("last"));
        OpDef plain("Y");
        plain.input("x1").input("x2");
        QCOMPARE(plain.inputName(1, 2), std::string("x2"));
    }

    void unknownOperatorsCostTheirBytes()
    {
        Graph graph("g");
        Journal journal;
        GraphEditor editor(graph, journal);
        NodeSpec data{"x", "Data", {}, {{"y", TensorDesc(DataType::Float, {2, unknownDim, 8})}}};
        const NodeId x = editor.addNode(data);
        NodeSpec spec{"n", "NoSuchOperator", {{"x", TensorDesc()}}, {{"y", TensorDesc(DataType::Float16, {16})}}};
        const NodeId n = editor.addNode(spec);
        editor.connect({x, 0}, {n, 0});
        const Cost cost = costOf(graph.node(n), graph);
        QCOMPARE(cost.bytesRead, 64.0); // the unknown dim counts as 1
        QCOMPARE(cost.bytesWritten, 32.0);
        QCOMPARE(cost.vectorOps, 0.0);
        QCOMPARE(unitOf(graph.node(n)), Unit::AiCpu);
        QCOMPARE(costOf(graph.node(x), graph).bytesWritten, 0.0);
    }

    void elementwiseCostCountsElementsByWeight()
    {
        Graph graph("g");
        Journal journal;
        GraphEditor editor(graph, journal);
        const NodeId x = editor.addNode({"x", "Data", {}, {{"y", TensorDesc(DataType::Float, {4, 8})}}});
        const NodeId n =
            editor.addNode({"n", "Exp", {{"x", TensorDesc()}}, {{"y", TensorDesc(DataType::Float, {4, 8})}}});
        editor.connect({x, 0}, {n, 0});
        const Cost cost = costOf(graph.node(n), graph);
        QCOMPARE(cost.vectorOps, 4.0 * 32);
        QCOMPARE(cost.bytesRead, 128.0);
        QCOMPARE(cost.bytesWritten, 128.0);
    }

    void broadcastingKeepsSymbols()
    {
        Shape batch{unknownDim, 1, 3};
        batch.setSymbol(0, "batch");
        const Shape wide = broadcastShapes(batch, Shape{4, 1}).value();
        Shape expected{unknownDim, 4, 3};
        expected.setSymbol(0, "batch");
        QVERIFY(wide == expected);
        QCOMPARE(broadcastShapes(Shape{unknownDim}, Shape{5}).value(), (Shape{5}));
        QCOMPARE(broadcastShapes(Shape{0}, Shape{1}).value(), (Shape{0}));
        QCOMPARE(broadcastShapes(Shape::unknownRank(), Shape{5}).value(), Shape::unknownRank());
        QVERIFY(!broadcastShapes(Shape{2}, Shape{3}).ok());
        QVERIFY(!normalizeAxis(3, 3).has_value());
        QCOMPARE(normalizeAxis(-3, 3).value(), 0);
    }

    /// All 65,536 halves and bf16 through float and back, and every small float.
    void storageTypesRoundTrip()
    {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            Half half;
            half.bits = static_cast<std::uint16_t>(bits);
            const float value = half;
            const float reference = halfToFloat(half.bits);
            QVERIFY(value == reference || (std::isnan(value) && std::isnan(reference)));
            if (!std::isnan(value)) QCOMPARE(Half(value).bits, half.bits);
            BFloat16 brain;
            brain.bits = static_cast<std::uint16_t>(bits);
            if (!std::isnan(static_cast<float>(brain))) QCOMPARE(BFloat16(static_cast<float>(brain)).bits, brain.bits);
        }
        QCOMPARE(Half(65519.0f).bits, 0x7bff);
        QCOMPARE(Half(65520.0f).bits, 0x7c00);
        QCOMPARE(Half(0x1p-25f).bits, 0x0000);   // a tie, to even
        QCOMPARE(Half(0x1.8p-24f).bits, 0x0002); // a tie among subnormals
        QCOMPARE(Half(1.0f + 0x1p-11f).bits, 0x3c00);
        QCOMPARE(Half(1.0f + 0x1.8p-10f).bits, 0x3c02);
        QVERIFY(std::isnan(static_cast<float>(Half(NAN))));
        for (const DataType type : {DataType::Float8E4M3FN, DataType::Float8E4M3FNUZ, DataType::Float8E5M2,
                                    DataType::Float8E5M2FNUZ, DataType::Float8E8M0}) {
            const SmallFloat* const codec = SmallFloat::of(type);
            for (int code = 0; code < 256; ++code) {
                const float value = codec->decode(static_cast<std::uint8_t>(code));
                if (std::isfinite(value)) QCOMPARE(codec->decode(codec->encode(value)), value);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
