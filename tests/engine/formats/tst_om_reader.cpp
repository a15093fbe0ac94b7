// OM files: real ones give their known counts, damaged ones a sentence with the byte, and no cut or flipped byte does harm.

#include "engine/formats/model_file.h"
#include "engine/formats/om/om_reader.h"
#include "engine/formats/om/om_writer.h"
#include "tests/support/graph_builder.h"

#include <QtTest>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace gelens;

namespace {

fs::path corpus() { return fs::path(GELENS_CORPUS_DIR); }

std::string fileBytes(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Result<ModelDocument> readText(const std::string& bytes)
{
    const auto owner = std::make_shared<const std::string>(bytes);
    return readOmBytes(std::as_bytes(std::span(*owner)), owner, {});
}

template <typename T>
void put(std::string& bytes, std::size_t at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A small file of our own: two constants of equal content, an addition, a plan of the least kind.
std::string smallOm()
{
    test::GraphBuilder builder;
    const auto x = builder.input("x", {2, 3});
    const auto value = HostTensor::fromConstant(Tensor::fromDoubles(std::vector<double>(6, 1.5), Shape{2, 3}));
    const auto sum = builder.op("Add", {x, builder.constant("one", value)}, {}, "sum");
    builder.outputs({builder.op("Mul", {sum, builder.constant("two", value)}, {}, "product")});
    MemoryPlan plan;
    plan.order = builder.graph().nodes();
    TaskList tasks;
    tasks.streamCount = 1;
    Task task;
    task.index = 0;
    task.node = builder.find("sum");
    task.name = "sum";
    tasks.tasks.push_back(task);
    const fs::path path = fs::temp_directory_path() / ("tst_om_reader_" + std::to_string(::getpid()) + ".om");
    const Status status = writeOm({builder.graph(), plan, tasks, "Ascend910B1", "ONNX"}, path);
    if (!status.ok()) qFatal("%s", status.error().message().c_str());
    std::string bytes = fileBytes(path);
    fs::remove(path);
    return bytes;
}

/// Two tables of a dynamic file, or one with given entries, over a body.
std::string wideOm(std::uint32_t count, std::vector<std::array<std::uint64_t, 3>> entries, const std::string& body)
{
    std::string bytes(256 + 8 + 24 * entries.size(), '\0');
    std::memcpy(bytes.data(), "IMOD", 4);
    put<std::uint32_t>(bytes, 4, 256);
    put<std::uint32_t>(bytes, 8, 0x20000000);
    put<std::uint32_t>(bytes, 156, 1);
    put<std::uint32_t>(bytes, 256, count);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        put<std::uint32_t>(bytes, 264 + 24 * i, static_cast<std::uint32_t>(entries[i][0]));
        put<std::uint64_t>(bytes, 264 + 24 * i + 8, entries[i][1]);
        put<std::uint64_t>(bytes, 264 + 24 * i + 16, entries[i][2]);
    }
    bytes += body;
    put<std::uint64_t>(bytes, 184, bytes.size() - 256);
    return bytes;
}

int count(const Graph& graph, const char* type)
{
    int found = 0;
    for (const NodeId id : graph.allNodes()) found += graph.node(id).type == type ? 1 : 0;
    return found;
}

std::pair<int, int> edgesOf(const Graph& graph, GraphId id = rootGraph)
{
    std::pair<int, int> edges; // data, control
    graph.forEachNode(id, [&](const Node& node) {
        for (const InputSlot& slot : node.inputs) edges.first += slot.source.isValid() ? 1 : 0;
        edges.second += static_cast<int>(node.controlInputs.size());
    });
    return edges;
}

const char* const modelBytes = "\x0a\x01m"; // a ModelDef with a name and no graph

} // namespace

class TestOmReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsItsOwnSmallFile()
    {
        const auto document = readText(smallOm());
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        QCOMPARE(document->format, std::string("OM"));
        QVERIFY(document->om->isSimulated);
        QCOMPARE(document->graph.nodeCount(), 6);
        QVERIFY(document->graph.findInconsistency().empty());
        const Tensor* const one = attrTensor(document->graph.node(document->graph.findNode("one")).attrs, "value");
        QVERIFY(one && one->isPresent());
        QCOMPARE((*one->asDoubles())[5], 1.5);
        // Equal payloads share a place, the first lies at 512, and spare bytes follow.
        const OmBreakdown& sizes = document->om->breakdown;
        QCOMPARE(sizes.sharedConstantBytes, std::int64_t{24});
        QCOMPARE(sizes.graphBytes + sizes.weightBytes + sizes.kernelBytes + sizes.taskBytes + sizes.otherBytes,
                 document->fileBytes);
        QCOMPARE(document->om->models[0].weightBytes, std::int64_t{1024});
        QCOMPARE(document->om->models[0].tasks.size(), std::size_t{2}); // and the end of the model
        QCOMPARE(document->om->models[0].tasks[1].typeName, std::string("MODEL_END_GRAPH"));
    }

