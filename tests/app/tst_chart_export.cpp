// The memory map and the task timeline as files of the command line; GE's options in `memplan`.

#include "tests/app/cli_fixture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace gelens;
using namespace gelens::test;
using Json = nlohmann::json;

namespace {

std::string sample(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestChartExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFormIsWritten_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("memory svg") << "memory"
                                    << "svg" << QByteArray("lower bound");
        QTest::newRow("memory csv") << "memory"
                                    << "csv" << QByteArray("region_offset_bytes");
        QTest::newRow("timeline svg") << "timeline"
                                      << "svg" << QByteArray("estimated");
        QTest::newRow("timeline csv") << "timeline"
                                      << "csv" << QByteArray("duration_us_estimated");
        QTest::newRow("timeline json") << "timeline"
                                       << "json" << QByteArray("\"estimated\":true");
    }

    void everyFormIsWritten()
    {
        QFETCH(QString, view);
        QFETCH(QString, ending);
        QFETCH(QByteArray, holds);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.") + ending),
                      again = folder.filePath(QStringLiteral("again.") + ending);
        for (const QString& target : {path, again}) {
            const Answer answer =
                cli({"export", sample("tiny-llama"), "--view", view.toStdString(), "--to", target.toStdString()});
            QVERIFY2(answer.status == 0, answer.err.c_str());
        }
        const QByteArray content = contentOf(path);
        QVERIFY(content.contains(holds));
        QCOMPARE(content, contentOf(again)); // same run, same bytes
        if (ending == QLatin1String("svg")) QVERIFY(content.count("<text") > 10);
    }

    void otherEndingsAreRefused()
    {
        for (const auto& [view, target] :
             {std::pair("memory", "m.json"), std::pair("memory", "m.doc"), std::pair("timeline", "t.dot")}) {
            const Answer answer = cli({"export", sample("tiny-llama"), "--view", view, "--to", target});
            QCOMPARE(answer.status, 2);
            QVERIFY(answer.err.starts_with("gelens-cli: error:"));
            QVERIFY(!QFile::exists(QString::fromLatin1(target)));
        }
    }

    void memplanTakesGesOptions()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("items.csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("id,lower,upper,size\na,0,2,1024\nb,2,4,1024\nc,4,6,2048\n");
        file.close();
        const auto peak = [&](std::vector<std::string> options) {
            options.insert(options.begin(), {"memplan", path.toStdString(), "--policy", "ge", "--json"});
            const Answer answer = cli(options);
            return answer.status == 0 ? Json::parse(answer.out)["peak"].get<int>() : -1;
        };
        QCOMPARE(peak({}), 2048);
        QCOMPARE(peak({"--disable-reuse"}), 4096);
        QCOMPARE(peak({"--memory-priority"}), 2048);
    }
};

QTEST_GUILESS_MAIN(TestChartExport)
#include "tst_chart_export.moc"
