// Formulas, rule files and their faults, and CANN's switch file in both syntaxes.

#include "engine/fusion/formula.h"
#include "engine/fusion/fusion_switch.h"
#include "engine/fusion/rule_set.h"
#include "engine/spec/compile_options.h"

#include <QtTest/QtTest>

#include <cmath>
#include <filesystem>

using namespace gelens;

class TestFusionLoading : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formulas_data();
    void formulas();
    void formulaFaults_data();
    void formulaFaults();
    void unknownValues();
    void thresholds();
    void ruleFaults_data();
    void ruleFaults();
    void oneBadRuleSparesTheOthers();
    void missingBraceCostsOneRule();
    void duplicateOverFiles();
    void derivedRule();
    void missingFolder();
    void randomBytesNeverCrash();
    void switchLines();
    void switchJson();
    void switchFaults_data();
    void switchFaults();
    void switchAlwaysOn();
    void switchUnknownNames();
    void switchPriority();
    void switchOptions();
};

namespace {

/// x is an element, keys and rows are variables.
class Scope : public FormulaScope {
public:
    int elementIndex(std::string_view name) const override { return name == "x" ? 0 : -1; }
    int variableIndex(std::string_view name) const override { return name == "keys" ? 0 : name == "rows" ? 1 : -1; }
};

/// keys = 100, rows unknown, x.dim(i) = i + 10.
class Host : public FormulaHost {
public:
    FormulaValue variable(int index) override { return index == 0 ? FormulaValue(keys) : FormulaValue::unknown(); }
    FormulaValue soc(std::string_view key) override
    {
        return key == "l1" ? FormulaValue(524288) : FormulaValue::unknown();
    }
    FormulaValue query(FormulaFunction function, const std::vector<int>&, const std::vector<FormulaValue>& numbers,
                       std::string_view text) override
    {
        if (function == FormulaFunction::Dim) return numbers[0].number + 10;
        if (function == FormulaFunction::Attr) return text == "pads" ? FormulaValue(3) : numbers[0];
        return FormulaValue::unknown();
    }
    double keys = 100;
};

constexpr const char* goodRule =
    "rule { id: \"R\" evidence: \"A\" unit: VECTOR input { name: \"x\" } node { name: \"n\" op: \"Relu\" in: \"x\" } "
    "root: \"n\" new_node { name: \"m\" op: \"Relu6\" in: \"x=x\" } output { of: \"n\" by: \"m\" } }\n";

std::string named(const std::string& id)
{
    std::string text = goodRule;
    return text.replace(text.find("\"R\""), 3, "\"" + id + "\"");
}

std::vector<Message> messagesOf(const std::string& text, std::size_t* rules = nullptr)
{
    RuleSet set;
    std::vector<Message> messages;
    set.addText(text, "my.textproto", messages);
    if (rules) *rules = set.rules().size();
    return messages;
}

} // namespace

void TestFusionLoading::formulas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    const auto row = [](const char* text, double value) { QTest::newRow(text) << QString::fromUtf8(text) << value; };
    row("1 + 2 * 3", 7);
    row("(1 + 2) * 3", 9);
    row("10 - 2 - 3", 5);
    row("16 * keys * 4 + 32768", 39168);
    row("7 / 2", 3.5);
    row("ceil_div(7, 2)", 4);
    row("align(33, 32)", 64);
    row("min(4, 2, 3) + max(1, 5)", 7);
    row("floor(2.7)", 2);
    row("sqrt(keys)", 10);
    row("-keys + 1", -99);
    row("!(1 == 2) && keys >= 100", 1);
    row("keys < 5 || keys != 100", 0);
    row("if(keys > 50, 1, rows)", 1);
    row("x.dim(-1)", 9);
    row("dim(x, 2)", 12);
    row("x.attr('pads', 0) + attr(x, 'none', 5)", 8);
    row("soc.l1 / 1024", 512);
    row("DT_FLOAT16", 1);
    row("1e3", 1000);
    row("0 && rows", 0);
    row("1 || rows", 1);
}

