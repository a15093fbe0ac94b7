#pragma once
// What belongs to the person, not to the work: declared once, saved by QSettings.

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace gelens {

/// Typed access to the saved settings. Values given on the command line are not saved here.
class Settings {
public:
    QString language() const; ///< "en", "zh_CN", or empty = the system's
    void setLanguage(const QString& language);
    QString theme() const; ///< "light", "dark", or empty = the system's
    void setTheme(const QString& theme);
    QString soc() const; ///< last SoC chosen; Ascend910B1 at first
    void setSoc(const QString& soc);
    QStringList recentFiles() const; ///< newest first, as many as are to be kept
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();
    QByteArray windowGeometry() const;
    QByteArray windowState() const; ///< docks and tool bars; empty = default layout
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    void forgetWindow();
    QString lastFolder() const;
    void setLastFolder(const QString& folder);
};

} // namespace gelens
