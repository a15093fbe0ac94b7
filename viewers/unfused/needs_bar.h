#pragma once
// Two bars, what a check needs and what there is, with their numbers.

#include <QWidget>

namespace gelens {

class NeedsBar : public QWidget {
    Q_OBJECT
public:
    NeedsBar(double needs, double has, const QString& needsText, const QString& hasText, bool held,
             QWidget* parent = nullptr);
    QString text() const; ///< "needs 1,081,344 B, has 1,048,576 B"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    double m_needs, m_has;
    QString m_needsText, m_hasText;
    bool m_held;
};

} // namespace gelens
