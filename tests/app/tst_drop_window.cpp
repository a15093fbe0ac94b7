// Files that are dropped on the window: several at once, folders of dumps, sessions, logs; what cannot be opened is said in
// a line each, and the rest opens.

#include "app/gui/session_keeper.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/table_panel.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/messages_model.h"
#include "viewers/problems/problems_view.h"

#include <QFile>
#include <QMimeData>

using namespace gelens;
using namespace gelens::test;

class TestDropWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_window = freshWindow(); }
    void cleanup() { m_window.reset(); }

    void severalAtOnce_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("remote");
        QTest::newRow("English") << QStringLiteral("en")
                                 << QStringLiteral("not a file of this computer; save it here and open that");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN") << QStringLiteral("不是本机文件；请先保存到本机再打开");
    }
    void severalAtOnce()
    {
        QFETCH(QString, language);
        QFETCH(QString, remote);
        applyLanguage(language);
        const QString missing = m_folder.filePath(QStringLiteral("no such.onnx"));
        const QString address = QStringLiteral("https://example.org/models/a b.onnx");
        QVERIFY(drop({QUrl::fromLocalFile(sample("attention-fits")), QUrl::fromLocalFile(missing), QUrl(address),
                      QUrl::fromLocalFile(QStringLiteral(GELENS_SAMPLES_DIR "/small-resnet-dumps")),
                      QUrl::fromLocalFile(sample("unit-conflict"))}));
        QVERIFY(waitFor([&] { return m_window->hub()->models().size() == 3 && areRunsThere(); }));
        QStringList names;
        for (const OpenModel& model : m_window->hub()->models()) names += model.name;
        QCOMPARE(names, (QStringList{QStringLiteral("attention-fits"), QStringLiteral("small-resnet-dumps"),
                                     QStringLiteral("unit-conflict")}));
        QVERIFY(m_window->hub()->models()[1].snapshots != nullptr); // its steps are the phases of the folder
        // One line for each that could not be opened, and it names it.
        const QStringList errors = fileErrors();
        QCOMPARE(errors.size(), 2);
        QVERIFY2(errors.contains(QStringLiteral("%1 | %2").arg(QUrl(address).toDisplayString(), remote)),
                 qPrintable(errors.join(QLatin1Char('\n'))));
        QVERIFY2(std::any_of(errors.begin(), errors.end(),
                             [&](const QString& error) { return error.startsWith(missing + QStringLiteral(" | ")); }),
                 qPrintable(errors.join(QLatin1Char('\n'))));
        for (const QString& error : errors) QVERIFY2(!error.contains(QLatin1Char('\n')), qPrintable(error));
    }

    void aSessionAndAModel()
    {
        const QString session = m_folder.filePath(QStringLiteral("work.gelens"));
        QVERIFY(openAndWait(*m_window, sample("small-resnet")));
        m_window->hub()->showStep(StepId{9});
        QVERIFY(m_window->sessionKeeper()->save(session));
        m_window = freshWindow();
        QVERIFY(drop({QUrl::fromLocalFile(sample("attention-fits")), QUrl::fromLocalFile(session)}));
        QVERIFY(waitFor([&] {
            return m_window->hub()->models().size() == 2 && areRunsThere() && !m_window->sessionKeeper()->isRestoring();
        }));
        QCOMPARE(m_window->hub()->run()->modelName, std::string("small-resnet"));
        QCOMPARE(m_window->hub()->shownStep(), StepId{9});
        QVERIFY(fileErrors().isEmpty());
    }

    void aDamagedSessionIsSaid()
    {
        const QString session = m_folder.filePath(QStringLiteral("bad.gelens"));
        QFile file(session);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"gelens_session\": 1, \"models\": 3}") > 0);
        file.close();
        QVERIFY(drop({QUrl::fromLocalFile(session), QUrl::fromLocalFile(sample("attention-fits"))}));
        QVERIFY(waitFor([&] { return m_window->hub()->models().size() == 1 && areRunsThere(); }));
        QCOMPARE(fileErrors().size(), 1);
        QVERIFY2(fileErrors().first().startsWith(session), qPrintable(fileErrors().first()));
    }

    void aLogGoesToItsDecoder()
    {
        const QString path = m_folder.filePath(QStringLiteral("plog-9.log"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("E19999: Inner Error!\n") > 0);
        file.close();
        QVERIFY(drop({QUrl::fromLocalFile(path)}));
        auto* decoder = viewOf<LogDecoderView>(*m_window, "decoder");
        QVERIFY(waitFor(
            [&] {
                return m_window->sessionKeeper()->frontView() == QStringLiteral("decoder") && decoder->isReady() &&
                       decoder->file() == path;
            },
            5000));
        QVERIFY(decoder->summary().contains(QStringLiteral("E19999")));
        QVERIFY(m_window->hub()->models().empty() && fileErrors().isEmpty());
    }

    /// A model on the decoder's panel is for the window around it; a text is for the decoder alone.
    void whoTakesWhat()
    {
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        auto* decoder = viewOf<LogDecoderView>(*m_window, "decoder");
        QVERIFY(drop({QUrl::fromLocalFile(sample("attention-fits"))}, decoder));
        QVERIFY(waitFor([&] { return m_window->hub()->models().size() == 1 && areRunsThere(); }));
        QVERIFY(decoder->file().isEmpty());
        QVERIFY(drop({QUrl(QStringLiteral("https://example.org/x.log"))}, decoder));
        QCOMPARE(fileErrors().size(), 1);
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        QMimeData text;
        text.setText(QStringLiteral("E19999: Inner Error!"));
        QVERIFY(!dropOn(m_window.get(), text));
        QVERIFY(dropOn(decoder, text));
        QVERIFY(waitFor([&] { return decoder->isReady(); }, 5000));
        QCOMPARE(decoder->text(), std::string("E19999: Inner Error!"));
    }

private:
    /// On the window itself when no target is given.
    bool drop(const QList<QUrl>& list, QWidget* target = nullptr)
    {
        QMimeData data;
        data.setUrls(list);
        return dropOn(target == nullptr ? m_window.get() : target, data);
    }
    bool areRunsThere() const
    {
        const auto& models = m_window->hub()->models();
        return !m_window->isBusy() &&
               std::all_of(models.begin(), models.end(), [](const OpenModel& model) { return model.run != nullptr; });
    }
    /// "place | sentence" of what could not be opened, as the list of problems shows it.
    QStringList fileErrors()
    {
        m_window->showView(QStringLiteral("problems"));
        QCoreApplication::processEvents();
        const QAbstractItemModel& rows = *viewOf<ProblemsView>(*m_window, "problems")->panel()->view()->model();
        QStringList found;
        for (int row = 0; row < rows.rowCount(); ++row)
            if (rows.index(row, MessagesModel::Id).data().toString() == QStringLiteral("file.open"))
                found += QStringLiteral("%1 | %2").arg(rows.index(row, MessagesModel::Where).data().toString(),
                                                       rows.index(row, MessagesModel::Text).data().toString());
        return found;
    }

    WindowSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestDropWindow)
#include "tst_drop_window.moc"
