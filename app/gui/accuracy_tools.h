#pragma once
// The panel with a node's numbers, and the way to it from the selection.

#include <QObject>

namespace gelens {

class AccuracyView;
class MainWindow;

class AccuracyTools : public QObject {
    Q_OBJECT
public:
    explicit AccuracyTools(MainWindow* window);

    AccuracyView* view() const { return m_view; }

    // Called by the window while it is put together.
    void createViews();
    void createActions();
    void retranslate();
    void updateActions();
    /// Brings the panel to the front and computes what the selected node makes.
    void computeSelection();

private:
    MainWindow* m_window;
    AccuracyView* m_view = nullptr;
};

} // namespace gelens