void TestFusionLoading::formulas()
{
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto formula = Formula::parse(text.toStdString(), Scope());
    QVERIFY2(formula.ok(), formula.ok() ? "" : formula.error().message().c_str());
    Host host;
    const FormulaValue result = formula->evaluate(host);
    QVERIFY(result.isKnown);
    QCOMPARE(result.number, value);
}

void TestFusionLoading::formulaFaults_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "1 +", "(1", "1)", "unknown", "x", "x.", "x.nothing", "dim(x)", "dim(keys, 1)",
                             "nothing(1)", "soc.l9", "attr(x, pads, 0)", "attr(x, 'pads", "1..2", "min()", "@", "1 2"})
        QTest::newRow(text) << QString::fromUtf8(text);
    QTest::newRow("deep") << QString(100000, QLatin1Char('('));
    QTest::newRow("deep minus") << QString(100000, QLatin1Char('-'));
    QTest::newRow("long") << QStringLiteral("1") + QStringLiteral("+1").repeated(100000);
}

void TestFusionLoading::formulaFaults()
{
    QFETCH(QString, text);
    const auto formula = Formula::parse(text.toStdString(), Scope());
    QVERIFY(!formula.ok());
    QVERIFY(!formula.error().what.empty());
}

void TestFusionLoading::unknownValues()
{
    Host host;
    for (const char* text : {"rows", "rows + 1", "1 / 0", "1 && rows", "0 || rows", "if(rows, 1, 2)", "sqrt(0 - 1)"}) {
        const auto formula = Formula::parse(text, Scope());
        QVERIFY(formula.ok());
        const FormulaValue value = formula->evaluate(host);
        QVERIFY2(!value.isKnown && !value.isTrue() && !value.isFalse(), text);
    }
}

void TestFusionLoading::thresholds()
{
    const auto needs = Formula::parse("16 * keys * 4 + 32768", Scope());
    const auto fits = [&](std::int64_t keys) {
        Host host;
        host.keys = static_cast<double>(keys);
        return needs->evaluate(host).number <= 1048576;
    };
    QCOMPARE(largestThatFits(1, 20000, 1, fits), 15872);
    QCOMPARE(largestThatFits(1, 20000, 16, fits), 15872); // 992 · 16
    QCOMPARE(largestThatFits(1, 20000, 100, fits), 15800);
    QCOMPARE(largestThatFits(1, 10, 1, [](std::int64_t) { return false; }), 0);
    QCOMPARE(largestThatFits(1, 10, 1, [](std::int64_t) { return true; }), 10);
    int calls = 0;
    QCOMPARE(smallestThatFits(0, std::int64_t{1} << 50, [&](std::int64_t l1) { return ++calls, l1 >= 655360; }),
             655360);
    QVERIFY(calls <= 52);
    QCOMPARE(smallestThatFits(0, 10, [](std::int64_t) { return false; }), 11);
}

