#include "viewers/timeline/timeline_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gelens {
namespace {

constexpr std::size_t kinds = 6;
using Levels = std::array<double, kinds>;

/// What one task has in use from its start to its end, on average.
Levels levelsOf(const TimelineItem& item, const SocSpec& soc)
{
    Levels levels{};
    if (!(item.durationUs > 0) || item.cores <= 0) return levels;
    const double computing = std::min(1.0, item.computeUs / item.durationUs),
                 moving = std::min(1.0, item.memoryUs / item.durationUs);
    const auto at = [&](TimelineCounter::Kind kind) -> double& { return levels[static_cast<std::size_t>(kind)]; };
    // A kernel of both units takes the vector cores that belong to its cube cores.
    const double perCube =
        soc.cubeCores > 0 && soc.coreLayout == CoreLayout::Split ? std::max(1, soc.vectorCores / soc.cubeCores) : 1;
    if (item.unit == Unit::Cube || item.unit == Unit::Mix)
        at(TimelineCounter::Kind::CubeCores) = item.cores * computing;
    if (item.unit == Unit::Vector) at(TimelineCounter::Kind::VectorCores) = item.cores * computing;
    if (item.unit == Unit::Mix) at(TimelineCounter::Kind::VectorCores) = item.cores * perCube * computing;
    if (item.unit == Unit::AiCpu) at(TimelineCounter::Kind::AiCpuCores) = computing;
    at(TimelineCounter::Kind::MteCores) = item.unit == Unit::AiCpu || item.unit == Unit::Host ? 0 : item.cores * moving;
    // 1,000 bytes in a microsecond are a GB/s.
    at(TimelineCounter::Kind::L2Rate) = item.l2Bytes / item.durationUs / 1000;
    at(TimelineCounter::Kind::DdrRate) = item.ddrBytes / item.durationUs / 1000;
    return levels;
}

double capacityOf(TimelineCounter::Kind kind, const SocSpec& soc)
{
    const double rateOfCore = soc.cubeCores * soc.cubeMegahertz / 1000; // GB/s for a byte in each cycle
    switch (kind) {
    case TimelineCounter::Kind::CubeCores: return soc.cubeCores;
    case TimelineCounter::Kind::VectorCores: return soc.vectorCores;
    case TimelineCounter::Kind::AiCpuCores: return soc.aiCpus;
    case TimelineCounter::Kind::MteCores: return std::max(soc.cubeCores, soc.vectorCores);
    case TimelineCounter::Kind::L2Rate: return (soc.cubeRates.l2Read + soc.cubeRates.l2Write) * rateOfCore;
    case TimelineCounter::Kind::DdrRate: return soc.cubeRates.ddrRead * rateOfCore;
    }
    return 0;
}

} // namespace

void TimelineCounter::push(double us, double value)
{
    if (!m_at.empty() && m_at.back() == us) {
        m_value.back() = static_cast<float>(value);
        return;
    }
    if (!m_value.empty() && std::abs(m_value.back() - value) < 1e-6 * std::max(1.0, value)) return;
    m_at.push_back(us);
    m_value.push_back(static_cast<float>(value));
}

void TimelineCounter::finish(double endUs)
{
    double area = 0;
    for (std::size_t i = 0; i < m_at.size(); ++i) {
        if (i % groupSize == 0) m_groupMax.push_back(0);
        m_groupMax.back() = std::max(m_groupMax.back(), m_value[i]);
        highest = std::max<double>(highest, m_value[i]);
        area += m_value[i] * ((i + 1 < m_at.size() ? m_at[i + 1] : std::max(endUs, m_at[i])) - m_at[i]);
    }
    mean = endUs > 0 ? area / endUs : 0;
}

double TimelineCounter::valueAt(double us) const
{
    const auto after = std::upper_bound(m_at.begin(), m_at.end(), us);
    return after == m_at.begin() ? 0 : m_value[static_cast<std::size_t>(after - m_at.begin()) - 1];
}

double TimelineCounter::highestIn(double fromUs, double toUs) const
{
    auto i = static_cast<std::size_t>(std::upper_bound(m_at.begin(), m_at.end(), fromUs) - m_at.begin());
    const auto end = static_cast<std::size_t>(std::lower_bound(m_at.begin(), m_at.end(), toUs) - m_at.begin());
    float found = i > 0 ? m_value[i - 1] : 0;
    while (i < end) {
        if (i % groupSize == 0 && i + groupSize <= end) {
            found = std::max(found, m_groupMax[i / groupSize]);
            i += groupSize;
        } else {
            found = std::max(found, m_value[i++]);
        }
    }
    return found;
}

std::vector<TimelineCounter> countersOf(const Timeline& timeline, const SocSpec& soc)
{
    const auto& items = timeline.items;
    const auto endOf = [&](std::uint32_t item) { return items[item].startUs + items[item].durationUs; };
    std::vector<std::uint32_t> byEnd(items.size());
    std::iota(byEnd.begin(), byEnd.end(), 0u);
    std::sort(byEnd.begin(), byEnd.end(), [&](std::uint32_t a, std::uint32_t b) { return endOf(a) < endOf(b); });
    std::vector<TimelineCounter> all(kinds);
    Levels now{};
    std::array<int, kinds> users{};
    std::size_t started = 0, ended = 0;
    const auto change = [&](std::uint32_t item, int sign, double us) {
        const Levels levels = levelsOf(items[item], soc);
        for (std::size_t k = 0; k < kinds; ++k) {
            if (levels[k] == 0) continue;
            users[k] += sign;
            now[k] = users[k] == 0 ? 0 : now[k] + sign * levels[k]; // without users no rounding stays behind
            all[k].push(us, now[k]);
        }
    };
    while (ended < byEnd.size()) {
        // What ends at the moment at which something starts is over before.
        if (started < items.size() && items[started].startUs < endOf(byEnd[ended])) {
            change(static_cast<std::uint32_t>(started), 1, items[started].startUs);
            ++started;
        } else {
            const std::uint32_t item = byEnd[ended++];
            if (items[item].durationUs > 0) change(item, -1, endOf(item));
        }
    }
    std::vector<TimelineCounter> used;
    for (std::size_t k = 0; k < kinds; ++k) {
        all[k].kind = static_cast<TimelineCounter::Kind>(k);
        all[k].finish(timeline.totalUs);
        all[k].capacity = std::max(capacityOf(all[k].kind, soc), all[k].highest);
        if (all[k].highest > 0) used.push_back(std::move(all[k]));
    }
    return used;
}

} // namespace gelens