    /// Operators are decoded one after another: what they may be in all is counted on the way.
    void aLimitOfNodesHolds()
    {
        const std::string bytes = smallOm(); // six nodes
        const auto owner = std::make_shared<const std::string>(bytes);
        const auto read = [&](std::int64_t most) {
            ReadOptions options;
            options.maxNodes = most;
            return readOmBytes(std::as_bytes(std::span(*owner)), owner, {}, options);
        };
        QVERIFY(read(6).ok());
        const auto refused = read(5);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::Limit);
        QCOMPARE(refused.error().what, std::string("more than 5 nodes"));
    }

    void weightsAreWindowsIntoTheFile()
    {
        const auto owner = std::make_shared<const std::string>(smallOm());
        const auto document = readOmBytes(std::as_bytes(std::span(*owner)), owner, {});
        const Tensor* const one = attrTensor(document->graph.node(document->graph.findNode("one")).attrs, "value");
        const auto* const begin = reinterpret_cast<const std::byte*>(owner->data());
        QVERIFY(one->data.data() >= begin && one->data.data() < begin + owner->size());
    }

    void damagedFilesAreNamedWithTheirByte_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* name, std::string bytes, const char* answer) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(answer);
        };
        const std::string small = smallOm();
        std::string bytes = small;
        bytes[80] = 1;
        row("encrypted", bytes, "encrypted (byte 80)");
        row("cut header", small.substr(0, 100), "100 of 256 bytes");
        row("cut body", small.substr(0, small.size() - 1), "byte 76");
        bytes = small;
        put<std::uint32_t>(bytes, 256, 0);
        row("no partition", bytes, "table at byte 256 is empty");
        put<std::uint32_t>(bytes, 256, 0xFFFFFFFF);
        row("many partitions", bytes, "partition count 4294967295 at byte 256");
        bytes = small;
        put<std::uint32_t>(bytes, 260 + 4, 0x7FFFFFFF);
        row("beyond the end", bytes, "lies past the end of the file");
        row("no graph", wideOm(1, {{0, 0, 3}}, modelBytes), "no graph inside");
        row("no protobuf", wideOm(1, {{0, 0, 3}}, "\xFF\xFF\xFF"), "byte 288");
        row("only a task list", wideOm(1, {{2, 0, 0}}, ""), "no MODEL_DEF");
        row("offset beyond 64 bits", wideOm(1, {{0, ~std::uint64_t{0} - 1, 3}}, modelBytes), "past the end");
    }

    void damagedFilesAreNamedWithTheirByte()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, answer);
        const auto document = readText(bytes.toStdString());
        QVERIFY(!document.ok());
        QVERIFY2(QString::fromStdString(document.error().message()).contains(answer),
                 document.error().message().c_str());
    }

    void unknownPartitionsAreListedNotFatal()
    {
        std::string small = smallOm();
        // The task list becomes a partition of a number that nobody has given yet.
        put<std::uint32_t>(small, 260 + 2 * 12, 77);
        const auto document = readText(small);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        QCOMPARE(document->om->partitions[2].name, std::string("type 77"));
        QCOMPARE(document->om->partitions[2].verdict, std::string("listed only"));
        QVERIFY(!document->om->carriesPlan);
    }

    void aDamagedKernelStoreIsSaidAndTheRestShown()
    {
        std::string small = smallOm();
        put<std::uint32_t>(small, 260 + 2 * 12, 3); // the task list as a kernel store
        const auto document = readText(small);
        QVERIFY(document.ok());
        QVERIFY(document->om->partitions[2].verdict.starts_with("damaged at byte"));
        QCOMPARE(document->graph.nodeCount(), 6);
    }

    void noCutOrFlippedByteDoesHarm()
    {
        const std::string small = smallOm();
        for (std::size_t size = 0; size < small.size(); size += size < 400 ? 1 : 37) {
            const auto document = readText(small.substr(0, size));
            QVERIFY(!document.ok());
        }
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            std::string bytes = small;
            for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            const auto document = readText(bytes);
            if (document.ok()) QCOMPARE(QString::fromStdString(document->graph.findInconsistency()), QString());
        }
    }

    void realFilesGiveTheirKnownCounts_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("dataEdges");
        QTest::addColumn<int>("controlEdges");
        QTest::addColumn<int>("kernels");
        QTest::addColumn<int>("tasks");
        QTest::addColumn<qint64>("memory");
        QTest::addColumn<qint64>("weights");
        QTest::addColumn<bool>("plan");
        QTest::newRow("root_model") << "om/root_model.om" << 3 << 2 << 0 << 0 << 0 << qint64{0} << qint64{0} << false;
        QTest::newRow("flow_model") << "om/flow_model.om" << 3 << 2 << 0 << 0 << 0 << qint64{0} << qint64{0} << false;
        QTest::newRow("dynamic") << "om/dynamic_and_static_graph_without_unfold.om" << 6 << 5 << 0 << 3 << 3
                                 << qint64{0} << qint64{0} << true;
        QTest::newRow("AutoEncoder") << "dumps/AutoEncoder_hh_om.om" << 46 << 47 << 5 << 26 << 30 << qint64{6014464}
                                     << qint64{386560} << true;
        QTest::newRow("a3c_pong") << "dumps/a3c_pong_model.om" << 26 << 24 << 1 << 13 << 16 << qint64{90624}
                                  << qint64{320000} << true;
        QTest::newRow("after_build") << "ge-oracle/after_build/after_build.om" << 15 << 15 << 0 << 1 << 6
                                     << qint64{65536} << qint64{4608} << true;
        QTest::newRow("attention") << "ge-oracle/attention/attention_original_graph.om" << 38 << 45 << 0 << 0 << 0
                                   << qint64{0} << qint64{0} << false;
    }

    void realFilesGiveTheirKnownCounts()
    {
        QFETCH(QString, file);
        const fs::path path = corpus() / file.toStdString();
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto document = openModel(path);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        const OmDetails& om = *document->om;
        QTEST(static_cast<int>(document->graph.nodes().size()), "nodes");
        QTEST(edgesOf(document->graph).first, "dataEdges");
        QTEST(edgesOf(document->graph).second, "controlEdges");
        QTEST(static_cast<int>(om.kernels.size()), "kernels");
        std::size_t tasks = 0;
        for (const OmModel& model : om.models) tasks += model.tasks.size();
        QTEST(static_cast<int>(tasks), "tasks");
        QTEST(static_cast<qint64>(om.models[0].memoryBytes), "memory");
        QTEST(static_cast<qint64>(om.models[0].weightBytes), "weights");
        QTEST(om.carriesPlan, "plan");
        QVERIFY(document->graph.findInconsistency().empty());
        // No attribute name is left as a number of the dictionary.
        for (const NodeId id : document->graph.allNodes())
            for (const auto& [name, value] : document->graph.node(id).attrs) QVERIFY(name.empty() || name[0] != '\0');
    }

    void autoEncoderInDetail()
    {
        const fs::path path = corpus() / "dumps" / "AutoEncoder_hh_om.om";
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto document = openModel(path);
        const OmModel& model = document->om->models[0];
        QCOMPARE(model.baseAddress, std::uint64_t{0x80000000});
        QCOMPARE(model.weightAddress, std::uint64_t{0x805BC600});
        QCOMPARE(model.zeroCopyBytes, std::int64_t{313856});
        QCOMPARE(model.streams, std::int64_t{2});
        QCOMPARE(model.events, std::int64_t{1});
        QCOMPARE(count(document->graph, "Const"), 17);
        QCOMPARE(count(document->graph, "TransData"), 7);
        std::map<std::string, int> types;
        for (const OmTask& task : model.tasks) ++types[task.typeName];
        QCOMPARE(types["KERNEL"], 24);
        QCOMPARE(types["KERNEL_EX"], 1);
        QCOMPARE(types["MODEL_END_GRAPH"], 1);
        // Every kernel names a node, and its first words are the addresses that the node states.
        for (const OmTask& task : model.tasks) QVERIFY(task.typeName != "KERNEL" || task.node.isValid());
        QCOMPARE(document->om->partitions[3].offset, std::int64_t{256 + 4 + 4 * 12 + 605857});
        // 17 constants from 512 on; the sizes of the first, the second and the last but one.
        std::map<std::int64_t, std::int64_t> places;
        for (const NodeId id : document->graph.allNodes())
            if (const Tensor* value = attrTensor(document->graph.node(id).attrs, "value"))
                places[attrInt(value->desc.attrs, "data_offset")] = static_cast<std::int64_t>(value->data.size());
        QCOMPARE(places.size(), std::size_t{17});
        QCOMPARE(places[512], std::int64_t{12800});
        QCOMPARE(places[13312], std::int64_t{25600});
        QCOMPARE(places[382464], std::int64_t{3136});
        QCOMPARE(places[386048], std::int64_t{8});
    }

    void dynamicFileHoldsThreeModels()
    {
        const fs::path path = corpus() / "om" / "dynamic_and_static_graph_without_unfold.om";
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto document = openModel(path);
        const OmDetails& om = *document->om;
        QCOMPARE(om.models.size(), std::size_t{3});
        QCOMPARE(om.partitions.size(), std::size_t{11});
        QCOMPARE(document->graph.liveSubgraphs().size(), std::size_t{3});
        for (const std::size_t i : {1, 2}) {
            QCOMPARE(om.models[i].streams, std::int64_t{3});
            QCOMPARE(om.models[i].memoryBytes, std::int64_t{10240});
            QCOMPARE(om.models[i].baseAddress, std::uint64_t{0x100000000});
        }
        // The constants of the sub-graphs lie in the weights of the further models.
        int filled = 0;
        for (const NodeId id : document->graph.allNodes())
            if (const Tensor* value = attrTensor(document->graph.node(id).attrs, "value"))
                filled += value->isPresent() ? 1 : 0;
        QCOMPARE(filled, 2);
    }

    void flowModelListsItsSubmodels()
    {
        const fs::path path = corpus() / "om" / "flow_model.om";
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto document = openModel(path);
        const auto& partitions = document->om->partitions;
        QCOMPARE(partitions.size(), std::size_t{4});
        QVERIFY(partitions[2].verdict.find("'graph1' (NPU), an OM file of 2231 bytes, 3 nodes") != std::string::npos);
        QVERIFY(partitions[3].verdict.find("'graph2' (HOST_CPU)") != std::string::npos);
    }

    void hostileFilesGetTheirAnswer_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("opens");
        const auto row = [](const char* file, const char* answer, bool opens = false) {
            QTest::newRow(file) << QString::fromLatin1(file) << QString::fromLatin1(answer) << opens;
        };
        row("om_bad_magic.om", "not an OM file");
        row("om_cycle.om", "cycle");
        row("om_dup_modeldef.om", "2 MODEL_DEF partitions", true);
        row("om_dup_op_names.om", "named 'relu'", true);
        row("om_encrypted.om", "encrypted");
        row("om_garbage_modeldef.om", "no protobuf");
        row("om_header_only_100.om", "100 of 256 bytes");
        row("om_length_huge.om", "9223372036854775808");
        row("om_no_partitions.om", "no partition");
        row("om_offset_past_end.om", "MODEL_DEF");
        row("om_partitions_4g.om", "4294967295");
    }

    void hostileFilesGetTheirAnswer()
    {
        QFETCH(QString, file);
        QFETCH(QString, answer);
        QFETCH(bool, opens);
        const fs::path path = corpus() / "hostile" / file.toStdString();
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto start = std::chrono::steady_clock::now();
        const auto document = openModel(path);
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
        QCOMPARE(document.ok(), opens);
        std::string text = opens ? std::string() : document.error().message();
        if (opens)
            for (const Message& message : document->messages) text += message.text + "\n";
        QVERIFY2(QString::fromStdString(text).contains(answer), text.c_str());
        if (!opens) QVERIFY(text.find('\n') == std::string::npos && text.find(path.string()) == 0);
    }
};

QTEST_GUILESS_MAIN(TestOmReader)
#include "tst_om_reader.moc"