void TestFusionLoading::ruleFaults_data()
{
    QTest::addColumn<QString>("find");
    QTest::addColumn<QString>("replace");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const char* find, const char* replace, const char* sentence) {
        QTest::newRow(name) << QString::fromUtf8(find) << QString::fromUtf8(replace) << QString::fromUtf8(sentence);
    };
    row("unknown operator", "\"Relu\"", "\"Reluu\"", "unknown operator type 'Reluu'");
    row("unknown new operator", "\"Relu6\"", "\"Relu66\"", "unknown operator type 'Relu66'");
    row("unknown element", "in: \"x\" }", "in: \"y\" }", "unknown element 'y'");
    row("unknown capture", "\"x=x\"", "\"x=z\"", "unknown element 'z'");
    row("unknown port", "\"x=x\"", "\"q=x\"", "has no input 'q'");
    row("unknown field", "evidence:", "evidnce:", "evidnce");
    row("unknown enumerator", "VECTOR", "VEKTOR", "VEKTOR");
    row("no id", "id: \"R\"", "", "id");
    row("no unit", "unit: VECTOR", "", "unit is missing");
    row("bad evidence", "evidence: \"A\"", "evidence: \"X\"", "evidence must be");
    row("no root", "root: \"n\"", "", "unknown element ''");
    row("root is an input", "root: \"n\"", "root: \"x\"", "the root must be an operator");
    row("no output", "output { of: \"n\" by: \"m\" }", "", "no output replaces the root");
    row("unknown new node", "by: \"m\"", "by: \"k\"", "unknown new node 'k'");
    row("twice the same name", "name: \"n\"", "name: \"x\"", "defined twice");
    row("bad formula", "root: \"n\"", "root: \"n\" require { that: \"x.dim(\" what: \"w\" }", "formula 'x.dim('");
    row("unknown name in a formula", "root: \"n\"", "root: \"n\" let { name: \"a\" formula: \"b + 1\" }",
        "unknown name 'b'");
    row("let of a later let", "root: \"n\"",
        "root: \"n\" let { name: \"a\" formula: \"b\" } let { name: \"b\" formula: \"1\" }", "unknown name 'b'");
    row("unknown reason", "root: \"n\"", "root: \"n\" require { that: \"1\" what: \"w\" reason: \"Mood\" }",
        "unknown reason 'Mood'");
    row("circle", "node { name: \"n\" op: \"Relu\" in: \"x\" }",
        "node { name: \"n\" op: \"Relu\" in: \"o\" } node { name: \"o\" op: \"Relu\" in: \"n\" }", "circle");
    row("buffer without memory", "root: \"n\"", "root: \"n\" buffer { name: \"b\" bytes: \"1\" }", "memory");
    row("bad type", "root: \"n\"", "root: \"n\" dtype: \"DT_FLOAT17\"", "unknown type 'DT_FLOAT17'");
    row("bad tile", "root: \"n\"", "root: \"n\" tile { name: \"t\" value: 0 }", "tile");
    row("computed from an input", "root: \"n\"", "root: \"n\" new_const { name: \"c\" like: \"x\" }", "no constant");
    row("no such base", "id: \"R\"", "id: \"R\" base: \"S\"", "'S'");
}

void TestFusionLoading::ruleFaults()
{
    QFETCH(QString, find);
    QFETCH(QString, replace);
    QFETCH(QString, sentence);
    std::string text = goodRule;
    const std::size_t at = text.find(find.toStdString());
    QVERIFY(at != std::string::npos);
    text.replace(at, static_cast<std::size_t>(find.toUtf8().size()), replace.toStdString());
    std::size_t rules = 0;
    // A good rule before (two lines) and one after: both stay.
    const std::vector<Message> messages = messagesOf(named("Before") + "\n" + text + named("After"), &rules);
    QCOMPARE(rules, std::size_t{2});
    QCOMPARE(messages.size(), std::size_t{1});
    QCOMPARE(messages[0].severity, Severity::Error);
    QVERIFY2(messages[0].text.find(sentence.toStdString()) != std::string::npos, messages[0].text.c_str());
    QVERIFY2(messages[0].where.rfind("my.textproto:3:", 0) == 0, messages[0].where.c_str());
}

void TestFusionLoading::oneBadRuleSparesTheOthers()
{
    QCOMPARE(messagesOf(goodRule).size(), std::size_t{0});
    std::size_t rules = 0;
    const auto messages =
        messagesOf("# a comment with { braces\nrule {\n  id: \"A\"\n  nonsense: 3\n}\n" + named("B"), &rules);
    QCOMPARE(rules, std::size_t{1});
    QCOMPARE(messages.size(), std::size_t{1});
    QVERIFY2(messages[0].where.rfind("my.textproto:4:", 0) == 0, messages[0].where.c_str());
    QCOMPARE(messages[0].id, std::string("fusion.rule-syntax"));
}

void TestFusionLoading::missingBraceCostsOneRule()
{
    std::string open = named("A");
    open.erase(open.rfind('}'), 1);
    std::size_t rules = 0;
    const auto messages = messagesOf(open + named("B") + named("C"), &rules);
    QCOMPARE(rules, std::size_t{2});
    QCOMPARE(messages.size(), std::size_t{1});
}

void TestFusionLoading::duplicateOverFiles()
{
    RuleSet set;
    std::vector<Message> messages;
    set.addText(goodRule, "one.textproto", messages);
    set.addText("\n\n" + std::string(goodRule), "two.textproto", messages);
    QCOMPARE(set.rules().size(), std::size_t{1});
    QCOMPARE(messages.size(), std::size_t{1});
    QCOMPARE(messages[0].where, std::string("two.textproto:3:1"));
    QVERIFY(messages[0].text.find("one.textproto:1") != std::string::npos);
}

