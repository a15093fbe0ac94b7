// gelens as a program: screenshots, and bad input in one line with status 2.

#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <sys/resource.h>

namespace {

struct Result {
    int status = -1;
    QString errors;
};

Result runProgram(const QStringList& arguments, const QString& home, bool isDiskFull = false)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home);
    environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("*=false"));
    process.setProcessEnvironment(environment);
    if (isDiskFull) // no file of the program can grow
        process.setChildProcessModifier([] {
            const rlimit none{0, 0};
            ::signal(SIGXFSZ, SIG_IGN);
            ::setrlimit(RLIMIT_FSIZE, &none);
        });
    process.start(QStringLiteral(GELENS_BIN_DIR "/gelens"), arguments);
    Result result;
    if (!process.waitForFinished(120000)) return result;
    result.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    // What the platform plugin says is not ours.
    for (const QString& line : QString::fromUtf8(process.readAllStandardError()).split(QLatin1Char('\n')))
        if (!line.isEmpty() && !line.startsWith(QStringLiteral("QStandardPaths")) &&
            !line.startsWith(QStringLiteral("This plugin")))
            result.errors += line + QLatin1Char('\n');
    return result;
}

} // namespace

class TestScreenshot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo::exists(QStringLiteral(GELENS_BIN_DIR "/gelens"))) QSKIP("the program gelens is not built");
        QVERIFY(m_home.isValid());
    }

    void drawsEveryView_data()
    {
        QTest::addColumn<QStringList>("options");
        for (const char* view : {"pipeline", "graph", "inspector", "unfused", "diff", "memory", "timeline",
                                 "statistics", "models", "problems", "log", "welcome"})
            QTest::newRow(view) << QStringList{QStringLiteral("--view"), QLatin1String(view)};
        QTest::newRow("dark, Chinese, a step")
            << QStringList{QStringLiteral("--theme"), QStringLiteral("dark"),   QStringLiteral("--language"),
                           QStringLiteral("zh_CN"),   QStringLiteral("--step"), QStringLiteral("3")};
    }
    void drawsEveryView()
    {
        QFETCH(QStringList, options);
        const QString out = m_home.filePath(QStringLiteral("out.png"));
        const Result result =
            runProgram(QStringList{QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx"), QStringLiteral("--size"),
                                   QStringLiteral("1280x800"), QStringLiteral("--screenshot"), out} +
                           options,
                       m_home.path());
        QVERIFY2(result.status == 0, qPrintable(result.errors));
        QCOMPARE(result.errors, QString());
        const QImage image(out);
        QCOMPARE(image.size(), QSize(1280, 800));
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const QString shot = QStringLiteral("--screenshot"), out = m_home.filePath(QStringLiteral("bad.png"));
        QTest::newRow("no such file") << QStringList{QStringLiteral("/nowhere/x.onnx"), shot, out}
                                      << QStringLiteral("/nowhere/x.onnx");
        QTest::newRow("unknown view") << QStringList{QStringLiteral("--view"), QStringLiteral("nothing")}
                                      << QStringLiteral("nothing");
        QTest::newRow("unknown step") << QStringList{QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx"),
                                                     QStringLiteral("--step"), QStringLiteral("NoSuchPass"), shot, out}
                                      << QStringLiteral("NoSuchPass");
        QTest::newRow("unknown SoC") << QStringList{QStringLiteral("--soc"), QStringLiteral("Ascend0")}
                                     << QStringLiteral("Ascend0");
        QTest::newRow("bad size") << QStringList{QStringLiteral("--size"), QStringLiteral("big")}
                                  << QStringLiteral("big");
    }
    void noRoomForThePicture()
    {
        const QString picture = m_home.filePath(QStringLiteral("full.png"));
        const QStringList arguments{QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx"),
                                    QStringLiteral("--screenshot"), picture};
        const Result result = runProgram(arguments, m_home.path(), true);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.errors.contains(picture + QStringLiteral(": cannot write the picture")),
                 qPrintable(result.errors));
    }
    void badInput()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        const Result result = runProgram(arguments, m_home.path());
        QCOMPARE(result.status, 2);
        QVERIFY2(result.errors.startsWith(QStringLiteral("gelens: error:")) && result.errors.contains(named) &&
                     result.errors.count(QLatin1Char('\n')) == 1,
                 qPrintable(result.errors));
    }

private:
    QTemporaryDir m_home;
};

QTEST_GUILESS_MAIN(TestScreenshot)
#include "tst_screenshot.moc"
