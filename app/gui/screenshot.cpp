#include "app/gui/screenshot.h"

#include "app/gui/graph_drawing.h"
#include "app/gui/main_window.h"
#include "app/gui/session_keeper.h"
#include "app/gui/view_command.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QPixmap>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace gelens {
namespace {

/// The window counts as at rest after this many looks without work, so that queued updates are drawn too.
constexpr int quietPollsNeeded = 4;

/// The ending chooses the form. QPixmap's own way to a file does not see that the last bytes found no room.
bool savePicture(const QPixmap& picture, const QString& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !picture.save(&buffer, QFileInfo(path).suffix().toLatin1().constData()))
        return false;
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
}

/// Files of the text diff and the log decoder are still being worked through.
bool isReadingTexts(MainWindow& window)
{
    return !static_cast<TextDiffView*>(window.view(QStringLiteral("textdiff")))->isReady() ||
           !static_cast<LogDecoderView*>(window.view(QStringLiteral("decoder")))->isReady();
}

/// Something that is seen is not yet what it is going to be.
bool isAnyViewBusy(const MainWindow& window)
{
    const auto isBusy = [](const auto& named) {
        const View* view = named.second;
        return view->isInFront() && (view->hasPendingChanges() || view->isBusy());
    };
    return std::any_of(window.views().begin(), window.views().end(), isBusy);
}

} // namespace

ScreenState::ScreenState(MainWindow* window, const GuiOptions& options) : m_window(window), m_options(options)
{
    const bool asksForNothing = options.step.isEmpty() && options.view.isEmpty() && options.compareStep.isEmpty() &&
                                options.node.isEmpty() && !options.openBlocks;
    if (asksForNothing && !isPicture()) return;
    connect(&m_timer, &QTimer::timeout, this, &ScreenState::poll);
    connect(window->jobs(), &ModelJobs::failed, this, [this](const QString&, const QString& sentence) {
        if (m_failure.isEmpty()) m_failure = sentence;
    });
    m_timer.start(50);
}

bool ScreenState::isPicture() const { return !m_options.screenshot.isEmpty() || m_options.printsState; }

bool ScreenState::fail(const QString& text)
{
    std::fprintf(stderr, "gelens: error: %s\n", qPrintable(text));
    QApplication::exit(2);
    m_timer.stop();
    return false;
}

bool ScreenState::apply()
{
    Hub* hub = m_window->hub();
    if (!m_options.view.isEmpty()) m_window->showView(m_options.view);
    if (!m_options.step.isEmpty() && !m_window->showStep(m_options.step))
        return fail(QStringLiteral("--step %1: no such step").arg(m_options.step));
    const auto run = hub->run();
    if (!m_options.compareStep.isEmpty()) {
        const auto step = run ? run->findStep(m_options.compareStep.toStdString()) : std::nullopt;
        if (!step) return fail(QStringLiteral("--compare-step %1: no such step").arg(m_options.compareStep));
        hub->showStep(hub->shownStep(), *step);
    }
    if (!m_options.node.isEmpty()) {
        NodeId node;
        for (const StepId step : {hub->shownStep(), hub->comparedStep()})
            if (run && !node.isValid()) node = run->graphAt(step)->findNode(m_options.node.toStdString());
        if (!node.isValid()) return fail(QStringLiteral("--node %1: not in the graph shown").arg(m_options.node));
        hub->select(Selection::ofNode(node));
    }
    return true;
}

void ScreenState::poll()
{
    if (m_window->isBusy() || m_window->sessionKeeper()->isRestoring() || isReadingTexts(*m_window) ||
        isAnyViewBusy(*m_window)) {
        m_quietPolls = 0;
        return;
    }
    if (!m_isApplied) {
        m_isApplied = true;
        if (!m_failure.isEmpty() && isPicture()) return finish();
        if (apply() && !isPicture() && !m_options.openBlocks) m_timer.stop();
        return;
    }
    if (m_options.openBlocks) { // which there are is known once the step is drawn
        applyOpenBlocks(*m_window->graphView(), *std::exchange(m_options.openBlocks, std::nullopt));
        if (!isPicture()) m_timer.stop();
        return;
    }
    if (++m_quietPolls >= quietPollsNeeded) finish();
}

void ScreenState::finish()
{
    m_timer.stop();
    if (!m_failure.isEmpty()) {
        fail(m_failure);
        return;
    }
    if (m_options.printsState) std::fputs(stateOf(*m_window).constData(), stdout);
    if (!m_options.screenshot.isEmpty() && !savePicture(m_window->grab(), m_options.screenshot)) {
        std::fprintf(stderr, "gelens: error: %s: cannot write the picture\n", qPrintable(m_options.screenshot));
        QApplication::exit(2);
        return;
    }
    QApplication::exit(0);
}

} // namespace gelens