void TestFusionLoading::derivedRule()
{
    RuleSet set;
    std::vector<Message> messages;
    set.addText(std::string(goodRule) +
                    "rule { id: \"S\" base: \"R\" priority: 5 buffer { name: \"b\" memory: L1 bytes: \"x.bytes\" } }",
                "f", messages);
    QVERIFY(messages.empty());
    const Rule* const derived = set.find("S");
    QVERIFY(derived);
    QCOMPARE(derived->elements.size(), set.find("R")->elements.size());
    QCOMPARE(derived->buffers.size(), std::size_t{1});
    QCOMPARE(set.rules().front()->id, std::string("R")); // priority 0 before 5
}

void TestFusionLoading::missingFolder()
{
    std::vector<Message> messages;
    const RuleSet set = RuleSet::load({"/nonexistent/rules"}, messages);
    QVERIFY(set.rules().empty());
    QCOMPARE(messages.size(), std::size_t{1});
    QCOMPARE(messages[0].id, std::string("fusion.rule-folder"));
}

void TestFusionLoading::randomBytesNeverCrash()
{
    std::uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 16; };
    for (int round = 0; round < 300; ++round) {
        std::string text = goodRule;
        for (int i = 0; i < 6; ++i) {
            const std::size_t at = next() % text.size();
            if (next() % 2)
                text[at] = static_cast<char>(next());
            else
                text.erase(at, next() % 20);
        }
        messagesOf(text);
        (void)FusionSwitch::parse(text, "f");
    }
    QVERIFY(true);
}

void TestFusionLoading::switchLines()
{
    const auto parsed = FusionSwitch::parse("# comment\nFirstPass:off\r\n\n  SecondPass : on \n", "s.cfg");
    QVERIFY(parsed.ok());
    QVERIFY(!parsed->isPassOn("FirstPass", false));
    QVERIFY(!parsed->isPassOn("FirstPass", true)); // lines name no section
    QVERIFY(parsed->isPassOn("SecondPass", false, false));
    QVERIFY(parsed->isPassOn("Other", false));
}

void TestFusionLoading::switchJson()
{
    const auto parsed = FusionSwitch::parse(R"({
  "Switch": {
    "GraphFusion": { "ALL": "on", "ConvBatchnormFusionPass": "off" },
    "UBFusion": { "ALL": "off", "TbeEltwiseFusionPass": "on" }
  },
  "Priority": { "GraphFusion": { "Main": { "MatMulBiasAddFusionPass": "1012" } } },
  "ExceptionalPassOfO1Level": ["A", "B"]
})",
                                            "s.cfg");
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().message().c_str());
    QVERIFY(!parsed->isPassOn("ConvBatchnormFusionPass", false));
    QVERIFY(parsed->isPassOn("SomeGraphPass", false));
    QVERIFY(!parsed->isPassOn("SomeUbPass", true));          // ALL of its section
    QVERIFY(parsed->isPassOn("TbeEltwiseFusionPass", true)); // its own name beats ALL
    QVERIFY(parsed->isPassOn("TbeEltwiseFusionPass", false));
}

