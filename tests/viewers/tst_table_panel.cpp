// Every list filters, sorts, copies and exports, by mouse and by keys.

#include "viewers/common/table_panel.h"
#include "viewers/models/log_model.h"
#include "viewers/models/property_model.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace gelens;

class TestTablePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_model = std::make_unique<LogModel>();
        for (const char* text : {"b 10", "a <b>2</b>", "c 2"})
            m_model->addLine({QTime(0, 0), LogLevel::Info, QStringLiteral("x"), QLatin1String(text)});
        m_panel = std::make_unique<TablePanel>();
        m_panel->resize(600, 300);
        m_panel->setModel(m_model.get());
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void filters()
    {
        QTest::keyClicks(m_panel->filterLine(), QStringLiteral("2 b"));
        QCOMPARE(texts(), QStringList{QStringLiteral("a <b>2</b>")});
        QTest::keyClick(m_panel->filterLine(), Qt::Key_Escape);
        QCOMPARE(texts().size(), 3);
    }

    void saysWhyItIsEmpty()
    {
        QCOMPARE(m_panel->placeholder(), QString());
        QTest::keyClicks(m_panel->filterLine(), QStringLiteral("nowhere"));
        QVERIFY(m_panel->placeholder().contains(QStringLiteral("nowhere")));
        QTest::keyClick(m_panel->filterLine(), Qt::Key_Escape);
        QCOMPARE(m_panel->placeholder(), QString());
        m_panel->setEmptyText(QStringLiteral("Nothing was logged."));
        QCOMPARE(m_panel->placeholder(), QString());
        m_model->setRows({});
        QCOMPARE(m_panel->placeholder(), QStringLiteral("Nothing was logged."));
    }

    void sortsAndUnsorts()
    {
        QHeaderView* header = m_panel->view()->header();
        const QPoint at(header->sectionViewportPosition(LogModel::Text) + 20, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        const QStringList once = texts();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        const QStringList twice = texts();
        QVERIFY(once != twice);
        QCOMPARE(once, QStringList(twice.rbegin(), twice.rend()));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at); // the third click gives the first order back
        QCOMPARE(texts().first(), QStringLiteral("b 10"));
    }

    void copiesWhatIsChosen()
    {
        m_panel->view()->setFocus();
        QTest::keyClick(m_panel->view(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(m_panel->view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[1].endsWith(QStringLiteral("\ta <b>2</b>")));
    }

    void exportsWhatTheFilterLetsThrough()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("list.csv"));
        m_panel->filterLine()->setText(QStringLiteral("c"));
        QVERIFY(m_panel->exportTo(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count("\r\n"), 2); // header and one row
    }

    void enterAndLinksActivate()
    {
        QSignalSpy activated(m_panel.get(), &TablePanel::activated), chosen(m_panel.get(), &TablePanel::chosen);
        m_panel->setCurrentIndex(m_model->index(2, 0));
        QCOMPARE(chosen.count(), 0); // set by the program, not by the user
        QTest::keyClick(m_panel->view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.at(0).at(0).toModelIndex(), m_model->index(2, 0));
        QTest::keyClick(m_panel->view(), Qt::Key_Up);
        QCOMPARE(chosen.count(), 1);
    }

    /// Tab and the commands that show a view give a list the focus; what happens to stand first is not chosen by that.
    void theFocusChoosesNothing()
    {
        QSignalSpy activated(m_panel.get(), &TablePanel::activated), chosen(m_panel.get(), &TablePanel::chosen);
        m_panel->view()->clearFocus();
        m_panel->setCurrentIndex({});
        m_panel->view()->setFocus();
        QVERIFY(m_panel->view()->hasFocus());
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(m_panel->view(), Qt::Key_Return); // the row where the focus stands
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.at(0).at(0).toModelIndex(), m_model->index(0, 0));
        // From the filter on into the list is a choice.
        m_panel->filterLine()->setFocus();
        QTest::keyClick(m_panel->filterLine(), Qt::Key_Down);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toModelIndex(), m_model->index(0, 0));
    }

    /// A click gives the focus first: the row that was seen there is meant, however far down.
    void aClickFarDownMeansItsRow()
    {
        PropertyModel::Tree tree;
        for (int i = 0; i < 200; ++i)
            tree.add(PropertyModel::top, {QStringLiteral("row %1").arg(i), QStringLiteral("value")});
        PropertyModel model;
        model.setTree(std::move(tree));
        QWidget window;
        QLineEdit other(&window);
        TablePanel panel(&window);
        panel.setModel(&model);
        panel.setGeometry(0, 40, 400, 200);
        window.resize(400, 240);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other.setFocus();
        QTreeView* view = panel.view();
        const QModelIndex far = view->model()->index(150, 0);
        view->scrollTo(far);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(far).center());
        QCOMPARE(panel.currentIndex().row(), 150);
    }

    void oneClickFollowsALink()
    {
        PropertyModel::Tree tree;
        PropertyItem link{QStringLiteral("from"), QStringLiteral("x:0")};
        link.node = 4;
        tree.add(PropertyModel::top, link);
        PropertyModel model;
        model.setTree(std::move(tree));
        TablePanel panel;
        panel.setModel(&model);
        panel.resize(400, 200);
        panel.show();
        QSignalSpy activated(&panel, &TablePanel::activated);
        const QRect name = panel.view()->visualRect(panel.view()->model()->index(0, 0));
        QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, name.center());
        QCOMPARE(activated.count(), 0); // the name is no link
        const QRect value = panel.view()->visualRect(panel.view()->model()->index(0, 1));
        QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, value.center());
        QCOMPARE(activated.count(), 1);
    }

    /// A file's name is one word: where cells have several lines it goes on below in place of being cut.
    void longNamesWrap()
    {
        PropertyModel::Tree tree;
        tree.add(PropertyModel::top, {QStringLiteral("short"), QStringLiteral("a.txt")});
        tree.add(
            PropertyModel::top,
            {QStringLiteral("long"), QStringLiteral("ge_proto_00000017_graph_0_PreRunAfterOptimizeOriginalGraph.txt")});
        PropertyModel model;
        model.setTree(std::move(tree));
        TablePanel panel;
        panel.setModel(&model);
        panel.setWraps(4);
        panel.resize(360, 300);
        panel.show();
        panel.view()->setColumnWidth(0, 120);
        panel.view()->setColumnWidth(1, 200);
        panel.view()->doItemsLayout();
        const QAbstractItemModel* rows = panel.view()->model();
        const int line = panel.view()->visualRect(rows->index(0, 1)).height();
        QVERIFY(panel.view()->visualRect(rows->index(1, 1)).height() > line * 3 / 2);
        // What is copied is the name as it is.
        panel.view()->selectAll();
        QVERIFY(panel.selectedText().contains(QStringLiteral("graph_0_PreRunAfterOptimizeOriginalGraph.txt")));
    }

private:
    QStringList texts() const
    {
        QStringList found;
        const QAbstractItemModel* model = m_panel->view()->model();
        for (int row = 0; row < model->rowCount(); ++row) found += model->index(row, LogModel::Text).data().toString();
        return found;
    }

    std::unique_ptr<LogModel> m_model;
    std::unique_ptr<TablePanel> m_panel;
};

QTEST_MAIN(TestTablePanel)
#include "tst_table_panel.moc"
