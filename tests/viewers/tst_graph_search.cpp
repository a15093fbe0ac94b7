// The graph view's search line, its list of results, kept searches, and the list of blocks that differ.

#include "tests/viewers/graph_view_fixture.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_query.h"
#include "viewers/graph/results_panel.h"

#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace gelens;
using namespace gelens::testing;

class GraphSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QApplication::setOrganizationName(QStringLiteral("GE Lens tests"));
        QApplication::setApplicationName(QStringLiteral("graph view"));
    }

    void search()
    {
        Shown s(4);
        s.view.setSearchText(QStringLiteral("type:FlashAttention*"));
        QTRY_COMPARE(s.view.searchHitCount(), 4);
        QTest::keyClick(s.view.afterCanvas(), Qt::Key_N);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.0/attention"));
        QTest::keyClick(s.view.afterCanvas(), Qt::Key_P);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.3/attention"));
        s.view.setSearchText(QStringLiteral("name:/[/"));
        QTRY_COMPARE(s.view.searchHitCount(), 0);
    }

    void queries_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("hits");
        QTest::newRow("substring") << QStringLiteral("softmax") << 4;
        QTest::newRow("glob over the whole type") << QStringLiteral("type:*Softmax") << 0;
        QTest::newRow("glob") << QStringLiteral("type:Softmax??") << 4;
        QTest::newRow("regex") << QStringLiteral("name:/layers\\.[12]/softmax$/") << 2;
        QTest::newRow("shape") << QStringLiteral("type:softmax shape:1×16×64") << 4;
        QTest::newRow("dtype") << QStringLiteral("dtype:fp16 name:head") << 1;
        QTest::newRow("format") << QStringLiteral("format:FRACTAL") << 0;
        QTest::newRow("nothing yet") << QStringLiteral("type:") << 0;
    }

    void queries()
    {
        QFETCH(QString, text);
        QFETCH(int, hits);
        GraphMaker make;
        addDecoder(make, 4, scopedName);
        QCOMPARE(static_cast<int>(GraphQuery::parse(text).find(*make.graph, nullptr).size()), hits);
    }

    void resultsAreListed()
    {
        Shown s(4);
        auto* line = s.view.findChild<QLineEdit*>(QStringLiteral("search"));
        s.view.setSearchText(QStringLiteral("type:FlashAttention*"));
        QTRY_COMPARE(s.view.searchHitCount(), 4);
        QVERIFY(!s.view.resultsPanel()->isVisible());
        QTest::keyClick(line, Qt::Key_Return);
        s.settle();
        QVERIFY(s.view.resultsPanel()->isVisible());
        ResultsModel* model = s.view.resultsPanel()->model();
        QCOMPARE(model->rowCount(), 4);
        QCOMPARE(model->index(2, ResultsModel::Name).data().toString(), QStringLiteral("/model/layers.2/attention"));
        Q_EMIT s.view.resultsPanel()->nodeChosen(model->row(2).node);
        s.settle();
        QCOMPARE(s.view.afterCanvas()->selectedNodes().front(), s.node("/model/layers.2/attention"));
        QVERIFY(!s.view.nodeRectOnScreen(s.node("/model/layers.2/attention")).isNull());
        s.view.setSearchText(QStringLiteral("type:Softmax*")); // fused away
        QTRY_COMPARE(s.view.searchHitCount(), 0);
        QTRY_VERIFY(!s.view.resultsPanel()->isVisible());
    }

    void fieldsOfTheRun()
    {
        const auto run = makeRun(3);
        auto& verdicts = run->steps[1].verdicts;
        const auto graph = run->graphAt(StepId{1});
        FusionVerdict verdict;
        verdict.rule = "FlashAttention";
        verdict.fused = true;
        verdict.into = graph->findNode("/model/layers.1/attention");
        verdicts.push_back(verdict);
        FusionVerdict refused;
        refused.rule = "MatMulAdd";
        refused.reason = Reason::L1Capacity;
        refused.nodes = {graph->findNode("/model/head")};
        verdicts.push_back(refused);
        const auto count = [&](const char* text) {
            return static_cast<int>(GraphQuery::parse(QLatin1String(text)).find(*graph, run.get()).size());
        };
        QCOMPARE(count("verdict:FlashAttention"), 1);
        QCOMPARE(count("verdict:fused"), 1);
        QCOMPARE(count("verdict:L1Cap*"), 1);
        QCOMPARE(count("verdict:refused name:head"), 1);
        QCOMPARE(count("pass:FlashAttentionFusionPass type:Flash*"), 3);
        QCOMPARE(count("pass:NoSuchPass"), 0);
    }

    void searchesAreKept()
    {
        Shown s(2);
        QSettings().setValue(QStringLiteral("graph/saved_searches"), QStringList{QStringLiteral("type:Relu")});
        QCOMPARE(GraphView::savedSearches(), QStringList{QStringLiteral("type:Relu")});
        s.view.setSearchText(QStringLiteral("unit:cube"));
        QMenu* menu = nullptr;
        for (auto* button : s.view.findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("★")) menu = button->menu();
        QVERIFY(menu != nullptr);
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 3); // keep, separator, the kept one
        menu->actions().first()->trigger();
        QCOMPARE(GraphView::savedSearches(), (QStringList{QStringLiteral("unit:cube"), QStringLiteral("type:Relu")}));
        Q_EMIT menu->aboutToShow();
        menu->actions().last()->trigger();
        QTRY_COMPARE(s.view.searchHitCount(), 2);
        s.view.setSearchText(QStringLiteral("unit:cube"));
        Q_EMIT menu->aboutToShow();
        menu->actions().first()->trigger(); // forgotten again
        QCOMPARE(GraphView::savedSearches(), QStringList{QStringLiteral("type:Relu")});
    }

    void unevenBlocksAreListed()
    {
        const auto run = makeRun(6, 4);
        GraphView view;
        view.resize(1200, 800);
        view.show();
        view.setRun(run);
        view.setStep(StepId{1}, StepId{0});
        QTRY_VERIFY(view.isLayoutReady());
        view.listVariants();
        QVERIFY(view.resultsPanel()->isVisible());
        ResultsModel* model = view.resultsPanel()->model();
        QCOMPARE(model->rowCount(), 6);
        QVERIFY2(
            model->index(0, ResultsModel::Detail).data().toString().contains(QStringLiteral("FlashAttentionScore")),
            qPrintable(model->index(0, ResultsModel::Detail).data().toString()));
        QCOMPARE(model->index(0, ResultsModel::Name).data().toString(), QStringLiteral("layers.4"));
        Q_EMIT view.resultsPanel()->groupChosen(model->row(0).group);
        QTest::qWait(10);
        QTRY_VERIFY(view.isLayoutReady());
        QCOMPARE(view.afterCanvas()->selectedGroup(), model->row(0).group);
        QVERIFY(view.afterCanvas()->currentBox() >= 0);
        view.setStep(StepId{0}, StepId{0});
        QTest::qWait(10);
        QTRY_VERIFY(view.isLayoutReady());
        view.listVariants(); // all alike before the fusion
        QVERIFY(!view.resultsPanel()->isVisible());
    }

private:
    QTemporaryDir m_settings;
};

QTEST_MAIN(GraphSearchTest)
#include "tst_graph_search.moc"
