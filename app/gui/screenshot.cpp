#include "app/gui/screenshot.h"

#include "app/gui/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QPixmap>

#include <cstdio>

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

} // namespace

ScreenState::ScreenState(MainWindow* window, const GuiOptions& options) : m_window(window), m_options(options)
{
    if (options.step.isEmpty() && options.view.isEmpty() && options.screenshot.isEmpty()) return;
    connect(&m_timer, &QTimer::timeout, this, &ScreenState::poll);
    connect(window->jobs(), &ModelJobs::failed, this, [this](const QString&, const QString& sentence) {
        if (m_failure.isEmpty()) m_failure = sentence;
    });
    m_timer.start(50);
}

void ScreenState::poll()
{
    if (m_window->isBusy()) {
        m_quietPolls = 0;
        return;
    }
    if (!m_isApplied) {
        m_isApplied = true;
        if (!m_failure.isEmpty() && !m_options.screenshot.isEmpty()) return finish();
        if (!m_options.view.isEmpty()) m_window->showView(m_options.view);
        if (!m_options.step.isEmpty() && !m_window->showStep(m_options.step)) {
            std::fprintf(stderr, "gelens: error: --step %s: no such step\n", qPrintable(m_options.step));
            QApplication::exit(2);
            m_timer.stop();
            return;
        }
        if (m_options.screenshot.isEmpty()) m_timer.stop();
        return;
    }
    if (++m_quietPolls >= quietPollsNeeded) finish();
}

void ScreenState::finish()
{
    m_timer.stop();
    if (!m_failure.isEmpty()) {
        std::fprintf(stderr, "gelens: error: %s\n", qPrintable(m_failure));
        QApplication::exit(2);
        return;
    }
    if (!savePicture(m_window->grab(), m_options.screenshot)) {
        std::fprintf(stderr, "gelens: error: %s: cannot write the picture\n", qPrintable(m_options.screenshot));
        QApplication::exit(2);
        return;
    }
    QApplication::exit(0);
}

} // namespace gelens
