// What the engine explains in English is said in Chinese in the Chinese window: each check, remedy and rule text.

#include "engine/session/sim_real.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/models/sentence.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace gelens;
using namespace gelens::testing;

namespace {

void note(QSet<QString>& unknown, std::string_view english)
{
    if (!english.empty() && !words::isKnownSentence(english))
        unknown.insert(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())));
}

/// An error as the window says it: the place, the sentence, and what led to it.
void note(QSet<QString>& unknown, const Error& error) { note(unknown, std::string_view(error.what)); }

/// What a file, and its run where it opens, make the engine say.
void noteFile(QSet<QString>& unknown, const QString& path, const CompileOptions& options = {})
{
    const auto session = Session::open(path.toStdString(), options);
    if (!session) return note(unknown, session.error());
    const auto run = (*session)->run(options);
    if (!run) return note(unknown, run.error());
    if ((*run)->error) note(unknown, *(*run)->error);
    note(unknown, std::string_view((*run)->modeReason));
    for (const Message& message : (*run)->messages) note(unknown, std::string_view(message.text));
    for (const Step& step : (*run)->steps)
        for (const Message& message : step.messages) note(unknown, std::string_view(message.text));
    note(unknown, std::string_view((*run)->verification.skipReason));
    note(unknown, std::string_view((*run)->verification.deviceSkipReason));
    for (const StepVerification& step : (*run)->verification.steps) note(unknown, std::string_view(step.skipReason));
}

void note(QSet<QString>& unknown, const FusionVerdict& verdict)
{
    note(unknown, verdict.remedy);
    for (const Check& check : verdict.checks) note(unknown, check.what);
    for (const Threshold& threshold : verdict.thresholds) note(unknown, threshold.quantity);
}

