// Reports in the picture library that the command line loads: as PDF, and in the window's languages.

#include "viewers/report/report_plugin.h"

#include "viewers/picture/quiet_qt.h"
#include "viewers/report/report_pdf.h"
#include "viewers/report/report_words.h"

#include <QLocale>
#include <QTranslator>

namespace {

/// The window's translation, in force as long as this lives.
class SpokenLanguage {
public:
    explicit SpokenLanguage(const QString& language)
    {
        m_isThere = m_translator.load(QStringLiteral(":/translations/gelens_%1.qm").arg(language));
        QLocale::setDefault(QLocale(language));
        QCoreApplication::installTranslator(&m_translator);
    }
    ~SpokenLanguage()
    {
        QCoreApplication::removeTranslator(&m_translator);
        QLocale::setDefault(m_before);
    }
    SpokenLanguage(const SpokenLanguage&) = delete;
    SpokenLanguage& operator=(const SpokenLanguage&) = delete;
    bool isThere() const { return m_isThere; }

private:
    QLocale m_before;
    QTranslator m_translator;
    bool m_isThere = false;
};

} // namespace

extern "C" Q_DECL_EXPORT int gelensWithReportWords(const char* language,
                                                   const std::function<void(const gelens::ReportWords&)>* use,
                                                   std::string* error)
{
    const auto app = gelens::startQt();
    const SpokenLanguage spoken(QString::fromUtf8(language));
    if (!spoken.isThere()) {
        *error = std::string("no translation into ") + language;
        return 1;
    }
    (*use)(gelens::reportWords());
    return 0;
}

extern "C" Q_DECL_EXPORT int gelensWriteReport(const gelens::ReportModel* report, const char* path, std::string* error)
{
    const auto app = gelens::startQt();
    *error = gelens::writeReportPdf(*report, QString::fromUtf8(path)).toStdString();
    return error->empty() ? 0 : 1;
}
