// Policy `ge` against plans that GE itself made, with reuse on, off and memory priority: classes of sizes, totals of all
// assigners, the winner, every offset of the winner.
// Sizes, lifetimes and flags come from GE's own table, so that this checks the block algorithm alone.

#include "engine/memory/planners/ge.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <map>

using namespace gelens;

namespace {

struct Row {
    QString node, type, kind;
    std::int64_t id = 0, size = 0, offset = 0, begin = 0, end = 0;
    std::int64_t stream = 0;
    int index = 0, block = -1;
    bool forcedBegin = false, isContinuous = false, isReference = false, isZeroCopy = false, mayReuse = true,
         isWeight = false;
};

std::int64_t lastNumber(const QString& text)
{
    const QString last = text.section(QStringLiteral("--"), -1);
    return last == QLatin1String("inf") ? GeRequest::never : last.toLongLong();
}

std::vector<Row> readPlan(const QString& path)
{
    QFile file(path);
    std::vector<Row> rows;
    if (!file.open(QIODevice::ReadOnly)) return rows;
    file.readLine();
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(QLatin1Char('\t'));
        if (cells.size() < 14) continue;
        Row row;
        row.node = cells[0];
        row.type = cells[1];
        row.id = cells[2].toLongLong();
        row.stream = cells[3].toLongLong();
        row.kind = cells[4];
        row.index = cells[5].toInt();
        row.size = cells[6].toLongLong();
        row.offset = cells[7].toLongLong();
        row.forcedBegin = cells[8].contains(QStringLiteral("--"));
        row.begin = row.id;
        row.end = lastNumber(cells[9]);
        row.block = cells[10] == QLatin1String("-") ? -1 : cells[10].toInt();
        const QStringList flags = cells[13].split(QLatin1Char(','));
        row.isReference = flags.contains(QStringLiteral("ref"));
        row.isZeroCopy = flags.contains(QStringLiteral("zero_copy"));
        row.mayReuse = !flags.contains(QStringLiteral("no_reuse_block"));
        row.isWeight = flags.contains(QStringLiteral("weight"));
        row.isContinuous = flags.contains(QStringLiteral("continuous"));
        // "1--2": asked for at node 2, but of a piece of memory that another node writes from node 1 on.
        if (row.forcedBegin && row.mayReuse) row.begin = cells[8].section(QStringLiteral("--"), 0, 0).toLongLong();
        rows.push_back(row);
    }
    return rows;
}

} // namespace

