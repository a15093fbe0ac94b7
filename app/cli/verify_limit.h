#pragma once
// A time limit for the proof by numbers, which has none of its own.

#include "engine/session/session.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace gelens::cli {

/// Give `progress()` and `token()` to a run: as soon as it begins to verify, it has so many seconds for that.
class VerifyLimit {
public:
    explicit VerifyLimit(double seconds) : m_seconds(seconds) {}
    ~VerifyLimit();

    ProgressFunction progress();
    std::stop_token token() const { return m_stop.get_token(); }
    /// The time was up before the run ended.
    bool hasStopped() const { return m_stop.stop_requested(); }

private:
    double m_seconds; ///< 0: no limit
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::condition_variable m_end;
    bool m_isOver = false;
    std::thread m_clock;
};

} // namespace gelens::cli
