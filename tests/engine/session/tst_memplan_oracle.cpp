// `memplan DUMP --policy ge` against GE's own memory assignment: dumps as they stand are opened, planned, and compared
// with the table that GE wrote for them, with reuse on, off and memory priority: totals of all assigners, the winner,
// zero-copy size, every offset.

#include "engine/formats/model_file.h"
#include "engine/memory/plan.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gelens;

namespace {

MemoryOptions asItStands(const Graph& graph, MemoryPolicy policy)
{
    MemoryOptions options;
    options.policy = policy;
    options.lifetimes.inPlace = InPlaceRule::Stated;
    options.lifetimes.order = graph.nodes(rootGraph);
    options.lifetimes.streams.assign(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    for (const NodeId id : graph.nodes(rootGraph))
        options.lifetimes.streams[static_cast<std::size_t>(id.value)] =
            std::max<std::int64_t>(0, graph.node(id).placement.streamId);
    return options;
}

struct Row {
    QString node, kind;
    int index = 0;
    std::int64_t offset = 0;
    bool isWeight = false;
};

std::vector<Row> readRows(const QString& path)
{
    QFile file(path);
    std::vector<Row> rows;
    if (!file.open(QIODevice::ReadOnly)) return rows;
    file.readLine();
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(QLatin1Char('\t'));
        if (cells.size() < 14 || cells[4] == QLatin1String("input")) continue;
        rows.push_back(
            {cells[0], cells[4], cells[5].toInt(), cells[7].toLongLong(), cells[13].contains(QLatin1String("weight"))});
    }
    return rows;
}

} // namespace

class TestMemplanOracle : public QObject {
    Q_OBJECT

private:
    static QString corpus() { return QStringLiteral(GELENS_CORPUS_DIR "/ge-oracle"); }

    static void addFolders()
    {
        QTest::addColumn<QString>("folder");
        const QDir root(corpus());
        for (const QString& name : root.entryList({QStringLiteral("memory_*")}, QDir::Dirs, QDir::Name))
            QTest::newRow(qPrintable(name)) << root.filePath(name);
    }

    static QString dumpIn(const QString& folder)
    {
        const QStringList dumps = QDir(folder).entryList({QStringLiteral("ge_proto_*")}, QDir::Files);
        return dumps.isEmpty() ? QString() : folder + QLatin1Char('/') + dumps.front();
    }

    /// The corpus keeps dumps compressed; the program reads plain ones.
    static Result<ModelDocument> openDump(const QString& folder, QTemporaryDir& scratch)
    {
        const QString packed = dumpIn(folder), plain = scratch.filePath(QStringLiteral("dump.txt"));
        QProcess unpack;
        unpack.setStandardOutputFile(plain);
        unpack.start(QStringLiteral("gzip"), {QStringLiteral("-dc"), packed});
        if (packed.isEmpty() || !unpack.waitForFinished() || unpack.exitCode() != 0)
            return Error::notFound("no dump to read");
        return openModel(plain.toStdString());
    }

    /// What GE's run of that name came to.
    static QJsonObject totalsOf(const QString& folder, const char* run)
    {
        QFile file(folder + QStringLiteral("/totals.json"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        const QJsonObject runs = QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("runs")].toObject();
        return runs[QLatin1String(run)].toObject();
    }

    static void compareTotals(const MemoryPlan& plan, const QJsonObject& totals)
    {
        const QJsonObject candidates = totals[QStringLiteral("candidates")].toObject();
        QCOMPARE(qsizetype(plan.candidates.size()), candidates.size());
        for (const auto& [name, bytes] : plan.candidates) {
            const QString candidate = QString::fromStdString(name);
            QCOMPARE(QStringLiteral("%1 %2").arg(candidate).arg(bytes),
                     QStringLiteral("%1 %2").arg(candidate).arg(candidates[candidate].toInteger()));
        }
        QCOMPARE(QString::fromStdString(plan.strategy), totals[QStringLiteral("winner")].toString());
        QCOMPARE(qlonglong(plan.totals.featureMapPeak), totals[QStringLiteral("feature_map")].toInteger());
        QCOMPARE(qlonglong(plan.totals.zeroCopy), totals[QStringLiteral("zero_copy_memory_size")].toInteger());
    }

private Q_SLOTS:
    void planEqualsGes_data()
    {
        addFolders();
        if (!QDir(corpus()).exists()) QSKIP("the corpus is not here");
    }

    void planEqualsGes()
    {
        QFETCH(QString, folder);
        QTemporaryDir scratch;
        const auto document = openDump(folder, scratch);
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().message().c_str());
        const Graph& graph = document->graph;
        const auto plan = planMemory(graph, asItStands(graph, MemoryPolicy::Ge));
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message().c_str());
        compareTotals(*plan, totalsOf(folder, "default"));
        if (QTest::currentTestFailed()) return;
        // With reuse off every block is its own; GE counts results that nothing reads as well.
        std::int64_t apart = 0;
        for (const MemoryBuffer& buffer : plan->buffers)
            if (buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace)
                apart += buffer.blockBytes;
        QCOMPARE(qlonglong(apart), totalsOf(folder, "disable_reuse")[QStringLiteral("feature_map")].toInteger());

