// The CSV form of planning problems: what is read, and which line an error names.

#include "engine/memory/csv_instance.h"

#include <QTest>

using namespace gelens;

class TestCsvInstance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnyColumnOrder()
    {
        const auto read =
            readCsvInstance("\xEF\xBB\xBFsize,id,upper,lower,hint\r\n4,b1,3,0,9\r\n\r\n8,b2,9,3,\r\n", "a.csv");
        QVERIFY(read.ok());
        QCOMPARE(read->ids, (std::vector<std::string>{"b1", "b2"}));
        QCOMPARE(read->items[1].lower, std::int64_t{3});
        QCOMPARE(read->items[1].upper, std::int64_t{9});
        QCOMPARE(read->items[1].size, std::int64_t{8});
        QVERIFY(readCsvInstance("id,lower,upper,size\n", "a.csv")->items.empty());
    }

    void errorsNameTheLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("empty") << QByteArray("") << QByteArray("a.csv: ");
        QTest::newRow("no header") << QByteArray("1,2,3,4\n") << QByteArray("a.csv:1: ");
        QTest::newRow("short row") << QByteArray("id,lower,upper,size\na,0,1\n") << QByteArray("a.csv:2: ");
        QTest::newRow("no number") << QByteArray("id,lower,upper,size\na,0,1,2\nb,0,x,2\n") << QByteArray("a.csv:3: ");
        QTest::newRow("fraction") << QByteArray("id,lower,upper,size\na,0,1.5,2\n") << QByteArray("a.csv:2: ");
        QTest::newRow("reversed") << QByteArray("id,lower,upper,size\na,5,1,2\n") << QByteArray("a.csv:2: ");
        QTest::newRow("negative") << QByteArray("id,lower,upper,size\na,0,1,-2\n") << QByteArray("a.csv:2: ");
        QTest::newRow("twice") << QByteArray("id,lower,upper,size\na,0,1,2\n\na,0,1,2\n") << QByteArray("a.csv:4: ");
        QTest::newRow("huge") << QByteArray("id,lower,upper,size\na,0,1,9223372036854775807\n")
                              << QByteArray("a.csv:2: ");
        QTest::newRow("overflow") << QByteArray("id,lower,upper,size\na,0,1,99999999999999999999\n")
                                  << QByteArray("a.csv:2: ");
        QTest::newRow("alignment") << QByteArray("id,lower,upper,size,alignment\na,0,1,2,8\n")
                                   << QByteArray("a.csv:2: ");
        QTest::newRow("gaps") << QByteArray("id,lower,upper,size,gaps\na,0,4,2,1-2\n") << QByteArray("a.csv:2: ");
    }
    void errorsNameTheLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto read = readCsvInstance(text.toStdString(), "a.csv");
        QVERIFY(!read.ok());
        QVERIFY2(read.error().message().rfind(place.toStdString(), 0) == 0, read.error().message().c_str());
    }
};

QTEST_GUILESS_MAIN(TestCsvInstance)
#include "tst_csv_instance.moc"
