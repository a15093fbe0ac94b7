#pragma once
// The graph of a run at a step: before beside after, one over the other, or one alone; folding, search, filters, export.

#include "viewers/common/background.h"
#include "viewers/common/view.h"
#include "viewers/graph/graph_worker.h"
#include "viewers/graph/view_state.h"

#include <QRectF>

#include <functional>
#include <utility>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;
class QStackedWidget;
class QTabBar;
class QTimer;
class QToolButton;

namespace gelens {

class GraphCanvas;
class LegendBar;
class CrumbBar;
class StatePage;
class LineageOverlay;
class OverflowRow;
class ResultsPanel;

class GraphView : public View {
    Q_OBJECT
public:
    enum class ExportScope {
        WholeGraph, ///< the graph of the step laid out anew, without signs of change: as the command line does
        Drawing,    ///< all of the "after" drawing as it is shown
        View,       ///< what of it is in view
        Selection,  ///< what is selected, with all that lies inside
    };

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
    QString searchText() const;
    void setMode(GraphMode mode);
    GraphMode mode() const { return m_now.mode; }
    void setFilter(const GraphFilter& filter);
    const GraphFilter& filter() const { return m_now.filter; }
    void toggleGroup(const std::string& key);
    void openAll();
    void foldAll();
    /// Keys of the blocks that are open; nothing while they are those that a fresh window with this drawing opens by size.
    std::optional<std::set<std::string>> chosenBlocks() const;
    bool areAllOpen() const;
    void openBlocks(std::set<std::string> keys);
    void setColorBy(ColorBy colorBy);
    void setLabels(const EdgeLabels& labels);
    void setFolding(const FoldOptions& folding);
    void setShowConstants(bool isShown);
    void setMapShown(bool isShown);
    void setAnimated(bool isAnimated);
    ColorBy colorBy() const { return m_now.colorBy; }
    const EdgeLabels& labels() const { return m_now.labels; }
    const FoldOptions& folding() const { return m_now.folding; }
    bool showsConstants() const { return m_now.showConstants; }
    /// Takes back the last action on the view (folding, filters, colours …); steps and selections are not among them.
    void undo();
    void redo();
    bool canUndo() const;
    bool canRedo() const;
    /// Shows a block alone, in a tab of its own.
    void openInTab(const std::string& key);
    int tabCount() const { return static_cast<int>(m_tabs.size()); }
    int currentTab() const { return m_tab; }
    void showTab(int tab);
    void closeTab(int tab);
    /// Lists how the instances of repeated blocks differ: of one block, or (empty key) of all.
    void listVariants(const std::string& key = {});

    /// The picture stands: nothing is being laid out or on its way.
    bool isLayoutReady() const;
    /// Graphviz drew at least a part of what is shown.
    bool isRefined() const { return m_isRefined; }
    /// Texts drawn at this moment, one a line (for UI tests and accessibility).
    QString visibleText() const;
    /// Where a node (or the folded block that holds it) stands in the "after" canvas, else in "before"; in this widget's
    /// coordinates. Null when it is not drawn.
    QRectF nodeRectOnScreen(NodeId node) const;
    GraphCanvas* afterCanvas() const { return m_after; }
    GraphCanvas* beforeCanvas() const { return m_before; }
    LineageOverlay* lineageOverlay() const { return m_lineage; }
    ResultsPanel* resultsPanel() const { return m_results; }
    int searchHitCount() const { return static_cast<int>(m_hits.size()); }
    static QStringList savedSearches();

    /// Writes the "after" drawing; the file's ending chooses SVG, DOT, PNG or PDF. An error is one sentence.
    bool exportTo(const QString& path, QString* error, ExportScope scope = ExportScope::WholeGraph);
    /// Asks for part and file name first; works off the GUI thread.
    void exportWithDialog();

