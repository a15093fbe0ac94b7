// Dumps of real CANN and dumps that GE itself wrote hold as many nodes, edges and sub-graphs as their lists say, in
// whatever format they are.

#include "engine/formats/model_file.h"
#include "tests/engine/formats/ge_oracle.h"

#include <QtTest>

#include <map>
#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

struct Counts {
    int nodes = 0, dataEdges = 0, controlEdges = 0, subgraphs = 0;
    std::map<std::string, int> types;
};

Counts countsOf(const Graph& graph)
{
    Counts counts;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        ++counts.nodes;
        ++counts.types[node.type];
        for (const InputSlot& slot : node.inputs) counts.dataEdges += slot.source.isValid() ? 1 : 0;
        counts.controlEdges += static_cast<int>(node.controlInputs.size());
    }
    counts.subgraphs = static_cast<int>(graph.liveSubgraphs().size()) - 1;
    return counts;
}

/// "| a | b |" → a, b.
std::vector<std::string> cellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream in(line.substr(std::min<std::size_t>(1, line.size())));
    for (std::string cell; std::getline(in, cell, '|');) {
        const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
    }
    return cells;
}

/// "Const 127, Add 33" → the numbers by type.
std::map<std::string, int> typesOf(const std::string& text)
{
    std::map<std::string, int> types;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
        std::istringstream words(part);
        std::string type;
        int count = 0;
        if (words >> type >> count) types[type] = count;
    }
    return types;
}

/// The dump of a graph's first phase in a folder: the whole graph, for the folder may hold those of sub-graphs, too.
std::vector<fs::path> firstDumps(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const fs::path& file : filesLike(folder, "ge_", ""))
        if (file.filename().string().find("_00000000_") != std::string::npos && file.extension() != ".gz")
            found.push_back(file);
    for (const fs::path& file : filesLike(folder, "", ".air"))
        if (file.filename() == folder.filename().string() + ".air") found.push_back(file);
    return found;
}

} // namespace

class TestDumpCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dumpsOfRealCann_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("graph");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("dataEdges");
        QTest::addColumn<QString>("types");
        QTest::newRow("behind UB fusion")
            << "ge_proto_00026_afterUBMatch.txt"
            << "partition0_rank1_new_sub_graph1" << 399 << 414
            << "PlaceHolder 109, Cast 109, TransData 56, Conv2D 53, LeakyRelu 49, Eltwise 16, Pooling 2, Aipp 1, "
               "Reshape 1, FullyConnection 1, SoftmaxV2 1, End 1";
        QTest::newRow("a whole ResNet-50, quantised")
            << "ge_proto_00015_OptimizeQuantGraph_FeGraphFusionAfter.txt"
            << "ResNet-50" << 465 << 587
            << "Const 162, Conv2D 53, AscendDequant 53, RequantHostCpuOp 53, QuantBiasOptimization 53, AscendQuant 49, "
               "LeakyRelu 17, Eltwise 16";
        QTest::newRow("one partition") << "origin_mirrorpad_partition.txt"
                                       << "partition0_rank31_new_sub_graph102" << 4 << 3
                                       << "MirrorPad 1, PlaceHolder 2, End 1";
    }
    void dumpsOfRealCann()
    {
        QFETCH(QString, file);
        QFETCH(QString, types);
        const fs::path path = fs::path(GELENS_CORPUS_DIR) / "dumps" / file.toStdString();
        if (!fs::exists(path)) QSKIP("the corpus is absent");
        const auto document = openModel(path);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        const Counts counts = countsOf(document->graph);
        QTEST(QString::fromStdString(document->graph.name()), "graph");
        QTEST(counts.nodes, "nodes");
        QTEST(counts.dataEdges, "dataEdges");
        QCOMPARE(counts.controlEdges, 0);
        for (const auto& [type, count] : typesOf(types.toStdString()))
            QVERIFY2(counts.types.contains(type) && counts.types.at(type) == count, type.c_str());
    }

    /// Tables "graph | levels | nodes | data | ctrl | empty | subgraphs".
    void dumpsOfGe()
    {
        SKIP_WITHOUT_CORPUS();
        std::ifstream in(oracle() / "SOURCES.md");
        int graphs = 0, files = 0;
        std::map<std::string, int> byFormat;
        for (std::string line; std::getline(in, line);) {
            const auto cells = cellsOf(line);
            if (cells.size() < 7 || cells[0] == "graph" || cells[1].empty() || !std::isdigit(cells[1][0])) continue;
            if (!fs::is_directory(oracle() / cells[0]) || cells[0].starts_with("memory_")) continue;
            ++graphs;
            for (const fs::path& file : firstDumps(oracle() / cells[0])) {
                const auto document = openModel(file);
                QVERIFY2(document.ok(), file.c_str());
                const Counts counts = countsOf(document->graph);
                // Such a dump of a graph that has others below it holds that graph alone.
                if (file.extension() != ".air" && counts.subgraphs == 0 && cells[6] != "0") continue;
                const QString place = QString::fromStdString(file.string() + ": " + line);
                QVERIFY2(counts.nodes == std::stoi(cells[2]), qPrintable(place));
                QVERIFY2(counts.dataEdges == std::stoi(cells[3]), qPrintable(place));
                // A ge_readable text has no word for a control edge.
                const bool isReadable = file.filename().string().starts_with("ge_readable");
                QVERIFY2(counts.controlEdges == (isReadable ? 0 : std::stoi(cells[4])), qPrintable(place));
                QVERIFY2(counts.subgraphs == std::stoi(cells[6]), qPrintable(place));
                ++byFormat[document->format];
                ++files;
            }
        }
        for (const auto& [format, count] : byFormat) qInfo("%d files of format %s", count, format.c_str());
        QVERIFY(graphs >= 30 && files >= 80 && byFormat.size() >= 4);
    }

    /// Tables "phase | nodes | operator types" below a heading with the graph's name.
    void phasesOfGe()
    {
        SKIP_WITHOUT_CORPUS();
        std::ifstream in(oracle() / "SOURCES.md");
        std::string graph;
        int phases = 0;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("### ")) graph = line.substr(4);
            const auto cells = cellsOf(line);
            if (graph.empty() || cells.size() < 3 || cells[0] == "phase" || cells[0].starts_with("-")) continue;
            for (const fs::path& file : filesLike(oracle() / graph, "ge_", "_" + cells[0] + ".txt")) {
                const auto document = openModel(file);
                QVERIFY2(document.ok(), file.c_str());
                const Counts counts = countsOf(document->graph);
                QVERIFY2(counts.nodes == std::stoi(cells[1]), (file.string() + ": " + line).c_str());
                for (const auto& [type, count] : typesOf(cells[2]))
                    QVERIFY2(counts.types.contains(type) && counts.types.at(type) == count,
                             (file.string() + ": " + type).c_str());
                ++phases;
            }
        }
        qInfo("%d dumps of phases", phases);
        QVERIFY(phases >= 25); // the larger ones are compressed, which is no format of a dump
    }
};

QTEST_GUILESS_MAIN(TestDumpCounts)
#include "tst_dump_counts.moc"
