#pragma once
// A rule's pattern drawn above the real nodes it was laid on, with the first mismatch marked.

#include "engine/spec/fusion_verdict.h"
#include "engine/spec/unit.h"

#include <QWidget>

#include <utility>
#include <vector>

namespace gelens {

/// One column: what the pattern asks for, and what stands there.
struct PatternPair {
    QString patternName;
    QString type, name; ///< of the real node; empty when there is none
    Unit unit = Unit::None;
    NodeId node;
    bool isMismatch = false;
};

class PatternPicture : public QWidget {
    Q_OBJECT
public:
    explicit PatternPicture(QWidget* parent = nullptr);
    /// Columns run with the data, left to right. `edges` are pairs of columns between which data flows.
    void setPairs(std::vector<PatternPair> pairs, std::vector<std::pair<int, int>> edges, bool hasPattern);
    const std::vector<PatternPair>& pairs() const { return m_pairs; }
    QRectF realRect(int column) const;
    QString description() const; ///< the picture in words

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {180, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void nodeClicked(gelens::NodeId node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QFont typeFont() const;
    void measure();
    int columnsFor(int width) const;
    int boxWidth() const;
    int rowHeight() const;
    QRectF patternRect(int column) const;
    void paintEdges(QPainter& painter, const QColor& colour, bool isPattern) const;
    int columnAt(QPointF at) const;

    std::vector<PatternPair> m_pairs;
    std::vector<std::pair<int, int>> m_edges;
    bool m_hasPattern = true;
    int m_neededWidth = 0, m_wantedWidth = 0; ///< of a box: for its types; for its name, too
};

} // namespace gelens
