// GraphView: search, its list of results, saved searches, and the list of uneven blocks.

#include "viewers/common/formatter.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_query.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/results_panel.h"
#include "viewers/scene/block_variants.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QTimer>

#include <algorithm>

namespace gelens {
namespace {

constexpr qsizetype mostSaved = 30;
constexpr std::size_t mostListed = 20000; ///< hits in the list; the highlights show all of them

QString savedKey() { return QStringLiteral("graph/saved_searches"); }

/// "+ SoftmaxV2 × 2 · − FlashAttentionScore"
QString differenceText(const BlockVariant& variant)
{
    QStringList parts;
    const auto add = [&](const QString& sign, const auto& counts) {
        for (const auto& [type, count] : counts)
            parts << sign + QLatin1Char(' ') + QString::fromStdString(type) +
                         (count > 1 ? QStringLiteral(" × %1").arg(count) : QString());
    };
    add(QStringLiteral("+"), variant.more);
    add(QString(QChar(0x2212)), variant.fewer);
    return parts.join(QStringLiteral(" · "));
}

} // namespace

void GraphView::focusSearch()
{
    m_searchLine->setFocus(Qt::ShortcutFocusReason);
    m_searchLine->selectAll();
}

QString GraphView::searchText() const { return m_searchLine->text(); }

void GraphView::setSearchText(const QString& text)
{
    m_searchLine->setText(text);
    m_searchTimer->stop();
    search();
}

void GraphView::search()
{
    const GraphQuery query = GraphQuery::parse(m_searchLine->text());
    const auto& scene = m_after->scene();
    if (query.isEmpty() || !scene) {
        m_searchJob.cancel();
        m_hits.clear();
        m_hit = -1;
        for (GraphCanvas* canvas : {m_before, m_after}) canvas->setHighlights({});
        m_hitLabel->setText(query.error());
        m_hitLabel->setToolTip(query.error().toHtmlEscaped());
        m_resultsList->setEnabled(false);
        if (m_resultsList->isChecked()) m_results->hide();
        m_resultsList->setChecked(false);
        return;
    }
    m_searchJob.start([query, graph = scene->graph,
                       run = run()](std::stop_token stop) { return query.find(*graph, run.get(), stop); },
                      [this](std::vector<NodeId> hits) {
                          m_searchJob.finished();
                          const NodeId current = m_hit >= 0 && m_hit < searchHitCount()
                                                     ? m_hits[static_cast<std::size_t>(m_hit)]
                                                     : NodeId{};
                          const bool isSame = hits == m_hits;
                          m_hits = std::move(hits);
                          const auto found = std::find(m_hits.begin(), m_hits.end(), current);
                          m_hit = found == m_hits.end() ? -1 : static_cast<int>(found - m_hits.begin());
                          QSet<int> nodes;
                          for (const NodeId id : m_hits) nodes.insert(id.value);
                          for (GraphCanvas* canvas : {m_before, m_after}) canvas->setHighlights(nodes);
                          showHitCount();
                          m_resultsList->setEnabled(!m_hits.empty());
                          if (m_resultsList->isChecked() && m_hits.empty()) m_results->hide();
                          if (m_resultsList->isChecked() && !isSame) showHits();
                      });
}

void GraphView::showHitCount()
{
    m_hitLabel->setToolTip({});
    if (m_hits.empty())
        m_hitLabel->setText(tr("nothing found"));
    else if (m_hit < 0)
        m_hitLabel->setText(tr("%n found", nullptr, searchHitCount()));
    else
        m_hitLabel->setText(tr("%1 of %2").arg(format::count(m_hit + 1), format::count(searchHitCount())));
}

void GraphView::stepHit(int direction)
{
    if (m_hits.empty()) return;
    const int count = searchHitCount();
    m_hit = m_hit < 0 ? (direction > 0 ? 0 : count - 1) : (m_hit + direction + count) % count;
    const NodeId node = m_hits[static_cast<std::size_t>(m_hit)];
    selectNodes({node});
    reveal(node);
    showHitCount();
    if (m_results->isVisible()) m_results->setCurrent(node);
}

void GraphView::showHits()
{
    if (m_hits.empty() || !m_after->scene()) return;
    std::vector<ResultRow> rows;
    rows.reserve(std::min(m_hits.size(), mostListed));
    for (const NodeId node : m_hits) {
        if (rows.size() == mostListed) break;
        rows.push_back({node, {}, {}, {}, {}});
    }
    m_results->show(tr("%n found", nullptr, searchHitCount()), m_after->scene()->graph, std::move(rows), false);
    m_resultsList->setChecked(true);
}

void GraphView::closeResults()
{
    m_results->hide();
    m_resultsList->setChecked(false);
    m_after->setFocus();
}

QStringList GraphView::savedSearches() { return QSettings().value(savedKey()).toStringList(); }

void GraphView::fillSavedSearches(QMenu* menu)
{
    menu->clear();
    const QString text = m_searchLine->text().trimmed();
    QStringList saved = savedSearches();
    QAction* keep = menu->addAction(saved.contains(text) ? tr("Forget this search") : tr("Keep this search"), this,
                                    [text, saved]() mutable {
                                        if (!saved.removeOne(text)) saved.prepend(text);
                                        QSettings().setValue(savedKey(), QStringList(saved.mid(0, mostSaved)));
                                    });
    keep->setEnabled(!text.isEmpty());
    if (!saved.isEmpty()) menu->addSeparator();
    for (const QString& search : saved) {
        QString label = search.left(80);
        menu->addAction(label.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, search] {
            setSearchText(search);
            m_searchLine->setFocus();
        });
    }
}

void GraphView::listVariants(const std::string& key)
{
    const auto& scene = m_after->scene();
    if (!scene) return;
    const FoldModel& fold = *scene->fold;
    std::vector<ResultRow> rows;
    for (int repeat = 0; repeat < static_cast<int>(fold.groups().size()); ++repeat) {
        if (fold.group(repeat).kind != FoldGroup::Kind::Repeat || (!key.empty() && fold.group(repeat).key != key))
            continue;
        const std::vector<BlockVariant> variants = blockVariants(*scene->graph, fold, repeat);
        if (variants.size() < 2) continue;
        for (std::size_t v = 0; v < variants.size(); ++v)
            for (const int instance : variants[v].instances) {
                ResultRow row;
                row.group = fold.group(instance).key;
                row.type = QString::fromStdString(fold.group(repeat).title);
                row.name = QString::fromStdString(fold.group(instance).title);
                row.detail = v == 0 ? tr("as most (%1 of %2)")
                                          .arg(variants[0].instances.size())
                                          .arg(fold.group(repeat).groups.size())
                                    : differenceText(variants[v]);
                if (row.detail.isEmpty()) row.detail = tr("same operators, other shapes or edges");
                rows.push_back(std::move(row));
            }
    }
    if (rows.empty()) {
        Q_EMIT statusMessage(tr("All instances of the repeated blocks are alike at this step."));
        m_results->hide();
        return;
    }
    m_resultsList->setChecked(false);
    // What differs is looked for: it stands first.
    std::stable_partition(rows.begin(), rows.end(), [](const ResultRow& row) {
        return row.detail.startsWith(QLatin1Char('+')) || row.detail.startsWith(QChar(0x2212));
    });
    m_results->show(tr("Repeated blocks that differ"), scene->graph, std::move(rows), true);
}

} // namespace gelens
