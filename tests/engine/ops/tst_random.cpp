#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace gelens;
using namespace gelens::test;

namespace {

HostTensor list(IntList values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return intTensor({count}, std::move(values));
}

HostTensor number(std::int64_t value) { return intTensor({}, {value}); }

double mean(const std::vector<double>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

} // namespace

class TestRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 10,000 numbers: the mean of uniform ones lies within 5 sigma = 5 * 0.289 / 100 of a half.
    void uniformNumbers()
    {
        const auto drawn = values(run1("RandomUniform", {list({100, 100})}, {{"dtype", DataType::Float}, {"seed", 7}}));
        QCOMPARE(drawn.size(), std::size_t{10000});
        QVERIFY(*std::min_element(drawn.begin(), drawn.end()) >= 0 &&
                *std::max_element(drawn.begin(), drawn.end()) <= 1);
        QVERIFY(std::abs(mean(drawn) - 0.5) < 0.0145);
    }

    void seedsRepeat()
    {
        const auto draw = [](std::int64_t seed) {
            return values(run1("RandomUniform", {list({8})}, {{"dtype", DataType::Double}, {"seed", seed}}));
        };
        QCOMPARE(draw(3), draw(3));
        QVERIFY(draw(3) != draw(4));
        QCOMPARE(draw(0), draw(0)); // the run's own seed
    }

    void normalNumbers()
    {
        const auto drawn =
            values(run1("RandomStandardNormal", {list({10000})}, {{"dtype", DataType::Float}, {"seed", 7}}));
        double squares = 0;
        for (const double x : drawn) squares += x * x;
        QVERIFY(std::abs(mean(drawn)) < 0.05);
        QVERIFY(std::abs(squares / 10000 - 1) < 0.071);
        QVERIFY(!runError("RandomUniform", {list({-1})}).empty());
        QVERIFY(!runError("RandomUniform", {list({std::int64_t{1} << 40})}).empty());
    }

    void classesAndChances()
    {
        // Class 1 is e^20 times as likely as the others.
        const HostTensor picked = run1("Multinomial", {tensor({2, 3}, {0, 20, 0, 20, 0, 0}), number(50)},
                                       {{"dtype", DataType::Int32}, {"seed", 1}});
        const IntList classes = ints(picked);
        QVERIFY(std::all_of(classes.begin(), classes.begin() + 50, [](std::int64_t c) { return c == 1; }));
        QVERIFY(std::all_of(classes.begin() + 50, classes.end(), [](std::int64_t c) { return c == 0; }));
        QCOMPARE(values(run1("Bernoulli", {tensor({3}, {0, 1, 0})})), (std::vector<double>{0, 1, 0}));
        QCOMPARE(run1("Bernoulli", {tensor({1}, {1})}, {{"dtype", DataType::Bool}}).dtype, DataType::Bool);
        QVERIFY(!runError("Multinomial", {tensor({3}, {1, 2, 3}), number(1)}).empty());
    }

    void stringsJoinAndSplit()
    {
        QCOMPARE(*run1("StringConcat", {stringTensor({2, 1}, {"a", "b"}), stringTensor({2}, {"x", "y"})}).strings,
                 (StringList{"ax", "ay", "bx", "by"}));
        const auto byComma = run("StringSplit", {stringTensor({2}, {"a,b,c", ""})}, {{"delimiter", ","}}, 2);
        QVERIFY(byComma.ok());
        QCOMPARE(*byComma.value()[0].strings, (StringList{"a", "b", "c", "", "", ""}));
        QCOMPARE(ints(byComma.value()[1]), (IntList{3, 0}));
        const auto bySpace = run("StringSplit", {stringTensor({1}, {"  one  two three "})}, {{"maxsplit", 1}}, 2);
        QVERIFY(bySpace.ok());
        QCOMPARE(*bySpace.value()[0].strings, (StringList{"one", "two three "}));
        QVERIFY(!runError("StringConcat", {stringTensor({2}, {"a", "b"}), stringTensor({3}, {"x", "y", "z"})}).empty());
    }

    void stringsNormalise()
    {
        const HostTensor days = stringTensor({3}, {"monday", "Tuesday", "MONDAY"});
        QCOMPARE(
            *run1("StringNormalizer", {days}, {{"stopwords", StringList{"Monday"}}, {"case_change_action", "UPPER"}})
                 .strings,
            (StringList{"TUESDAY"}));
        QCOMPARE(*run1("StringNormalizer", {days}, {{"stopwords", StringList{"monday"}}, {"is_case_sensitive", true}})
                      .strings,
                 (StringList{"Tuesday", "MONDAY"}));
        QCOMPARE(*run1("StringNormalizer", {stringTensor({1, 1}, {"x"})}, {{"stopwords", StringList{"x"}}}).strings,
                 (StringList{""}));
        QVERIFY(!runError("StringNormalizer", {stringTensor({2, 1}, {"x", "y"})}).empty());
    }

    void wordSequences()
    {
        // Pool: the words 2, 3 and the pairs (5 4), (5 6).
        const AttrMap attrs{{"mode", "TF"},
                            {"min_gram_length", 1},
                            {"max_gram_length", 2},
                            {"max_skip_count", 0},
                            {"ngram_counts", IntList{0, 2}},
                            {"ngram_indexes", IntList{0, 1, 2, 3}},
                            {"pool_int64s", IntList{2, 3, 5, 4, 5, 6}}};
        const HostTensor text = intTensor({2, 4}, {2, 5, 4, 2, 3, 5, 9, 6});
        QCOMPARE(values(run1("TfIdfVectorizer", {text}, attrs)), (std::vector<double>{2, 0, 1, 0, 0, 1, 0, 0}));
        AttrMap skipping = attrs;
        skipping["max_skip_count"] = 1;
        QCOMPARE(values(run1("TfIdfVectorizer", {text}, skipping)), (std::vector<double>{2, 0, 1, 0, 0, 1, 0, 1}));
        AttrMap weighted = attrs;
        weighted["mode"] = "TFIDF";
        weighted["weights"] = FloatList{0.5f, 1, 3, 1};
        QCOMPARE(values(run1("TfIdfVectorizer", {text}, weighted)), (std::vector<double>{1, 0, 3, 0, 0, 1, 0, 0}));
        AttrMap broken = attrs;
        broken["ngram_counts"] = IntList{0, 3};
        QVERIFY(!runError("TfIdfVectorizer", {text}, broken).empty());
    }

