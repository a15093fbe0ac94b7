// SessionKeeper: what a session holds of the window, and how it comes back.
#include "app/gui/debug_tools.h"
#include "app/gui/graph_drawing.h"
#include "app/gui/main_window.h"
#include "app/gui/session_keeper.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/words.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QComboBox>
#include <QFileInfo>

#include <algorithm>

namespace gelens {
namespace {

/// Longer logs are files of their own.
constexpr std::size_t longestLog = 4 << 20;

/// The model that a comparison belongs to; any other belongs to itself.
int ownerOf(MainWindow& window, int id)
{
    if (const auto comparison = window.debugTools()->comparisonOf(id); comparison.model >= 0) return comparison.model;
    const int base = window.jobs()->besideOf(id);
    return base >= 0 && window.hub()->find(base) != nullptr ? base : id;
}

SessionContents::Place placeOf(const OpenModel& model)
{
    SessionContents::Place place;
    if (!model.run) return place;
    place.shown = model.shown.value;
    place.compared = model.compared.value;
    if (model.selection.node.isValid()) place.node = words::text(model.run->nameOf(model.selection.node));
    return place;
}

} // namespace

/// Where its user is, and the runs that were kept.
void SessionKeeper::noteView(const OpenModel& model, SessionContents::Model& entry) const
{
    static_cast<SessionContents::Place&>(entry) = placeOf(model);
    const auto& models = m_window->hub()->models();
    for (const KeptRun& kept : m_window->debugTools()->whatIfs()->runsOf(model.id)) {
        const auto comparison = std::find_if(models.begin(), models.end(), [&](const OpenModel& each) {
            return m_window->debugTools()->comparisonOf(each.id).kept == kept.id;
        });
        const bool isCompared = comparison != models.end();
        entry.whatIfs.push_back({kept.name, kept.options, isCompared});
        if (isCompared) entry.whatIfs.back().comparison = placeOf(*comparison);
    }
}

/// Which part of the current model is in front.
void SessionKeeper::noteCurrent(SessionContents& all) const
{
    const OpenModel* shown = m_window->hub()->current();
    if (shown == nullptr) return;
    const int owner = ownerOf(*m_window, shown->id);
    if (owner == shown->id) return;
    if (const auto comparison = m_window->debugTools()->comparisonOf(shown->id); comparison.model >= 0) {
        const auto runs = m_window->debugTools()->whatIfs()->runsOf(owner);
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i].id == comparison.kept) all.currentRun = static_cast<int>(i);
        return;
    }
    int beside = 0;
    for (const OpenModel& each : m_window->hub()->models()) {
        if (m_window->jobs()->besideOf(each.id) != owner) continue;
        if (each.id == shown->id) all.currentBeside = beside;
        ++beside;
    }
}

SessionContents SessionKeeper::contents() const
{
    SessionContents all;
    const Hub* hub = m_window->hub();
    const ModelJobs* jobs = m_window->jobs();
    const int owner = hub->current() == nullptr ? -1 : ownerOf(*m_window, hub->current()->id);
    for (const OpenModel& model : hub->models()) {
        // Cards and comparisons are no files of their own: they are kept with their model and made again.
        if (m_window->debugTools()->isComparison(model.id) || jobs->cardsOf(model.id) > 0 ||
            ownerOf(*m_window, model.id) != model.id)
            continue;
        SessionContents::Model entry;
        entry.path = QFileInfo(model.path).absoluteFilePath();
        entry.readAs = model.readAs;
        if (!model.original.isEmpty()) entry.original = QFileInfo(model.original).absoluteFilePath();
        entry.options = model.options;
        entry.options.verify = false; // asked for again, not by opening
        noteView(model, entry);
        const std::vector<int> cards = jobs->cardModelsOf(model.id);
        if (!cards.empty()) entry.cards.resize(static_cast<std::size_t>(jobs->cardsOf(cards.front())));
        for (std::size_t card = 0; card < std::min(cards.size(), entry.cards.size()); ++card) {
            noteView(*hub->find(cards[card]), entry.cards[card]);
            if (owner != cards[card]) continue;
            all.current = static_cast<int>(all.models.size());
            all.currentCard = static_cast<int>(card);
        }
        for (const OpenModel& beside : hub->models()) {
            if (jobs->besideOf(beside.id) != model.id) continue;
            SessionContents::Model& dumps = entry.besides.emplace_back();
            dumps.path = QFileInfo(beside.path).absoluteFilePath();
            noteView(beside, dumps);
        }
        entry.notes = m_notes.notesOf(entry.path);
        entry.cardNotes = m_notes.cardsOf(entry.path);
        if (owner == model.id) all.current = static_cast<int>(all.models.size());
        all.models.push_back(std::move(entry));
    }
    noteCurrent(all);
    noteWindow(all);
    return all;
}

