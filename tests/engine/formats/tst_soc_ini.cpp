#include "engine/formats/soc_ini.h"

#include <QtTest>

#include <filesystem>

using namespace gelens;

class TestSocIni : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void builtInProfilesAgreeWithPublishedFigures()
    {
        const std::string folder = std::string(GELENS_SOURCE_DIR) + "/resources/soc/";
        const auto b1 = readSocIni(folder + "Ascend910B1.ini");
        QVERIFY(b1.ok());
        QCOMPARE(b1->family, std::string("Ascend910B"));
        QCOMPARE(b1->generation, 220);
        QVERIFY(b1->coreLayout == CoreLayout::Split);
        QCOMPARE(b1->cubeCores, 24);
        QCOMPARE(b1->vectorCores, 48);
        QCOMPARE(b1->buffers.l1, std::int64_t{524288});
        QCOMPARE(b1->buffers.ub, std::int64_t{196608});
        // 2 × 16³ × 24 cores × 1.85 GHz = 363.7 TFLOP/s
        QVERIFY(std::abs(b1->peakCubeFlops() - 363.7e12) < 0.1e12);
        const auto p3 = readSocIni(folder + "Ascend310P3.ini");
        QVERIFY(p3.ok());
        QVERIFY(p3->coreLayout == CoreLayout::Fused);
        QCOMPARE(p3->buffers.l1, std::int64_t{1048576});
        QCOMPARE(p3->blockFor("DT_INT8").k0, 32);
        QCOMPARE(p3->blockFor("DT_FLOAT16").k0, 16); // falls back to Default
        const auto newest = readSocIni(folder + "Ascend910_95.ini");
        QVERIFY(newest.ok() && !newest->hasUbFusion);
    }

    void everyBuiltInProfileReads()
    {
        const std::string folder = std::string(GELENS_SOURCE_DIR) + "/resources/soc";
        const auto names = socNamesIn(folder);
        QVERIFY(names.size() >= 15);
        for (const std::string& name : names) {
            const auto soc = readSocIni(folder + "/" + name + ".ini");
            QVERIFY2(soc.ok(), soc.ok() ? "" : soc.error().message().c_str());
            QCOMPARE(soc->name, name);
            QVERIFY(soc->cubeCores > 0 && soc->cubeMegahertz > 0 && soc->buffers.l1 > 0 && soc->cubeRates.ddrRead > 0);
        }
    }

    void unknownKeysAndEmptyValuesAreFine()
    {
        const auto soc =
            parseSocIni("# comment\n[version]\nSoC_version=Mine\n[SoCInfo]\nai_core_cnt=\nmemory_size=\nnew_key=7\n"
                        "[New]\nx=y\n",
                        "mine.ini");
        QVERIFY(soc.ok());
        QCOMPARE(soc->name, std::string("Mine"));
        QCOMPARE(soc->memoryBytes, std::int64_t{0});
        QCOMPARE(soc->raw.at("New.x"), std::string("y"));
    }

    void aLineMayBeVeryLong()
    {
        const std::string value(1 << 20, 'v');
        const auto soc = parseSocIni("[version]\nSoC_version=Long\nlist=" + value + "\n", "long.ini");
        QVERIFY(soc.ok());
        QCOMPARE(soc->raw.at("version.list").size(), value.size());
    }

    void badFilesAreOneLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("wanted");
        QTest::addRow("empty") << QByteArray("") << QByteArray("no [section]");
        QTest::addRow("no section") << QByteArray("a=1\n") << QByteArray("bad.ini:1");
        QTest::addRow("open section") << QByteArray("[x\n") << QByteArray("bad.ini:1");
        QTest::addRow("no equals") << QByteArray("[x]\nwhat\n") << QByteArray("bad.ini:2");
        QTest::addRow("not a number") << QByteArray("[version]\nSoC_version=a\n[SoCInfo]\nai_core_cnt=many\n")
                                      << QByteArray("bad.ini:4");
        QTest::addRow("negative") << QByteArray("[version]\nSoC_version=a\n[SoCInfo]\nai_core_cnt=-3\n")
                                  << QByteArray("not a number");
        QTest::addRow("binary") << QByteArray("[x]\n\0\n", 6) << QByteArray("zero bytes");
    }

    void badFilesAreOneLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, wanted);
        const auto soc =
            parseSocIni(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "bad.ini");
        QVERIFY(!soc.ok());
        const std::string message = soc.error().message();
        QVERIFY2(message.find(wanted.toStdString()) != std::string::npos, message.c_str());
        QVERIFY(message.find('\n') == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSocIni)
#include "tst_soc_ini.moc"
