// The rest of the reasons where each alone blocks, and a guard that no reason of the enumeration is without such a test.
#include "tests/engine/fusion/fusion_graphs.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

using namespace gelens;
using namespace gelens::test;

class TestFusionReasons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outputLimit();
    void everyReasonHasATest();
};

void TestFusionReasons::outputLimit()
{
    std::vector<Message> messages;
    RuleSet rules;
    rules.addText(
        "rule { id: \"R\" evidence: \"A\" unit: VECTOR input { name: \"x\" } node { name: \"b\" op: \"Add\" in: \"a:0\" "
        "in: \"a:1\" } node { name: \"a\" op: \"SplitD\" in: \"x\" max_outputs: 1 } root: \"b\" new_node { name: \"m\" op: "
        "\"Relu\" in: \"x=x\" } output { of: \"b\" by: \"m\" } }",
        "f", messages);
    QVERIFY2(messages.empty(), messages.empty() ? "" : messages.front().text.c_str());
    FusionGraph g;
    const OutputRef parts = g.op("SplitD", "a", {g.data("x", {4, 6})}, {{"split_dim", 1}, {"num_split", 2}}, 2);
    g.result({g.op("Add", "b", {parts, {parts.node, 1}})});
    FusionEnvironment environment;
    const SocSpec soc = soc910B();
    environment.soc = &soc;
    const RuleOutcome outcome = applyRule(g.editor(), *rules.find("R"), environment);
    QVERIFY2(refusal(outcome) && blocksAlone(*refusal(outcome), Reason::OutputLimit), explain(outcome).c_str());
    const Check& check = *refusal(outcome)->headline();
    QCOMPARE(*check.needs, 1.0); // what the rule takes
    QCOMPARE(*check.has, 2.0);   // both halves are read
    QCOMPARE(check.code, std::string("U06"));
}

void TestFusionReasons::everyReasonHasATest()
{
    const QString root = QStringLiteral(GELENS_SOURCE_DIR "/tests/engine/");
    QString tests;
    for (const char* folder : {"fusion", "passes"})
        for (QDirIterator files(root + QLatin1String(folder), {QStringLiteral("tst_*.cpp")}); files.hasNext();) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            tests += QString::fromUtf8(file.readAll());
        }
    QVERIFY(!tests.isEmpty());
    for (const Reason reason : allReasons()) {
        const std::string name = "Reason::" + std::string(reasonName(reason));
        // Whole words: a reason must not count as tested because a longer one is.
        const QRegularExpression word(QStringLiteral("\\b%1\\b").arg(QString::fromStdString(name)));
        if (reason != Reason::None) QVERIFY2(tests.contains(word), name.c_str());
    }
}

QTEST_GUILESS_MAIN(TestFusionReasons)
#include "tst_fusion_reasons.moc"
