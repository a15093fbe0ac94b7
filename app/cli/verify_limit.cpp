#include "app/cli/verify_limit.h"

#include <chrono>

namespace gelens::cli {

VerifyLimit::~VerifyLimit()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = true;
    }
    m_end.notify_all();
    if (m_clock.joinable()) m_clock.join();
}

ProgressFunction VerifyLimit::progress()
{
    if (m_seconds <= 0) return {};
    return [this](const Progress& progress) {
        if (progress.what != "verify" || m_clock.joinable()) return;
        m_clock = std::thread([this] {
            std::unique_lock lock(m_mutex);
            const bool isOver =
                m_end.wait_for(lock, std::chrono::duration<double>(m_seconds), [this] { return m_isOver; });
            if (!isOver) m_stop.request_stop();
        });
    };
}

} // namespace gelens::cli
