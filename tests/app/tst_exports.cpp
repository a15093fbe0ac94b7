// Everything that the window lists can be filtered, sorted, copied and written; everything that it draws can be written
// and copied. The lists and pictures are found in the window, not named here: a new one is tested on the day it comes.

#include "app/gui/debug_tools.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/accuracy/accuracy_view.h"
#include "viewers/common/breakpoint_list.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/list_export.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/export_text.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/textdiff/text_diff_view.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/unfused_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>

using namespace gelens;
using namespace gelens::test;

namespace {

int rowsIn(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    int rows = model.rowCount(parent);
    for (int row = 0; row < model.rowCount(parent); ++row) rows += rowsIn(model, model.index(row, 0, parent));
    return rows;
}

QModelIndexList allRows(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QModelIndexList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        rows += model.index(row, 0, parent);
        rows += allRows(model, rows.last());
    }
    return rows;
}

int rowsIn(const QJsonArray& array)
{
    int rows = static_cast<int>(array.size());
    for (const QJsonValue& value : array) rows += rowsIn(value.toObject().value(QStringLiteral("rows")).toArray());
    return rows;
}

/// Records of a CSV text as RFC 4180 has it.
QList<QStringList> recordsOf(const QString& csv)
{
    QList<QStringList> records(1);
    QString cell;
    bool isQuoted = false;
    for (int i = 0; i < csv.size(); ++i) {
        const QChar c = csv[i];
        if (isQuoted) {
            if (c != QLatin1Char('"'))
                cell += c;
            else if (i + 1 < csv.size() && csv[i + 1] == c)
                cell += csv[i++];
            else
                isQuoted = false;
        } else if (c == QLatin1Char('"')) {
            isQuoted = true;
        } else if (c == QLatin1Char(',')) {
            records.last() += std::exchange(cell, {});
        } else if (c == QLatin1Char('\r')) {
            records.last() += std::exchange(cell, {});
            records += QStringList();
            ++i;
        } else {
            cell += c;
        }
    }
    records.removeLast();
    return records;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString nameOf(const QWidget* widget)
{
    QStringList names;
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget())
        if (!at->accessibleName().isEmpty()) names.prepend(at->accessibleName());
    return names.join(QStringLiteral(" / ")) + QStringLiteral(" (") +
           QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(')');
}

/// Brings a widget to the front: its dock, its page, its tab.
void bringUp(MainWindow& window, QWidget* widget)
{
    for (const QString& name : MainWindow::viewNames())
        if (QWidget* view = window.view(name); view != nullptr && view->isAncestorOf(widget)) window.showView(name);
    for (QWidget* at = widget; at != nullptr; at = at->parentWidget())
        if (auto* tabs = at->parentWidget() != nullptr && at->parentWidget()->parentWidget() != nullptr
                             ? qobject_cast<QTabWidget*>(at->parentWidget()->parentWidget())
                             : nullptr)
            tabs->setCurrentWidget(at);
    (void)waitFor([&] { return widget->isVisible(); }, 2000);
}

/// Presses a key and answers the file dialog that it opens. False when none came.
bool exportByKey(QWidget* widget, Qt::Key key, const QString& path)
{
    bool hasCome = false;
    QTimer answer;
    answer.setInterval(20);
    QObject::connect(&answer, &QTimer::timeout, &answer, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || hasCome) return;
        hasCome = true;
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    answer.start();
    widget->setFocus();
    QTest::keyClick(widget, key, Qt::ControlModifier | Qt::ShiftModifier);
    widget->activateWindow(); // the dialog took it
    (void)QTest::qWaitForWindowActive(widget->window());
    return hasCome;
}

const std::pair<const char*, const char*> pictureStarts[] = {{"svg", "<?xml"}, {"png", "\x89PNG"}, {"pdf", "%PDF-1"}};

bool isStart(const QByteArray& content, const char* ending, const char* start)
{
    if (qstrcmp(ending, "svg") == 0) return content.contains("<svg") && content.trimmed().endsWith("</svg>");
    return content.startsWith(start);
}

} // namespace

class TestExports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        fillPanels();
    }
    void cleanupTestCase() { m_window.reset(); }

    void everyListIsWhole_data() { addLists(); }
    void everyListIsWhole()
    {
        QFETCH(TablePanel*, panel);
        checkList(panel);
    }

