// Lists as text and as CSV.

#include "tests/viewers/models/model_fixture.h"
#include "viewers/models/export_text.h"
#include "viewers/models/messages_model.h"
#include "viewers/models/models_model.h"
#include "viewers/models/property_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonValue>
#include <QTest>

#include <functional>

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

    /// Read a row at a time, as between the events of a window, it is the same text.
    void piecesMakeTheWhole_data()
    {
        QTest::addColumn<int>("form");
        QTest::newRow("CSV") << static_cast<int>(ListForm::Csv);
        QTest::newRow("JSON") << static_cast<int>(ListForm::Json);
    }
    void piecesMakeTheWhole()
    {
        QFETCH(int, form);
        PropertyModel::Tree tree;
        for (int i = 0; i < 40; ++i) {
            const int parent = tree.add(PropertyModel::top, {QStringLiteral("row, %1").arg(i), QString::number(i)});
            for (int k = 0; k < i % 3; ++k) tree.add(tree.add(parent, {QStringLiteral("child"), {}}), {{}, {}});
        }
        PropertyModel model;
        model.setTree(std::move(tree));
        ListText pieces(model, static_cast<ListForm>(form)), whole(model, static_cast<ListForm>(form));
        int slices = 1;
        while (!pieces.advance(QDeadlineTimer(0))) ++slices;
        QVERIFY(slices > 100);
        QVERIFY(whole.advance(QDeadlineTimer(QDeadlineTimer::Forever)));
        QCOMPARE(pieces.text(), whole.text());
        QCOMPARE(pieces.rowsDone(), 40);
    }

    void jsonHoldsChildren()
    {
        PropertyModel::Tree tree;
        const int parent = tree.add(PropertyModel::top, {QStringLiteral("a \"b\""), QStringLiteral("1")});
        tree.add(tree.add(parent, {QStringLiteral("child"), QStringLiteral("层")}), {QStringLiteral("grandchild"), {}});
        tree.add(PropertyModel::top, {QStringLiteral("last"), {}});
        PropertyModel model;
        QCOMPARE(QJsonDocument::fromJson(modelAsJson(model)).array().size(), 0);
        model.setTree(std::move(tree));
        QJsonParseError error;
        const QJsonArray rows = QJsonDocument::fromJson(modelAsJson(model), &error).array();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0][QStringLiteral("Name")].toString(), QStringLiteral("a \"b\""));
        const QJsonValue child = rows[0][QStringLiteral("rows")][0];
        QCOMPARE(child[QStringLiteral("Value")].toString(), QStringLiteral("层"));
        QCOMPARE(child[QStringLiteral("rows")][0][QStringLiteral("Name")].toString(), QStringLiteral("grandchild"));
        QVERIFY(rows[1][QStringLiteral("rows")].isUndefined());
    }

    void rowsStandInTheOrderOfTheList()
    {
        PropertyModel::Tree tree;
        for (int i = 0; i < 12; ++i) {
            const int parent = tree.add(PropertyModel::top, {QString::number(i), {}});
            for (int k = 0; k < i % 4; ++k) tree.add(tree.add(parent, {QStringLiteral("child"), {}}), {{}, {}});
        }
        PropertyModel model;
        model.setTree(std::move(tree));
        QModelIndexList listed; // depth first
        const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
            for (int row = 0; row < model.rowCount(parent); ++row) {
                listed += model.index(row, 0, parent);
                walk(listed.last());
            }
        };
        walk({});
        for (qsizetype a = 0; a < listed.size(); ++a)
            for (qsizetype b = 0; b < listed.size(); ++b) QCOMPARE(isListedBefore(listed[a], listed[b]), a < b);
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
