// Several models at once: each as if alone, kernels compiled once between them; traces of their time lines.

#include "engine/formats/ge_proto_writer.h"
#include "engine/report/models_json.h"
#include "engine/report/trace.h"
#include "engine/session/memory_queries.h"
#include "tests/engine/memory/test_graph.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace gelens;
using gelens::test::TestGraph;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

/// x · y, then one operator of its own.
std::string writeModel(const QTemporaryDir& folder, const char* name, const char* last)
{
    TestGraph test;
    const Shape shape{64, 64};
    const OutputRef x = test.data("x", shape, DataType::Float16), y = test.data("y", shape, DataType::Float16);
    const OutputRef product = test.op("product", "MatMulV2", {x, y}, shape,
                                      {{"transpose_x1", false}, {"transpose_x2", false}}, DataType::Float16);
    test.output({test.op("last", last, {product}, shape, {}, DataType::Float16)});
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    const auto text = geProtoText(test.graph, DumpDetail::Full);
    file.write(QByteArray::fromStdString(text));
    return path.toStdString();
}

/// What a run found, without what depends on the clock on the wall or on who compiled a kernel first.
std::string figuresOf(const Run& run)
{
    std::string text;
    for (const Task& task : run.tasks.tasks) {
        text += task.name + ' ' + run.tasks.kernels[static_cast<std::size_t>(std::max(0, task.kernel))].key;
        for (const DeviceAddress& address : task.outputs) text += ' ' + std::to_string(address.offset);
        text += '\n';
    }
    for (const TimelineItem& item : run.timeline.items) text += std::to_string(item.startUs) + ' ';
    return text + std::to_string(run.statistics.memoryAfter) + ' ' + std::to_string(run.journal().size());
}

const FleetMember& member(const Fleet& fleet, std::size_t i)
{
    if (!fleet.members[i].run)
        qFatal("%s", fleet.members[i].error ? fleet.members[i].error->message().c_str() : "no run");
    return fleet.members[i];
}

} // namespace

