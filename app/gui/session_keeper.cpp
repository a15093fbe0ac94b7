#include "app/gui/session_keeper.h"

#include "app/gui/debug_tools.h"
#include "app/gui/front_views.h"
#include "app/gui/main_window.h"
#include "app/gui/quick_list.h"
#include "app/gui/view_command.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"
#include "viewers/problems/problems_view.h"
#include "viewers/textdiff/text_diff_view.h"

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
        const QString line = commandLineOf(*m_window);
        QApplication::clipboard()->setText(line);
        m_window->statusBar()->showMessage(tr("Copied: %1").arg(line), 8000);
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
    connect(decoder(), &LogDecoderView::textChanged, this, &SessionKeeper::saveSoon);
    connect(textDiff(), &TextDiffView::ready, this, &SessionKeeper::saveSoon);
    connect(m_window->graphView(), &GraphView::layoutReady, this, &SessionKeeper::saveSoon); // folding, colours
    for (const auto& [name, view] : m_window->views())
        connect(view, &View::cameToFront, this, &SessionKeeper::saveSoon);
}

void SessionKeeper::finish()
{
    forgetAutosave();
    m_autosavePath.clear();
    m_lock.reset();
    m_crashLock.reset();
}

void SessionKeeper::setAutosaveSeconds(int seconds)
{
    m_isAutosaving = seconds > 0;
    m_timer.setInterval(std::max(seconds, 1) * 1000);
    if (!m_isAutosaving) forgetAutosave();
    saveSoon();
}

void SessionKeeper::saveSoon()
{
    // What is being brought back is not whole yet.
    if (m_isAutosaving && !m_autosavePath.isEmpty() && !isRestoring() && !m_timer.isActive()) m_timer.start();
}

void SessionKeeper::autosave()
{
    SessionContents all = contents();
    if (all == m_autosaved) return; // most of what happens changes nothing that a session keeps
    m_autosaved = std::move(all);
    if (!m_autosaving) m_autosaving = std::make_unique<Background>(this);
    // One file after the other: an older state never takes the place of a newer one.
    m_autosaving->start(
        [all = *m_autosaved, path = m_autosavePath](std::stop_token) {
            if (!all.isEmpty()) return writeSession(all, path);
            QFile::remove(path);
            return Status::success();
        },
        [this](const Status& status) {
            m_autosaving->finished();
            if (status.ok()) return;
            m_autosaved.reset(); // the next change tries again
            m_window->statusBar()->showMessage(words::sentence(status.error().message()), 8000);
        });
}

void SessionKeeper::forgetAutosave()
{
    m_timer.stop();
    m_autosaving.reset(); // waits for what is being written
    m_autosaved.reset();
    if (!m_autosavePath.isEmpty()) QFile::remove(m_autosavePath);
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

LogDecoderView* SessionKeeper::decoder() const
{
    return static_cast<LogDecoderView*>(m_window->view(QStringLiteral("decoder")));
}

TextDiffView* SessionKeeper::textDiff() const
{
    return static_cast<TextDiffView*>(m_window->view(QStringLiteral("textdiff")));
}

QString SessionKeeper::frontView() const
{
    for (const auto& [name, dock] : m_window->m_docks)
        if (name != QStringLiteral("pipeline") && name != QStringLiteral("inspector") && dock->isVisible() &&
            m_window->m_front->isOnTop(dock))
            return name;
    return {};
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

void SessionKeeper::editNote()
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || !model->run || !model->selection.node.isValid()) return;
    const QString path = notesKey(*model->run), node = words::text(model->run->nameOf(model->selection.node));
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
