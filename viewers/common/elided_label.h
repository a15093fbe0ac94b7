#pragma once
// One line of plain text that never makes its panel wider: cut in the middle, whole in the tool tip.

#include <QLabel>

namespace gelens {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setFullText(const QString& text);
    QString fullText() const { return m_text; }
    /// The middle goes first unless said otherwise: names differ at their ends.
    void setElideMode(Qt::TextElideMode mode);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString m_text;
    Qt::TextElideMode m_mode = Qt::ElideMiddle;
};

} // namespace gelens
