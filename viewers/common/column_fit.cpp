#include "viewers/common/column_fit.h"

#include "viewers/common/table_panel.h"
#include "viewers/common/view.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QSettings>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace gelens {
namespace {

constexpr int leastWidth = 32;

/// QTreeView tells it to its own classes alone.
struct Measured : QTreeView {
    static int widthOf(QTreeView* view, int column) { return (view->*&Measured::sizeHintForColumn)(column); }
};

/// What a title needs. The header asks for room for the sort arrow in every column; only the sorted one shows it.
int titleWidth(const QHeaderView* header, int column)
{
    if (header->isSortIndicatorShown() && header->sortIndicatorSection() == column)
        return header->sectionSizeHint(column);
    const QString title = header->model()->headerData(column, Qt::Horizontal).toString();
    QFont font = header->font();
    font.setBold(header->highlightSections());
    return QFontMetrics(font).horizontalAdvance(title) + 14;
}

} // namespace

ColumnFit::ColumnFit(QTreeView* view, std::vector<Elastic> elastic, int grown, int mostOfText)
    : QObject(view), m_view(view), m_elastic(std::move(elastic)), m_grown(grown), m_mostOfText(mostOfText)
{
    QHeaderView* header = view->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setMinimumSectionSize(leastWidth);
    header->setTextElideMode(Qt::ElideRight);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] { m_soon.start(); });
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &ColumnFit::fit);
    connect(header, &QHeaderView::sectionResized, this, [this] {
        if (m_isFitting || (QApplication::mouseButtons() & Qt::LeftButton) == 0) return;
        m_isUsers = true;
        m_saveSoon.start();
    });
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(200); // a drag resizes many times
    connect(&m_saveSoon, &QTimer::timeout, this, &ColumnFit::save);
    connect(header, &QHeaderView::sectionCountChanged, this, [this] { m_soon.start(); });
    view->viewport()->installEventFilter(this);
    watchModel();
    m_soon.start();
}

void ColumnFit::watchModel()
{
    QAbstractItemModel* model = m_view->model();
    const auto again = [this] { m_soon.start(); };
    connect(model, &QAbstractItemModel::modelReset, this, again);
    connect(model, &QAbstractItemModel::rowsInserted, this, again);
    connect(model, &QAbstractItemModel::headerDataChanged, this, again);
    connect(m_view, &QTreeView::expanded, this, again);
}

bool ColumnFit::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::FontChange)
        m_soon.start();
    return QObject::eventFilter(watched, event);
}

/// Whether a person sees the list; when its view comes to the front, what waited for that is done.
bool ColumnFit::isSeen()
{
    if (m_owner == nullptr && (m_owner = View::of(*m_view)) != nullptr)
        connect(m_owner, &View::cameToFront, this, [this] {
            if (m_isOwed) m_soon.start();
        });
    return View::isSeen(*m_view);
}

QString ColumnFit::key() const
{
    QString list, owner;
    for (const QWidget* above = m_view; above != nullptr; above = above->parentWidget()) {
        if (const auto* panel = qobject_cast<const TablePanel*>(above); panel != nullptr && list.isEmpty())
            list = panel->name();
        if (qobject_cast<const View*>(above) == nullptr) continue;
        owner = QString::fromLatin1(above->metaObject()->className()).section(QLatin1Char(':'), -1);
        break;
    }
    return list.isEmpty() || owner.isEmpty() ? QString() : QStringLiteral("window/columns/%1-%2").arg(owner, list);
}

void ColumnFit::save() const
{
    const QHeaderView* header = m_view->header();
    QStringList widths;
    for (int column = 0; column < header->count(); ++column)
        widths += QString::number(m_view->isColumnHidden(column) ? 0 : header->sectionSize(column));
    if (const QString name = key(); !name.isEmpty()) QSettings().setValue(name, widths);
}

void ColumnFit::restore()
{
    m_isRestored = true;
    QHeaderView* header = m_view->header();
    const QString name = key();
    const QStringList widths = name.isEmpty() ? QStringList() : QSettings().value(name).toStringList();
    if (widths.size() != header->count()) return; // none, or those of another version
    m_isFitting = true;
    for (int column = 0; column < header->count(); ++column)
        if (const int width = widths[column].toInt(); width >= leastWidth) header->resizeSection(column, width);
    m_isFitting = false;
    m_isUsers = true;
}

void ColumnFit::reset()
{
    m_saveSoon.stop();
    m_isUsers = false;
    if (const QString name = key(); !name.isEmpty()) QSettings().remove(name);
    m_soon.start();
}

void ColumnFit::fit()
{
    QHeaderView* header = m_view->header();
    m_isOwed = !isSeen(); // to measure its rows lays all of them out
    if (m_isOwed) return;
    if (!m_isRestored && header->count() > 0) restore();
    const int available = m_view->viewport()->width();
    if (m_isUsers || available <= 0 || header->count() == 0) return;
    std::vector<int> widths(static_cast<std::size_t>(header->count()), 0);
    for (int column = 0; column < header->count(); ++column)
        if (!m_view->isColumnHidden(column))
            widths[static_cast<std::size_t>(column)] =
                std::max({Measured::widthOf(m_view, column), titleWidth(header, column), leastWidth});
    const auto widthOf = [&](const Elastic& each) -> int& { return widths[static_cast<std::size_t>(each.column)]; };
    std::vector<Elastic> elastic;
    const std::vector<int> wanted = widths; // of the texts, whatever they may ask for at first
    for (Elastic each : m_elastic)
        if (each.column < header->count() && !m_view->isColumnHidden(each.column)) {
            // Wrapped text asks for little, whatever its length; else a column takes no more than its texts do.
            const int content = widthOf(each);
            widthOf(each) = std::clamp(content, each.least, std::max(each.least, m_mostOfText));
            if (!m_view->wordWrap()) widthOf(each) = std::min(widthOf(each), content);
            each.least = std::max(std::min(each.least, widthOf(each)), titleWidth(header, each.column));
            elastic.push_back(each);
        }
    int over = std::accumulate(widths.begin(), widths.end(), 0) - available;
    // The widest first, until it is as wide as the next one; so no name is cut to nothing beside a long sentence.
    while (over > 0) {
        int widest = 0, second = 0, sharing = 0;
        for (const Elastic& each : elastic) {
            if (widthOf(each) <= each.least) continue;
            if (widthOf(each) > widest)
                second = widest, widest = widthOf(each), sharing = 0;
            else if (widthOf(each) < widest)
                second = std::max(second, widthOf(each));
            if (widthOf(each) == widest) ++sharing;
        }
        if (sharing == 0) break;
        const int step = std::max(std::min(widest - second, (over + sharing - 1) / sharing), 1);
        for (const Elastic& each : elastic)
            if (widthOf(each) == widest && widest > each.least) {
                const int less = std::min({step, widest - each.least, over});
                widthOf(each) -= less;
                over -= less;
            }
    }
    for (const Elastic& each : elastic) { // what is left over is for long texts first
        const int more =
            std::clamp(wanted[static_cast<std::size_t>(each.column)] - widthOf(each), 0, std::max(0, -over));
        widthOf(each) += more;
        over += more;
    }
    if (over < 0 && m_grown >= 0 && m_grown < header->count() && !m_view->isColumnHidden(m_grown))
        widths[static_cast<std::size_t>(m_grown)] -= over;
    m_isFitting = true;
    for (int column = 0; column < header->count(); ++column)
        if (widths[static_cast<std::size_t>(column)] > 0)
            header->resizeSection(column, widths[static_cast<std::size_t>(column)]);
    m_isFitting = false;
}

} // namespace gelens
