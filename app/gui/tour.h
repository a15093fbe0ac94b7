#pragma once
// A walk through the panels in two minutes: one panel framed after the other, with a few sentences beside it.

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace gelens {

struct TourStop {
    QString title, text;
    std::function<QWidget*()> show; ///< brings the panel to the front and gives what is to be framed
};

/// Lies over the whole window; clicks outside its card go through to the window.
class Tour : public QWidget {
    Q_OBJECT
public:
    Tour(std::vector<TourStop> stops, QWidget* window);

    int stop() const { return m_stop; }
    int stopCount() const { return static_cast<int>(m_stops.size()); }
    QString text() const;
    QRect cardArea() const;   ///< in the window, like the next one
    QRect framedArea() const; ///< of the panel; nothing where none is spoken of
    QPushButton* nextButton() const { return m_next; }
    QPushButton* backButton() const { return m_back; }
    QPushButton* endButton() const { return m_end; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void go(int stop);
    void place();
    QPoint cardPlace(const QRect& target, QSize card, int gap) const;

    std::vector<TourStop> m_stops;
    int m_stop = -1;
    QWidget* m_target = nullptr;
    QWidget* m_card;
    QLabel *m_title, *m_text, *m_count;
    QPushButton *m_back, *m_next, *m_end;
};

} // namespace gelens
