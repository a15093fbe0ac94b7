#include "app/gui/session_keeper.h"

#include "app/core/option_arguments.h"
#include "app/gui/debug_tools.h"
#include "app/gui/main_window.h"
#include "app/gui/quick_list.h"
#include "engine/session/what_if.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"
#include "viewers/problems/problems_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLockFile>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>

namespace gelens {
namespace {

} // namespace

SessionKeeper::SessionKeeper(MainWindow* window) : QObject(window), m_window(window), m_notes(this)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(1000);
    connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::autosave);
}

SessionKeeper::~SessionKeeper() { finish(); }

QString SessionKeeper::autosaveFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/autosave");
}

void SessionKeeper::createActions()
{
    static_cast<InspectorView*>(m_window->view(QStringLiteral("inspector")))->setNotes(&m_notes);
    const auto add = [this](const char* name, const QKeySequence& keys, const std::function<void()>& run) {
        m_window->addAction(QString::fromLatin1(name), keys, run);
    };
    add("open_session", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this] { chooseSession(); });
    add("save_session", QKeySequence(Qt::CTRL | Qt::Key_S),
        [this] { m_path.isEmpty() ? saveAs() : static_cast<void>(save(m_path)); });
    add("save_session_as", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { saveAs(); });
    add("copy_command", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        QApplication::clipboard()->setText(commandLine());
        m_window->statusBar()->showMessage(tr("Copied: %1").arg(commandLine()), 8000);
    });
    add("note", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), [this] { editNote(); });
    add("save_search", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S), [this] { saveQuery(); });
    add("saved_searches", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_F), [this] { chooseQuery(); });
}

void SessionKeeper::retranslate()
{
    m_window->setActionText("open_session", tr("Open session…"),
                            tr("Open a session file with its models, breakpoints and notes"));
    m_window->setActionText("save_session", tr("Save session"),
                            tr("Save models, options, breakpoints, notes and runs to a file"));
    m_window->setActionText("save_session_as", tr("Save session as…"), tr("Save the session to another file"));
    m_window->setActionText("copy_command", tr("Copy command line of this view"),
                            tr("Copy the command that opens what is shown"));
    m_window->setActionText("note", tr("Note on the node…"), tr("Write something down about the selected node"));
    m_window->setActionText("save_search", tr("Keep this search"), tr("Keep the text of the graph's search line"));
    m_window->setActionText("saved_searches", tr("Kept searches…"),
                            tr("Search the graph again for a text that was kept"));
}

void SessionKeeper::updateActions()
{
    const auto run = m_window->hub()->run();
    m_window->action(QStringLiteral("copy_command"))->setEnabled(run != nullptr);
    m_window->action(QStringLiteral("note"))->setEnabled(run && m_window->hub()->selection().node.isValid());
    m_window->action(QStringLiteral("save_search"))->setEnabled(run != nullptr);
    m_window->action(QStringLiteral("saved_searches"))->setEnabled(run && !m_queries.isEmpty());
}

void SessionKeeper::start()
{
    QDir().mkpath(autosaveFolder());
    lookForCrash();
    static int windows = 0;
    const QString base =
        QStringLiteral("%1/%2-%3").arg(autosaveFolder()).arg(QCoreApplication::applicationPid()).arg(windows++);
    m_lock = std::make_unique<QLockFile>(base + QStringLiteral(".lock"));
    m_lock->setStaleLockTime(0); // held as long as the process lives, however long that is
    if (!m_lock->tryLock()) return;
    m_autosavePath = base + QStringLiteral(".gelens");
    Hub* hub = m_window->hub();
    for (auto signal : {&Hub::modelsChanged, &Hub::currentChanged, &Hub::stepChanged, &Hub::selectionChanged})
        connect(hub, signal, this, &SessionKeeper::saveSoon);
    connect(m_window->debugTools()->breakpoints(), &BreakpointList::changed, this, &SessionKeeper::saveSoon);
    connect(m_window->debugTools()->whatIfs(), &WhatIfRuns::changed, this, &SessionKeeper::saveSoon);
    connect(&m_notes, &NodeNotes::changed, this, &SessionKeeper::saveSoon);
}

