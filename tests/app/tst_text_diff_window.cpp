// Two files compared as text in the real window: renamed nodes, and files too large to be read.

#include "engine/session/text_diff.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "tests/bench/dump_pair.h"
#include "viewers/common/table_panel.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

using namespace gelens;
using namespace gelens::test;

namespace {

bool write(const QString& path, std::string_view text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) &&
           file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
}

/// Bytes of memory that are the program's own: pages of mapped files can be dropped at any time.
qint64 ownBytes()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("RssAnon:")) return line.simplified().split(' ').value(1).toLongLong() * 1024;
    return 0;
}

} // namespace

class TestTextDiffWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_window = freshWindow();
        QVERIFY(openAndWait(*m_window, sample("tiny-llama")));
        QVERIFY(m_window->showView(QStringLiteral("textdiff")));
        m_view = viewOf<TextDiffView>(*m_window, "textdiff");
        QVERIFY(waitFor([&] { return !m_view->hasPendingChanges() && m_view->isReady(); }, 20000));
    }
    void cleanup() { m_window.reset(); }

    void renamedNodesAreOneLineEach()
    {
        const auto text = DumpText::of(*m_window->hub()->run()->graphAt(StepId{0}), DumpTextForm::GeOnnx, "a");
        QString renamed = QString::fromUtf8(text->text().data(), static_cast<qsizetype>(text->text().size()));
        const QString old = QStringLiteral("/model/layers.0/"), now = QStringLiteral("/other.7/");
        renamed.replace(old, now);
        const QString before = m_folder.filePath(QStringLiteral("a.pbtxt")),
                      after = m_folder.filePath(QStringLiteral("b.pbtxt"));
        QVERIFY(write(before, text->text()) && write(after, renamed.toStdString()));
        int nodes = 0;
        m_window->hub()->run()->graphAt(StepId{0})->forEachNode(
            rootGraph, [&](const Node& node) { nodes += node.name.starts_with(old.toStdString()); });
        m_view->compareFiles(before, after);
        QVERIFY(waitFor(
            [&] {
                return m_view->isReady() && m_view->diff() && static_cast<int>(m_view->diff()->changes.size()) == nodes;
            },
            20000));
        const QAbstractItemModel& rows = *m_view->panel()->view()->model();
        QCOMPARE(rows.rowCount(), nodes);
        for (int row = 0; row < nodes; ++row) {
            QVERIFY2(rows.index(row, 0).data().toString().contains(now),
                     qPrintable(rows.index(row, 0).data().toString()));
            QCOMPARE(rows.index(row, 1).data().toString().replace(old, now), rows.index(row, 2).data().toString());
            QCOMPARE(rows.rowCount(rows.index(row, 0)), 0); // nothing below
        }
        // A row by mouse shows the node on both sides.
        clickRow(m_view->panel()->view(), rows.index(2, 0));
        const QString wanted = rows.index(2, 1).data().toString().remove(QLatin1Char('"'));
        QVERIFY(waitFor(
            [&] {
                return m_view->beforeText().contains(wanted) &&
                       m_view->afterText().contains(QString(wanted).replace(old, now));
            },
            5000));
        picture(*m_window, "renamed");
    }

    /// `GELENS_TEST_MEGABYTES` of each file; 40 unless set.
    void largeFilesArePaged()
    {
        const int megabytes = std::max(qEnvironmentVariableIntValue("GELENS_TEST_MEGABYTES"), 40);
        const QString before = m_folder.filePath(QStringLiteral("before.pbtxt")),
                      after = m_folder.filePath(QStringLiteral("after.pbtxt"));
        {
            const bench::DumpPair pair = bench::makeDumpPair(static_cast<std::size_t>(megabytes) << 20, 77);
            QVERIFY(write(before, pair.before) && write(after, pair.after));
        }
        const qint64 own = ownBytes();
        QElapsedTimer clock;
        clock.start();
        m_view->compareFiles(before, after);
        QVERIFY(waitFor([&] { return m_view->isReady() && m_view->diff() && m_view->diff()->changes.size() == 77; },
                        60000));
        const qint64 took = clock.elapsed(), grown = ownBytes() - own;
        qInfo("2 × %d MB: %lld ms, %.1f MB of memory more", megabytes, static_cast<long long>(took),
              static_cast<double>(grown) / 1e6);
        QVERIFY2(took < 100 * megabytes, qPrintable(QString::number(took))); // 3 ms a megabyte where nothing else runs
        QVERIFY2(grown < static_cast<qint64>(megabytes) << 21,
                 qPrintable(QString::number(grown))); // less than the texts themselves
        // Each pane holds one node's text and no more.
        for (int i = 0; i < 5; ++i) {
            m_view->nextChange();
            QVERIFY(m_view->beforeText().size() < 200'000 && m_view->afterText().size() < 200'000);
            QVERIFY(!m_view->beforeText().isEmpty() || !m_view->afterText().isEmpty());
        }
    }

private:
    WindowSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    TextDiffView* m_view = nullptr;
};

QTEST_MAIN(TestTextDiffWindow)
#include "tst_text_diff_window.moc"
