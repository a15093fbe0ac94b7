// Every text of the window has a finished Chinese translation, and none was forgotten in the .ts file.

#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

namespace {

struct Text {
    QString context, source, translation, state; ///< state: "unfinished", "vanished" …; empty = finished
};

const QString translationFile = QStringLiteral(GELENS_SOURCE_DIR "/resources/translations/gelens_zh_CN.ts");

QList<Text> readTexts(const QString& path)
{
    QFile file(path);
    QList<Text> texts;
    if (!file.open(QIODevice::ReadOnly)) return texts;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("message")) texts.append({context, {}, {}, {}});
        if (xml.name() == QLatin1String("source")) texts.last().source = xml.readElementText();
        if (xml.name() == QLatin1String("translation")) {
            texts.last().state = xml.attributes().value(QLatin1String("type")).toString();
            texts.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return xml.hasError() ? QList<Text>() : texts;
}

QStringList placeholders(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("%(\\d+|n)"));
    QStringList found;
    for (auto match = form.globalMatch(text); match.hasNext();) found += match.next().captured();
    found.sort();
    return found;
}

} // namespace

class TestTranslation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTextIsTranslated()
    {
        const QList<Text> texts = readTexts(translationFile);
        QVERIFY(texts.size() > 400);
        QStringList bad;
        for (const Text& text : texts)
            if (!text.state.isEmpty() || text.translation.isEmpty())
                bad += QStringLiteral("%1: %2 (%3)").arg(text.context, text.source, text.state);
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
    }

    void placeholdersAgree()
    {
        QStringList bad;
        for (const Text& text : readTexts(translationFile)) {
            const QStringList wanted = placeholders(text.source), got = placeholders(text.translation);
            if (QSet<QString>(wanted.begin(), wanted.end()) != QSet<QString>(got.begin(), got.end()))
                bad += QStringLiteral("%1 / %2").arg(text.source, text.translation);
        }
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
    }

    void noTextIsMissing()
    {
        const QString tool = QLibraryInfo::path(QLibraryInfo::BinariesPath) + QStringLiteral("/lupdate");
        const QString installed = QFile::exists(tool) ? tool : QStringLiteral("/usr/lib/qt6/bin/lupdate");
        if (!QFile::exists(installed)) QSKIP("Qt's lupdate is not installed");
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("gelens_zh_CN.ts"));
        QVERIFY(QFile::copy(translationFile, copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        QProcess process;
        const QString root = QStringLiteral(GELENS_SOURCE_DIR);
        process.start(installed,
                      {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                       QStringLiteral("-no-ui-lines"), QStringLiteral("-I"), root, root + QStringLiteral("/app"),
                       root + QStringLiteral("/viewers"), QStringLiteral("-ts"), copy});
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 0);
        QStringList bad;
        for (const Text& text : readTexts(copy))
            if (text.state == QStringLiteral("unfinished"))
                bad += QStringLiteral("%1: %2").arg(text.context, text.source);
        QVERIFY2(bad.isEmpty(),
                 qPrintable(QStringLiteral("run update_translations and translate:\n") + bad.join(QLatin1Char('\n'))));
    }

    void compiledIn()
    {
        QTranslator translator;
        QVERIFY(translator.load(QStringLiteral(":/translations/gelens_zh_CN.qm")));
        QCOMPARE(translator.translate("gelens::Words", "Graph parsing"), QStringLiteral("图解析"));
        QCOMPARE(translator.translate("gelens::Words", "L1 limit"), QStringLiteral("L1 容量限制"));
        // The context of a class in the namespace, as its tr() asks for it.
        QVERIFY(!translator.translate("gelens::MainWindow", "Open a model file").isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestTranslation)
#include "tst_translation.moc"