/// What belongs to no model.
void SessionKeeper::noteWindow(SessionContents& all) const
{
    all.view = frontView();
    all.breakpoints = m_window->debugTools()->breakpoints()->breakpoints();
    all.queries = m_queries;
    if (const std::string& log = decoder()->text(); log.size() <= longestLog) all.log = QString::fromStdString(log);
    const TextDiffView& texts = *textDiff();
    if (!texts.beforeFile().isEmpty()) {
        all.textBefore = QFileInfo(texts.beforeFile()).absoluteFilePath();
        all.textAfter = QFileInfo(texts.afterFile()).absoluteFilePath();
    }
    if (texts.forms()->currentIndex() > 0) all.textForm = texts.forms()->currentText();
    all.drawing = drawingOf(*m_window->graphView());
    if (m_window->hub()->run()) all.openBlocks = openBlocksOf(*m_window->graphView());
}

void SessionKeeper::restoreWindow(const SessionContents& contents)
{
    m_window->debugTools()->breakpoints()->setAll(contents.breakpoints);
    m_queries = contents.queries;
    if (!contents.log.isEmpty()) decoder()->setText(contents.log);
    textDiff()->forms()->setCurrentIndex(std::max(textDiff()->forms()->findText(contents.textForm), 0));
    if (!contents.textBefore.isEmpty()) textDiff()->compareFiles(contents.textBefore, contents.textAfter);
    if (contents.drawing) applyDrawing(*m_window->graphView(), *contents.drawing);
    m_viewAfter = contents.view;
    m_blocksAfter = contents.openBlocks;
}

void SessionKeeper::restore(const SessionContents& contents)
{
    // A second crash on the way back is to lose nothing either; what is half back is not written.
    if (!m_autosavePath.isEmpty() && m_isAutosaving) {
        m_autosaving.reset(); // an older state is not to come after it
        m_autosaved.reset();
        if (writeSession(contents, m_autosavePath).ok()) m_autosaved = contents;
    }
    restoreWindow(contents);
    m_currentAfter = m_comparedAfter = -1;
    m_cardAfter = contents.currentCard;
    m_besideAfter = contents.currentBeside;
    m_runAfter = contents.currentRun;
    connect(m_window->jobs(), &ModelJobs::finished, this, &SessionKeeper::restoreOne, Qt::UniqueConnection);
    connect(m_window->jobs(), &ModelJobs::splitDone, this, &SessionKeeper::restoreCards, Qt::UniqueConnection);
    connect(m_window->debugTools(), &DebugTools::comparisonOpened, this, &SessionKeeper::restoreComparison,
            Qt::UniqueConnection);
    connect(m_window->graphView(), &GraphView::layoutReady, this, &SessionKeeper::restoreOpenBlocks,
            Qt::UniqueConnection);
    for (std::size_t i = 0; i < contents.models.size(); ++i) {
        const SessionContents::Model& model = contents.models[i];
        const QString path = QFileInfo(model.path).absoluteFilePath();
        m_notes.setNotes(path, model.notes);
        for (const auto& [card, notes] : model.cardNotes) m_notes.setNotes(cardNotesKey(path, card), notes);
        const int id = model.readAs.isEmpty() ? m_window->jobs()->open(model.path, model.options)
                                              : m_window->jobs()->openAs(model.path, model.readAs, model.options);
        m_pending[id] = model;
        if (static_cast<int>(i) == contents.current) m_currentAfter = id;
    }
    // A model that was open already sends no signal of its own.
    std::vector<int> ready;
    for (const auto& [id, model] : m_pending)
        if (const OpenModel* open = m_window->hub()->find(id); open != nullptr && open->run && !open->isBusy)
            ready.push_back(id);
    for (const int id : ready) restoreOne(id);
    if (contents.models.empty()) concludeRestoring();
}

void SessionKeeper::restoreOne(int id)
{
    if (m_splitting.erase(id) > 0) return concludeRestoring(); // it could not be split again, and that was said
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    SessionContents::Model wanted = std::move(found->second);
    m_pending.erase(found);
    if (const OpenModel* model = m_window->hub()->find(id); model != nullptr && model->run) {
        if (!wanted.original.isEmpty() && !model->isBusy) {
            // Steps are those of the run with its original; it comes back here, well or not.
            const QString original = std::exchange(wanted.original, {});
            m_pending[id] = std::move(wanted);
            return m_window->jobs()->attachOriginal(id, original);
        }
        restoreView(id, wanted);
        restoreParts(id, wanted);
    }
    concludeRestoring();
}