        compareOffsets(graph, *plan, folder + QStringLiteral("/plan.tsv"));
    }

    void planWithoutReuseEqualsGes_data() { planEqualsGes_data(); }

    void planWithoutReuseEqualsGes()
    {
        QFETCH(QString, folder);
        QTemporaryDir scratch;
        const auto document = openDump(folder, scratch);
        QVERIFY(document.ok());
        MemoryOptions options = asItStands(document->graph, MemoryPolicy::Ge);
        options.isGeReuseOff = true;
        const auto plan = planMemory(document->graph, options);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message().c_str());
        compareTotals(*plan, totalsOf(folder, "disable_reuse"));
        if (QTest::currentTestFailed()) return;
        compareOffsets(document->graph, *plan, folder + QStringLiteral("/plan_disable_reuse.tsv"));
    }

    void planWithMemoryPriorityEqualsGes_data() { planEqualsGes_data(); }

    void planWithMemoryPriorityEqualsGes()
    {
        QFETCH(QString, folder);
        QTemporaryDir scratch;
        const auto document = openDump(folder, scratch);
        QVERIFY(document.ok());
        const QString table = folder + QStringLiteral("/plan_memory_priority.tsv");
        MemoryOptions options = asItStands(document->graph, MemoryPolicy::Ge);
        options.isGeMemoryPriority = true;
        options.lifetimes.order = orderIn(document->graph, table);
        const auto plan = planMemory(document->graph, options);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message().c_str());
        compareTotals(*plan, totalsOf(folder, "memory_priority"));
        if (QTest::currentTestFailed()) return;
        compareOffsets(document->graph, *plan, table);
    }

private:
    /// The dump is of the run without options; under memory priority GE numbers the nodes anew. The table has the numbers;
    /// nodes that it does not name (constants, which have other names there) come right before their first reader.
    static std::vector<NodeId> orderIn(const Graph& graph, const QString& table)
    {
        std::vector<std::int64_t> ids(static_cast<std::size_t>(graph.nodeIdBound()), -1);
        QFile file(table);
        if (file.open(QIODevice::ReadOnly)) file.readLine();
        while (file.isOpen() && !file.atEnd()) {
            const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(QLatin1Char('\t'));
            const NodeId node = cells.size() < 14 ? NodeId() : graph.findNode(cells[0].toStdString());
            if (node.isValid() && cells[13] != QLatin1String("weight"))
                ids[static_cast<std::size_t>(node.value)] = cells[2].toLongLong();
        }
        std::vector<NodeId> order = graph.nodes(rootGraph);
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            std::int64_t& id = ids[static_cast<std::size_t>(at->value)];
            if (id >= 0) continue;
            id = std::numeric_limits<std::int64_t>::max();
            const auto isBefore = [&](NodeId reader) {
                id = std::min(id, ids[static_cast<std::size_t>(reader.value)]);
            };
            for (const OutputSlot& slot : graph.node(*at).outputs)
                for (const InputRef& reader : slot.consumers) isBefore(reader.node);
            for (const NodeId later : graph.node(*at).controlOutputs) isBefore(later);
        }
        // As in the dump where ids are equal: what stands for a reader was before it there.
        std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
            return ids[static_cast<std::size_t>(a.value)] < ids[static_cast<std::size_t>(b.value)];
        });
        return order;
    }

    static void compareOffsets(const Graph& graph, const MemoryPlan& plan, const QString& table)
    {
        const BlockLayout layout = BlockLayout::of(plan);
        for (const Row& row : readRows(table)) {
            if (row.isWeight) continue; // some have other names in each of GE's runs
            const NodeId node = graph.findNode(row.node.toStdString());
            QVERIFY2(node.isValid(), qPrintable(row.node));
            std::int64_t offset = -1;
            if (row.kind == QLatin1String("output")) {
                offset = layout.offsetOf(plan, {node, row.index});
            } else {
                for (const MemoryBuffer& buffer : plan.buffers)
                    if (buffer.kind == BufferKind::Workspace && buffer.tensor == OutputRef{node, row.index})
                        offset = buffer.offset;
                if (offset < 0) continue; // empty, or inside the region of the atomic clean
            }
            QVERIFY2(offset == row.offset, qPrintable(QStringLiteral("%1 %2 %3: at %4, GE has %5")
                                                          .arg(row.node, row.kind)
                                                          .arg(row.index)
                                                          .arg(offset)
                                                          .arg(row.offset)));
        }
    }

private Q_SLOTS:
    void defaultIsNeverAboveGes_data() { planEqualsGes_data(); }

    void defaultIsNeverAboveGes()
    {
        QFETCH(QString, folder);
        QTemporaryDir scratch;
        const auto document = openDump(folder, scratch);
        QVERIFY(document.ok());
        const auto plan = planMemory(document->graph, asItStands(document->graph, MemoryPolicy::Best));
        QVERIFY(plan.ok());
        QVERIFY2(plan->totals.featureMapPeak <= plan->totals.gePeak,
                 qPrintable(QStringLiteral("%1 > %2").arg(plan->totals.featureMapPeak).arg(plan->totals.gePeak)));
        // Over several streams the bound is that of one task after the other, which no plan for all orders need reach.
        QVERIFY(!plan->streams.empty() || plan->isProvedOptimal ||
                plan->totals.featureMapPeak * 100 <= plan->totals.lowerBound * 101);
    }
};

QTEST_GUILESS_MAIN(TestMemplanOracle)
#include "tst_memplan_oracle.moc"
