#pragma once
// Settings, shortcuts and the tour.

#include <QObject>

class QMenu;

namespace gelens {

class MainWindow;
class Tour;

class HelpTools : public QObject {
    Q_OBJECT
public:
    explicit HelpTools(MainWindow* window);

    void createActions();
    void fillMenus(QMenu* tools, QMenu* help);
    void retranslate();
    /// The tour that is under way; null when none is.
    Tour* tour() const;
    void startTour();
    void openSettings(bool onShortcuts);

private:
    MainWindow* m_window;
};

} // namespace gelens
