// Every summary of a built-in rule or pass is in the list of texts that are translated.
#include "engine/session/catalog.h"
#include "viewers/models/summaries.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>
#include <QTranslator>

using namespace gelens;

namespace {

/// Knows nothing, and remembers what it was asked for.
class MarkingTranslator : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override
    {
        return QLatin1String(context) == QStringLiteral("gelens::Summary")
                   ? QStringLiteral("«%1»").arg(QString::fromUtf8(source))
                   : QString();
    }
    bool isEmpty() const override { return false; }
};

} // namespace

class TestSummaries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyOneIsTranslated()
    {
        QFile file(QStringLiteral(GELENS_SOURCE_DIR "/resources/translations/gelens_zh_CN.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString texts = QString::fromUtf8(file.readAll());
        std::vector<Message> messages;
        std::vector<CatalogEntry> entries = listRules({}, messages);
        const std::vector<CatalogEntry> passes = listPasses();
        entries.insert(entries.end(), passes.begin(), passes.end());
        QVERIFY(entries.size() > 100);
        for (const CatalogEntry& entry : entries)
            QVERIFY2(texts.contains(QStringLiteral("<source>%1</source>")
                                        .arg(QString::fromStdString(entry.summary)
                                                 .toHtmlEscaped()
                                                 .replace(QLatin1Char('\''), QStringLiteral("&apos;")))) ||
                         texts.contains(QStringLiteral("<source>%1</source>")
                                            .arg(QString::fromStdString(entry.summary).toHtmlEscaped())),
                     entry.summary.c_str());
    }

    void textsGoThroughTheTranslator()
    {
        QCOMPARE(words::summary("max(x, 0) becomes one Relu"), QStringLiteral("max(x, 0) becomes one Relu"));
        MarkingTranslator translator;
        QCoreApplication::installTranslator(&translator);
        QCOMPARE(words::summary("max(x, 0) becomes one Relu"), QStringLiteral("«max(x, 0) becomes one Relu»"));
        QCoreApplication::removeTranslator(&translator);
    }
};

QTEST_GUILESS_MAIN(TestSummaries)
#include "tst_summaries.moc"
