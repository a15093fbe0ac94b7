// GraphView: a graph that is too large to be drawn as it was asked for.

#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QVBoxLayout>

namespace gelens {

/// In place of the canvases: tool bar and search stay, and the drawing before comes back with the next one that fits.
void GraphView::showTooLarge(std::size_t boxes)
{
    m_tooMany = boxes;
    if (boxes > 0 && m_limitPage == nullptr) {
        m_limitPage = new StatePage;
        m_texts.push_back([this] { // again with every change of the language
            if (m_tooMany > 0) sayTooLarge();
        });
        auto* column = static_cast<QVBoxLayout*>(m_canvases->parentWidget()->layout());
        column->insertWidget(column->indexOf(m_canvases) + 1, m_limitPage, 1);
    }
    m_canvases->setVisible(boxes == 0);
    if (m_limitPage == nullptr) return;
    m_limitPage->setVisible(boxes > 0);
    if (boxes > 0) sayTooLarge();
}

void GraphView::sayTooLarge()
{
    const QString what =
        tr("%1 boxes are to be drawn; the graph view shows up to %2.")
            .arg(format::count(static_cast<std::int64_t>(m_tooMany)), format::count(limits::graphBoxes));
    const bool isUnfolded = !m_now.folding.byBlocks || !m_now.folding.byScopes || m_now.isOpenChosen;
    if (isUnfolded) {
        m_limitPage->setWords(what, tr("Folded, the graph shows repeated blocks and scopes as one card each; they are "
                                       "opened one by one."));
        m_limitPage->offer(tr("Fold repeated blocks"), [this] { foldAnew({}); });
    } else if (m_now.filter.kind == GraphFilter::Kind::All) {
        m_limitPage->setWords(what, tr("Its names show no blocks that could be folded. Show only what this step "
                                       "changed, or go to a later step."));
        m_limitPage->offer(tr("Only changes"), [this] { m_onlyChanged->setChecked(true); });
    } else {
        m_limitPage->setWords(what, tr("Choose a smaller part: fewer edges around it, or another step. The dump diff "
                                       "lists every change."));
        m_limitPage->offer(tr("Show everything"), [this] { clearFilter(); });
    }
}

} // namespace gelens
