#pragma once
// What each preference does to the window.

#include "app/core/preferences.h"

#include <QObject>

namespace gelens {

class MainWindow;

class PreferenceTools : public QObject {
    Q_OBJECT
public:
    explicit PreferenceTools(MainWindow* window);

    /// Once the window is made.
    void applyAll();
    /// A preference was changed; what is open follows where it can.
    void apply(Preference preference);

private:
    MainWindow* m_window;
};

} // namespace gelens