void SessionKeeper::finish()
{
    m_timer.stop();
    if (!m_autosavePath.isEmpty()) QFile::remove(m_autosavePath);
    m_autosavePath.clear();
    m_lock.reset();
    m_crashLock.reset();
}

void SessionKeeper::setAutosaveSeconds(int seconds)
{
    m_isAutosaving = seconds > 0;
    m_timer.setInterval(std::max(seconds, 1) * 1000);
    if (!m_isAutosaving && !m_autosavePath.isEmpty()) {
        m_timer.stop();
        QFile::remove(m_autosavePath);
    }
    saveSoon();
}

void SessionKeeper::saveSoon()
{
    // What is being brought back is not whole yet.
    if (m_isAutosaving && !m_autosavePath.isEmpty() && !isRestoring() && !m_timer.isActive()) m_timer.start();
}

void SessionKeeper::autosave()
{
    const SessionContents all = contents();
    if (all.isEmpty())
        QFile::remove(m_autosavePath);
    else if (const Status status = writeSession(all, m_autosavePath); !status.ok())
        m_window->statusBar()->showMessage(words::sentence(status.error().message()), 8000);
}

void SessionKeeper::lookForCrash()
{
    const QDir folder(autosaveFolder());
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.gelens")}, QDir::Files, QDir::Time)) {
        auto lock = std::make_unique<QLockFile>(folder.filePath(file.completeBaseName() + QStringLiteral(".lock")));
        lock->setStaleLockTime(0);
        // Whoever holds the lock is alive; a dead owner's lock is taken over, and nobody else offers the same file.
        if (!lock->tryLock()) continue;
        m_crashLock = std::move(lock);
        return offer(file.absoluteFilePath());
    }
}

void SessionKeeper::offer(const QString& path)
{
    const auto found = readSession(path);
    if (!found.ok()) {
        QFile::remove(path);
        return;
    }
    m_crashPath = path;
    QStringList names;
    for (const SessionContents::Model& model : found->models) names += QFileInfo(model.path).fileName();
    m_bar = new QToolBar(m_window);
    m_bar->setObjectName(QStringLiteral("restore_bar"));
    m_bar->setMovable(false);
    auto* label = new QLabel(
        names.isEmpty() ? tr("The last session ended unexpectedly.")
                        : tr("The last session ended unexpectedly: %1.").arg(names.join(QStringLiteral(", "))));
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(8, 2, 12, 2);
    m_bar->addWidget(label);
    const auto close = [this] {
        QFile::remove(m_crashPath);
        m_crashLock.reset();
        m_bar->hide();
        m_bar->deleteLater();
        m_bar = nullptr;
    };
    QAction* take = m_bar->addAction(tr("Restore it"));
    take->setObjectName(QStringLiteral("restore_session"));
    connect(take, &QAction::triggered, this, [this, contents = *found, close] {
        close();
        restore(contents);
    });
    QAction* drop = m_bar->addAction(tr("Discard it"));
    drop->setObjectName(QStringLiteral("discard_session"));
    connect(drop, &QAction::triggered, this, close);
    m_window->insertToolBar(m_window->findChild<QToolBar*>(QStringLiteral("toolbar_main")), m_bar);
    m_window->insertToolBarBreak(m_window->findChild<QToolBar*>(QStringLiteral("toolbar_main")));
}

QString SessionKeeper::frontView() const
{
    for (const auto& [name, dock] : m_window->m_docks)
        if (name != QStringLiteral("pipeline") && name != QStringLiteral("inspector") && dock->isVisible() &&
            !dock->widget()->visibleRegion().isEmpty())
            return name;
    return {};
}

/// Where its user is, and the runs that were kept.
void SessionKeeper::noteView(const OpenModel& model, SessionContents::Model& entry) const
{
    if (model.run) {
        entry.shown = model.shown.value;
        entry.compared = model.compared.value;
        if (model.selection.node.isValid()) entry.node = words::text(model.run->nameOf(model.selection.node));
    }
    for (const KeptRun& kept : m_window->debugTools()->whatIfs()->runsOf(model.id))
        entry.whatIfs.push_back({kept.name, kept.options});
}