private:
    void checkList(TablePanel* panel)
    {
        computeNumbers(panel);
        bringUp(*m_window, panel);
        QVERIFY(panel->isVisible());
        QTreeView* const list = panel->view();
        const QAbstractItemModel& model = *list->model();
        (void)waitFor([&] { return model.rowCount() > 0; }, 20000);
        const QModelIndexList rows = allRows(model);
        QVERIFY2(!rows.isEmpty(), "an empty list shows nothing of its export");

        // CSV: a record for each row, its cells in it.
        const QList<QStringList> records = recordsOf(panel->csv());
        QCOMPARE(records.size(), rows.size() + 1);
        const int offset = records.front().size() - model.columnCount();
        QVERIFY(offset == 0 || offset == 1); // "level" of a tree
        for (int row = 0; row < rows.size(); ++row) {
            QCOMPARE(records[row + 1].size(), records.front().size());
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex cell = rows[row].siblingAtColumn(column);
                const QString text = cell.data().toString(), written = records[row + 1][offset + column];
                bool isFigure = false; // figures are written raw, with the unit in the title
                written.toDouble(&isFigure);
                if (!isFigure && !cell.data(ExportTextRole).isValid()) QCOMPARE(written, text);
            }
        }
        // JSON: an object for each row.
        QJsonParseError error;
        const QJsonDocument json = QJsonDocument::fromJson(panel->json(), &error);
        QVERIFY2(json.isArray(), qPrintable(error.errorString()));
        QCOMPARE(rowsIn(json.array()), static_cast<int>(rows.size()));

        QTemporaryDir folder;
        for (const auto& [ending, start] : pictureStarts) {
            const QString path = folder.filePath(QStringLiteral("list.") + QLatin1String(ending));
            QVERIFY(panel->exportTo(path));
            QTRY_VERIFY_WITH_TIMEOUT(!panel->exporting()->isRunning(), 20000);
            QVERIFY2(isStart(contentOf(path), ending, start), ending);
        }
        int unfolded = 0;
        for (QModelIndex at = model.index(0, 0); at.isValid() && unfolded < 2000; at = list->indexBelow(at)) ++unfolded;
        const QByteArray svg = contentOf(folder.filePath(QStringLiteral("list.svg")));
        QVERIFY2(svg.count("<text") >= unfolded,
                 qPrintable(QStringLiteral("%1 texts of %2 rows").arg(svg.count("<text")).arg(unfolded)));
        const QString kept = qEnvironmentVariable("GELENS_TEST_PICTURES");
        if (!kept.isEmpty())
            QFile::copy(
                folder.filePath(QStringLiteral("list.png")),
                QStringLiteral("%1/list-%2.png").arg(kept, nameOf(list).replace(QLatin1Char('/'), QLatin1Char('-'))));
    }