QString joined(const QSet<QString>& texts)
{
    QStringList lines(texts.begin(), texts.end());
    lines.sort();
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestSentence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_chinese.load(QStringLiteral(":/translations/gelens_zh_CN.qm"))); }
    void init()
    {
        QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
        QCoreApplication::installTranslator(&m_chinese);
    }

    void partsKeepTheirPlaces()
    {
        QCOMPARE(
            words::sentence(
                "needs 1,081,344 B of L1, Ascend310P3 has 1,048,576 B (scores 1,048,576 B + tiles 32,768 B)"),
            QStringLiteral("需要 L1 1,081,344 B，Ascend310P3 有 1,048,576 B（scores 1,048,576 B + tiles 32,768 B）"));
        // Several sentences in a row, and a word of the rule file among the parts.
        QCOMPARE(
            words::sentence("Reduce keys to at most 15,872, or use a chip with at least 1,081,344 B of L1. "
                            "Only these families have the kernel with online softmax."),
            QStringLiteral(
                "把键数减到不超过 15,872，或换用 L1 不少于 1,081,344 B 的芯片。只有这些系列有在线 softmax 的 kernel。"));
        // What fills the memory is named too.
        QCOMPARE(
            words::sentence(
                "needs 3,584 B of UB, Ascend910B1 has 8 B (both result tiles in fp32 3,072 B + row in fp32 512 B, rows = 16)"),
            QStringLiteral(
                "需要 UB 3,584 B，Ascend910B1 有 8 B（两块 fp32 结果分块 3,072 B + 一行 fp32 512 B, rows = 16）"));
        // What the journal says of an edit.
        QCOMPARE(words::sentence("added Cast 'a'"), QStringLiteral("新增 Cast“a”"));
        QCOMPARE(words::sentence("output 0: fp32 ND [2] → fp16 ND [2]"),
                 QStringLiteral("输出 0：fp32 ND [2] → fp16 ND [2]"));
        // What a file is in place of a model is said, too, and which tensor it is about.
        QCOMPARE(words::sentence("not an ONNX file: it looks like a Git LFS pointer, not the model itself"),
                 QStringLiteral("不是 ONNX 文件：看起来是 Git LFS 指针文件，而不是模型本身"));
        QCOMPARE(words::sentence("sparse tensor 'w' has an index outside its shape [2, 4]"),
                 QStringLiteral("稀疏 Tensor“w” 有索引超出其 shape [2, 4]"));
        QCOMPARE(words::sentence("the GE model as JSON file carries no compiled plan"),
                 QStringLiteral("JSON 形式的 GE 模型 文件不带编译好的执行计划"));
        // The rule's name stays, the sentence behind it does not.
        QCOMPARE(words::sentence("FlashAttentionFusion: all shapes are known"),
                 QStringLiteral("FlashAttentionFusion：所有 shape 均已知"));
    }

    /// Where a simulated run and GE's dumps part: counts in a row, of types that are listed in brackets.
    void partingIsSaidWhole()
    {
        GraphDiff diff;
        diff.changes = {{ChangeKind::Added, {}, {}, "a", "Relu", {}, {}},
                        {ChangeKind::Added, {}, {}, "b", "Add", {}, {}},
                        {ChangeKind::Removed, {}, {}, "c", "Conv2D", {}, {}},
                        {ChangeKind::Changed, {}, {}, "/stage1/Conv", "Conv2D", {}, {}}};
        diff.changes.back().fields.push_back({"input[0]", "c:0", "a:0"});
        diff.added = 2;
        diff.removed = diff.changed = 1;
        const std::string middle = differenceText(diff);
        const QString said = QStringLiteral(
            "仅 dump 图中有 2 个节点（Add 1, Relu 1），仅仿真中有 1 个节点（Conv2D 1），1 个节点不同（Conv2D 1）；"
            "首先是“/stage1/Conv”的 input[0]：仿真为 c:0，真实为 a:0");
        QCOMPARE(words::sentence(middle), said);
        const std::string all = "the first 13 phases agree; they part at Build: " + middle +
                                "; since PreRunAfterOptimize1 ours changed these nodes in TbeConvFusionPass (3)"
                                "; GE's own graph fusion added and removed no node";
        QVERIFY2(words::isKnownSentence(all), qPrintable(words::sentence(all)));
        QVERIFY2(words::sentence(all).contains(said), qPrintable(words::sentence(all)));
        QVERIFY2(words::isKnownSentence("they differ from the start: " + middle), middle.c_str());
        // The same in English is left as it is.
        QCoreApplication::removeTranslator(&m_chinese);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(words::sentence(all), QString::fromStdString(all));
    }

    void namesStayAsTheyAre()
    {
        // A node may be named like a word of the list, or like a place in a pattern.
        QCOMPARE(words::sentence("Give 'keys' an own copy of '%1'."), QStringLiteral("为“keys”单独提供一份“%1”。"));
        QCOMPARE(words::sentence("a sentence of a user's own rule"), QStringLiteral("a sentence of a user's own rule"));
        QVERIFY(!words::isKnownSentence("a sentence of a user's own rule"));
        QCOMPARE(words::sentence(""), QString());
    }

    void englishStaysEnglish()
    {
        QCoreApplication::removeTranslator(&m_chinese);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        for (const char* text : {"needs 12 B of UB, Ascend910B1 has 8 B (rows 12 B, tile = 4)",
                                 "Turn A on in fusion_switch.cfg.", "Fix the input shapes (--set). Inline the branch."})
            QCOMPARE(words::sentence(text), QString::fromUtf8(text));
    }

    void samplesAreExplained()
    {
        QSet<QString> unknown;
        for (const char* sample :
             {"tiny-llama", "small-resnet", "attention-fits", "attention-too-long", "unit-conflict", "llama-7b"}) {
            for (const char* soc : {"Ascend910B1", "Ascend310P3", "Ascend310"}) {
                const auto run = sampleRun(sample, soc);
                QVERIFY(run);
                note(unknown, run->modeReason);
                for (const Step& step : run->steps)
                    for (const FusionVerdict& verdict : step.verdicts) note(unknown, verdict);
                for (const Chain& chain : run->chains)
                    for (const ChainLink& link : chain.links) {
                        note(unknown, link.evidence);
                        note(unknown, link.remedy);
                        for (const FusionVerdict& verdict : link.tried) note(unknown, verdict);
                    }
            }
        }
        QVERIFY2(unknown.isEmpty(), qPrintable(joined(unknown)));
    }

    void ruleFilesAreCovered()
    {
        static const QRegularExpression field(
            QStringLiteral("\\b(what|remedy|soc_remedy|label|buffer \\{ name):((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\")+)"));
        static const QRegularExpression piece(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        static const QRegularExpression formula(QStringLiteral("\\{[^}]*\\}"));
        QSet<QString> unknown;
        int seen = 0;
        const QDir folder(QStringLiteral(GELENS_SOURCE_DIR "/resources/rules"));
        for (const QString& name : folder.entryList({QStringLiteral("*.textproto")})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            for (auto match = field.globalMatch(text); match.hasNext(); ++seen) {
                QString sentence;
                for (auto part = piece.globalMatch(match.next().captured(2)); part.hasNext();)
                    sentence += part.next().captured(1);
                sentence.replace(formula, QStringLiteral("7"));
                note(unknown, sentence.toStdString());
            }
        }
        QVERIFY(seen > 80);
        QVERIFY2(unknown.isEmpty(), qPrintable(joined(unknown)));
    }

    void wholeSentencesAreMeant()
    {
        // A known frame around an unknown sentence is not known.
        QVERIFY(words::isKnownSentence("node 'a' (Relu): x is a scalar"));
        QVERIFY(!words::isKnownSentence("node 'a' (Relu): nobody ever wrote this down"));
        QCOMPARE(words::sentence("/tmp/a.onnx: no such file"), QStringLiteral("/tmp/a.onnx：没有此文件"));
        QCOMPARE(words::sentence("node 'a' (Add): shapes [2] and [3] cannot be broadcast together"),
                 QStringLiteral("节点“a”(Add)：shape [2] 与 [3] 不能相互广播"));
    }

    /// Lists ask for their texts while they sort and filter, on the window's thread.
    void longListsAreQuick()
    {
        (void)words::sentence("all shapes are known"); // the expressions are made once
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 2000; ++i) {
            const std::string name = "node" + std::to_string(i);
            QVERIFY(words::sentence("node '" + name + "' (Add): shapes [2] and [3] cannot be broadcast together")
                        .contains(QStringLiteral("广播")));
            (void)words::sentence("what nobody ever wrote down of '" + name + "' in any list");
        }
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        qInfo("4,000 sentences in %lld ms", static_cast<long long>(timer.elapsed()));
    }

    /// Files that are cut, changed in a byte, empty, or something else altogether, and options that nothing fits.
    void oddFilesAreExplained()
    {
        QSet<QString> unknown;
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        const auto write = [&](const QString& name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
                qFatal("cannot write %s", qPrintable(name));
            return file.fileName();
        };
        const QString samples = QStringLiteral(GELENS_SAMPLES_DIR);
        const auto bytesOf = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        noteFile(unknown, folder.filePath(QStringLiteral("absent.onnx")));
        noteFile(unknown, folder.path());
        for (const char* head : {"", "\x89PNG\r\n\x1a\n", "PK\x03\x04", "\x1f\x8b",
                                 "\x7f"
                                 "ELF",
                                 "%PDF-1.7", "GGUF", "IMOD", "graph(\"x\"):\n", "hello world\n"})
            noteFile(unknown, write(QStringLiteral("odd"), QByteArray(head) + QByteArray(*head == 0 ? 0 : 300, '\0')));
        // A fixed walk over the bytes: the same files each time.
        const QByteArray model = bytesOf(samples + QStringLiteral("/attention-fits.onnx"));
        QVERIFY(!model.isEmpty());
        quint32 random = 12345;
        for (int i = 0; i < 150; ++i) {
            random = random * 1664525U + 1013904223U;
            QByteArray changed = model;
            const qsizetype at = random % static_cast<quint32>(model.size());
            if (i % 3 == 0)
                changed.truncate(at);
            else
                changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U << (random >> 29)));
            noteFile(unknown, write(QStringLiteral("changed.onnx"), changed));
        }
        const QStringList dumps =
            QDir(samples + QStringLiteral("/small-resnet-dumps"))
                .entryList({QStringLiteral("*.txt"), QStringLiteral("*.pbtxt")}, QDir::Files, QDir::Name);
        QVERIFY(!dumps.isEmpty());
        for (const QString& name : {dumps.first(), dumps.last()}) {
            const QByteArray dump = bytesOf(samples + QStringLiteral("/small-resnet-dumps/") + name);
            for (const double part : {0.1, 0.5, 0.9})
                noteFile(unknown, write(name, dump.left(static_cast<qsizetype>(part * double(dump.size())))));
        }
        // Options that do not fit the model, each by itself.
        std::vector<CompileOptions> odd(9);
        odd[0].soc = "Ascend999";
        odd[1].inputShapes["nobody"] = {1};
        odd[2].inputShapes["query"] = {1, 2, 3, 4, 5, 6, 7};
        odd[3].inputShapes["query"] = {1, 8, 77, 64};
        odd[4].mode = CompileMode::Light;
        odd[5].ruleSwitches["NoSuchRule"] = true;
        odd[6].fusionSwitchFile = folder.filePath(QStringLiteral("absent.cfg")).toStdString();
        odd[7].autofuseFlags = "--enable_autofuse=perhaps";
        odd[8].ruleFolders = {folder.path().toStdString()};
        for (const CompileOptions& options : odd)
            noteFile(unknown, samples + QStringLiteral("/attention-fits.onnx"), options);
        QVERIFY2(unknown.isEmpty(), qPrintable(joined(unknown)));
    }

    /// What the sources hand to errors and findings, with a number for each part that changes. Sentences that are put
    /// together from pieces are left to the tests above.
    void sourcesAreCovered()
    {
        static const QRegularExpression said(QStringLiteral(
            "\\b(?:Error::(?:invalid|unsupported|notFound|io|limit)|error|fail|unsupported|refuse|misfit|damaged|bad|windowError|Severity::\\w+, \"[\\w.-]+\",)"
            "\\(?\\s*(?:fmt::format\\(\\s*)?((?:\"(?:[^\"\\\\\\n]|\\\\.)*\"\\s*)+)([+,);])"));
        static const QRegularExpression piece(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        static const QRegularExpression part(QStringLiteral("\\{[^{}]*\\}"));
        static const QRegularExpression glued(QStringLiteral("[a-z]\\{|\\}[a-z]|\\}\\{"));
        QSet<QString> unknown;
        int seen = 0;
        QDirIterator files(QStringLiteral(GELENS_SOURCE_DIR "/engine"), {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            for (auto match = said.globalMatch(text); match.hasNext();) {
                const QRegularExpressionMatch at = match.next();
                QString sentence;
                for (auto found = piece.globalMatch(at.captured(1)); found.hasNext();)
                    sentence += found.next().captured(1);
                if (sentence.contains(glued) || sentence.count(QLatin1Char(' ')) < 2) continue;
                sentence.replace(QStringLiteral("\\\""), QStringLiteral("\"")).replace(part, QStringLiteral("7"));
                if (at.captured(2) == QLatin1String("+")) {
                    if (text.mid(at.capturedEnd(), text.indexOf(QLatin1Char(';'), at.capturedEnd()) - at.capturedEnd())
                            .contains(QLatin1Char('"')))
                        continue;
                    sentence += QLatin1Char('7');
                }
                ++seen;
                if (!words::isKnownSentence(sentence.toStdString()))
                    unknown.insert(QFileInfo(file).fileName() + QStringLiteral(": ") + sentence);
            }
        }
        QVERIFY2(seen > 500, qPrintable(QString::number(seen)));
        QVERIFY2(unknown.isEmpty(), qPrintable(joined(unknown)));
    }

private:
    QTranslator m_chinese;
};

QTEST_GUILESS_MAIN(TestSentence)
#include "tst_sentence.moc"