SessionContents SessionKeeper::contents() const
{
    SessionContents all;
    const Hub* hub = m_window->hub();
    for (const OpenModel& model : hub->models()) {
        // A card is no file of its own: it is kept with its model, which is split again.
        if (m_window->debugTools()->isComparison(model.id) || m_window->jobs()->cardsOf(model.id) > 0) continue;
        SessionContents::Model entry;
        entry.path = QFileInfo(model.path).absoluteFilePath();
        entry.readAs = model.readAs;
        entry.options = model.options;
        entry.options.verify = false; // asked for again, not by opening
        noteView(model, entry);
        const std::vector<int> cards = m_window->jobs()->cardModelsOf(model.id);
        if (!cards.empty()) entry.cards.resize(static_cast<std::size_t>(m_window->jobs()->cardsOf(cards.front())));
        for (std::size_t card = 0; card < std::min(cards.size(), entry.cards.size()); ++card) {
            noteView(*hub->find(cards[card]), entry.cards[card]);
            if (hub->current()->id != cards[card]) continue;
            all.current = static_cast<int>(all.models.size());
            all.currentCard = static_cast<int>(card);
        }
        entry.notes = m_notes.notesOf(entry.path);
        if (hub->current() == &model) all.current = static_cast<int>(all.models.size());
        all.models.push_back(std::move(entry));
    }
    all.view = frontView();
    all.breakpoints = m_window->debugTools()->breakpoints()->breakpoints();
    all.queries = m_queries;
    return all;
}

void SessionKeeper::restore(const SessionContents& contents)
{
    m_window->debugTools()->breakpoints()->setAll(contents.breakpoints);
    m_queries = contents.queries;
    m_viewAfter = contents.view;
    m_currentAfter = m_cardAfter = -1;
    for (std::size_t i = 0; i < contents.models.size(); ++i) {
        const SessionContents::Model& model = contents.models[i];
        m_notes.setNotes(model.path, model.notes);
        const int id = model.readAs.isEmpty() ? m_window->jobs()->open(model.path, model.options)
                                              : m_window->jobs()->openAs(model.path, model.readAs, model.options);
        m_pending[id] = model;
        if (static_cast<int>(i) == contents.current) {
            m_currentAfter = id;
            m_cardAfter = contents.currentCard;
        }
    }
    if (m_pending.empty()) return;
    connect(m_window->jobs(), &ModelJobs::finished, this, &SessionKeeper::restoreOne, Qt::UniqueConnection);
    connect(m_window->jobs(), &ModelJobs::splitDone, this, &SessionKeeper::restoreCards, Qt::UniqueConnection);
    // A model that was open already sends no signal of its own.
    std::vector<int> ready;
    for (const auto& [id, model] : m_pending)
        if (const OpenModel* open = m_window->hub()->find(id); open != nullptr && open->run && !open->isBusy)
            ready.push_back(id);
    for (const int id : ready) restoreOne(id);
}

