// The reader on models made here: types, weights, names, functions, options, and damage of every kind.

#include "engine/formats/mapped_file.h"
#include "engine/formats/model_file.h"
#include "engine/formats/onnx/onnx_reader.h"

#include <QTemporaryDir>
#include <QtTest>

#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#include <onnx/onnx_pb.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/stat.h>

namespace fs = std::filesystem;
using namespace gelens;

namespace {

/// A model with operators of a domain that nobody knows, so that the test speaks of the reader alone.
class Model {
public:
    Model()
    {
        proto.set_ir_version(8);
        proto.add_opset_import()->set_version(17);
        auto* own = proto.add_opset_import();
        own->set_domain("test");
        own->set_version(1);
        graph().set_name("g");
    }
    onnx::GraphProto& graph() { return *proto.mutable_graph(); }
    static void setType(onnx::ValueInfoProto& info, const std::string& name, int type,
                        std::initializer_list<std::string> dims)
    {
        info.set_name(name);
        auto* tensor = info.mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(type);
        tensor->mutable_shape();
        for (const std::string& dim : dims) {
            auto* made = tensor->mutable_shape()->add_dim();
            if (dim.find_first_not_of("-0123456789") == std::string::npos)
                made->set_dim_value(std::stoll(dim));
            else
                made->set_dim_param(dim);
        }
    }
    void input(const std::string& name, std::initializer_list<std::string> dims = {"2", "2"},
               int type = onnx::TensorProto::FLOAT)
    {
        setType(*graph().add_input(), name, type, dims);
    }
    void output(const std::string& name) { setType(*graph().add_output(), name, onnx::TensorProto::FLOAT, {"2", "2"}); }
    template <typename Owner>
    static onnx::NodeProto& node(Owner& owner, const std::string& type, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, const std::string& name = {},
                                 const std::string& domain = "test")
    {
        auto* node = owner.add_node();
        node->set_op_type(type);
        node->set_domain(domain);
        node->set_name(name);
        for (const auto& input : inputs) node->add_input(input);
        for (const auto& output : outputs) node->add_output(output);
        return *node;
    }
    onnx::TensorProto& weight(const std::string& name, int type, std::initializer_list<std::int64_t> dims)
    {
        auto* tensor = graph().add_initializer();
        tensor->set_name(name);
        tensor->set_data_type(type);
        for (const auto dim : dims) tensor->add_dims(dim);
        return *tensor;
    }
    Result<ModelDocument> read(const fs::path& folder = {}, const ReadOptions& options = {}) const
    {
        return readBytes(proto.SerializeAsString(), folder, options);
    }
    static Result<ModelDocument> readBytes(const std::string& bytes, const fs::path& folder = {},
                                           const ReadOptions& options = {})
    {
        const auto owner = std::make_shared<std::string>(bytes);
        return readOnnxBytes(std::as_bytes(std::span(owner->data(), owner->size())), owner, folder, options);
    }

    onnx::ModelProto proto;
};

std::string errorOf(const Result<ModelDocument>& result)
{
    return result.ok() ? "it was read" : result.error().message();
}

const Node& nodeNamed(const Graph& graph, const std::string& name)
{
    const NodeId id = graph.findNode(name);
    if (!id.isValid()) qFatal("no node '%s'", name.c_str());
    return graph.node(id);
}

const Tensor& constantNamed(const Graph& graph, const std::string& name)
{
    return *attrTensor(nodeNamed(graph, name).attrs, "value");
}

bool hasMessage(const ModelDocument& document, const std::string& id)
{
    return std::any_of(document.messages.begin(), document.messages.end(),
                       [&](const Message& m) { return m.id == id; });
}

void addExternal(onnx::TensorProto& tensor, const std::string& location, const std::string& offset = {},
                 const std::string& length = {})
{
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
        if (value.empty()) return;
        auto* entry = tensor.add_external_data();
        entry->set_key(key);
        entry->set_value(value);
    };
    add("location", location);
    add("offset", offset);
    add("length", length);
}

void writeFile(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// A field with a length, written by hand: for fields that the installed schema does not know.
std::string lengthField(int number, const std::string& payload)
{
    std::string bytes;
    const auto varint = [&](std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
        bytes += static_cast<char>(value);
    };
    varint(static_cast<std::uint64_t>(number) << 3 | 2);
    varint(payload.size());
    return bytes + payload;
}

} // namespace

class TestOnnxReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unknownOperatorsStayVisible()
    {
        Model model;
        model.input("x");
        auto& node = Model::node(model.graph(), "Frob", {"x", "", "x"}, {"y", "", "z"}, "f");
        auto* attribute = node.add_attribute();
        attribute->set_name("strength");
        attribute->set_type(onnx::AttributeProto::INT);
        attribute->set_i(7);
        model.output("y");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        const Graph& graph = document.value().graph;
        const Node& frob = nodeNamed(graph, "f");
        QVERIFY(frob.isOpaque);
        QCOMPARE(frob.type, std::string("Frob"));
        QCOMPARE(frob.inputCount(), 3);
        QCOMPARE(frob.inputs[2].name, std::string("x2"));
        QVERIFY(!frob.hasInput(1));
        QCOMPARE(frob.outputCount(), 3);
        QCOMPARE(attrInt(frob.attrs, "strength"), 7);
        QCOMPARE(frob.outputs[0].desc.shape, (Shape{2, 2})); // stated by the graph output
        QVERIFY(hasMessage(document.value(), "onnx.unknown-op"));
        const Node& end = nodeNamed(graph, "Node_Output");
        QCOMPARE(end.type, std::string("NetOutput"));
        QCOMPARE(end.source(0), frob.output(0));
        QCOMPARE(attrInt(nodeNamed(graph, "x").attrs, "index", -1), 0);
        QCOMPARE(graph.findInconsistency(), std::string());
    }

    void typedFieldsOfEveryType_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("expected");
        // Two elements 1 and 2 (or their bit patterns 1 and 2) in the field that the standard names for the type.
        QTest::newRow("fp32") << 1 << QByteArray("\0\0\x80\x3F\0\0\0\x40", 8);
        QTest::newRow("uint8") << 2 << QByteArray("\1\2", 2);
        QTest::newRow("int8") << 3 << QByteArray("\1\2", 2);
        QTest::newRow("uint16") << 4 << QByteArray("\1\0\2\0", 4);
        QTest::newRow("int16") << 5 << QByteArray("\1\0\2\0", 4);
        QTest::newRow("int32") << 6 << QByteArray("\1\0\0\0\2\0\0\0", 8);
        QTest::newRow("int64") << 7 << QByteArray("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16);
        QTest::newRow("bool") << 9 << QByteArray("\1\2", 2);
        QTest::newRow("fp16") << 10 << QByteArray("\1\0\2\0", 4);
        QTest::newRow("fp64") << 11 << QByteArray("\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\x40", 16);
        QTest::newRow("uint32") << 12 << QByteArray("\1\0\0\0\2\0\0\0", 8);
        QTest::newRow("uint64") << 13 << QByteArray("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16);
        QTest::newRow("complex64") << 14 << QByteArray("\0\0\x80\x3F\0\0\0\x40\0\0\x80\x3F\0\0\0\x40", 16);
        QTest::newRow("bf16") << 16 << QByteArray("\1\0\2\0", 4);
        QTest::newRow("fp8e4m3fn") << 17 << QByteArray("\1\2", 2);
        QTest::newRow("fp8e4m3fnuz") << 18 << QByteArray("\1\2", 2);
        QTest::newRow("fp8e5m2") << 19 << QByteArray("\1\2", 2);
        QTest::newRow("fp8e5m2fnuz") << 20 << QByteArray("\1\2", 2);
        QTest::newRow("uint4") << 21 << QByteArray("\x21", 1); // both in one byte, the first in its low half
        QTest::newRow("int4") << 22 << QByteArray("\x21", 1);
        QTest::newRow("fp4e2m1") << 23 << QByteArray("\x21", 1);
    }

    void typedFieldsOfEveryType()
    {
        QFETCH(int, type);
        QFETCH(QByteArray, expected);
        for (const bool useRaw : {false, true}) {
            Model model;
            auto& tensor = model.weight("w", type, {2});
            const int repeats = type == onnx::TensorProto::COMPLEX64 ? 2 : 1;
            for (int i = 0; i < repeats && !useRaw; ++i)
                for (const int value : {1, 2}) {
                    if (type == 1 || type == 14)
                        tensor.add_float_data(static_cast<float>(value));
                    else if (type == 7)
                        tensor.add_int64_data(value);
                    else if (type == 11)
                        tensor.add_double_data(value);
                    else if (type == 12 || type == 13)
                        tensor.add_uint64_data(static_cast<std::uint64_t>(value));
                    else if (type < 21)
                        tensor.add_int32_data(value);
                    else if (value == 1)
                        tensor.add_int32_data(0x21);
                }
            if (useRaw) tensor.set_raw_data(expected.toStdString());
            model.output("w");
            const auto document = model.read();
            QVERIFY2(document.ok(), errorOf(document).c_str());
            const Tensor& value = constantNamed(document.value().graph, "w_Initializer_0");
            QCOMPARE(dataTypeOnnxNumber(value.desc.dtype), type);
            QVERIFY(value.isPresent());
            QCOMPARE(
                QByteArray(reinterpret_cast<const char*>(value.data.data()), static_cast<qsizetype>(value.data.size())),
                expected);
        }
    }

    void stringsAndWrongCounts()
    {
        Model model;
        auto& text = model.weight("t", onnx::TensorProto::STRING, {2});
        text.add_string_data("a");
        text.add_string_data("b");
        model.output("t");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        QCOMPARE(constantNamed(document.value().graph, "t_Initializer_0").strings,
                 (std::vector<std::string>{"a", "b"}));

        Model shortOne;
        shortOne.weight("w", onnx::TensorProto::FLOAT, {3}).add_float_data(1);
        QCOMPARE(QString::fromStdString(errorOf(shortOne.read())),
                 QStringLiteral("'w' has 1 values, its shape needs 3"));
    }

    void largeWeightsAreNotCopied()
    {
        Model model;
        const std::string raw(4096, '\x11');
        model.weight("w", onnx::TensorProto::UINT8, {4096}).set_raw_data(raw);
        model.output("w");
        const auto owner = std::make_shared<std::string>(model.proto.SerializeAsString());
        const auto document = readOnnxBytes(std::as_bytes(std::span(owner->data(), owner->size())), owner, {});
        QVERIFY2(document.ok(), errorOf(document).c_str());
        const Tensor& value = constantNamed(document.value().graph, "w_Initializer_0");
        const auto* first = reinterpret_cast<const std::byte*>(owner->data());
        QVERIFY(value.data.data() >= first && value.data.data() < first + owner->size());
        QCOMPARE(document.value().weightBytes, 4096);
    }

    void sparseInitialisersBecomeDense()
    {
        for (const bool isLinear : {true, false}) {
            Model model;
            auto* sparse = model.graph().add_sparse_initializer();
            sparse->add_dims(2);
            sparse->add_dims(3);
            auto* values = sparse->mutable_values();
            values->set_name("s");
            values->set_data_type(onnx::TensorProto::INT32);
            values->add_dims(2);
            values->add_int32_data(5);
            values->add_int32_data(6);
            auto* indices = sparse->mutable_indices();
            indices->set_data_type(onnx::TensorProto::INT64);
            indices->add_dims(2);
            if (!isLinear) indices->add_dims(2);
            for (const std::int64_t index :
                 isLinear ? std::vector<std::int64_t>{1, 5} : std::vector<std::int64_t>{0, 1, 1, 2})
                indices->add_int64_data(index);
            model.output("s");
            const auto document = model.read();
            QVERIFY2(document.ok(), errorOf(document).c_str());
            const auto dense = constantNamed(document.value().graph, "s_Initializer_0").asInts();
            QVERIFY(dense.has_value());
            QCOMPARE(*dense, (std::vector<std::int64_t>{0, 5, 0, 0, 0, 6}));
        }
    }

    void externalData()
    {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        fs::create_directories(path / "model" / "sub");
        writeFile(path / "secret.bin", std::string(16, 's'));
        writeFile(path / "model" / "w.bin", std::string("0123456789abcdef"));
        fs::create_symlink("w.bin", path / "model" / "inside.bin");
        fs::create_symlink("../secret.bin", path / "model" / "outside.bin");
        fs::create_symlink((path / "secret.bin").string(), path / "model" / "absolute.bin");
        fs::create_directory_symlink("..", path / "model" / "up");
        QCOMPARE(::mkfifo((path / "model" / "pipe.bin").c_str(), 0600), 0);

        const auto read = [&](const std::string& location, const std::string& offset = {},
                              const std::string& length = {}) {
            Model model;
            addExternal(model.weight("w", onnx::TensorProto::UINT8, {4}), location, offset, length);
            model.output("w");
            return model.read(path / "model");
        };
        const auto good = read("w.bin", "4", "4");
        QVERIFY2(good.ok(), errorOf(good).c_str());
        const Tensor& value = constantNamed(good.value().graph, "w_Initializer_0");
        QCOMPARE(std::memcmp(value.data.data(), "4567", 4), 0);
        QCOMPARE(value.external->location, std::string("w.bin"));
        QVERIFY(read("inside.bin").ok());
        QVERIFY(read("./sub/../w.bin").error().message().find("outside") != std::string::npos);

        const auto missing = read("not_here.bin");
        QVERIFY2(missing.ok(), errorOf(missing).c_str());
        QVERIFY(!constantNamed(missing.value().graph, "w_Initializer_0").isPresent());
        QVERIFY(hasMessage(missing.value(), "onnx.weights-absent"));
        QCOMPARE(missing.value().absentWeightBytes, 4);

        for (const char* location : {"outside.bin", "absolute.bin", "up/secret.bin", "../secret.bin", "/etc/hostname",
                                     "file:///etc/hostname", "", "pipe.bin", "sub", "."}) {
            const auto refused = read(location);
            QVERIFY2(!refused.ok(), location);
            QVERIFY(refused.error().message().find('\n') == std::string::npos);
        }
        QVERIFY(!read("w.bin", "14", "4").ok());
        QVERIFY(!read("w.bin", "-4", "4").ok());
        QVERIFY(!read("w.bin", "99999999999999999999", "4").ok());
        QVERIFY(!read("w.bin", "0", "8").ok());
    }

    void symbolicDimensions()
    {
        Model model;
        model.input("x", {"batch", "-1", "3"});
        model.input("y", {"batch", "3"});
        Model::node(model.graph(), "Frob", {"x", "y"}, {"z"}, "f");
        model.output("z");
        const auto plain = model.read();
        QVERIFY2(plain.ok(), errorOf(plain).c_str());
        const Shape& kept = nodeNamed(plain.value().graph, "x").outputs[0].desc.shape;
        QCOMPARE(QString::fromUtf8(kept.symbol(0).data(), static_cast<qsizetype>(kept.symbol(0).size())),
                 QStringLiteral("batch"));
        QCOMPARE(kept.dims(), (std::vector<std::int64_t>{-1, -1, 3}));

        ReadOptions options;
        options.symbols["batch"] = 4;
        options.inputShapes["x"] = {-1, 7, 3};
        const auto set = model.read({}, options);
        QVERIFY2(set.ok(), errorOf(set).c_str());
        QCOMPARE(nodeNamed(set.value().graph, "x").outputs[0].desc.shape, (Shape{4, 7, 3}));
        QCOMPARE(nodeNamed(set.value().graph, "y").outputs[0].desc.shape, (Shape{4, 3}));

        const auto refuses = [&](const ReadOptions& wrong, const char* word) {
            const auto result = model.read({}, wrong);
            QVERIFY2(!result.ok() && result.error().message().find(word) != std::string::npos, errorOf(result).c_str());
        };
        ReadOptions wrong;
        wrong.inputShapes["nobody"] = {1};
        refuses(wrong, "nobody");
        wrong = {};
        wrong.inputShapes["x"] = {1, 2};
        refuses(wrong, "3 dimensions");
        wrong = {};
        wrong.inputShapes["x"] = {1, 2, 9};
        refuses(wrong, "fixed shape");
        wrong = {};
        wrong.symbols["bath"] = 1;
        refuses(wrong, "bath");
    }

    void nodesAreSortedAndCyclesNamed()
    {
        Model model;
        model.input("x");
        Model::node(model.graph(), "B", {"t"}, {"y"}, "b");
        Model::node(model.graph(), "A", {"x"}, {"t"}, "a");
        model.output("y");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        QVERIFY(hasMessage(document.value(), "onnx.unsorted"));
        std::vector<std::string> names;
        document.value().graph.forEachNode(rootGraph, [&](const Node& node) { names.push_back(node.name); });
        QCOMPARE(names, (std::vector<std::string>{"x", "a", "b", "Node_Output"}));

        model.graph().mutable_node(1)->set_input(0, "y");
        QVERIFY(errorOf(model.read()).find("cycle: b -> a -> b") != std::string::npos ||
                errorOf(model.read()).find("cycle: a -> b -> a") != std::string::npos);
    }

    void duplicatesAndGaps()
    {
        Model twice;
        twice.input("x");
        Model::node(twice.graph(), "A", {"x"}, {"t"}, "p");
        Model::node(twice.graph(), "A", {"x"}, {"t"}, "q");
        QVERIFY(errorOf(twice.read()).find("produced twice (by p and q)") != std::string::npos);

        Model gap;
        Model::node(gap.graph(), "A", {"nowhere"}, {"t"}, "n");
        QCOMPARE(errorOf(gap.read()), std::string("node 'n' needs 'nowhere', which nothing produces"));

        Model overInput;
        overInput.input("x");
        Model::node(overInput.graph(), "A", {"x"}, {"x"}, "n");
        QVERIFY(!overInput.read().ok());

        Model names;
        names.input("x");
        Model::node(names.graph(), "A", {"x"}, {"t"}, "same");
        Model::node(names.graph(), "A", {"t"}, {"y"}, "same");
        Model::node(names.graph(), "A", {"y"}, {"z"});
        names.output("z");
        const auto document = names.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        QVERIFY(document.value().graph.findNode("same").isValid());
        QVERIFY(document.value().graph.findNode("same_1").isValid());
        QVERIFY(document.value().graph.findNode("A_0").isValid());
        QVERIFY(hasMessage(document.value(), "onnx.repeated-name"));
    }

    void initialisersThatAreInputsAreConstants()
    {
        Model model;
        model.input("w", {"1"});
        model.input("x");
        model.weight("w", onnx::TensorProto::FLOAT, {1}).add_float_data(3);
        Model::node(model.graph(), "A", {"x", "w"}, {"y"}, "a");
        model.output("y");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        const Graph& graph = document.value().graph;
        QCOMPARE(graph.node(nodeNamed(graph, "a").source(1).node).type, std::string("Const"));
        QCOMPARE(attrInt(nodeNamed(graph, "x").attrs, "index", -1), 0);
    }

    void functionsAreInlined()
    {
        Model model;
        model.input("x");
        auto* inner = model.proto.add_functions();
        inner->set_domain("fn");
        inner->set_name("Inner");
        inner->add_input("a");
        inner->add_input("optional");
        inner->add_output("b");
        inner->add_attribute("k");
        auto& work = Model::node(*inner, "Work", {"a", "optional"}, {"b"}, "work");
        for (const char* name : {"k", "d"}) {
            auto* reference = work.add_attribute();
            reference->set_name(std::string("own_") + name);
            reference->set_ref_attr_name(name);
            reference->set_type(onnx::AttributeProto::INT);
        }
        onnx::AttributeProto standard; // newer schema: an attribute with a default value
        standard.set_name("d");
        standard.set_type(onnx::AttributeProto::INT);
        standard.set_i(11);
        inner->MergeFromString(lengthField(11, standard.SerializeAsString()));
        auto* outer = model.proto.add_functions();
        outer->set_domain("fn");
        outer->set_name("Outer");
        outer->add_input("p");
        outer->add_output("q");
        outer->add_attribute("m");
        auto& call = Model::node(*outer, "Inner", {"p"}, {"q"}, "call", "fn");
        auto* passed = call.add_attribute();
        passed->set_name("k");
        passed->set_ref_attr_name("m");
        passed->set_type(onnx::AttributeProto::INT);
        for (int i = 0; i < 2; ++i) {
            auto& use = Model::node(model.graph(), "Outer", {i == 0 ? "x" : "y0"}, {"y" + std::to_string(i)},
                                    "use" + std::to_string(i), "fn");
            auto* value = use.add_attribute();
            value->set_name("m");
            value->set_type(onnx::AttributeProto::INT);
            value->set_i(40 + i);
        }
        model.output("y1");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        const Graph& graph = document.value().graph;
        QCOMPARE(graph.nodeCount(), 4); // x, two of Work, the end
        const Node& second = nodeNamed(graph, "use1/call/work");
        QCOMPARE(second.source(0), nodeNamed(graph, "use0/call/work").output(0));
        QCOMPARE(second.inputCount(), 1); // the optional input was left out
        QCOMPARE(attrInt(second.attrs, "own_k"), 41);
        QCOMPARE(attrInt(second.attrs, "own_d"), 11);
        QCOMPARE(document.value().functions, 2);
    }

    void functionOverloads()
    {
        Model model;
        model.input("x");
        for (const char* overload : {"one", "two"}) {
            auto* function = model.proto.add_functions();
            function->set_domain("fn");
            function->set_name("F");
            function->add_input("a");
            function->add_output("b");
            Model::node(*function, std::string("Work") + overload, {"a"}, {"b"}, "work");
            function->MergeFromString(lengthField(13, overload));
        }
        Model::node(model.graph(), "F", {"x"}, {"y"}, "f", "fn").MergeFromString(lengthField(8, "two"));
        model.output("y");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        QCOMPARE(nodeNamed(document.value().graph, "f/work").type, std::string("Worktwo"));
    }

    /// Branches read outer values: those become inputs of the owner, shared between branches and levels; constants are
    /// repeated inside.
    void subGraphsCaptureOuterValues()
    {
        Model model;
        model.input("c", {}, onnx::TensorProto::BOOL);
        model.input("x");
        model.weight("w", onnx::TensorProto::FLOAT, {1}).add_float_data(3);
        auto& branch = Model::node(model.graph(), "If", {"c"}, {"y"}, "choice", "");
        const auto graphOf = [](onnx::NodeProto& node, const char* name) -> onnx::GraphProto& {
            auto* attribute = node.add_attribute();
            attribute->set_name(name);
            attribute->set_type(onnx::AttributeProto::GRAPH);
            return *attribute->mutable_g();
        };
        auto& otherwise = graphOf(branch, "else_branch");
        Model::node(otherwise, "B", {"x"}, {"b"}, "other");
        otherwise.add_output()->set_name("b");
        auto& then = graphOf(branch, "then_branch");
        auto& nested = Model::node(then, "If", {"c"}, {"a"}, "again", "");
        auto& first = graphOf(nested, "then_branch");
        Model::node(first, "A", {"x", "w"}, {"inner"}, "work");
        first.add_output()->set_name("inner");
        auto& second = graphOf(nested, "else_branch");
        second.add_output()->set_name("x"); // straight from outside
        then.add_output()->set_name("a");
        model.output("y");
        const auto document = model.read();
        QVERIFY2(document.ok(), errorOf(document).c_str());
        const Graph& graph = document.value().graph;
        QCOMPARE(graph.findInconsistency(), std::string());
        QCOMPARE(static_cast<int>(graph.liveSubgraphs().size()), 5);
        const Node& choice = nodeNamed(graph, "choice");
        QCOMPARE(static_cast<int>(choice.subgraphs.size()), 2);
        QCOMPARE(graph.subgraph(choice.subgraphs[0]).name, std::string("choice_0_then_branch"));
        // cond, and what the branches take: x once, the condition of the inner If
        QCOMPARE(choice.inputCount(), 3);
        int fromX = 0;
        for (const InputSlot& input : choice.inputs) fromX += input.source == nodeNamed(graph, "x").output(0) ? 1 : 0;
        QCOMPARE(fromX, 1);
        const Node& work = nodeNamed(graph, "choice_0_then_branch/again_0_then_branch/work");
        QCOMPARE(graph.node(work.source(0).node).type, std::string("Data"));
        QCOMPARE(graph.node(work.source(1).node).type, std::string("Const"));
        const auto slot = attrInt(graph.node(work.source(0).node).attrs, "_parent_node_index", -1);
        const Node& again = nodeNamed(graph, "choice_0_then_branch/again");
        QCOMPARE(graph.node(again.source(static_cast<int>(slot)).node).name, std::string("choice_0_then_branch/x"));

        Model::setType(*then.add_input(), "own", onnx::TensorProto::FLOAT, {});
        QVERIFY(errorOf(model.read()).find("declares inputs of its own") != std::string::npos);
    }

    void versions()
    {
        Model model;
        model.input("x");
        Model::node(model.graph(), "A", {"x"}, {"y"}, "a");
        model.output("y");
        model.proto.mutable_opset_import(0)->set_version(99);
        model.proto.set_ir_version(99);
        const auto newer = model.read();
        QVERIFY2(newer.ok(), errorOf(newer).c_str());
        QVERIFY(hasMessage(newer.value(), "onnx.new-ir") && hasMessage(newer.value(), "onnx.new-opset"));
        model.proto.mutable_opset_import(0)->set_version(-3);
        QVERIFY(!model.read().ok());
        model.proto.clear_opset_import();
        QVERIFY(!model.read().ok());
    }

    void limitsAndStop()
    {
        Model model;
        model.input("x");
        for (int i = 0; i < 50; ++i)
            Model::node(model.graph(), "A", {i == 0 ? "x" : "t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
        model.output("t49");
        ReadOptions options;
        options.maxNodes = 20;
        QCOMPARE(model.read({}, options).error().code, ErrorCode::Limit);
        std::stop_source source;
        source.request_stop();
        options = {};
        options.stop = source.get_token();
        QVERIFY(model.read({}, options).error().isCancelled());
    }

    /// Every prefix and thousands of damaged copies give an answer; what comes out is a sound graph.
    void damageIsAnswered()
    {
        Model model;
        model.input("x", {"n", "2"});
        model.weight("w", onnx::TensorProto::FLOAT, {2}).set_raw_data(std::string(8, 'w'));
        model.weight("v", onnx::TensorProto::INT64, {2}).add_int64_data(1);
        model.graph().mutable_initializer(1)->add_int64_data(2);
        auto& node = Model::node(model.graph(), "A", {"x", "w"}, {"t"}, "a");
        auto* body = node.add_attribute();
        body->set_name("body");
        body->set_type(onnx::AttributeProto::GRAPH);
        Model::node(*body->mutable_g(), "B", {"x"}, {"u"}, "b");
        Model::node(model.graph(), "C", {"t", "v"}, {"y"}, "c");
        model.output("y");
        const std::string bytes = model.proto.SerializeAsString();
        QVERIFY(Model::readBytes(bytes).ok());
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const auto result = Model::readBytes(bytes.substr(0, length));
            if (!result.ok()) QVERIFY(!result.error().message().empty() && result.error().code != ErrorCode::Internal);
        }
        std::mt19937 random(7);
        for (int round = 0; round < 20000; ++round) {
            std::string damaged = bytes;
            for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto result = Model::readBytes(damaged);
            if (result.ok())
                QCOMPARE(result.value().graph.findInconsistency(), std::string());
            else
                QVERIFY(result.error().message().find('\n') == std::string::npos);
        }
    }

    void filesThatAreNoModels()
    {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        const auto refused = [&](const fs::path& file, const char* word) {
            const auto result = openModel(file);
            QVERIFY2(!result.ok() && result.error().message().find(word) != std::string::npos, errorOf(result).c_str());
            QCOMPARE(result.error().where, file.string());
        };
        refused(path / "nothing.onnx", "no such file");
        refused(path, "folder");
        writeFile(path / "empty.onnx", "");
        refused(path / "empty.onnx", "empty");
        QCOMPARE(::mkfifo((path / "pipe.onnx").c_str(), 0600), 0);
        refused(path / "pipe.onnx", "not a regular file");
        writeFile(path / "text.onnx", "# A readme, not a model\n");
        refused(path / "text.onnx", "text");
        writeFile(path / "zip.onnx", "PK\x03\x04....");
        refused(path / "zip.onnx", "ZIP");
        QVERIFY(!MappedFile::open(path / "text.onnx", 4).ok());
    }
};

QTEST_GUILESS_MAIN(TestOnnxReader)
#include "tst_onnx_reader.moc"