void SessionKeeper::restorePlace(int id, const SessionContents::Place& wanted)
{
    Hub* hub = m_window->hub();
    const auto run = hub->find(id)->run;
    hub->setCurrent(id);
    if (wanted.shown >= 0) hub->showStep(StepId{wanted.shown}, StepId{std::max(wanted.compared, 0)});
    if (!wanted.node.isEmpty()) {
        const std::string name = wanted.node.toStdString();
        for (const StepId step : {hub->shownStep(), hub->comparedStep(), run->lastStep(), StepId{0}})
            if (const NodeId node = run->graphAt(step)->findNode(name); node.isValid()) {
                hub->select(Selection::ofNode(node));
                break;
            }
    }
}

void SessionKeeper::restoreView(int id, const SessionContents::Model& wanted)
{
    restorePlace(id, wanted);
    const auto run = m_window->hub()->find(id)->run;
    if (!wanted.areNotesOfCardsToo || m_window->jobs()->cardsOf(id) == 0) return;
    // Of an old file: a card gets the notes on the nodes that it has.
    for (const auto& [node, note] : wanted.notes)
        for (const StepId step : {StepId{0}, run->lastStep()})
            if (run->graphAt(step)->findNode(node.toStdString()).isValid()) m_notes.setNote(notesKey(*run), node, note);
}

/// What belongs to a model and is made anew: its other runs, its cards, its run beside dumps.
void SessionKeeper::restoreParts(int id, const SessionContents::Model& wanted)
{
    const bool isInFront = id == m_currentAfter && (m_cardAfter < 0 || wanted.cards.empty());
    for (std::size_t i = 0; i < wanted.whatIfs.size(); ++i) {
        const SessionContents::WhatIf& whatIf = wanted.whatIfs[i];
        const int kept = m_window->debugTools()->whatIfs()->start(id, whatIf.options, whatIf.name);
        if (!whatIf.isCompared || kept < 0) continue;
        m_comparing[kept] = whatIf.comparison;
        if (isInFront && m_runAfter == static_cast<int>(i)) m_comparedAfter = kept;
        m_window->debugTools()->compareWhenDone(kept);
    }
    for (std::size_t i = 0; i < wanted.besides.size(); ++i) {
        const int beside = m_window->jobs()->compareWithDumps(id, wanted.besides[i].path);
        if (beside < 0) continue;
        m_pending[beside] = wanted.besides[i];
        if (isInFront && m_besideAfter == static_cast<int>(i)) m_currentAfter = beside;
    }
    if (wanted.cards.size() < 2 || !m_window->jobs()->cardModelsOf(id).empty()) return;
    std::vector<SessionContents::Model>& cards = m_splitting[id] = wanted.cards;
    if (wanted.areNotesOfCardsToo)
        for (SessionContents::Model& card : cards) {
            card.notes = wanted.notes;
            card.areNotesOfCardsToo = true;
        }
    m_window->jobs()->splitOverCards(id, static_cast<int>(wanted.cards.size()));
}

void SessionKeeper::restoreCards(int id)
{
    const auto found = m_splitting.find(id);
    if (found == m_splitting.end()) return;
    const std::vector<SessionContents::Model> wanted = std::move(found->second);
    m_splitting.erase(found);
    const std::vector<int> cards = m_window->jobs()->cardModelsOf(id);
    for (std::size_t card = 0; card < std::min(cards.size(), wanted.size()); ++card)
        m_pending[cards[card]] = wanted[card];
    if (m_currentAfter == id && m_cardAfter >= 0 && m_cardAfter < static_cast<int>(cards.size()))
        m_currentAfter = cards[static_cast<std::size_t>(m_cardAfter)];
}

void SessionKeeper::restoreComparison(int model, int kept)
{
    const auto found = m_comparing.find(kept);
    if (found == m_comparing.end()) return;
    const SessionContents::Place wanted = std::move(found->second);
    m_comparing.erase(found);
    const OpenModel* there = m_window->hub()->find(model);
    if (there != nullptr && there->run) restorePlace(model, wanted);
    if (kept == m_comparedAfter && model >= 0) m_currentAfter = model;
    concludeRestoring();
}

void SessionKeeper::concludeRestoring()
{
    if (isRestoring()) return;
    if (m_currentAfter >= 0) m_window->hub()->setCurrent(m_currentAfter);
    if (!m_viewAfter.isEmpty()) m_window->showView(m_viewAfter);
    m_window->updateStatus();
    saveSoon();
}

/// Once the graph in front is drawn: which blocks it has is known then, and a new run forgets what was open.
void SessionKeeper::restoreOpenBlocks()
{
    if (!m_blocksAfter || isRestoring()) return;
    const OpenModel* front = m_window->hub()->current();
    if (front == nullptr || front->id != m_currentAfter) return m_blocksAfter.reset(); // somebody went elsewhere
    GraphView* graph = m_window->graphView();
    if (graph->hasPendingChanges() || graph->run() != front->run) return;
    applyOpenBlocks(*graph, *std::exchange(m_blocksAfter, std::nullopt));
}

} // namespace gelens
