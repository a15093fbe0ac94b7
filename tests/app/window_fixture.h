#pragma once
// The real window on a sample, with settings of its own that no person's settings reach.

#include "app/gui/appearance.h"
#include "app/gui/main_window.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace gelens::test {

inline QString sample(const char* name)
{
    return QStringLiteral(GELENS_SAMPLES_DIR "/") + QLatin1String(name) + QStringLiteral(".onnx");
}

/// Settings go to a folder that vanishes with this object; texts are English, numbers "1,247".
class WindowSettings {
public:
    WindowSettings()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QApplication::setOrganizationName(QStringLiteral("GE Lens tests"));
        QApplication::setApplicationName(QStringLiteral("gelens"));
        QApplication::setApplicationVersion(QStringLiteral("0"));
        QSettings().clear();
        applyTheme(QStringLiteral("light"));
        applyLanguage(QStringLiteral("en"));
    }

private:
    QTemporaryDir m_folder;
};

/// Waits for a condition by running the event loop; never sleeps past it.
template <typename Condition>
bool waitFor(Condition condition, int milliseconds = 60000)
{
    return QTest::qWaitFor(condition, milliseconds);
}

inline std::unique_ptr<MainWindow> makeWindow()
{
    auto window = std::make_unique<MainWindow>();
    window->resize(1400, 900);
    window->show();
    window->activateWindow();
    (void)QTest::qWaitForWindowActive(window.get()); // shortcuts work in the active window only
    return window;
}

/// As the program first starts: nothing remembered, English, light.
inline std::unique_ptr<MainWindow> freshWindow()
{
    QSettings().clear();
    applyLanguage(QStringLiteral("en"));
    applyTheme(QStringLiteral("light"));
    return makeWindow();
}

/// For a person who wants to look: written to the folder that GELENS_TEST_PICTURES names.
inline void picture(QWidget& widget, const char* name)
{
    const QString folder = qEnvironmentVariable("GELENS_TEST_PICTURES");
    if (!folder.isEmpty()) widget.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
}

/// As a file manager does it: over the widget, then let go. False when it is not taken.
inline bool dropOn(QWidget* target, const QMimeData& data)
{
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(target, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &drop);
    return drop.isAccepted();
}

/// Opens a file and waits until its run is shown and laid out.
inline bool openAndWait(MainWindow& window, const QString& path)
{
    const int id = window.openFile(path);
    return waitFor([&] {
        const OpenModel* model = window.hub()->find(id);
        return (model == nullptr || model->run) && !window.isBusy();
    });
}

} // namespace gelens::test