void SessionKeeper::restoreOne(int id)
{
    if (m_splitting.erase(id) > 0) return concludeRestoring(); // it could not be split again, and that was said
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    const SessionContents::Model wanted = std::move(found->second);
    m_pending.erase(found);
    Hub* hub = m_window->hub();
    if (const OpenModel* model = hub->find(id); model != nullptr && model->run) {
        hub->setCurrent(id);
        if (wanted.shown >= 0) hub->showStep(StepId{wanted.shown}, StepId{std::max(wanted.compared, 0)});
        if (!wanted.node.isEmpty()) {
            const std::string name = wanted.node.toStdString();
            for (const StepId step : {hub->shownStep(), hub->comparedStep(), model->run->lastStep(), StepId{0}})
                if (const NodeId node = model->run->graphAt(step)->findNode(name); node.isValid()) {
                    hub->select(Selection::ofNode(node));
                    break;
                }
        }
        for (const SessionContents::WhatIf& whatIf : wanted.whatIfs)
            m_window->debugTools()->whatIfs()->start(id, whatIf.options, whatIf.name);
        if (wanted.cards.size() > 1 && m_window->jobs()->cardModelsOf(id).empty()) {
            m_splitting[id] = wanted.cards;
            m_window->jobs()->splitOverCards(id, static_cast<int>(wanted.cards.size()));
        }
    }
    concludeRestoring();
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

void SessionKeeper::concludeRestoring()
{
    if (isRestoring()) return;
    if (m_currentAfter >= 0) m_window->hub()->setCurrent(m_currentAfter);
    if (!m_viewAfter.isEmpty()) m_window->showView(m_viewAfter);
    m_window->updateStatus();
    saveSoon();
}

bool SessionKeeper::open(const QString& path)
{
    const auto read = readSession(path);
    if (!read.ok()) {
        m_window->showFailure(path, words::text(read.error().message()));
        return false;
    }
    m_path = path;
    m_window->m_settings.addRecentFile(path);
    m_window->updateRecentMenu();
    restore(*read);
    return true;
}

bool SessionKeeper::save(const QString& path)
{
    if (const Status status = writeSession(contents(), path); !status.ok()) {
        m_window->showFailure(path, words::text(status.error().message()));
        return false;
    }
    m_path = path;
    m_window->m_settings.addRecentFile(path);
    m_window->updateRecentMenu();
    m_window->statusBar()->showMessage(tr("Saved to %1").arg(path), 6000);
    return true;
}

void SessionKeeper::saveAs()
{
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save the session"),
                                                m_path.isEmpty() ? QStringLiteral("session.gelens") : m_path,
                                                tr("Sessions (*.gelens)"));
    if (path.isEmpty()) return;
    if (!path.endsWith(QStringLiteral(".gelens"))) path += QStringLiteral(".gelens");
    save(path);
}

void SessionKeeper::chooseSession()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open a session"), m_window->m_settings.lastFolder(),
                                                      tr("Sessions (*.gelens)"));
    if (!path.isEmpty()) open(path);
}

QString SessionKeeper::commandLine() const
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr) return {};
    QStringList line{QStringLiteral("gelens"), shellWord(QFileInfo(model->path).absoluteFilePath())};
    for (const std::string& argument : argumentsOf(model->options)) line += shellWord(words::text(argument));
    const int cards = m_window->jobs()->cardsOf(model->id); // steps are those of the card, and the model opens first
    if (cards > 0) line += {QStringLiteral("--cards"), QString::number(cards)};
    if (cards == 0 && model->run && model->shown != model->run->lastStep())
        line += {QStringLiteral("--step"), QString::number(model->shown.value)};
    if (const QString view = frontView(); !view.isEmpty()) line += {QStringLiteral("--view"), view};
    return line.join(QLatin1Char(' '));
}

void SessionKeeper::editNote()
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || !model->run || !model->selection.node.isValid()) return;
    const QString path = QFileInfo(model->path).absoluteFilePath(),
                  node = words::text(model->run->nameOf(model->selection.node));
    auto* dialog = new QInputDialog(m_window);
    dialog->setObjectName(QStringLiteral("note_dialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setWindowTitle(tr("Note on the node"));
    dialog->setLabelText(node);
    dialog->setTextValue(m_notes.note(path, node));
    dialog->setModal(true);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, path, node](const QString& text) { m_notes.setNote(path, node, text.trimmed()); });
    dialog->show();
}

void SessionKeeper::saveQuery()
{
    const QString text = m_window->graphView()->searchText().trimmed();
    if (text.isEmpty()) {
        m_window->statusBar()->showMessage(tr("The search line of the graph is empty."), 6000);
        return;
    }
    m_queries.removeAll(text);
    m_queries.prepend(text);
    updateActions();
    saveSoon();
    m_window->statusBar()->showMessage(tr("Kept: %1").arg(text), 6000);
}

void SessionKeeper::chooseQuery()
{
    std::vector<QuickEntry> entries;
    for (const QString& query : m_queries)
        entries.push_back({query, {}, [this, query] {
                               m_window->showView(QStringLiteral("graph"));
                               m_window->graphView()->setSearchText(query);
                           }});
    (new QuickList(tr("Kept searches"), tr("type to filter"), std::move(entries), m_window))->show();
}

} // namespace gelens
