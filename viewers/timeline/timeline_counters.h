#pragma once
// What is in use at each moment of a timeline: cores by unit, data movers, L2 and device memory.

#include "engine/spec/soc_spec.h"
#include "engine/spec/timeline.h"

#include <vector>

namespace gelens {

/// A quantity over time that changes in steps, with maxima over stretches so that a million steps paint quickly.
class TimelineCounter {
public:
    /// Cores: how many of a task's cores work, by the share of its time in which its unit computes (or, for the MTEs,
    /// moves data). Rates: GB/s.
    enum class Kind { CubeCores, VectorCores, AiCpuCores, MteCores, L2Rate, DdrRate };

    Kind kind = Kind::CubeCores;
    double capacity = 0; ///< cores, or GB/s; what the device has
    double mean = 0;     ///< over the whole run
    double highest = 0;

    bool isRate() const { return kind == Kind::L2Rate || kind == Kind::DdrRate; }
    double valueAt(double us) const;
    /// Largest value within a stretch of time. Unit of times: µs.
    double highestIn(double fromUs, double toUs) const;
    std::size_t steps() const { return m_at.size(); }

    void push(double us, double value); ///< in order of time
    void finish(double endUs);

private:
    static constexpr std::size_t groupSize = 64;
    std::vector<double> m_at;
    std::vector<float> m_value, m_groupMax;
};

/// Counters that are ever above nothing, in the order of their kinds.
std::vector<TimelineCounter> countersOf(const Timeline& timeline, const SocSpec& soc);

} // namespace gelens
