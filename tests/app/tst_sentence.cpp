// What the engine explains in English is said in Chinese in the Chinese window: each check, remedy and rule text.

#include "tests/viewers/sample_runs.h"
#include "viewers/models/sentence.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QTranslator>

using namespace gelens;
using namespace gelens::testing;

namespace {

void note(QSet<QString>& unknown, std::string_view english)
{
    if (!english.empty() && !words::isKnownSentence(english)) unknown.insert(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())));
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
        QCOMPARE(words::sentence("needs 1,081,344 B of L1, Ascend310P3 has 1,048,576 B (scores 1,048,576 B + tiles 32,768 B)"),
                 QStringLiteral("需要 L1 1,081,344 B，Ascend310P3 有 1,048,576 B（scores 1,048,576 B + tiles 32,768 B）"));
        // Several sentences in a row, and a word of the rule file among the parts.
        QCOMPARE(words::sentence("Reduce keys to at most 15,872, or use a chip with at least 1,081,344 B of L1. "
                                 "Only these families have the kernel with online softmax."),
                 QStringLiteral("把键数减到不超过 15,872，或换用 L1 不少于 1,081,344 B 的芯片。只有这些系列有在线 softmax 的 kernel。"));
        // What fills the memory is named too.
        QCOMPARE(words::sentence("needs 3,584 B of UB, Ascend910B1 has 8 B (both result tiles in fp32 3,072 B + row in fp32 512 B, rows = 16)"),
                 QStringLiteral("需要 UB 3,584 B，Ascend910B1 有 8 B（两块 fp32 结果分块 3,072 B + 一行 fp32 512 B, rows = 16）"));
        // What the journal says of an edit.
        QCOMPARE(words::sentence("added Cast 'a'"), QStringLiteral("新增 Cast“a”"));
        QCOMPARE(words::sentence("output 0: fp32 ND [2] → fp16 ND [2]"), QStringLiteral("输出 0：fp32 ND [2] → fp16 ND [2]"));
        // The rule's name stays, the sentence behind it does not.
        QCOMPARE(words::sentence("FlashAttentionFusion: all shapes are known"), QStringLiteral("FlashAttentionFusion：所有 shape 均已知"));
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
        for (const char* text : {"needs 12 B of UB, Ascend910B1 has 8 B (rows 12 B, tile = 4)", "Turn A on in fusion_switch.cfg.",
                                 "Fix the input shapes (--set). Inline the branch."})
            QCOMPARE(words::sentence(text), QString::fromUtf8(text));
    }

    void samplesAreExplained()
    {
        QSet<QString> unknown;
        for (const char* sample : {"tiny-llama", "small-resnet", "attention-fits", "attention-too-long", "unit-conflict", "llama-7b"}) {
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
        static const QRegularExpression field(QStringLiteral("\\b(what|remedy|soc_remedy|label|buffer \\{ name):((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\")+)"));
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
                for (auto part = piece.globalMatch(match.next().captured(2)); part.hasNext();) sentence += part.next().captured(1);
                sentence.replace(formula, QStringLiteral("7"));
                note(unknown, sentence.toStdString());
            }
        }
        QVERIFY(seen > 80);
        QVERIFY2(unknown.isEmpty(), qPrintable(joined(unknown)));
    }

private:
    QTranslator m_chinese;
};

QTEST_GUILESS_MAIN(TestSentence)
#include "tst_sentence.moc"
