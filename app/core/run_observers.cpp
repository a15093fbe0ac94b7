#include "app/core/run_observers.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gelens {
namespace {

/// How often the clock looks; also how late it may be.
constexpr auto clockTick = std::chrono::milliseconds(50);

/// A folder's name from a model's, which may hold signs of paths.
std::string folderName(std::string model)
{
    std::replace(model.begin(), model.end(), '/', '_');
    return model.empty() || model == "." || model == ".." ? "model" : model;
}

} // namespace

VerifyClock::VerifyClock(int seconds, const LiveRun* live, std::stop_source stop)
    : m_seconds(seconds), m_live(live), m_stop(std::move(stop))
{
}

VerifyClock::~VerifyClock() = default; // the thread is asked to stop, and joined

void VerifyClock::start()
{
    if (m_seconds <= 0 || m_thread.joinable()) return;
    m_thread = std::jthread([this](std::stop_token over) {
        std::chrono::steady_clock::duration spent{};
        auto last = std::chrono::steady_clock::now();
        while (!over.stop_requested()) {
            std::this_thread::sleep_for(clockTick);
            const auto now = std::chrono::steady_clock::now();
            if (m_live == nullptr || !m_live->isHalted()) spent += now - last;
            last = now;
            if (spent < std::chrono::seconds(m_seconds)) continue;
            m_hasStopped = true;
            m_stop.request_stop();
            return;
        }
    });
}

RunObservers::RunObservers(LiveRun* live, const RunHabits& habits, const std::string& model, std::stop_source stop)
    : m_live(live), m_clock(habits.verifySeconds, live, std::move(stop))
{
    if (habits.dumpFolder.empty()) return;
    auto dumps = makeDumpWriter(habits.dumpFolder + '/' + folderName(model), habits.dumpDetail);
    if (dumps.ok())
        m_dumps = std::move(*dumps);
    else
        m_dumpStatus = dumps.error();
}

Status RunObservers::dumpStatus() const { return m_dumps ? m_dumps->status() : m_dumpStatus; }

bool RunObservers::beforePass(const std::string& pass, const Graph& graph)
{
    return m_live == nullptr || m_live->beforePass(pass, graph);
}

void RunObservers::afterStep(const Step& step, const Graph& graph)
{
    if (m_dumps) m_dumps->afterStep(step, graph);
    if (m_live != nullptr) m_live->afterStep(step, graph);
}

void RunObservers::passBegins(const RunPosition& position)
{
    if (m_live != nullptr) m_live->passBegins(position);
}

void RunObservers::passEdited(const RunPosition& position)
{
    if (m_live != nullptr) m_live->passEdited(position);
}

void RunObservers::passEnded(const RunPosition& position)
{
    if (m_live != nullptr) m_live->passEnded(position);
}

void RunObservers::stepVerifies(const RunPosition& position)
{
    m_clock.start();
    if (m_live != nullptr) m_live->stepVerifies(position);
}

} // namespace gelens
