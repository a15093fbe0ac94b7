#include "viewers/graph/overflow_row.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace gelens {

OverflowRow::OverflowRow(QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_more(new QToolButton(this)), m_menu(new QMenu(this))
{
    m_row->setContentsMargins(6, 1, 6, 1);
    m_row->setSpacing(4);
    m_more->setText(QStringLiteral("»"));
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("More tools"));
    m_more->setAccessibleName(m_more->toolTip());
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    m_more->hide();
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        m_menu->clear();
        for (const Tool& tool : m_tools)
            if (tool.isWanted && tool.widget->isHidden() && tool.fill) tool.fill(m_menu);
    });
    m_row->addWidget(m_more);
}

void OverflowRow::add(QWidget* widget, int need, std::function<void(QMenu*)> fill)
{
    m_row->insertWidget(m_row->count() - 1, widget);
    m_tools.push_back({widget, need, true, std::move(fill)});
}

void OverflowRow::addStretching(QWidget* widget, int leastWidth)
{
    m_row->addWidget(widget, 1);
    // It takes what is left and never presses on the others.
    widget->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_stretching = widget;
    m_leastWidth = leastWidth;
}

void OverflowRow::setWanted(QWidget* widget, bool isWanted)
{
    for (Tool& tool : m_tools)
        if (tool.widget == widget) tool.isWanted = isWanted;
    arrange();
}

int OverflowRow::widthOf(const Tool& tool) const
{
    return tool.isWanted ? tool.widget->sizeHint().width() + m_row->spacing() : 0;
}

int OverflowRow::leastWidth() const
{
    const int own = m_stretching != nullptr && m_stretching->layout() != nullptr
                        ? m_stretching->layout()->minimumSize().width()
                        : 0;
    return std::max(m_leastWidth, own);
}

QSize OverflowRow::minimumSizeHint() const
{
    int width = leastWidth() + m_more->sizeHint().width() + m_row->spacing() + 12;
    for (const Tool& tool : m_tools)
        if (tool.need < 0) width += widthOf(tool);
    return {width, sizeHint().height()};
}

QSize OverflowRow::sizeHint() const
{
    int width = leastWidth() + 12, height = m_stretching != nullptr ? m_stretching->sizeHint().height() : 0;
    for (const Tool& tool : m_tools) {
        width += widthOf(tool);
        height = std::max(height, tool.widget->sizeHint().height());
    }
    return {width, height + 6};
}

void OverflowRow::arrange()
{
    std::vector<std::size_t> order(m_tools.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return m_tools[a].need < m_tools[b].need; });
    int needed = sizeHint().width();
    const bool isTooWide = needed > width();
    if (isTooWide) needed += m_more->sizeHint().width() + m_row->spacing();
    std::vector<bool> isShown(m_tools.size(), true);
    for (const std::size_t i : order) {
        if (needed <= width()) break;
        if (m_tools[i].need < 0 || !m_tools[i].isWanted) continue;
        isShown[i] = false;
        needed -= widthOf(m_tools[i]);
    }
    bool isAnyInMenu = false;
    for (std::size_t i = 0; i < m_tools.size(); ++i) {
        m_tools[i].widget->setVisible(isShown[i] && m_tools[i].isWanted);
        isAnyInMenu = isAnyInMenu || (!isShown[i] && m_tools[i].fill);
    }
    m_more->setVisible(isAnyInMenu);
    if (m_stretching != nullptr) m_stretching->setMinimumWidth(leastWidth());
}

void OverflowRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void OverflowRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) arrange();
}

bool OverflowRow::event(QEvent* event)
{
    if (event->type() == QEvent::Polish || event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
        arrange();
    return QWidget::event(event);
}

} // namespace gelens
