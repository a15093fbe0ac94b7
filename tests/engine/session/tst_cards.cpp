// One model on several cards: where it is cut, that the parts together give its numbers, and that a part is compiled the
// same way alone as among others. Also: the same input and options give the same bytes twice.

#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/om/om_writer.h"
#include "engine/npu/compare.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/report/models_json.h"
#include "engine/session/blocks.h"
#include "engine/session/cards.h"
#include "engine/session/dump_writer.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace gelens;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

std::shared_ptr<Session> opened(const char* name, const CompileOptions& options = {})
{
    auto session = Session::open(sample(name), options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    return *session;
}

/// The model as read, with shapes.
std::shared_ptr<const Graph> withShapes(const char* name)
{
    const auto run = opened(name)->run({});
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return (*run)->graphAt(*(*run)->findStep("InferShapePass"));
}

int operators(const Graph& graph, const std::vector<NodeId>& nodes)
{
    return static_cast<int>(
        std::count_if(nodes.begin(), nodes.end(), [&](NodeId id) { return isOperator(graph.node(id)); }));
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

/// All that a compile leaves: the OM file and the dump of its last graph.
QByteArray resultOf(const Run& run, const QTemporaryDir& folder)
{
    const auto graph = run.graphAt(run.lastStep());
    const QString path = folder.filePath(QStringLiteral("result.om"));
    const Status status = writeOm({*graph, run.plan, run.tasks, run.soc.name, run.sourceFormat}, path.toStdString());
    if (!status.ok()) qFatal("%s", status.error().message().c_str());
    return bytesOf(path) + QByteArray::fromStdString(geProtoText(*graph, DumpDetail::Full));
}

} // namespace

class TestCards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksOfDecoders()
    {
        const auto tiny = withShapes("tiny-llama");
        const BlockStack stack = findBlocks(*tiny);
        QCOMPARE(stack.blocks.size(), std::size_t{2});
        for (const auto& block : stack.blocks) QCOMPARE(operators(*tiny, block), 38);
        // Embedding, 7 of the rotary table, 6 of the mask; 6 of the final norm, 3 of the last token, 2 of the head, 6 sampling.
        QCOMPARE(operators(*tiny, stack.before), 14);
        QCOMPARE(operators(*tiny, stack.behind), 17);
        // The hidden state, cos, sin, the mask, and the padding, which the last token is found by.
        QCOMPARE(stack.crossing, 5);
        QCOMPARE(findBlocks(*withShapes("llama-7b")).blocks.size(), std::size_t{32});
        // Without shapes too: as the file is read.
        QCOMPARE(findBlocks(*opened("llama-7b")->importedGraph()).blocks.size(), std::size_t{32});
    }

    void noBlocks()
    {
        const auto graph = withShapes("unit-conflict");
        QVERIFY(findBlocks(*graph).blocks.empty());
        const auto parts = splitOverCards(*graph, 2);
        QVERIFY(!parts.ok());
        QVERIFY(parts.error().what.find("no repeated blocks") != std::string::npos);
        QVERIFY(findBlocks(Graph("empty")).blocks.empty());
    }

    void sharedOutEvenly()
    {
        const auto graph = withShapes("llama-7b");
        const auto parts = splitOverCards(*graph, 5);
        QVERIFY(parts.ok());
        QCOMPARE(parts->size(), std::size_t{5});
        const int counts[] = {7, 7, 6, 6, 6}, firsts[] = {0, 7, 14, 20, 26};
        int nodes = 0;
        for (std::size_t card = 0; card < 5; ++card) {
            const CardPart& part = (*parts)[card];
            QCOMPARE(part.blocks, counts[card]);
            QCOMPARE(part.firstBlock, firsts[card]);
            QCOMPARE(part.graph->findInconsistency(), std::string());
            nodes += operators(*part.graph, part.graph->nodes());
        }
        QCOMPARE(nodes, 1247); // each operator is on one card
        const auto many = splitOverCards(*graph, 33);
        QVERIFY(!many.ok() && many.error().what == "33 cards cannot share 32 blocks");
        QVERIFY(splitOverCards(*graph, 32).ok());
        QVERIFY(!splitOverCards(*graph, 0).ok());
    }

    void partsGiveTheModelsNumbers()
    {
        const auto whole = withShapes("tiny-llama");
        const auto inputs = randomInputs(*whole, 3);
        const auto expected = interpret(*whole, inputs);
        QVERIFY(expected.ok());
        const auto parts = splitOverCards(*whole, 2);
        QVERIFY(parts.ok());
        std::map<std::string, HostTensor> known = inputs; // also what earlier cards handed on
        std::vector<NamedTensor> last;
        for (const CardPart& part : *parts) {
            std::map<std::string, HostTensor> mine;
            for (const std::string& name : part.inputs) {
                QVERIFY2(known.contains(name), name.c_str());
                mine[name] = known.at(name);
            }
            const auto result = interpret(*part.graph, mine);
            QVERIFY2(result.ok(), result.ok() ? "" : result.error().message().c_str());
            QCOMPARE(result->outputs.size(), part.outputs.size());
            for (std::size_t i = 0; i < part.outputs.size(); ++i) {
                known[part.outputs[i]] = result->outputs[i].value;
                known[part.outputs[i].substr(0, part.outputs[i].rfind(':'))] = result->outputs[i].value;
            }
            last = result->outputs;
        }
        QCOMPARE(last.size(), expected->outputs.size());
        for (std::size_t i = 0; i < last.size(); ++i) {
            const ErrorMeasure error = compareTensors(expected->outputs[i].value, last[i].value, {});
            QCOMPARE(error.maxAbs, 0.0);
        }
        // Hidden state, cos, sin and mask are handed over; the padding only to where the last token is picked.
        QCOMPARE((*parts)[1].inputs.size(), std::size_t{5});
        QCOMPARE((*parts)[0].outputs.size(), std::size_t{5});
    }

    void aPartAloneIsAsAmongOthers_data()
    {
        QTest::addColumn<QString>("soc");
        QTest::newRow("split cores") << QStringLiteral("Ascend910B1");
        QTest::newRow("combined cores") << QStringLiteral("Ascend310P3");
    }
    void aPartAloneIsAsAmongOthers()
    {
        QFETCH(QString, soc);
        FleetOptions options;
        options.compile.soc = soc.toStdString();
        options.compile.cards = 4;
        options.threads = 4;
        const auto session = opened("llama-7b", options.compile);
        const auto fleet = compileCards(*session, options);
        QVERIFY(fleet.ok());
        QCOMPARE(fleet->members.size(), std::size_t{4});
        const auto parts = splitOverCards(*withShapes("llama-7b"), 4);
        QVERIFY(parts.ok());
        CompileOptions alone = options.compile;
        alone.cards = 1;
        QTemporaryDir folder;
        for (std::size_t card = 0; card < 4; ++card) {
            const FleetMember& member = fleet->members[card];
            QVERIFY(member.run && !member.error);
            QCOMPARE(member.blocks.value_or(0), 8);
            ModelInfo info = session->info();
            info.name = member.run->modelName;
            const auto run = Session::ofGraph((*parts)[card].graph, info, alone)->run(alone);
            QVERIFY(run.ok());
            const QByteArray among = resultOf(*member.run, folder), byItself = resultOf(**run, folder);
            QVERIFY(among.size() > 10000);
            QVERIFY(among == byItself);
        }
    }

    void partsRunBesideThemselves()
    {
        CompileOptions options;
        options.cards = 2;
        const auto whole = opened("tiny-llama", options);
        const auto cards = openCards(*whole, options);
        QVERIFY(cards.ok());
        CompileOptions each;
        const auto base = cards->front().session->run(each);
        QVERIFY(base.ok());
        each.memoryPolicy = MemoryPolicy::Simple;
        const auto beside = cards->front().session->beside(each);
        QVERIFY(beside.ok());
        const auto other = (*beside)->run(each);
        QVERIFY(other.ok());
        QCOMPARE((*other)->modelName, (*base)->modelName);
        QCOMPARE((*other)->statistics.nodes.before, (*base)->statistics.nodes.before);
        QVERIFY(*(*base)->statistics.nodes.before < *(*whole->run({}))->statistics.nodes.before);
        // Other shapes need the file, and that is the whole model.
        each.inputShapes["input_ids"] = {1, 4};
        const auto refused = cards->front().session->beside(each);
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().message().find("tiny-llama-card0: this part keeps the input shapes") !=
                     std::string::npos,
                 refused.error().message().c_str());
        const auto run = cards->front().session->run(each);
        QVERIFY(!run.ok());
        QCOMPARE(run.error().message(), refused.error().message());
    }

    void workFollowsTheBlocks()
    {
        // What a compile does to a card's graph is counted in edits: twice the blocks, twice the edits, but for the parts
        // around the blocks. (bench_pipeline shows the times.)
        const auto edits = [](int cards) {
            FleetOptions options;
            options.compile.cards = cards;
            const auto fleet = compileCards(*opened("llama-7b"), options);
            if (!fleet.ok()) qFatal("%s", fleet.error().message().c_str());
            return static_cast<double>(fleet->members[1].run->journal().size()); // neither embedding nor head
        };
        const double sixteen = edits(2), eight = edits(4), four = edits(8);
        QVERIFY2(sixteen / eight > 1.7 && sixteen / eight < 2.1, qPrintable(QString::number(sixteen / eight)));
        QVERIFY2(eight / four > 1.7 && eight / four < 2.1, qPrintable(QString::number(eight / four)));
    }

    void largeDecoder()
    {
        // 80 blocks on 1, 2, 4 and 8 cards: each card's work is that of its own blocks, whoever has the others.
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("llama-70b.onnx"));
        QProcess maker;
        maker.start(QStringLiteral(GELENS_BIN_DIR "/make_samples"),
                    {QStringLiteral("--llama-layers"), QStringLiteral("80"), QStringLiteral("--llama-size"),
                     QStringLiteral("70b"), path});
        QVERIFY(maker.waitForFinished(120000));
        QCOMPARE(maker.exitCode(), 0);
        double editsPerBlock = 0; // of a card with blocks and nothing else
        for (const int cards : {8, 4, 2, 1}) {
            FleetOptions options;
            options.compile.cards = cards;
            auto session = Session::open(path.toStdString(), options.compile);
            QVERIFY(session.ok());
            const auto fleet = compileCards(**session, options);
            QVERIFY(fleet.ok());
            QCOMPARE(fleet->members.size(), static_cast<std::size_t>(cards));
            const FleetMember& middle = fleet->members[fleet->members.size() / 2];
            QCOMPARE(middle.blocks.value_or(0), 80 / cards);
            QVERIFY(middle.run && !middle.run->failed);
            const double edits = static_cast<double>(middle.run->journal().size()) / *middle.blocks;
            if (editsPerBlock == 0) editsPerBlock = edits;
            QVERIFY2(std::abs(edits / editsPerBlock - 1) < 0.15,
                     qPrintable(QStringLiteral("%1 cards: %2 of %3").arg(cards).arg(edits).arg(editsPerBlock)));
            // 9 kernels a block; what lies around them is on the first and the last card.
            if (cards > 2) QCOMPARE(middle.run->statistics.tasks.after, 9 * 80 / cards + 1);
        }
    }

    void report()
    {
        FleetOptions options;
        options.compile.cards = 2;
        options.compile.verify = true;
        const auto fleet = compileCards(*opened("tiny-llama"), options);
        QVERIFY(fleet.ok());
        const QJsonObject json =
            QJsonDocument::fromJson(QByteArray::fromStdString(cardsToJson(*fleet, "tiny-llama"))).object();
        const QJsonArray cards = json[QStringLiteral("cards")].toArray();
        QCOMPARE(cards.size(), 2);
        int nodes = 0;
        for (int card = 0; card < 2; ++card) {
            const Run& run = *fleet->members[static_cast<std::size_t>(card)].run;
            QVERIFY(run.verification.ran && run.verification.passed());
            QCOMPARE(cards[card][QStringLiteral("card")].toInt(), card);
            QCOMPARE(cards[card][QStringLiteral("blocks")].toInt(), 1);
            QCOMPARE(cards[card][QStringLiteral("nodes")].toInt(), run.statistics.nodes.after);
            QCOMPARE(cards[card][QStringLiteral("tasks")].toInt(), run.statistics.tasks.after);
            QCOMPARE(cards[card][QStringLiteral("peak")].toInteger(), qint64(run.statistics.memoryAfter));
            QVERIFY(cards[card][QStringLiteral("ms")].toDouble() > 0);
            nodes += run.statistics.nodes.after;
        }
        QCOMPARE(json[QStringLiteral("nodes")][QStringLiteral("after")].toInt(), nodes);
        QCOMPARE(json[QStringLiteral("nodes")][QStringLiteral("before")].toInt(), 2 * 38 + 31);
    }

    void filesAsCards()
    {
        const Fleet fleet = compileModels({sample("tiny-llama"), sample("unit-conflict")}, {});
        QCOMPARE(fleet.members[0].blocks.value_or(0), 2);
        QVERIFY(!fleet.members[1].blocks);
        const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(modelsToJson(fleet, true))).object();
        const QJsonArray cards = json[QStringLiteral("cards")].toArray();
        QCOMPARE(cards[0][QStringLiteral("blocks")].toInt(), 2);
        QVERIFY(cards[1][QStringLiteral("blocks")].isNull());
    }

    void sameBytesTwice_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("soc");
        for (const char* model : {"tiny-llama", "small-resnet", "llama-7b"})
            for (const char* soc : {"Ascend910B1", "Ascend310P3"})
                QTest::addRow("%s on %s", model, soc) << QString::fromLatin1(model) << QString::fromLatin1(soc);
    }
    void sameBytesTwice()
    {
        QFETCH(QString, model);
        QFETCH(QString, soc);
        CompileOptions options;
        options.soc = soc.toStdString();
        QTemporaryDir folders[2];
        for (QTemporaryDir& folder : folders) {
            const auto session = opened(model.toLatin1().constData(), options);
            const auto dumps = makeDumpWriter(folder.path().toStdString());
            QVERIFY(dumps.ok() && *dumps);
            const auto run = session->run(options, dumps->get());
            QVERIFY(run.ok() && !(*run)->failed);
        }
        const QStringList names = QDir(folders[0].path()).entryList(QDir::Files, QDir::Name);
        QVERIFY(names.size() >= 10);
        QCOMPARE(QDir(folders[1].path()).entryList(QDir::Files, QDir::Name), names);
        for (const QString& name : names)
            QVERIFY2(bytesOf(folders[0].filePath(name)) == bytesOf(folders[1].filePath(name)), qPrintable(name));
    }
};

QTEST_GUILESS_MAIN(TestCards)
#include "tst_cards.moc"