class TestGeOracle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void planEqualsGes_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("run");
        // memory_concat_continuous is not here: the table does not say what its blocks are made of; the graph does, and
        // tst_memplan_oracle reads that.
        for (const char* name : {"chain", "crnn_gru", "io_direct", "llama_torchscript", "mnist8_cntk", "mnist_pytorch",
                                 "mobilenetv2_relu6", "resnet_opset9", "swin_shift", "two_streams", "unet_deconv",
                                 "worked_example", "workspace_atomic"})
            for (const auto& [file, run] :
                 {std::pair("plan.tsv", "default"), std::pair("plan_disable_reuse.tsv", "disable_reuse"),
                  std::pair("plan_memory_priority.tsv", "memory_priority")})
                QTest::addRow("%s, %s", name, run)
                    << QStringLiteral(GELENS_CORPUS_DIR "/ge-oracle/memory_") + QLatin1String(name)
                    << QString::fromLatin1(file) << QString::fromLatin1(run);
    }

    void planEqualsGes()
    {
        QFETCH(QString, folder);
        QFETCH(QString, file);
        QFETCH(QString, run);
        QFile totalsFile(folder + QStringLiteral("/totals.json"));
        if (!totalsFile.open(QIODevice::ReadOnly)) QSKIP("the corpus is not here");
        const QJsonObject totals =
            QJsonDocument::fromJson(totalsFile.readAll()).object()[QStringLiteral("runs")].toObject()[run].toObject();
        const std::vector<Row> rows = readPlan(folder + QLatin1Char('/') + file);

        std::vector<GeRequest> requests;
        std::vector<const Row*> owners;
        for (const Row& row : rows) {
            if (row.kind == QLatin1String("input") || row.block < 0 || row.isReference) continue;
            GeRequest request;
            if (row.isZeroCopy)
                request.zeroCopy =
                    row.type == QLatin1String("Data") ? GeRequest::ZeroCopy::Input : GeRequest::ZeroCopy::Output;
            request.bytes = row.size;
            request.size = (row.size + 511) / 512 * 512;
            request.begin = row.begin;
            request.end = row.end;
            request.stream = row.stream;
            request.mayTakeFreed = row.mayReuse;
            request.isContinuous = row.isContinuous;
            request.releaseOrder =
                GeRequest::afterInputs + (row.kind == QLatin1String("workspace") ? 2000 : 1000) + row.index;
            requests.push_back(request);
            owners.push_back(&row);
        }
        // References join the owner in whose life and block they lie; a reader's input index says when it lets go.
        const auto ownerAt = [&](const Row& row) {
            int found = -1;
            for (std::size_t i = 0; i < owners.size(); ++i) {
                const bool isInside =
                    row.offset >= owners[i]->offset && row.offset < owners[i]->offset + requests[i].size;
                if (isInside && owners[i]->begin < row.id && row.id <= requests[i].end &&
                    (found < 0 || owners[i]->begin > owners[static_cast<std::size_t>(found)]->begin))
                    found = static_cast<int>(i);
            }
            return found;
        };
        std::vector<GeStreamEdge> edges;
        std::vector<std::int64_t> lastReader(requests.size(), -1);
        std::vector<int> lastSlot(requests.size(), 0);
        for (const Row& row : rows) {
            const int owner = row.isReference || row.kind == QLatin1String("input") ? ownerAt(row) : -1;
            if (owner < 0) continue;
            GeRequest& request = requests[static_cast<std::size_t>(owner)];
            if (row.isReference) {
                ++request.references;
                request.size = std::max(request.size, (row.size + 511) / 512 * 512);
                request.bytes = std::max(request.bytes, row.size);
            } else if (row.id == request.end) {
                request.releaseOrder = std::min(request.releaseOrder, row.index);
            }
            if (row.kind != QLatin1String("input")) continue;
            if (row.stream != request.stream)
                edges.push_back({request.stream, owners[static_cast<std::size_t>(owner)]->id, row.stream, row.id});
            if (row.id > lastReader[static_cast<std::size_t>(owner)]) {
                lastReader[static_cast<std::size_t>(owner)] = row.id;
                lastSlot[static_cast<std::size_t>(owner)] = row.index;
            }
        }
        for (std::size_t i = 0; i < requests.size(); ++i) {
            // What another stream holds longer is in the pool as soon as its last reader is done.
            if (lastReader[i] < 0 || lastReader[i] >= requests[i].end || requests[i].end == GeRequest::never) continue;
            requests[i].released = lastReader[i];
            requests[i].releaseOrder = lastSlot[i];
        }
        GeOptions options;
        options.isMemoryPriority = run == QLatin1String("memory_priority");
        options.reusesNothing = run == QLatin1String("disable_reuse");
        std::vector<std::int64_t> sizes;
        for (const Row& row : rows)
            if (row.kind != QLatin1String("input") && !row.isWeight && row.type != QLatin1String("MemSet"))
                sizes.push_back(row.size);
        options.rangeCeils = geRangeCeils(sizes);
        QJsonArray ceils;
        for (const std::int64_t ceil : options.rangeCeils) ceils.append(qint64(ceil));
        QCOMPARE(ceils, totals[QStringLiteral("range_ceils")].toArray());

        const GePlan plan = planGe(requests, edges, options);
        const QJsonObject candidates = totals[QStringLiteral("candidates")].toObject();
        QCOMPARE(static_cast<qsizetype>(plan.candidates.size()), candidates.size());
        for (const auto& [name, total] : plan.candidates) {
            const QString variant = QString::fromStdString(name);
            QCOMPARE(QStringLiteral("%1 %2").arg(variant).arg(total),
                     QStringLiteral("%1 %2").arg(variant).arg(candidates[variant].toInteger()));
        }
        QCOMPARE(QString::fromStdString(plan.winner), totals[QStringLiteral("winner")].toString());
        QStringList elsewhere;
        for (std::size_t i = 0; i < requests.size(); ++i)
            if (!owners[i]->isZeroCopy && plan.offsets[i] != owners[i]->offset)
                elsewhere += QStringLiteral("%1 at %2, GE has %3")
                                 .arg(owners[i]->node)
                                 .arg(plan.offsets[i])
                                 .arg(owners[i]->offset);
        QCOMPARE(elsewhere.join(QLatin1Char('\n')), QString());
    }
};

QTEST_GUILESS_MAIN(TestGeOracle)
#include "tst_ge_oracle.moc"
