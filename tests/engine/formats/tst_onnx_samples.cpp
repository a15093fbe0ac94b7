// The sample models: counts, shapes, weights, and that they come out the same each time.

#include "engine/formats/model_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#include <onnx/onnx_pb.h>

#include <cstring>
#include <fstream>
#include <set>
#include <unordered_map>

using namespace gelens;

namespace {

std::string samplePath(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name; }

onnx::GraphProto readGraph(const std::string& path)
{
    onnx::ModelProto model;
    std::ifstream in(path, std::ios::binary);
    if (!model.ParseFromIstream(&in)) qFatal("%s cannot be read", path.c_str());
    return model.graph();
}

/// Dims of every value of a decoder, worked out here from the file alone; an inference of its own, so that the count
/// below does not lean on the engine.
class Dims {
public:
    using List = std::vector<std::int64_t>;

    explicit Dims(const onnx::GraphProto& graph)
    {
        for (const auto& input : graph.input()) {
            List dims;
            for (const auto& dim : input.type().tensor_type().shape().dim()) dims.push_back(dim.dim_value());
            set(input.name(), dims, input.type().tensor_type().elem_type());
        }
        for (const auto& tensor : graph.initializer()) {
            set(tensor.name(), {tensor.dims().begin(), tensor.dims().end()}, tensor.data_type());
            if (tensor.data_type() == onnx::TensorProto::INT64 && tensor.has_raw_data()) {
                List values(tensor.raw_data().size() / 8);
                std::memcpy(values.data(), tensor.raw_data().data(), values.size() * 8);
                m_values[tensor.name()] = values;
            }
        }
        for (const auto& node : graph.node()) infer(node);
    }

    const List& of(const std::string& name) const { return m_dims.at(name); }
    int type(const std::string& name) const { return m_types.at(name); }
    std::int64_t bytes(const std::string& name) const
    {
        std::int64_t count = 1;
        for (const auto dim : of(name)) count *= dim;
        const int kind = type(name);
        return count * (kind == onnx::TensorProto::INT64   ? 8
                        : kind == onnx::TensorProto::FLOAT ? 4
                        : kind == onnx::TensorProto::BOOL  ? 1
                                                           : 2);
    }

private:
    void set(const std::string& name, List dims, int type)
    {
        m_dims[name] = std::move(dims);
        m_types[name] = type;
    }
    static std::int64_t attr(const onnx::NodeProto& node, const char* name, std::int64_t otherwise)
    {
        for (const auto& attribute : node.attribute())
            if (attribute.name() == name) return attribute.i();
        return otherwise;
    }
    static std::size_t axisOf(const onnx::NodeProto& node, const List& dims, std::int64_t otherwise = -1)
    {
        const auto axis = attr(node, "axis", otherwise);
        return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis);
    }
    List broadcast(const onnx::NodeProto& node) const
    {
        List result;
        for (const auto& input : node.input()) {
            List dims = of(input);
            const auto rank = std::max(dims.size(), result.size());
            dims.insert(dims.begin(), rank - dims.size(), 1);
            result.insert(result.begin(), rank - result.size(), 1);
            for (std::size_t i = 0; i < rank; ++i)
                if (result[i] == 1)
                    result[i] = dims[i];
                else if (dims[i] != 1 && dims[i] != result[i])
                    qFatal("%s: shapes do not broadcast", node.name().c_str());
        }
        return result;
    }
    void infer(const onnx::NodeProto& node);

    std::unordered_map<std::string, List> m_dims;
    std::unordered_map<std::string, List> m_values;
    std::unordered_map<std::string, int> m_types;
};

