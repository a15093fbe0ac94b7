// Lists of a hundred thousand rows are written while the window goes on: no event takes more than 50 ms of its thread, the
// line below the list counts, Esc and the button stop it, and what changes meanwhile is not half written.

#include "engine/session/log_decoder.h"
#include "engine/session/text_diff.h"
#include "tests/app/watched_application.h"
#include "tests/app/window_fixture.h"
#include "tests/bench/dump_pair.h"
#include "viewers/common/list_export.h"
#include "viewers/common/table_panel.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/logdecoder/log_lines_model.h"
#include "viewers/memory/alive_model.h"
#include "viewers/models/log_model.h"
#include "viewers/textdiff/text_changes_model.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <numeric>

using namespace gelens;
using test::verifyNoneIsLong;
using test::waitFor;
using test::watched;
using test::WatchedApplication;

namespace {

constexpr int manyRows = 100'000;

std::unique_ptr<QAbstractItemModel> logLines(int rows)
{
    auto model = std::make_unique<LogModel>();
    LogModel::Rows lines;
    for (int i = 0; i < rows; ++i)
        lines.push_back({QTime(1, 2, 3), LogLevel::Info, QStringLiteral("pass"), QStringLiteral("line, %1").arg(i)});
    model->setRows(std::move(lines));
    return model;
}

std::unique_ptr<QAbstractItemModel> decodedLines(int rows)
{
    std::string text;
    for (int i = 0; i < rows; ++i)
        text += "[ERROR] GE(9,atc.bin):2024-05-06-10:11:12.123.456 [graph_manager.cc:3401]9 Build: E19999 node " +
                std::to_string(i) + "\n";
    auto model = std::make_unique<LogLinesModel>();
    auto log = std::make_shared<const DecodedLog>(decodeLog(text, nullptr));
    auto tree = LogLinesModel::treeOf(*log);
    model->setLog(std::move(log), nullptr, std::move(tree));
    return model;
}

std::unique_ptr<QAbstractItemModel> textChanges(int rows)
{
    auto diff = std::make_shared<TextDiff>();
    for (int i = 0; i < rows; ++i) {
        TextChange change;
        change.node = "layers." + std::to_string(i / 2) + "/MatMul";
        change.type = "MatMul";
        change.field = i % 2 == 0 ? "attr transpose_x1" : "input_desc[0].layout";
        change.before = "ND, as read";
        change.after = "FRACTAL_NZ";
        change.afterNode = {static_cast<std::size_t>(i / 2), static_cast<std::size_t>(i / 2) + 1};
        diff->changes.push_back(std::move(change));
    }
    auto model = std::make_unique<TextChangesModel>();
    model->setDiff(std::move(diff));
    return model;
}

std::unique_ptr<QAbstractItemModel> buffers(int rows)
{
    auto run = std::make_shared<Run>();
    run->plan.buffers.resize(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < run->plan.buffers.size(); ++i) {
        run->plan.buffers[i].name = "tensor_" + std::to_string(i);
        run->plan.buffers[i].bytes = run->plan.buffers[i].blockBytes = static_cast<std::int64_t>(i) * 512;
    }
    std::vector<int> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), 0);
    auto model = std::make_unique<AliveModel>();
    model->setBuffers(run, all);
    return model;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestListExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        m_panel.reset();
        m_model.reset();
    }

    void theWindowGoesOn_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("ending");
        for (const char* list : {"log", "decoded log", "text diff", "memory"})
            for (const char* ending : {"csv", "json"})
                QTest::addRow("%s as %s", list, ending) << QString::fromLatin1(list) << QString::fromLatin1(ending);
    }
    void theWindowGoesOn()
    {
        QFETCH(QString, list);
        QFETCH(QString, ending);
        show(list == QLatin1String("log")           ? logLines(manyRows)
             : list == QLatin1String("decoded log") ? decodedLines(manyRows)
             : list == QLatin1String("text diff")   ? textChanges(manyRows)
                                                    : buffers(manyRows));
        const QString path = m_folder.filePath(QStringLiteral("list.") + ending);
        watched()->watch();
        const double before = test::threadMilliseconds();
        QVERIFY(m_panel->exportTo(path));
        const double first = test::threadMilliseconds() - before;
        QVERIFY2(first < WatchedApplication::limit, qPrintable(QString::number(first)));
        QVERIFY(m_panel->exporting()->isRunning());
        QVERIFY(m_panel->exporting()->isVisible());
        QVERIFY(waitFor([&] { return !m_panel->exporting()->isRunning(); }));
        QVERIFY(!m_panel->exporting()->isVisible());
        qInfo("all of it %.0f ms", test::threadMilliseconds() - before);
        verifyNoneIsLong();
        const QByteArray written = contentOf(path);
        QVERIFY(written == (ending == QLatin1String("csv") ? m_panel->csv().toUtf8() : m_panel->json()));
        if (ending == QLatin1String("json")) QVERIFY(QJsonDocument::fromJson(written).isArray());
        QVERIFY(written.count('\n') >= manyRows);
    }

    /// To paint two thousand rows takes longest; the window goes on meanwhile.
    void aPictureIsPaintedElsewhere()
    {
        show(logLines(manyRows));
        const QString path = m_folder.filePath(QStringLiteral("list.png"));
        QVERIFY(m_panel->exportTo(path));
        QVERIFY(m_panel->exporting()->isRunning() && m_panel->exporting()->isVisible());
        QCOMPARE(m_panel->exporting()->progressText(), QStringLiteral("list.png"));
        QVERIFY(!QFile::exists(path));
        watched()->watch();
        QVERIFY(waitFor([&] { return !m_panel->exporting()->isRunning(); }));
        verifyNoneIsLong();
        QVERIFY(!m_panel->exporting()->isVisible());
        QVERIFY(contentOf(path).startsWith("\x89PNG"));
    }

    /// They also come up without a halt: what is in the files is made into rows elsewhere.
    void aLongLogComesUp()
    {
        QFile file(m_folder.filePath(QStringLiteral("long.log")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < manyRows; ++i)
            file.write("[ERROR] GE(9,atc.bin):2024-05-06-10:11:12.123.456 [graph_manager.cc:3401]9 Build: E19999\n");
        file.close();
        LogDecoderView view;
        view.resize(900, 400);
        view.setVisible(true);
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        watched()->watch();
        QCOMPARE(view.openFile(file.fileName()), QString());
        QVERIFY(waitFor([&] { return view.isReady() && view.panel()->isVisible(); }));
        QTest::qWait(100);
        QCOMPARE(view.panel()->view()->model()->rowCount(), manyRows);
        verifyNoneIsLong();
    }

    void aLongTextDiffComesUp()
    {
        const bench::DumpPair pair = bench::makeDumpPair(std::size_t(40) << 20, 20'000);
        const QString before = m_folder.filePath(QStringLiteral("before.pbtxt")),
                      after = m_folder.filePath(QStringLiteral("after.pbtxt"));
        for (const auto& [path, text] : {std::pair(before, &pair.before), std::pair(after, &pair.after)}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text->data(), static_cast<qint64>(text->size())) > 0);
        }
        TextDiffView view;
        view.resize(900, 400);
        view.setVisible(true);
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        watched()->watch();
        view.compareFiles(before, after);
        QVERIFY(waitFor([&] { return view.isReady() && view.diff(); }));
        QTest::qWait(100);
        QVERIFY(!view.diff()->changes.empty());
        qInfo("%d changes", static_cast<int>(view.diff()->changes.size()));
        verifyNoneIsLong();
    }

    void itCanBeStopped_data()
    {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("Esc") << true;
        QTest::newRow("the button") << false;
    }
    void itCanBeStopped()
    {
        QFETCH(bool, byKey);
        show(logLines(manyRows));
        const QString path = m_folder.filePath(QStringLiteral("kept.csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("as it was") > 0);
        file.close();
        QVERIFY(m_panel->exportTo(path));
        ListExport* exporting = m_panel->exporting();
        const QString start = exporting->progressText();
        QVERIFY2(start.startsWith(QStringLiteral("kept.csv: ")) && start.endsWith(QStringLiteral(" of 100,000 rows")),
                 qPrintable(start));
        QVERIFY(waitFor([&] { return exporting->progressText() != start; }, 5000)); // it counts
        QVERIFY(exporting->isRunning());
        if (byKey)
            QTest::keyClick(m_panel->view(), Qt::Key_Escape);
        else
            QTest::mouseClick(exporting->stopButton(), Qt::LeftButton);
        QVERIFY(!exporting->isRunning() && !exporting->isVisible());
        QTest::qWait(50);
        QCOMPARE(contentOf(path), QByteArray("as it was"));
    }

    /// Another filter half way: the file holds what the list shows then, whole.
    void whatChangesIsReadAnew()
    {
        show(logLines(manyRows));
        auto* model = static_cast<LogModel*>(m_model.get());
        const QString path = m_folder.filePath(QStringLiteral("changed.csv"));
        QVERIFY(m_panel->exportTo(path));
        QCoreApplication::processEvents();
        QVERIFY(m_panel->exporting()->isRunning());
        LogModel::Rows more{
            {QTime(1, 2, 3), LogLevel::Info, QStringLiteral("pass"), QStringLiteral("behind the last")}};
        model->append(std::move(more));
        m_panel->filterLine()->setText(QStringLiteral("the last"));
        QVERIFY(waitFor([&] { return !m_panel->exporting()->isRunning(); }));
        QCOMPARE(contentOf(path).count("\r\n"), 2);
        QVERIFY(contentOf(path).contains("behind the last"));
    }

    void whatCannotBeWrittenIsSaid()
    {
        show(logLines(manyRows));
        QString said;
        QTimer closing;
        connect(&closing, &QTimer::timeout, this, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                said = box->text();
                box->close();
            }
        });
        closing.start(20);
        QVERIFY(m_panel->exportTo(QStringLiteral("/no/such/folder/list.csv")));
        QVERIFY(waitFor([&] { return !said.isEmpty(); }, 20000));
        QVERIFY2(said.contains(QStringLiteral("/no/such/folder/list.csv")), qPrintable(said));
        QVERIFY(!m_panel->exporting()->isRunning());
    }

private:
    void show(std::unique_ptr<QAbstractItemModel> model)
    {
        m_model = std::move(model);
        m_panel = std::make_unique<TablePanel>();
        m_panel->resize(800, 400);
        m_panel->setModel(m_model.get());
        m_panel->show();
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
        m_panel->view()->setFocus();
        QTest::qWait(50);
    }

    test::WindowSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<QAbstractItemModel> m_model;
    std::unique_ptr<TablePanel> m_panel;
};

int main(int argc, char** argv)
{
    WatchedApplication app(argc, argv);
    QTEST_SET_MAIN_SOURCE_PATH
    TestListExport test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_list_export.moc"