class TestFleet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalProductsShareTheirKernelOnce()
    {
        QTemporaryDir folder;
        const Fleet fleet =
            compileModels({writeModel(folder, "a.txt", "Relu"), writeModel(folder, "b.txt", "Sigmoid")}, {});
        const FleetMember &a = member(fleet, 0), &b = member(fleet, 1);
        QCOMPARE(a.compiledKernels, 2);
        QCOMPARE(a.sharedKernels, 0);
        QCOMPARE(b.compiledKernels, 1); // its Sigmoid
        QCOMPARE(b.sharedKernels, 1);   // the product
        QCOMPARE(fleet.kernels, 3);
        // Between the two runs themselves the product was compiled once, whoever was first.
        QCOMPARE(a.run->statistics.compiledKernels + b.run->statistics.compiledKernels, 3);
    }

    void togetherIsAsAlone()
    {
        const std::vector<std::string> paths{sample("tiny-llama"), sample("small-resnet"), sample("unit-conflict"),
                                             sample("tiny-llama")};
        FleetOptions options;
        options.threads = 4;
        const Fleet fleet = compileModels(paths, options);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const Fleet alone = compileModels({paths[i]}, {});
            QCOMPARE(figuresOf(*member(fleet, i).run), figuresOf(*member(alone, 0).run));
        }
        QCOMPARE(member(fleet, 3).compiledKernels, 0);
        QCOMPARE(member(fleet, 3).sharedKernels, member(fleet, 0).compiledKernels + member(fleet, 0).sharedKernels);
    }

    void aModelThatFailsLeavesTheOthersAlone()
    {
        const Fleet fleet = compileModels({"/no/such/model.onnx", sample("small-resnet")}, {});
        QVERIFY(fleet.members[0].error.has_value());
        QVERIFY(!fleet.members[0].run);
        QVERIFY(fleet.members[1].run && !fleet.members[1].error);
        const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(modelsToJson(fleet, true))).object();
        const QJsonArray cards = json[QStringLiteral("cards")].toArray();
        QCOMPARE(cards.size(), 2);
        QVERIFY(cards[0][QStringLiteral("peak")].isNull());
        QVERIFY(cards[0][QStringLiteral("error")].toString().contains(QStringLiteral("/no/such/model.onnx")));
        QCOMPARE(cards[1][QStringLiteral("card")].toInt(), 1);
        QCOMPARE(cards[1][QStringLiteral("peak")].toInteger(), qint64(fleet.members[1].run->statistics.memoryAfter));
        const std::string csv = modelsToCsv(fleet, false);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{3});
        QVERIFY(csv.rfind("file,model,soc,mode,nodes_before,", 0) == 0);
    }

    void traceHoldsEveryTask()
    {
        const Fleet fleet = compileModels({sample("small-resnet")}, {});
        const Run& run = *member(fleet, 0).run;
        const QJsonObject trace = QJsonDocument::fromJson(QByteArray::fromStdString(runToTrace(run))).object();
        QVERIFY(trace[QStringLiteral("otherData")][QStringLiteral("estimated")].toBool());
        std::size_t tasks = 0;
        double end = 0;
        for (const QJsonValue event : trace[QStringLiteral("traceEvents")].toArray()) {
            if (event[QStringLiteral("ph")].toString() != QLatin1String("X") ||
                event[QStringLiteral("pid")].toInt() != 1)
                continue;
            ++tasks;
            end = std::max(end, event[QStringLiteral("ts")].toDouble() + event[QStringLiteral("dur")].toDouble());
        }
        QCOMPARE(tasks, run.tasks.tasks.size());
        QVERIFY(std::abs(end - run.timeline.totalUs) < 1e-6 * run.timeline.totalUs);
    }

    void labelsAndParallelStreamsKeepTheNumbers()
    {
        FleetOptions options;
        options.compile.verify = true;
        const Fleet one = compileModels({sample("tiny-llama")}, options);
        QCOMPARE(member(one, 0).run->tasks.streamCount, 1);
        QCOMPARE(member(one, 0).run->tasks.eventCount, 0);
        // A label on a node in the middle: its own stream, joined by events, and the same numbers in every order.
        const Run& single = *member(one, 0).run;
        options.compile.streamLabels[single.tasks.tasks[single.tasks.tasks.size() / 2].name] = "side";
        const Fleet labelled = compileModels({sample("tiny-llama")}, options);
        const Run& two = *member(labelled, 0).run;
        QVERIFY(two.tasks.streamCount >= 2);
        QVERIFY(two.tasks.eventCount >= 2);
        QVERIFY(two.verification.ran && two.verification.passed());
        QVERIFY(two.verification.interleavings > 1);
        options.compile.streamLabels.clear();
        options.compile.parallelStreams = true;
        const Fleet parallel = compileModels({sample("tiny-llama"), sample("small-resnet")}, options);
        for (std::size_t i = 0; i < 2; ++i) QVERIFY(member(parallel, i).run->verification.passed());
    }

    void questionsAboutARun()
    {
        const Fleet fleet = compileModels({sample("tiny-llama")}, {});
        const Run& run = *member(fleet, 0).run;
        const PeakReport peak = peakOf(run);
        QCOMPARE(peak.liveBytes, run.statistics.memoryLowerBound);
        QVERIFY(peak.tensors.size() >= 2);
        const auto first = findTensor(run, peak.tensors[0].name), second = findTensor(run, peak.tensors[1].name);
        QVERIFY(first && second);
        QCOMPARE(whyNotShared(run, *first, *second).blocker, ShareBlocker::LifetimeOverlap);
        QVERIFY(!findTensor(run, "nobody:0"));
        const auto savings = peakSavingsOf(run, 4);
        QVERIFY(savings.ok() && !savings->empty());
        QVERIFY(savings->front().saves > 0);
        for (const MemoryPolicy policy : {MemoryPolicy::Ge, MemoryPolicy::Simple, MemoryPolicy::Greedy}) {
            const auto other = planWithPolicy(run, policy);
            QVERIFY(other.ok());
            QVERIFY(other->totals.featureMapPeak >= run.statistics.memoryAfter);
            QCOMPARE(other->buffers.size(), run.plan.buffers.size());
        }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!peakSavingsOf(run, 4, stop.get_token()).ok());
    }
};

QTEST_GUILESS_MAIN(TestFleet)
#include "tst_fleet.moc"