    /// For menus, palette and shortcut page: every action has a name, a text and a tool tip.
    const QList<QAction*>& viewActions() const { return m_actions; }
    const QList<QAction*>& modeActions() const { return m_modeActions; } ///< one for each way to compare
    const QList<QAction*>& colorActions() const { return m_colorActions; }

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
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What is looked at, and where it stands on screen, before the scenes change.
    struct Eye {
        GraphCanvas* canvas = nullptr;
        QRectF toggled;                                ///< block that is opened or folded
        QRectF current;                                ///< selected box
        bool wasSeen = false;                          ///< the selected box is in view
        std::vector<std::pair<NodeId, QRectF>> around; ///< nodes in view, the nearest to its middle first
    };
    // graph_view_setup.cpp
    void buildWidgets();
    QWidget* buildToolBar();
    QWidget* buildSearch();
    QWidget* buildCanvases();
    QWidget* buildStatusRow();
    void connectCanvas(GraphCanvas* canvas);
    void showInWidgets();
    void say(std::function<void()> text); ///< sets a text now and in every language to come
    // graph_view_commands.cpp
    void buildActions();
    void buildFoldActions();
    void buildSelectionActions();
    void buildChoices();
    QAction* addAction(const char* name, const char* text, const char* does, const QKeySequence& keys,
                       const std::function<void()>& run);
    QAction* addToggle(const char* name, const char* text, const char* does, bool isOn);
    void retranslateActions();
    static QStringList modeTexts();  ///< in the order of GraphMode
    static QStringList colorTexts(); ///< in the order of ColorBy
    GraphCanvas* canvasInHand() const;
    void openSelectedInTab();
    void askWhyNotFused();
    void copyNames();
    void keepSelected(bool isKept);
    // graph_view.cpp
    void request(SceneChange change);
    void received(const std::shared_ptr<GraphAnswer>& answer);
    void refine();
    void showAnswer(const GraphAnswer& answer, SceneChange change);
    void showPage();
    void updateSummary();
    void updateCaptions();
    void cancelLayout();
    void showLinks();
    bool isUntouched() const;
    // graph_view_place.cpp
    Eye lookedAt() const;
    void placeView(const Eye& eye, SceneChange change);
    void followStep(const Eye& eye);
    void lookAtBoth();
    void bringIntoView(NodeId node);
    void linkViews(GraphCanvas* moved);
    QPointF offsetBetween(const GraphCanvas* from, const GraphCanvas* to);
    // graph_view_history.cpp
    void remember();
    void restore(const ViewState& state);
    ViewState present() const;
    void forgetHistory();
    void updateHistory();
    void openWholeGraph();
    // graph_view_actions.cpp
    void selectNodes(const std::vector<NodeId>& nodes);
    void clickNode(NodeId node, bool isExtending);
    void clickGroup(const std::string& key);
    void showSelection(bool bringIntoView);
    void stepChange(int direction);
    void showMenu(GraphCanvas* canvas, int box, const QPoint& at);
    void addGroupEntries(QMenu& menu, const FoldModel& fold, const DrawnBox& box);
    void addNodeEntries(QMenu& menu, GraphCanvas* canvas, NodeId node, int box);
    void toggleHub(NodeId node);
    void filterChangedOnly();
    void clearFilter();
    void restrictToSelected(GraphFilter::Kind kind);
    void isolateNeighbourhood() { restrictToSelected(GraphFilter::Kind::Around); }
    void isolateUpstream() { restrictToSelected(GraphFilter::Kind::Upstream); }
    void isolateDownstream() { restrictToSelected(GraphFilter::Kind::Downstream); }
    void isolatePaths() { restrictToSelected(GraphFilter::Kind::Path); }
    void optionsChanged();
    // graph_view_search.cpp
    void search();
    void stepHit(int direction);
    void showHitCount();
    void showHits();
    void closeResults();
    void fillSavedSearches(QMenu* menu);
    void listAllVariants() { listVariants({}); }
    // graph_view_limit.cpp
    void showTooLarge(std::size_t boxes); ///< 0: it is not
    void sayTooLarge();
    void foldAnew(const FoldOptions& folding); ///< blocks are open or not as a graph is first shown
    // graph_export.cpp
    static QString tooLargeForAPicture(std::size_t boxes);
    GraphRequest wholeGraphRequest() const;
    GraphDrawing shownDrawing(ExportScope scope) const;
    GraphRequest requestNow() const;

    GraphCanvas* m_before = nullptr;
    GraphCanvas* m_after = nullptr;
    LineageOverlay* m_lineage = nullptr;
    ResultsPanel* m_results = nullptr;
    QWidget* m_canvases = nullptr;
    QTabBar* m_tabBar = nullptr;
    OverflowRow* m_tools = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_page = nullptr;
    StatePage* m_limitPage = nullptr; ///< in place of the canvases; made when it is needed
    std::size_t m_tooMany = 0;        ///< boxes that it speaks of
    QLabel* m_summary = nullptr;
    QLabel* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    QWidget* m_everything = nullptr;
    LegendBar* m_legend = nullptr;
    CrumbBar* m_crumbs = nullptr;
    QLineEdit* m_searchLine = nullptr;
    QLabel* m_hitLabel = nullptr;
    QComboBox* m_modeBox = nullptr;
    QComboBox* m_colorBox = nullptr;
    QSpinBox* m_hops = nullptr;
    QAction *m_openAll = nullptr, *m_foldAll = nullptr, *m_blocks = nullptr, *m_scopes = nullptr;
    QAction *m_shapes = nullptr, *m_dataTypes = nullptr, *m_formats = nullptr, *m_constants = nullptr;
    QAction *m_onlyChanged = nullptr, *m_showEverything = nullptr, *m_resultsList = nullptr;
    QAction *m_undoAction = nullptr, *m_redoAction = nullptr, *m_closeTab = nullptr, *m_keep = nullptr;
    QTimer* m_busyTimer = nullptr;
    QTimer* m_searchTimer = nullptr;
    QList<QAction*> m_actions, m_menuActions, m_modeActions, m_colorActions;
    std::vector<std::pair<const char*, const char*>> m_actionTexts; ///< of m_actions, in English
    std::vector<std::function<void()>> m_texts;

    ViewState m_now;
    std::vector<ViewTab> m_tabs{1};
    int m_tab = 0;
    std::shared_ptr<LayoutEngine> m_engine = std::make_shared<LayoutEngine>();
    std::shared_ptr<const StepDifference> m_difference = std::make_shared<StepDifference>(); ///< never null
    std::vector<NodeId> m_hits;
    int m_hit = -1;
    NodeId m_revealed;                            ///< to be brought into view once the scene is there
    std::string m_toggled;                        ///< block that keeps its place on screen
    SceneChange m_requested = SceneChange::Fresh; ///< of the running job
    NodeId m_kept;                                ///< joins every node that is chosen alone
    NodeId m_linked;                              ///< stands at the same place in both canvases
    QPointF m_offset;                             ///< from the "after" drawing to the "before" drawing there
    QPointF m_shownCentre; ///< where the last answer put the view, to see whether anybody moved it
    double m_shownZoom = 0;
    bool m_isReady = false, m_isFirst = true, m_isLinking = false, m_isOwnSelection = false, m_isRefined = false;
    bool m_isRestoring = false;    ///< the view returns to m_now.centre with the next answer
    bool m_isShowingState = false; ///< widgets follow the state, not the other way round
    Background m_job{this};
    Background m_refineJob{this};
    Background m_searchJob{this};
    Background m_exportJob{this};
};

} // namespace gelens