void Dims::infer(const onnx::NodeProto& node)
{
    const std::string& op = node.op_type();
    List dims = of(node.input(0));
    int kind = type(node.input(node.input_size() - 1));
    if (op == "Cast") kind = static_cast<int>(attr(node, "to", 0));
    if (op == "Less") kind = onnx::TensorProto::BOOL;
    if (op == "Reshape" || op == "Expand" || op == "Unsqueeze" || op == "Squeeze" || op == "Split" || op == "TopK" ||
        op == "ReduceSum" || op == "CumSum" || op == "Gather")
        kind = type(node.input(0));
    if (op == "MatMul") {
        const List right = of(node.input(1));
        if (dims.back() != right[right.size() - 2]) qFatal("%s: inner sizes differ", node.name().c_str());
        dims.back() = right.back();
    } else if (op == "Gather") {
        const auto axis = axisOf(node, dims, 0);
        const List indices = of(node.input(1));
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
        dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), indices.begin(), indices.end());
    } else if (op == "Reshape" || op == "Expand") {
        std::int64_t before = 1, after = 1;
        for (const auto dim : dims) before *= dim;
        dims = m_values.at(node.input(1));
        for (const auto dim : dims) after *= dim;
        if (op == "Reshape" && before != after) qFatal("%s: sizes differ", node.name().c_str());
    } else if (op == "Transpose") {
        const List from = dims;
        for (const auto& attribute : node.attribute())
            for (int i = 0; i < attribute.ints_size(); ++i)
                dims[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(attribute.ints(i))];
    } else if (op == "Unsqueeze") {
        for (const auto axis : m_values.at(node.input(1))) dims.insert(dims.begin() + axis, 1);
    } else if (op == "Squeeze") {
        dims.erase(dims.begin());
    } else if (op == "Concat") {
        dims[axisOf(node, dims)] += of(node.input(1))[axisOf(node, dims)];
    } else if (op == "Split") {
        const auto& parts = m_values.at(node.input(1));
        const auto axis = axisOf(node, dims);
        for (int i = 0; i < node.output_size(); ++i) {
            dims[axis] = parts[static_cast<std::size_t>(i)];
            set(node.output(i), dims, kind);
        }
        return;
    } else if (op == "ReduceMean") {
        dims.back() = 1;
    } else if (op == "ReduceSum") {
        dims.pop_back();
    } else if (op == "TopK") {
        dims.back() = m_values.at(node.input(1))[0];
        set(node.output(1), dims, onnx::TensorProto::INT64);
    } else if (op != "Softmax" && op != "CumSum" && op != "Cast") {
        dims = broadcast(node);
    }
    set(node.output(0), dims, kind);
}

bool isView(const std::string& op)
{
    return op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten" || op == "Identity";
}

bool isElementWise(const std::string& op)
{
    static const std::set<std::string> ops = {"Add", "Sub", "Mul", "Div",  "Sqrt", "Neg",  "Sigmoid",
                                              "Max", "Cos", "Sin", "Cast", "Less", "Where"};
    return ops.contains(op);
}

struct Counts {
    int operators = 0;
    int tensors = 0;
};

/// Operators, and tensors that need memory of their own, by the rules of `before`: an element-wise result is in place
/// when its first input is an intermediate tensor of the same bytes and type with no other reader.
Counts countBefore(const onnx::GraphProto& graph)
{
    const Dims dims(graph);
    std::set<std::string> outside, outputs;
    for (const auto& input : graph.input()) outside.insert(input.name());
    for (const auto& tensor : graph.initializer()) outside.insert(tensor.name());
    for (const auto& output : graph.output()) outputs.insert(output.name());
    std::unordered_map<std::string, int> readers;
    for (const auto& node : graph.node())
        for (const auto& input : node.input()) ++readers[input];
    Counts counts;
    for (const auto& node : graph.node()) {
        if (isView(node.op_type())) {
            // A view of an input or constant is no intermediate tensor either.
            if (outside.contains(node.input(0))) outside.insert(node.output(0));
            continue;
        }
        ++counts.operators;
        if (node.op_type() == "Split" && node.attribute(0).i() == 0) continue; // its outputs are views
        const std::string& first = node.input(0);
        const bool isInPlace = isElementWise(node.op_type()) && !outside.contains(first) && readers[first] == 1 &&
                               dims.type(first) == dims.type(node.output(0)) &&
                               dims.bytes(first) == dims.bytes(node.output(0));
        for (const auto& output : node.output())
            if (!isInPlace && !outputs.contains(output)) ++counts.tensors;
    }
    return counts;
}

} // namespace

