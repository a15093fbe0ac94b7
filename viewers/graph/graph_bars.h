#pragma once
// The two thin bars below the canvases: what the colours mean, and where the selection is.

#include "engine/report/graph_drawing.h"

#include <QWidget>

#include <string>
#include <utility>
#include <vector>

class QHBoxLayout;

namespace gelens {

/// Chips of colour with letter, name and count; what does not fit is left out at the end.
class LegendBar : public QWidget {
    Q_OBJECT
public:
    explicit LegendBar(QWidget* parent = nullptr);
    void setEntries(const std::vector<LegendEntry>& entries);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static QString unitText(Unit unit);
    static QString textOf(const LegendEntry& entry);
    std::vector<LegendEntry> m_entries;
};

/// "llama-7b › layers.0 › self_attn": each block is a button.
class CrumbBar : public QWidget {
    Q_OBJECT
public:
    explicit CrumbBar(QWidget* parent = nullptr);
    /// Title and key of each block from the outside in; the last may be a node (empty key).
    void setPath(const std::vector<std::pair<QString, std::string>>& path);

Q_SIGNALS:
    void chosen(const std::string& key);

private:
    QHBoxLayout* m_row;
};

} // namespace gelens
