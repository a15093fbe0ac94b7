// Verification of a run in fp16 of a model in fp32: what rounding alone does, what is judged by it, and what still
// shows.

#include "engine/formats/ge_proto_writer.h"
#include "engine/npu/compare.h"
#include "engine/npu/random_inputs.h"
#include "engine/session/narrowing.h"
#include "engine/session/tensor_statistics.h"
#include "engine/session/verify.h"
#include "tests/support/graph_builder.h"
#include "tests/support/kernel_test.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace gelens;
using namespace gelens::test;

namespace {

/// x·w as it is (offset 0), or with a large number added and taken off again, which fp16 pays for.
void makeProduct(GraphBuilder& g, double offset)
{
    std::vector<double> weights(8 * 6);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.05 * static_cast<double>(i % 13) - 0.3;
    OutputRef y = g.op("MatMulV2", {g.input("x", {16, 8}), g.constant("w", tensor({8, 6}, weights))}, {}, "product");
    if (offset != 0) {
        const OutputRef large = g.constant("large", tensor({1}, {offset}));
        y = g.op("Sub", {g.op("Add", {y, large}, {}, "up"), large}, {}, "down");
    }
    g.outputs({y});
}

/// Numbers so near each other that fp16 cannot tell which is the largest.
void makeDecision(GraphBuilder& g)
{
    std::vector<double> shift(64);
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = 1000 + 0.001 * static_cast<double>((i * 37) % 64);
    const OutputRef small = g.op("Mul", {g.input("x", {64}), g.constant("tiny", tensor({1}, {1e-6}))}, {}, "small");
    const OutputRef near = g.op("Add", {small, g.constant("shift", tensor({64}, shift))}, {}, "near");
    g.outputs({g.op("ArgMaxV2", {near, g.ints("axis", {0})}, {}, "largest")});
}

void makeOverflow(GraphBuilder& g)
{
    const OutputRef x = g.op("Abs", {g.input("x", {8})}, {}, "positive");
    const OutputRef up = g.op("Add", {x, g.constant("twelve", tensor({1}, {12.0}))}, {}, "up");
    g.outputs({g.op("Log", {g.op("Exp", {up}, {}, "exp")}, {}, "log")});
}

/// The builder's graph as a file, compiled in fp16.
std::shared_ptr<const Run> compiled(const QTemporaryDir& folder, const Graph& graph)
{
    const QString path = folder.filePath(QStringLiteral("model.txt"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(QByteArray::fromStdString(geProtoText(graph, DumpDetail::Full)));
    file.close();
    auto session = Session::open(path.toStdString());
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    CompileOptions options;
    options.precision = PrecisionMode::ForceFp16;
    options.verify = true;
    auto run = (*session)->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

std::string joined(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes) text += note + '\n';
    return text;
}

/// What rounding each value of a graph to fp16 does to its first output. All values count as chosen.
Rounding roundingOf(GraphBuilder& g)
{
    Graph narrowed = g.graph();
    GraphEditor edit(narrowed);
    for (const NodeId id : narrowed.allNodes())
        for (std::int32_t i = 0; i < narrowed.node(id).outputCount(); ++i)
            if (TensorDesc desc = narrowed.outputDesc({id, i}); desc.dtype == DataType::Float) {
                desc.dtype = DataType::Float16;
                edit.setOutputDesc({id, i}, std::move(desc));
            }
    const auto inputs = randomInputs(g.graph(), 1);
    const auto reference = interpret(g.graph(), inputs);
    if (!reference.ok()) qFatal("%s", reference.error().message().c_str());
    return measureNarrowing(g.graph(), narrowed, inputs, reference->outputs).front();
}

} // namespace

class TestNarrowing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatRoundingDoes()
    {
        GraphBuilder plain, cancelling, decision, overflow;
        makeProduct(plain, 0);
        makeProduct(cancelling, 1000);
        makeDecision(decision);
        makeOverflow(overflow);
        const Rounding exact = roundingOf(plain);
        QVERIFY(exact.isOfValues && exact.type == DataType::Float16);
        QVERIFY2(exact.relative > 0x1p-14 && exact.relative < 0x1p-9, qPrintable(QString::number(exact.relative)));
        // Beside 1,000 the steps of fp16 are 0.5: the errors are spread over ± 0.25, their mean square is 0.5²/12.
        const Rounding poor = roundingOf(cancelling);
        QVERIFY2(poor.rms > 0.8 * 0.5 / std::sqrt(12.0) && poor.rms < 1.2 * 0.5 / std::sqrt(12.0),
                 qPrintable(QString::number(poor.rms)));
        QVERIFY(poor.largest <= 0.251);
        QCOMPARE(roundingOf(decision).decisions, std::int64_t{1});
        QCOMPARE(roundingOf(overflow).overflows, std::int64_t{8}); // exp(12) is 162,755
    }

    void onlyTypesAreAskedOfTheNarrowedGraph()
    {
        GraphBuilder g;
        makeProduct(g, 1000);
        Graph narrowed = g.graph();
        GraphEditor edit(narrowed);
        for (const char* name : {"product", "up", "down"}) {
            TensorDesc desc = narrowed.outputDesc({narrowed.findNode(name), 0});
            desc.dtype = DataType::Float16;
            edit.setOutputDesc({narrowed.findNode(name), 0}, desc);
        }
        const auto inputs = randomInputs(g.graph(), 1);
        const auto right = interpret(roundedGraph(g.graph(), narrowed), inputs);
        // A slip in its wiring does not come along.
        edit.connect({narrowed.findNode("x"), 0}, {narrowed.findNode("down"), 0});
        const auto same = interpret(roundedGraph(g.graph(), narrowed), inputs);
        QVERIFY(right.ok() && same.ok());
        QVERIFY(compareTensors(right->outputs[0].value, same->outputs[0].value, {}, {0, 0}).holds());
        // Nothing chosen, nothing rounded.
        QCOMPARE(roundedGraph(g.graph(), g.graph()).fingerprint(), g.graph().fingerprint());
    }

    void decisionsAreJudgedOnlyWhereNothingWasRounded()
    {
        GraphBuilder g;
        makeDecision(g);
        const auto run = interpret(g.graph(), randomInputs(g.graph(), 1));
        QVERIFY(run.ok());
        const NamedTensor& reference = run->outputs[0];
        NamedTensor other = reference;
        other.value = HostTensor::fromConstant(Tensor::fromInts({5}, reference.value.shape, reference.value.dtype));
        Rounding rounding = roundingOf(g);
        QVERIFY(!compareOutputs(reference, other, rounding).holds()); // in fp32 an index is an index
        other.precision = DataType::Float16;
        const ErrorMeasure open = compareOutputs(reference, other, rounding);
        QVERIFY(open.holds() && open.undecided == 1 && open.mismatches > 0);
        rounding.decisions = 0;
        QVERIFY(!compareOutputs(reference, other, rounding).holds());
    }

    void aModelThatFp16IsGoodFor()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        makeProduct(g, 0);
        const auto run = compiled(folder, g.graph());
        QVERIFY(run->verification.passed());
        QCOMPARE(joined(run->verification.notes), std::string());
    }