private Q_SLOTS:
    void everyListAnswersItsKeys_data() { addLists(); }
    void everyListAnswersItsKeys()
    {
        QFETCH(TablePanel*, panel);
        m_window->activateWindow();
        (void)QTest::qWaitForWindowActive(m_window.get());
        computeNumbers(panel);
        bringUp(*m_window, panel);
        QTreeView* const list = panel->view();
        QAbstractItemModel& model = *list->model();
        QVERIFY(waitFor([&] { return model.rowCount() > 0; }, 20000));
        QTemporaryDir folder;
        list->setFocus();
        QTest::keyClick(list, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(panel->filterLine()->isVisible() && panel->filterLine()->hasFocus());
        QTest::keyClicks(panel->filterLine(), QStringLiteral("no row says this"));
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 0, 2000);
        QVERIFY(!panel->placeholder().isEmpty());
        QTest::keyClick(panel->filterLine(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(model.rowCount() > 0, 2000);

        QVERIFY2(list->isSortingEnabled() && !list->isHeaderHidden(), "cannot be sorted");
        for (int column = 0; column < model.columnCount(); ++column) {
            const int rows = rowsIn(model);
            list->sortByColumn(column, Qt::DescendingOrder);
            list->sortByColumn(column, Qt::AscendingOrder);
            QCOMPARE(rowsIn(model), rows);
        }
        list->sortByColumn(-1, Qt::AscendingOrder);

        list->setFocus();
        QApplication::clipboard()->clear();
        QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY(copied.count(QLatin1Char('\n')) + 1 >= list->selectionModel()->selectedRows().size());
        for (const QModelIndex& row : list->selectionModel()->selectedRows())
            QVERIFY2(copied.contains(row.data().toString()), qPrintable(row.data().toString()));

        const QString path = folder.filePath(QStringLiteral("list.csv"));
        QVERIFY2(exportByKey(list, Qt::Key_E, path), "Ctrl+Shift+E opens no dialog");
        QTRY_VERIFY(!panel->exporting()->isRunning());
        QCOMPARE(QString::fromUtf8(contentOf(path)), panel->csv());
    }

    void everyPictureIsWritten_data() { addPictures(); }
    void everyPictureIsWritten()
    {
        QFETCH(ChartExport*, chart);
        computeNumbers(chart->canvas());
        bringUp(*m_window, chart->canvas());
        QVERIFY(chart->canvas()->isVisible());
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        if (unfused->isAncestorOf(chart->canvas())) {
            unfused->tabs()->setCurrentIndex(0);
            const QAbstractItemModel& chains = *unfused->chainList()->view()->model();
            clickRow(unfused->chainList()->view(), chains.index(0, 0, chains.index(0, 0)));
        }
        QTest::qWait(300);
        QTemporaryDir folder;
        for (const auto& [ending, start] : pictureStarts) {
            const QString path = folder.filePath(QStringLiteral("picture.") + QLatin1String(ending));
            QString error;
            QVERIFY2(chart->exportTo(path, &error), qPrintable(error));
            const QByteArray content = contentOf(path);
            QVERIFY2(isStart(content, ending, start), ending);
            if (qstrcmp(ending, "svg") == 0) QVERIFY(content.count("<text") > 1); // text stays text
            if (qstrcmp(ending, "png") == 0) {
                const QImage image = QImage::fromData(content);
                QVERIFY(image.width() >= 300 && image.height() >= 60);
                QSet<QRgb> colours;
                for (int y = 0; y < image.height(); y += 2)
                    for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
                QVERIFY2(colours.size() > 8, "it is blank");
                const QString kept = qEnvironmentVariable("GELENS_TEST_PICTURES");
                if (!kept.isEmpty())
                    image.save(QStringLiteral("%1/%2.png")
                                   .arg(kept, nameOf(chart->canvas()).replace(QLatin1Char('/'), QLatin1Char('-'))));
            }
        }
        QVERIFY(chart->canvas()->actions().contains(chart->action()) &&
                chart->canvas()->actions().contains(chart->copyAction()));
        for (const QAction* action : {chart->action(), chart->copyAction()}) QVERIFY(!action->text().isEmpty());
        QApplication::clipboard()->clear();
        chart->copyAction()->trigger();
        QVERIFY(QApplication::clipboard()->mimeData()->hasImage());

        QWidget* focus = chart->canvas();
        while (focus->focusPolicy() == Qt::NoFocus && qobject_cast<View*>(focus) == nullptr)
            focus = focus->parentWidget();
        const QString path = folder.filePath(QStringLiteral("by_key.svg"));
        QVERIFY2(exportByKey(focus, Qt::Key_E, path), "Ctrl+Shift+E opens no dialog");
        QTRY_VERIFY(contentOf(path).contains("<svg"));
    }

    void theGraphIsWritten()
    {
        m_window->showView(QStringLiteral("graph"));
        QTemporaryDir folder;
        for (const auto& [ending, start] : pictureStarts) {
            const QString path = folder.filePath(QStringLiteral("graph.") + QLatin1String(ending));
            QString error;
            QVERIFY2(m_window->graphView()->exportTo(path, &error), qPrintable(error));
            QVERIFY2(isStart(contentOf(path), ending, start), ending);
        }
        QVERIFY(m_window->action(QStringLiteral("export"))->isEnabled());
    }

    void nothingIsDrawnThatCannotBeWritten()
    {
        // Widgets of our own that draw no content: frames of others, texts, fields, and parts of pictures.
        const QSet<QString> others{QStringLiteral("MainWindow"),   QStringLiteral("TablePanel"),
                                   QStringLiteral("StateStack"),   QStringLiteral("StatePage"),
                                   QStringLiteral("ElidedLabel"),  QStringLiteral("ExplanationCard"),
                                   QStringLiteral("WhatIfForm"),   QStringLiteral("OverflowRow"),
                                   QStringLiteral("ResultsPanel"), QStringLiteral("ListExport")};
        QStringList missing;
        const QList<ChartExport*> charts = m_window->findChildren<ChartExport*>();
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            QString name = QString::fromLatin1(widget->metaObject()->className());
            if (!name.startsWith(QStringLiteral("gelens::"))) continue;
            name.remove(0, 8);
            const bool isWritten = std::any_of(charts.begin(), charts.end(), [&](const ChartExport* chart) {
                return chart->canvas() == widget || chart->canvas()->isAncestorOf(widget) ||
                       widget->isAncestorOf(chart->canvas());
            });
            const bool isOfGraph = m_window->graphView() == widget || m_window->graphView()->isAncestorOf(widget);
            const auto* view = qobject_cast<const View*>(widget);
            const bool isOfLists = view != nullptr && !view->findChildren<TablePanel*>().isEmpty();
            if (!isWritten && !isOfGraph && !isOfLists && !others.contains(name) &&
                name != QStringLiteral("WelcomeView"))
                missing += name;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
    }

    void theListOfAnOmIsWhole()
    {
        const QString file = QStringLiteral(GELENS_CORPUS_DIR "/om/root_model.om");
        if (!QFile::exists(file)) QSKIP("the corpus of OM files is not here");
        QVERIFY(openAndWait(*m_window, file));
        checkList(viewOf<StatisticsView>(*m_window, "statistics")->file());
    }

private:
    /// Gives every list and every picture something to show.
    void fillPanels()
    {
        Hub* const hub = m_window->hub();
        const auto run = hub->run();
        const auto graph = run->graphAt(hub->shownStep());
        NodeId chosen;
        graph->forEachNode(rootGraph, [&](const Node& node) {
            if (!chosen.isValid() && node.type == "MatMulV2") chosen = node.id;
        });
        if (!chosen.isValid())
            graph->forEachNode(rootGraph, [&](const Node& node) {
                if (!chosen.isValid() && node.inputCount() > 1 && node.outputCount() == 1) chosen = node.id;
            });
        m_node = chosen;
        Breakpoint stop;
        stop.kind = BreakpointKind::Pass;
        stop.pattern = run->step(run->lastStep()).pass;
        QCOMPARE(m_window->debugTools()->breakpoints()->add(stop), QString());
        CompileOptions options;
        options.soc = "Ascend310P3";
        m_window->debugTools()->tryOut(options, QStringLiteral("another chip"));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        m_window->showView(QStringLiteral("decoder"));
        auto* decoder = viewOf<LogDecoderView>(*m_window, "decoder");
        decoder->setText(QStringLiteral("[ERROR] GE(1,atc): E10001: Value [x] for parameter [y] is invalid.\n"));
        QVERIFY(waitFor([&] { return decoder->isReady(); }));
        m_window->showView(QStringLiteral("textdiff"));
        auto* texts = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(waitFor([&] { return texts->isVisible() && texts->diff() && texts->isReady(); }));
        viewOf<ProblemsView>(*m_window, "problems")
            ->addFileError(QStringLiteral("/a/b.onnx"), QStringLiteral("it is empty"));
        m_window->showView(QStringLiteral("unfused"));
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        QVERIFY(waitFor([&] { return unfused->isVisible() && !unfused->card()->isEmpty(); }, 5000));
    }

    /// The numbers belong to the selection, which other lists move.
    void computeNumbers(const QWidget* widget)
    {
        auto* accuracy = viewOf<AccuracyView>(*m_window, "accuracy");
        if (!accuracy->isAncestorOf(widget)) return;
        m_window->showView(QStringLiteral("accuracy"));
        m_window->hub()->showStep(m_window->hub()->run()->lastStep(), StepId{0});
        m_window->hub()->select(Selection::ofNode(m_node));
        QVERIFY(waitFor(
            [&] {
                return accuracy->isVisible() && !accuracy->hasPendingChanges() &&
                       accuracy->computeButton()->isEnabled();
            },
            5000));
        accuracy->compute();
        QVERIFY(waitFor([&] { return !accuracy->isBusy(); }));
        QCOMPARE(accuracy->stateText(), QString());
    }

    void addLists()
    {
        QTest::addColumn<TablePanel*>("panel");
        for (TablePanel* panel : m_window->findChildren<TablePanel*>()) {
            if (m_window->graphView()->isAncestorOf(panel)) continue; // results of a search that nobody made
            if (panel->name() == QLatin1String("om-file")) continue;  // only an OM has it
            QTest::addRow("%s", qPrintable(nameOf(panel->view()) + panel->name())) << panel;
        }
    }
    void addPictures()
    {
        QTest::addColumn<ChartExport*>("chart");
        for (ChartExport* chart : m_window->findChildren<ChartExport*>())
            QTest::addRow("%s", qPrintable(nameOf(chart->canvas()))) << chart;
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
    NodeId m_node; ///< one with an output of numbers
};

QTEST_MAIN(TestExports)
#include "tst_exports.moc"
