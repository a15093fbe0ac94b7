#pragma once
// Curves over the two canvases, from nodes of the step before to what they became.

#include "engine/graph/ids.h"

#include <QPointer>
#include <QWidget>

#include <utility>
#include <vector>

namespace gelens {

class GraphCanvas;

/// Lies over both canvases and lets the mouse through.
class LineageOverlay : public QWidget {
    Q_OBJECT
public:
    LineageOverlay(GraphCanvas* before, GraphCanvas* after, QWidget* parent);

    void setLinks(std::vector<std::pair<NodeId, NodeId>> links);
    const std::vector<std::pair<NodeId, NodeId>>& links() const { return m_links; }
    /// Both ends of each curve that is drawn now, in this widget's coordinates.
    std::vector<std::pair<QPointF, QPointF>> curves() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointer<GraphCanvas> m_before, m_after;
    std::vector<std::pair<NodeId, NodeId>> m_links;
};

} // namespace gelens
