// Cos, Sin, Sqrt or Relu and the Cast behind it: one kernel with the same numbers, and what keeps them apart.

#include "tests/engine/fusion/fusion_graphs.h"

using namespace gelens;
using namespace gelens::test;

namespace {

OutputRef pair(FusionGraph& g, const char* function, DataType from = DataType::Float, int to = 1)
{
    const OutputRef x = g.op("Abs", "x", {g.data("data", {4, 33}, from)});
    return g.op("Cast", "cast", {g.op(function, "function", {x})}, {{"dst_type", to}});
}

} // namespace

class TestEltwiseFusion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joins_data()
    {
        QTest::addColumn<QString>("function");
        for (const char* function : {"Relu", "Sqrt", "Cos", "Sin"})
            QTest::newRow(function) << QString::fromLatin1(function);
    }
    void joins()
    {
        QFETCH(QString, function);
        for (const bool narrows : {true, false}) {
            FusionGraph g;
            g.result({pair(g, function.toLatin1().constData(), narrows ? DataType::Float : DataType::Float16,
                           narrows ? 1 : 0)});
            const std::string fault = fuses(g, soc310P(), {{"EltwiseCastUbFusion", 1}}, 0);
            QVERIFY2(fault.empty(), fault.c_str()); // no tolerance: rounded in between, as when stored
            QCOMPARE(g.operators(), 2);
            const Node* const fused = g.only("EltwiseCast");
            QVERIFY(fused);
            QCOMPARE(fused->outputs[0].desc.dtype, narrows ? DataType::Float16 : DataType::Float);
            QCOMPARE(attrString(fused->attrs, "function"), function.toStdString());
        }
    }

    void otherFunctionsStay()
    {
        FusionGraph g;
        g.result({pair(g, "Tanh")});
        QCOMPARE(apply(g, "EltwiseCastUbFusion", soc310P()).matched, 0);
    }

    void refusedAlone_data()
    {
        QTest::addColumn<int>("reason");
        QTest::newRow("AscendC kernels") << int(Reason::KernelType);
        QTest::newRow("second reader") << int(Reason::MultiConsumer);
        QTest::newRow("result leaves the model") << int(Reason::GraphOutput);
        QTest::newRow("in a scope already") << int(Reason::AlreadyFused);
    }
    void refusedAlone()
    {
        QFETCH(int, reason);
        FusionGraph g;
        const OutputRef cast = pair(g, "Cos");
        const OutputRef function = g.graph().node(cast.node).source(0);
        if (Reason(reason) == Reason::MultiConsumer)
            g.result({cast, g.op("Neg", "other", {function})});
        else if (Reason(reason) == Reason::GraphOutput)
            g.result({cast, function});
        else
            g.result({cast});
        if (Reason(reason) == Reason::AlreadyFused)
            g.editor().setAttr(function.node, "fusion_scope", AttrValue(std::int64_t{3}));
        SocSpec soc = soc310P();
        soc.hasUbFusion = true;
        if (Reason(reason) == Reason::KernelType) soc.generation = 220;
        const RuleOutcome outcome = apply(g, "EltwiseCastUbFusion", soc);
        const FusionVerdict* const refused = refusal(outcome);
        QVERIFY2(refused && blocksAlone(*refused, Reason(reason)), explain(outcome).c_str());
        if (Reason(reason) == Reason::KernelType) QCOMPARE(refused->headline()->code, std::string("U02"));
    }
};

QTEST_GUILESS_MAIN(TestEltwiseFusion)
#include "tst_eltwise_fusion.moc"