class TestOnnxSamples : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void llamaHasTheReferenceCounts()
    {
        const auto graph = readGraph(samplePath("llama-7b.onnx"));
        const Counts counts = countBefore(graph);
        QCOMPARE(counts.operators, 1247);
        QCOMPARE(counts.tensors, 892);
        const Counts tiny = countBefore(readGraph(samplePath("tiny-llama.onnx")));
        QCOMPARE(tiny.operators, 2 * 38 + 31);
        QCOMPARE(tiny.tensors, 2 * 27 + 28);
        const Dims dims(graph);
        const auto& output = graph.output(0);
        QCOMPARE(dims.type(output.name()), static_cast<int>(onnx::TensorProto::INT64));
        std::int64_t parameters = 0;
        for (const auto& tensor : graph.initializer()) {
            if (tensor.data_location() != onnx::TensorProto::EXTERNAL) continue;
            std::int64_t count = 1;
            for (const auto dim : tensor.dims()) count *= dim;
            parameters += count;
        }
        QCOMPARE(parameters, 32ll * (4ll * 4096 * 4096 + 3ll * 4096 * 11008 + 2 * 4096) + 2ll * 32000 * 4096 + 4096);
    }

    void everySampleOpens()
    {
        for (const char* name : {"llama-7b.onnx", "tiny-llama.onnx", "attention-fits.onnx", "attention-too-long.onnx",
                                 "unit-conflict.onnx", "small-resnet.onnx"}) {
            const auto document = openModel(samplePath(name));
            QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
            const ModelDocument& model = document.value();
            QCOMPARE(model.graph.findInconsistency(), std::string());
            const bool isDeclaredOnly = std::string(name) == "llama-7b.onnx";
            QCOMPARE(model.absentWeightCount > 0, isDeclaredOnly);
            for (const Message& message : model.messages)
                QVERIFY2(message.id == "onnx.weights-absent" && isDeclaredOnly, message.text.c_str());
        }
    }

    void llamaOperatorsAfterImport()
    {
        const auto document = openModel(samplePath("llama-7b.onnx"));
        QVERIFY(document.ok());
        int operators = 0;
        for (const NodeId id : document.value().graph.nodes())
            if (isOperator(document.value().graph.node(id))) ++operators;
        QCOMPARE(operators, 1247);
    }

    void bytesAreReproducible()
    {
        QTemporaryDir folder;
        QProcess generator;
        generator.start(QStringLiteral(GELENS_BIN_DIR "/make_samples"), {folder.path()});
        QVERIFY(generator.waitForFinished(60000));
        QCOMPARE(generator.exitCode(), 0);
        const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*.onnx")});
        QCOMPARE(files.size(), 6);
        for (const QString& file : files) {
            QFile made(folder.filePath(file)), built(QStringLiteral(GELENS_SAMPLES_DIR "/") + file);
            QVERIFY(made.open(QIODevice::ReadOnly) && built.open(QIODevice::ReadOnly));
            QVERIFY2(made.readAll() == built.readAll(), qPrintable(file));
        }
    }

    void largerDecoders()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("big.onnx"));
        QProcess generator;
        generator.start(QStringLiteral(GELENS_BIN_DIR "/make_samples"),
                        {QStringLiteral("--llama-layers"), QStringLiteral("80"), QStringLiteral("--llama-size"),
                         QStringLiteral("70b"), path});
        QVERIFY(generator.waitForFinished(60000));
        QCOMPARE(generator.exitCode(), 0);
        QCOMPARE(countBefore(readGraph(path.toStdString())).operators, 80 * 38 + 31);
    }
};

QTEST_GUILESS_MAIN(TestOnnxSamples)
#include "tst_onnx_samples.moc"