    void patterns()
    {
        const HostTensor texts = stringTensor({3}, {"www.google.com", "www.google", "x"});
        QCOMPARE(ints(run1("RegexFullMatch", {texts}, {{"pattern", "www\\.[\\w.-]+\\.\\bcom\\b"}})),
                 (IntList{1, 0, 0}));
        QVERIFY(!runError("RegexFullMatch", {texts}, {{"pattern", "("}}).empty());
        QVERIFY(!runError("RegexFullMatch", {texts}, {{"pattern", std::string(2000, 'a')}}).empty());
    }

    void windows()
    {
        QCOMPARE(difference(run1("HannWindow", {number(4)}), {0, 0.5, 1, 0.5}), std::string());
        QCOMPARE(difference(run1("HannWindow", {number(3)}, {{"periodic", false}}), {0, 1, 0}), std::string());
        QCOMPARE(difference(run1("HammingWindow", {number(2)}), {4.0 / 46, 1}), std::string());
        QCOMPARE(difference(run1("BlackmanWindow", {number(2)}), {0, 1}), std::string());
        QCOMPARE(run1("HannWindow", {number(4)}, {{"dtype", DataType::Double}}).dtype, DataType::Double);
        QVERIFY(!runError("HannWindow", {number(-1)}).empty());
        QVERIFY(!runError("HannWindow", {number(std::int64_t{1} << 40)}).empty());
        QCOMPARE(values(run1("HannWindow", {number(0)})).size(), std::size_t{0});
    }

    void fourier()
    {
        // Length 4 (radix 2) and 3 (convolution) of an impulse at 1: the roots of unity.
        QCOMPARE(difference(run1("DFT", {tensor({1, 4, 1}, {0, 1, 0, 0}), absent(), absent()}),
                            {1, 0, 0, -1, -1, 0, 0, 1}, 1e-6, 1e-6),
                 std::string());
        const double half = std::sqrt(3.0) / 2;
        QCOMPARE(difference(run1("DFT", {tensor({1, 3, 1}, {0, 1, 0}), absent(), absent()}),
                            {1, 0, -0.5, -half, -0.5, half}, 1e-6, 1e-6),
                 std::string());
        // There and back, of a length that is no power of two.
        std::vector<double> signal;
        for (int i = 0; i < 2 * 7 * 2; ++i) signal.push_back((i * 37 % 11) - 5.0);
        const HostTensor x = tensor({2, 7, 2}, signal);
        const HostTensor back =
            run1("DFT", {run1("DFT", {x, absent(), absent()}), absent(), absent()}, {{"inverse", true}});
        QCOMPARE(difference(back, signal, 1e-5, 1e-5), std::string());
        const HostTensor half4 =
            run1("DFT", {tensor({1, 4, 1}, {1, 2, 3, 4}), absent(), absent()}, {{"onesided", true}});
        QCOMPARE(difference(half4, {10, 0, -2, 2, -2, 0}, 1e-6, 1e-6), std::string());
        QVERIFY(!runError("DFT", {x, absent(), number(2)}).empty());
        QVERIFY(!runError("DFT", {tensor({1, 4, 3}, std::vector<double>(12, 1.0)), absent(), absent()}).empty());
    }

    void shortFourier()
    {
        const HostTensor y = run1("STFT", {tensor({1, 4, 1}, {1, 2, 3, 4}), number(2), absent(), number(2)});
        QCOMPARE(difference(y, {3, 0, -1, 0, 7, 0, -1, 0}), std::string());
        const HostTensor windowed =
            run1("STFT", {tensor({1, 4, 1}, {1, 2, 3, 4}), number(2), tensor({2}, {1, 0}), absent()});
        QCOMPARE(difference(windowed, {1, 0, 1, 0, 3, 0, 3, 0}), std::string());
        QVERIFY(!runError("STFT", {tensor({1, 4, 1}, {1, 2, 3, 4}), number(2), absent(), number(5)}).empty());
        QVERIFY(!runError("STFT", {tensor({1, 4, 1}, {1, 2, 3, 4}), number(0), absent(), number(2)}).empty());
    }

    void melFilters()
    {
        const HostTensor weights =
            run1("MelWeightMatrix", {number(8), number(16), number(8192), tensor({}, {0}), tensor({}, {4096})});
        QCOMPARE(QString::fromStdString(weights.shape.text()), QStringLiteral("[9, 8]"));
        // Corners fall on bins 0 0 0 1 1 2 3 4 5 6.
        QCOMPARE(values(weights)[0], 1.0);
        QCOMPARE(values(weights)[4 * 8 + 6], 1.0);
        QCOMPARE(values(weights)[4 * 8 + 7], 0.0);
        QCOMPARE(values(weights)[5 * 8 + 7], 1.0);
        QCOMPARE(values(weights)[6 * 8 + 7], 0.0);
        QVERIFY(
            !runError("MelWeightMatrix", {number(8), number(16), number(8192), tensor({}, {0}), tensor({}, {90000})})
                 .empty());
    }
};

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_random.moc"
