#pragma once
// A row of tools that fits into any width: what has no room goes into a menu at its end, the least needed first.

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace gelens {

class OverflowRow : public QWidget {
    Q_OBJECT
public:
    explicit OverflowRow(QWidget* parent = nullptr);

    /// `need`: what has the smaller number goes first; what has none (< 0) always stays. `fill` puts the same into a menu.
    void add(QWidget* widget, int need, std::function<void(QMenu*)> fill = {});
    /// The last tool of the row, which takes the room that is left; it always stays.
    void addStretching(QWidget* widget, int leastWidth);
    /// A tool that is only there at times.
    void setWanted(QWidget* widget, bool isWanted);
    QToolButton* overflowButton() const { return m_more; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Tool {
        QWidget* widget;
        int need;
        bool isWanted;
        std::function<void(QMenu*)> fill;
    };
    void arrange();
    int widthOf(const Tool& tool) const;
    int leastWidth() const;

    std::vector<Tool> m_tools;
    QWidget* m_stretching = nullptr;
    int m_leastWidth = 0;
    QHBoxLayout* m_row;
    QToolButton* m_more;
    QMenu* m_menu;
};

} // namespace gelens