    void anIllConditionedModelPassesAndSaysSo()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        makeProduct(g, 1000);
        const auto run = compiled(folder, g.graph());
        const std::string notes = joined(run->verification.notes);
        QVERIFY2(run->verification.passed(), notes.c_str());
        QVERIFY2(notes.find("ill-conditioned in fp16") != std::string::npos, notes.c_str());
        QVERIFY2(notes.find("with fp32 in place of fp16") != std::string::npos, notes.c_str());
    }

    void aDecisionHasNoVerdict()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        makeDecision(g);
        const auto run = compiled(folder, g.graph());
        const std::string notes = joined(run->verification.notes);
        QVERIFY2(run->verification.passed(), notes.c_str());
        QVERIFY2(notes.find("has no verdict in fp16") != std::string::npos, notes.c_str());
    }

    void anOverflowFailsAndNamesItsNode()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        makeOverflow(g);
        const auto run = compiled(folder, g.graph());
        const std::string notes = joined(run->verification.notes);
        QVERIFY(!run->verification.passed());
        QVERIFY2(notes.find("fp16 overflows at 'exp' (Exp)") != std::string::npos, notes.c_str());
        QCOMPARE(run->verification.firstBadNodeName, std::string("exp"));
        QCOMPARE(run->step(run->verification.firstBadStep).pass, std::string("RefineRunningPrecision"));
    }

    /// What is too small for fp16 becomes zero, and zero by zero no number.
    void anUnderflowFailsAndNamesItsNode()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        const OutputRef tiny = g.op("Mul", {g.input("x", {8}), g.constant("tiny", tensor({1}, {1e-9}))}, {}, "small");
        g.outputs({g.op("RealDiv", {tiny, tiny}, {}, "ratio")});
        const auto run = compiled(folder, g.graph());
        const std::string notes = joined(run->verification.notes);
        QVERIFY(!run->verification.passed());
        QVERIFY2(notes.find("'ratio' (RealDiv) makes 8 infinite or NaN results out of zeros") != std::string::npos,
                 notes.c_str());
    }

    /// Models of the corpus whose fp16 form is a story of its own.
    void corpus_data()
    {
        QTest::addColumn<bool>("passes");
        QTest::addColumn<QByteArray>("note");
        QTest::newRow("gen/bert_opset11") << true << QByteArray();
        QTest::newRow("gen/resnet_opset9") << true << QByteArray();
        QTest::newRow("gen/sequence_ops") << true << QByteArray(); // a sequence keeps its type
        QTest::newRow("gen/qdq_int8_perchannel")
            << true << QByteArray("is ill-conditioned in fp16"); // a quantiser falls elsewhere
        QTest::newRow("fusion/attention_opt")
            << true << QByteArray("is ill-conditioned in fp16"); // a norm of nearly equal numbers
        QTest::newRow("ops/less_broadcast") << true << QByteArray("has no verdict in fp16");
        QTest::newRow("features/layernorm")
            << false << QByteArray("'Div_6' (RealDiv) makes 1 infinite or NaN results out of zeros");
        QTest::newRow("fusion/gather_roberta_e2e") << false << QByteArray("it reads values up to 3.403e+38"); // a mask
    }
    void corpus()
    {
        QFETCH(bool, passes);
        QFETCH(QByteArray, note);
        const std::string path = std::string(GELENS_CORPUS_DIR) + "/onnx/" + QTest::currentDataTag() + "/model.onnx";
        if (!QFile::exists(QString::fromStdString(path))) QSKIP("the corpus is absent");
        auto session = Session::open(path);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message().c_str());
        CompileOptions options;
        options.precision = PrecisionMode::ForceFp16;
        options.verify = true;
        const auto run = (*session)->run(options);
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        const Verification& verification = (*run)->verification;
        QVERIFY2(verification.ran, verification.skipReason.c_str());
        const std::string notes = joined(verification.notes);
        QVERIFY2(verification.passed() == passes, notes.c_str());
        QVERIFY2(note.isEmpty() ? notes.empty() : QByteArray(notes.c_str()).contains(note), notes.c_str());
    }

    /// The wide bound of an ill-conditioned model would hide a mistake; the proof in fp32 finds it.
    void aMistakeShowsThoughTheModelIsIllConditioned()
    {
        QTemporaryDir folder;
        GraphBuilder g;
        makeProduct(g, 1000);
        const auto run = compiled(folder, g.graph());
        const StepId last = run->lastStep();
        auto inputs = drawInputs(*run, 1);
        QVERIFY(inputs.ok());
        Narrowing narrowing(*run, inputs->values, inputs->reference);
        const std::vector<Rounding>* const roundings = narrowing.at(last, {});
        QVERIFY(roundings != nullptr);
        QVERIFY(narrowing.at(StepId{1}, {}) == nullptr); // before precision selection nothing is rounded
        // A slip of 0.1 in each element is within what fp16 loses here …
        NamedTensor off = inputs->reference[0];
        off.precision = DataType::Float16;
        std::vector<double> values = *off.value.toConstant().asDoubles(16 * 6);
        for (double& value : values) value += 0.1;
        off.value = tensor({16, 6}, values);
        QVERIFY(compareOutputs(inputs->reference[0], off, roundings->front()).holds());
        // … and far beyond what fp32 does, by which each step is proved too.
        NamedTensor wide = off;
        wide.precision = DataType::Float;
        QVERIFY(!compareOutputs(inputs->reference[0], wide).holds());
        StepVerification step;
        step.step = last;
        step.ran = true;
        narrowing.proveInFp32(step, {});
        QVERIFY(step.outputs.empty()); // it holds for the step as it is
        QVERIFY(joined(narrowing.notes()).find("1 steps") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestNarrowing)
#include "tst_narrowing.moc"
