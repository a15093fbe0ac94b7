// gelens as a program: screenshots, and bad input in one line with status 2.

#include <QFile>
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

QProcessEnvironment environmentOf(const QString& home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home);
    environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("*=false"));
    return environment;
}

Result runProgram(const QStringList& arguments, const QString& home, bool isDiskFull = false)
{
    QProcess process;
    process.setProcessEnvironment(environmentOf(home));
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
        for (const char* view :
             {"pipeline", "graph", "inspector", "unfused", "diff", "memory", "timeline", "statistics", "models",
              "problems", "log", "whatif", "breakpoints", "textdiff", "decoder", "accuracy", "welcome"})
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

    /// A log and two dumps are drawn as they are read, and the help names the views that can be asked for.
    void drawsWhatItIsGiven()
    {
        QFile log(m_home.filePath(QStringLiteral("plog.log")));
        QVERIFY(log.open(QIODevice::WriteOnly) && log.write("E19999: Inner Error!\nW18888: odd\n") > 0);
        log.close();
        const QStringList model{QStringLiteral(GELENS_SAMPLES_DIR "/attention-fits.onnx"), QStringLiteral("--view"),
                                QStringLiteral("decoder"), QStringLiteral("--screenshot")};
        const QString without = m_home.filePath(QStringLiteral("without.png")),
                      with = m_home.filePath(QStringLiteral("with.png"));
        QCOMPARE(runProgram(model + QStringList{without}, m_home.path()).status, 0);
        QCOMPARE(runProgram(model + QStringList{with, QStringLiteral("--log"), log.fileName()}, m_home.path()).status,
                 0);
        const QImage empty(without), decoded(with);
        QVERIFY(!empty.isNull() && empty.size() == decoded.size());
        QVERIFY(empty != decoded);

        QProcess help;
        QProcessEnvironment environment = environmentOf(m_home.path());
        environment.remove(QStringLiteral("QT_QPA_PLATFORM")); // it needs no display
        help.setProcessEnvironment(environment);
        help.start(QStringLiteral(GELENS_BIN_DIR "/gelens"), {QStringLiteral("--help")});
        QVERIFY(help.waitForFinished(60000));
        const QString text = QString::fromUtf8(help.readAllStandardOutput()).simplified();
        QVERIFY2(text.contains(QStringLiteral("breakpoints textdiff decoder accuracy welcome")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("concat…")), qPrintable(text)); // no letter for each byte
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const QString shot = QStringLiteral("--screenshot"), out = m_home.filePath(QStringLiteral("bad.png"));
        QTest::newRow("no such file") << QStringList{QStringLiteral("/nowhere/x.onnx"), shot, out}
                                      << QStringLiteral("/nowhere/x.onnx");
        QTest::newRow("unknown view")
            << QStringList{QStringLiteral("--view"), QStringLiteral("logdecoder"), shot, out}
            << QStringLiteral(
                   "--view logdecoder: known are pipeline graph inspector unfused diff memory timeline statistics "
                   "models problems log whatif breakpoints textdiff decoder accuracy welcome");
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
