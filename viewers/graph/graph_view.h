#pragma once
// The graph of a run at a step: before beside after, one over the other, or one alone; folding, search, filters, export.

#include "viewers/common/background.h"
#include "viewers/common/view.h"
#include "viewers/graph/graph_worker.h"

#include <QPointer>
#include <QRectF>

#include <vector>

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace gelens {

class GraphCanvas;
class LegendBar;
class CrumbBar;

class GraphView : public View {
    Q_OBJECT
public:
    explicit GraphView(QWidget* parent = nullptr);
    ~GraphView() override;

    void fitAll();
    void fitSelection();
    /// Select the next node that the shown step added, changed or removed, opening the blocks around it.
    void nextChange();
    void previousChange();
    /// Lays everything out anew.
    void tidy();
    /// Opens the blocks around a node and brings it into view.
    void reveal(NodeId node);
    void focusSearch();
    void setSearchText(const QString& text);
    void setMode(GraphMode mode);
    GraphMode mode() const { return m_mode; }
    void setFilter(const GraphFilter& filter);
    const GraphFilter& filter() const { return m_filter; }
    void toggleGroup(const std::string& key);
    void openAll();
    void foldAll();
    void setColorBy(ColorBy colorBy);
    void setFolding(const FoldOptions& folding);

    bool isLayoutReady() const { return m_isReady; }
    /// Texts drawn at this moment, one a line (for UI tests and accessibility).
    QString visibleText() const;
    /// Where a node (or the folded block that holds it) stands in the "after" canvas, else in "before"; in this widget's
    /// coordinates. Null when it is not drawn.
    QRectF nodeRectOnScreen(NodeId node) const;
    GraphCanvas* afterCanvas() const { return m_after; }
    GraphCanvas* beforeCanvas() const { return m_before; }
    int searchHitCount() const { return static_cast<int>(m_hits.size()); }

    /// Writes what the shown canvas holds; the file's ending chooses SVG, DOT, PNG or PDF. An error is one sentence.
    bool exportTo(const QString& path, QString* error);
    /// Asks for a file name first.
    void exportWithDialog();

    /// For menus and the command palette: every action has a text, a tool tip and, where it makes sense, a shortcut.
    const QList<QAction*>& viewActions() const { return m_actions; }

Q_SIGNALS:
    void layoutReady();
    /// The user asked why a node was not fused with its neighbours; the node is selected already.
    void whyNotFusedRequested(gelens::NodeId node);

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    // graph_view_setup.cpp
    void buildWidgets();
    void buildActions();
    QWidget* buildToolBar();
    QWidget* buildStatusRow();
    void connectCanvas(GraphCanvas* canvas);
    QAction* addAction(const QString& text, const QString& toolTip, const QKeySequence& shortcut, void (GraphView::*slot)());
    // graph_view.cpp
    void request(SceneChange change);
    void received(const std::shared_ptr<GraphAnswer>& answer);
    void showAnswer(const GraphAnswer& answer, SceneChange change);
    void showPage();
    void updateSummary();
    void updateCaptions();
    void cancelLayout();
    void linkViews(GraphCanvas* moved);
    // graph_view_actions.cpp
    void selectNodes(const std::vector<NodeId>& nodes);
    void clickNode(NodeId node, bool isExtending);
    void clickGroup(const std::string& key);
    void showSelection(bool bringIntoView);
    void stepChange(int direction);
    void search();
    void stepHit(int direction);
    void showHitCount();
    void showMenu(GraphCanvas* canvas, int box, const QPoint& at);
    void toggleHub(NodeId node);
    void filterChangedOnly();
    void clearFilter();

    GraphCanvas* m_before = nullptr;
    GraphCanvas* m_after = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_page = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    LegendBar* m_legend = nullptr;
    CrumbBar* m_crumbs = nullptr;
    QLineEdit* m_searchLine = nullptr;
    QLabel* m_hitLabel = nullptr;
    QComboBox* m_modeBox = nullptr;
    QComboBox* m_colorBox = nullptr;
    QSpinBox* m_hops = nullptr;
    QAction* m_blocks = nullptr;
    QAction* m_scopes = nullptr;
    QAction* m_shapes = nullptr;
    QAction* m_constants = nullptr;
    QAction* m_onlyChanged = nullptr;
    QAction* m_showEverything = nullptr;
    QTimer* m_busyTimer = nullptr;
    QTimer* m_searchTimer = nullptr;
    QList<QAction*> m_actions;

    GraphMode m_mode = GraphMode::SideBySide;
    FoldOptions m_folding;
    GraphFilter m_filter;
    std::optional<std::set<std::string>> m_open;
    std::set<NodeId> m_expandedHubs;
    SceneMap m_scenes;
    std::shared_ptr<LayoutEngine> m_engine = std::make_shared<LayoutEngine>();
    std::vector<std::pair<NodeId, ChangeKind>> m_changes;
    int m_added = 0, m_removed = 0, m_changed = 0;
    std::vector<NodeId> m_hits;
    int m_hit = -1;
    NodeId m_revealed;          ///< to be brought into view once the scene is there
    std::string m_toggled;      ///< block that keeps its place on screen
    SceneChange m_requested = SceneChange::Fresh; ///< of the running job
    bool m_isReady = false, m_isFirst = true, m_isLinking = false, m_isOwnSelection = false;
    Background m_job{this};
    Background m_searchJob{this};
};

} // namespace gelens
