#include "app/core/settings.h"

#include "app/core/preferences.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace gelens {
namespace {

/// Raised when docks change so that an old saved layout would not fit; the saved state is ignored then.
constexpr int windowVersion = 2;

QString key(const char* name) { return QLatin1String(name); }
int recentLimit() { return preference(Preference::RecentFiles).toInt(); }

} // namespace

QString Settings::language() const { return QSettings().value(key("language")).toString(); }
void Settings::setLanguage(const QString& language) { QSettings().setValue(key("language"), language); }
QString Settings::theme() const { return QSettings().value(key("theme")).toString(); }
void Settings::setTheme(const QString& theme) { QSettings().setValue(key("theme"), theme); }
QString Settings::soc() const { return QSettings().value(key("soc"), QStringLiteral("Ascend910B1")).toString(); }
void Settings::setSoc(const QString& soc) { QSettings().setValue(key("soc"), soc); }

QStringList Settings::recentFiles() const
{
    return QSettings().value(key("recent_files")).toStringList().mid(0, recentLimit());
}

void Settings::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(key("recent_files"), files.mid(0, recentLimit()));
}

void Settings::removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    QSettings().setValue(key("recent_files"), files);
}

void Settings::clearRecentFiles() { QSettings().remove(key("recent_files")); }

QByteArray Settings::windowGeometry() const { return QSettings().value(key("window/geometry")).toByteArray(); }

QByteArray Settings::windowState() const
{
    if (QSettings().value(key("window/version")).toInt() != windowVersion) return {};
    return QSettings().value(key("window/state")).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    QSettings settings;
    settings.setValue(key("window/geometry"), geometry);
    settings.setValue(key("window/state"), state);
    settings.setValue(key("window/version"), windowVersion);
}

void Settings::forgetWindow() { QSettings().remove(key("window")); }

QString Settings::lastFolder() const { return QSettings().value(key("last_folder"), QDir::homePath()).toString(); }
void Settings::setLastFolder(const QString& folder) { QSettings().setValue(key("last_folder"), folder); }

} // namespace gelens