void TestFusionLoading::switchFaults_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const char* text, int line, const char* sentence) {
        QTest::newRow(name) << QString::fromUtf8(text) << line << QString::fromUtf8(sentence);
    };
    row("no colon", "A:on\nB off\n", 2, "'B off'");
    row("neither on nor off", "A:maybe", 1, "'A:maybe'");
    row("twice", "A:on\n\nA:off", 3, "twice");
    row("unknown key", "{\n \"Schalter\": {} }", 2, "'Schalter'");
    row("unknown section", "{ \"Switch\":\n { \"Fusion\": {} } }", 2, "'Fusion'");
    row("bad value", "{ \"Switch\": { \"GraphFusion\": {\n\n \"A\": \"yes\" } } }", 3, "\"yes\"");
    row("value is no text", "{ \"Switch\": { \"GraphFusion\": {\n \"A\": true } } }", 2, "expected");
    row("unknown level", "{ \"Priority\": { \"GraphFusion\": {\n \"Middle\": {} } } }", 2, "'Middle'");
    row("outside its level", "{ \"Priority\": { \"GraphFusion\": { \"Main\": {\n \"A\": \"999\" } } } }", 2,
        "outside Main");
    row("no number", "{ \"Priority\": { \"GraphFusion\": { \"Top\": {\n \"A\": \"12x\" } } } }", 2, "integer");
    row("priority twice", "{ \"Priority\": { \"GraphFusion\": { \"Top\": { \"A\": \"12\",\n \"B\": \"12\" } } } }", 2,
        "twice");
    row("key twice", "{ \"Switch\": { \"GraphFusion\": { \"A\": \"on\",\n\"A\": \"on\" } } }", 2, "twice");
    row("not closed", "{ \"Switch\": {\n", 2, "too early");
    row("something behind", "{ }\n x", 2, "closing brace");
}

void TestFusionLoading::switchFaults()
{
    QFETCH(QString, text);
    QFETCH(int, line);
    QFETCH(QString, sentence);
    const auto parsed = FusionSwitch::parse(text.toStdString(), "s.cfg");
    QVERIFY(!parsed.ok());
    QCOMPARE(parsed.error().where, "s.cfg:" + std::to_string(line));
    QVERIFY2(parsed.error().what.find(sentence.toStdString()) != std::string::npos, parsed.error().what.c_str());
}

void TestFusionLoading::switchAlwaysOn()
{
    Rule rule;
    rule.id = "R";
    rule.gePass = "AABiasaddConvFusion";
    rule.isAlwaysOn = true;
    const auto parsed = FusionSwitch::parse("ALL:off\nAABiasaddConvFusion:off", "s.cfg");
    QVERIFY(parsed->isOn(rule));
    rule.isAlwaysOn = false;
    QVERIFY(!parsed->isOn(rule));
    QCOMPARE(parsed->decidedBy(rule), std::string("s.cfg:2"));
    rule.gePass = "Other";
    QCOMPARE(parsed->decidedBy(rule), std::string("s.cfg:1"));
}

void TestFusionLoading::switchUnknownNames()
{
    RuleSet rules;
    std::vector<Message> messages;
    rules.addText(goodRule, "f", messages);
    const auto parsed = FusionSwitch::parse("R:off\nPipelinePass:off\nNobody:off\nALL:on", "s.cfg");
    const auto warnings = parsed->unknownNames(rules, {"PipelinePass"});
    QCOMPARE(warnings.size(), std::size_t{1});
    QCOMPARE(warnings[0].severity, Severity::Warning);
    QCOMPARE(warnings[0].where, std::string("s.cfg:3"));
}

void TestFusionLoading::switchPriority()
{
    RuleSet rules;
    std::vector<Message> messages;
    rules.addText(named("A") + named("B"), "f", messages);
    QCOMPARE(rules.orderedRules(RuleGroup::Graph)[0]->id, std::string("A"));
    const auto parsed =
        FusionSwitch::parse(R"({ "Priority": { "GraphFusion": { "Top": { "A": "7", "B": "5" } } } })", "s.cfg");
    const auto order = rules.orderedRules(RuleGroup::Graph, &*parsed);
    QCOMPARE(order[0]->id, std::string("B"));
    QVERIFY(rules.orderedRules(RuleGroup::Ub).empty());
}

void TestFusionLoading::switchOptions()
{
    Rule rule;
    rule.id = "R";
    rule.gePass = "P";
    auto parsed = FusionSwitch::parse("P:off", "s.cfg");
    CompileOptions options;
    options.ruleSwitches["R"] = true;
    parsed->addOptions(options);
    QVERIFY(parsed->isOn(rule)); // options beat the file
    rule.isAlwaysOn = true;
    FusionSwitch other;
    options.ruleSwitches = {{"P", false}};
    other.addOptions(options);
    QVERIFY(!other.isOn(rule));
}

QTEST_GUILESS_MAIN(TestFusionLoading)
#include "tst_fusion_loading.moc"
