#include "app/gui/tour.h"

#include "viewers/common/palette.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegion>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {

Tour::Tour(std::vector<TourStop> stops, QWidget* window)
    : QWidget(window), m_stops(std::move(stops)), m_card(new QFrame(this)), m_title(new QLabel), m_text(new QLabel),
      m_count(new QLabel), m_back(new QPushButton(tr("Back"))), m_next(new QPushButton(tr("Next"))),
      m_end(new QPushButton(tr("End the tour")))
{
    setObjectName(QStringLiteral("tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    m_card->setAutoFillBackground(true);
    static_cast<QFrame*>(m_card)->setFrameShape(QFrame::StyledPanel);
    QFont bold = m_title->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.2);
    m_title->setFont(bold);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_count->setEnabled(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_count, 1);
    for (QPushButton* button : {m_end, m_back, m_next}) buttons->addWidget(button);
    auto* layout = new QVBoxLayout(m_card);
    layout->addWidget(m_title);
    layout->addWidget(m_text, 1);
    layout->addLayout(buttons);
    m_next->setDefault(true);
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_stop + 1 < stopCount() ? go(m_stop + 1) : static_cast<void>(close()); });
    connect(m_back, &QPushButton::clicked, this, [this] { go(m_stop - 1); });
    connect(m_end, &QPushButton::clicked, this, &QWidget::close);
    window->installEventFilter(this);
    setGeometry(window->rect());
    show();
    raise();
    m_next->setFocus();
    go(0);
}

QString Tour::text() const { return m_title->text() + QLatin1Char('\n') + m_text->text(); }

QRect Tour::cardArea() const { return m_card->geometry(); }

QRect Tour::framedArea() const
{
    return m_target == nullptr ? QRect() : QRect(m_target->mapTo(parentWidget(), QPoint(0, 0)), m_target->size());
}

void Tour::go(int stop)
{
    if (stop < 0 || stop >= stopCount()) return;
    m_stop = stop;
    const TourStop& content = m_stops[static_cast<std::size_t>(stop)];
    m_target = content.show ? content.show() : nullptr;
    m_title->setText(content.title);
    m_text->setText(content.text);
    m_count->setText(tr("%1 of %2").arg(stop + 1).arg(stopCount()));
    m_back->setEnabled(stop > 0);
    m_next->setText(stop + 1 < stopCount() ? tr("Next") : tr("Done"));
    m_next->setFocus();
    raise();
    place();
    // A panel that was just raised gets its place with the next layout.
    QTimer::singleShot(0, this, &Tour::place);
}

/// Beside the panel, below or above it, wherever there is room: what is spoken of is to be seen. Else over its lower part.
QPoint Tour::cardPlace(const QRect& target, QSize card, int gap) const
{
    const int lowest = std::max(gap, height() - card.height() - gap);
    const QPoint middle((width() - card.width()) / 2, (height() - card.height()) / 2);
    if (target.isNull()) return middle;
    const int beside = std::clamp(target.top() + gap, gap, lowest);
    const int across =
        std::clamp(target.center().x() - card.width() / 2, gap, std::max(gap, width() - card.width() - gap));
    if (target.right() + gap + card.width() <= width()) return {target.right() + gap, beside};
    if (target.left() - gap - card.width() >= gap) return {target.left() - gap - card.width(), beside};
    if (target.bottom() + gap <= lowest) return {across, target.bottom() + gap};
    if (target.top() - gap - card.height() >= gap) return {across, target.top() - gap - card.height()};
    return {across, lowest};
}

void Tour::place()
{
    setGeometry(parentWidget()->rect());
    constexpr int cardWidth = 380, gap = 14;
    const int cardHeight = std::max(150, m_card->sizeHint().height() + m_text->heightForWidth(cardWidth - 30));
    const QRect target = framedArea();
    m_card->setGeometry(QRect(cardPlace(target, QSize(cardWidth, cardHeight), gap), QSize(cardWidth, cardHeight)));
    // Only card and frame belong to the tour; all else stays usable.
    QRegion mask(m_card->geometry());
    if (!target.isNull()) mask += QRegion(target.adjusted(-3, -3, 3, 3)) - QRegion(target.adjusted(2, 2, -2, -2));
    setMask(mask);
    update();
}

void Tour::paintEvent(QPaintEvent*)
{
    if (m_target == nullptr) return;
    QPainter painter(this);
    painter.setPen(QPen(Palette::of(palette()).accent(), 5));
    painter.drawRect(framedArea());
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else if (event->key() == Qt::Key_Right)
        go(m_stop + 1);
    else if (event->key() == Qt::Key_Left)
        go(m_stop - 1);
    else
        QWidget::keyPressEvent(event);
}

} // namespace gelens
