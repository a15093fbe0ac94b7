// `compile --cards N` and `models --as-cards`: one row for each card, and one line for what cannot be split.

#include "tests/app/cli_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace gelens;
using namespace gelens::test;

namespace {

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }
QJsonArray cardsOf(const Answer& answer)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(answer.out)).object()[QStringLiteral("cards")].toArray();
}

} // namespace

class TestCliCards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compileSplits()
    {
        const Answer answer = cli({"compile", sample("llama-7b"), "--cards", "4", "--json"});
        QVERIFY2(answer.status == 0, answer.err.c_str());
        const QJsonArray cards = cardsOf(answer);
        QCOMPARE(cards.size(), 4);
        for (int card = 0; card < 4; ++card) {
            QCOMPARE(cards[card][QStringLiteral("card")].toInt(), card);
            QCOMPARE(cards[card][QStringLiteral("blocks")].toInt(), 8);
            for (const char* key : {"nodes", "tasks", "peak", "ms"})
                QVERIFY(cards[card][QLatin1String(key)].toDouble() > 0);
        }
        // The cards in the middle hold blocks and nothing else.
        QCOMPARE(cards[1][QStringLiteral("nodes")].toInt(), cards[2][QStringLiteral("nodes")].toInt());
        QCOMPARE(cards[1][QStringLiteral("nodes_before")].toInt(), 8 * 38);
    }

    void oneCardIsTheWholeModel()
    {
        const QJsonArray cards = cardsOf(cli({"compile", sample("llama-7b"), "--json"}));
        QCOMPARE(cards.size(), 1);
        QCOMPARE(cards[0][QStringLiteral("blocks")].toInt(), 32);
    }

    void verifiedParts()
    {
        const Answer answer = cli({"compile", sample("tiny-llama"), "--cards", "2", "--verify"});
        QVERIFY2(answer.status == 0, answer.err.c_str());
        QVERIFY(answer.out.find("card 0: verification passed") != std::string::npos);
        QVERIFY(answer.out.find("card 1: verification passed") != std::string::npos);
    }

    void filesAsCards()
    {
        const QJsonArray cards =
            cardsOf(cli({"models", sample("tiny-llama"), sample("llama-7b"), "--as-cards", "--json"}));
        QCOMPARE(cards.size(), 2);
        QCOMPARE(cards[0][QStringLiteral("blocks")].toInt(), 2);
        QCOMPARE(cards[1][QStringLiteral("blocks")].toInt(), 32);
        QCOMPARE(cards[1][QStringLiteral("card")].toInt(), 1);
    }

    void oneLineForEachMistake_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("cards");
        QTest::addColumn<QString>("said");
        QTest::newRow("too many") << "tiny-llama"
                                  << "3"
                                  << "3 cards cannot share 2 blocks";
        QTest::newRow("no blocks") << "unit-conflict"
                                   << "2"
                                   << "no repeated blocks were found";
        QTest::newRow("none") << "tiny-llama"
                              << "0"
                              << "--cards";
    }
    void oneLineForEachMistake()
    {
        QFETCH(QString, model);
        QFETCH(QString, cards);
        QFETCH(QString, said);
        const Answer answer = cli({"compile", sample(model.toLatin1().constData()), "--cards", cards.toStdString()});
        QCOMPARE(answer.status, 2);
        QVERIFY(answer.err.starts_with("gelens-cli: error:"));
        QVERIFY2(answer.err.find(said.toStdString()) != std::string::npos, answer.err.c_str());
        QCOMPARE(std::count(answer.err.begin(), answer.err.end(), '\n'), std::ptrdiff_t{1});
    }
};

QTEST_GUILESS_MAIN(TestCliCards)
#include "tst_cli_cards.moc"
