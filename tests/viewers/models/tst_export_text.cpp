// Lists as text and as CSV.

#include "tests/viewers/models/model_fixture.h"
#include "viewers/models/export_text.h"
#include "viewers/models/messages_model.h"
#include "viewers/models/models_model.h"
#include "viewers/models/property_model.h"

#include <QTest>

using namespace gelens;

class TestExportText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::German)); } // "1.200" on screen must not reach a file

    void csvHoldsRawNumbers()
    {
        const auto run = test::makeRun();
        run->statistics.memoryAfter = 1234567;
        run->statistics.fusionRate = 0.5;
        ModelsModel model;
        model.setRows({{0, QStringLiteral("a \"quoted\", name"), run, {}, false, true}});
        const QStringList lines = modelAsCsv(model).split(QStringLiteral("\r\n"));
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].contains(QStringLiteral("Peak memory [B]")));
        QVERIFY2(lines[1].startsWith(QStringLiteral("\"a \"\"quoted\"\", name\",")), qPrintable(lines[1]));
        QVERIFY2(lines[1].contains(QStringLiteral(",1234567,")), qPrintable(lines[1]));
        QVERIFY2(lines[1].contains(QStringLiteral(",0.5,")), qPrintable(lines[1]));
        QVERIFY(lines[2].isEmpty());
    }

    void csvOfATreeHasLevels()
    {
        PropertyModel::Tree tree;
        const int parent = tree.add(PropertyModel::top, {QStringLiteral("a"), QStringLiteral("1")});
        tree.add(parent, {QStringLiteral("b"), QStringLiteral("line\nbreak")});
        tree.add(PropertyModel::top, {QStringLiteral("c"), {}});
        PropertyModel model;
        model.setTree(std::move(tree));
        QCOMPARE(modelAsCsv(model), QStringLiteral("level,Name,Value\r\n0,a,1\r\n1,b,\"line\nbreak\"\r\n0,c,\r\n"));
    }

    void copiedRowsKeepTheirShape()
    {
        PropertyModel::Tree tree;
        const int parent = tree.add(PropertyModel::top, {QStringLiteral("a"), QStringLiteral("1")});
        tree.add(parent, {QStringLiteral("b"), QStringLiteral("<b>2</b>")});
        PropertyModel model;
        model.setTree(std::move(tree));
        const QModelIndex first = model.index(0, 0);
        QCOMPARE(rowsAsText({first, model.index(0, 0, first)}), QStringLiteral("a\t1\n  b\t<b>2</b>"));
    }
};

QTEST_GUILESS_MAIN(TestExportText)
#include "tst_export_text.moc"
