#include "viewers/timeline/timeline_index.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gelens {
namespace {

constexpr double smallestBubbleUs = 0.005; ///< shorter gaps are rounding
constexpr std::size_t maxArrows = 100000;

/// Units in the order of their tracks; the others run on the host or not at all.
constexpr Unit shownUnits[] = {Unit::Cube, Unit::Vector, Unit::Mix, Unit::AiCpu, Unit::Host, Unit::Runtime};

void finish(TimelineTrack& track, const Timeline& timeline)
{
    double latest = 0;
    track.latestEnd.reserve(track.items.size());
    for (const std::uint32_t number : track.items) {
        const TimelineItem& item = timeline.items[number];
        if (item.startUs > latest + smallestBubbleUs) {
            ++track.bubbles;
            track.bubbleUs += item.startUs - latest;
        }
        const double end = item.startUs + item.durationUs;
        track.busyUs += std::max(0.0, end - std::max(latest, item.startUs));
        latest = std::max(latest, end);
        track.latestEnd.push_back(latest);
    }
}

} // namespace

TimelineIndex::TimelineIndex(std::shared_ptr<const Run> run, bool isBefore)
    : m_run(std::move(run)), m_isBefore(isBefore)
{
    const auto& items = timeline().items;
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    m_typeOfItem.reserve(items.size());
    for (const TimelineItem& item : items) {
        const bool hasTask = item.task >= 0 && static_cast<std::size_t>(item.task) < tasks().tasks.size();
        const Task* task = hasTask ? &tasks().tasks[static_cast<std::size_t>(item.task)] : nullptr;
        const std::string_view type = task == nullptr         ? std::string_view()
                                      : !task->opType.empty() ? std::string_view(task->opType)
                                                              : taskKindName(task->kind);
        const auto [at, isNew] = numbers.try_emplace(type, static_cast<std::uint32_t>(m_types.size()));
        if (isNew) m_types.emplace_back(type);
        m_typeOfItem.push_back(at->second);
    }
    m_byNode.resize(items.size());
    std::iota(m_byNode.begin(), m_byNode.end(), 0u);
    std::stable_sort(m_byNode.begin(), m_byNode.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return items[a].node < items[b].node; });
    addTracks();
    addArrows();
}

void TimelineIndex::addTracks()
{
    const auto& items = timeline().items;
    std::map<std::int64_t, TimelineTrack> streams;
    std::map<Unit, TimelineTrack> units;
    for (std::uint32_t number = 0; number < items.size(); ++number) {
        streams[items[number].stream].items.push_back(number);
        units[items[number].unit].items.push_back(number);
    }
    m_streamCount = static_cast<int>(streams.size());
    for (auto& [stream, track] : streams) {
        m_trackOfStream.emplace(stream, m_tracks.size());
        track.stream = stream;
        m_tracks.push_back(std::move(track));
    }
    for (const Unit unit : shownUnits) {
        const auto found = units.find(unit);
        if (found == units.end()) continue;
        found->second.isStream = false;
        found->second.unit = unit;
        m_tracks.push_back(std::move(found->second));
    }
    for (TimelineTrack& track : m_tracks) finish(track, timeline());
    m_counters = countersOf(timeline(), m_run->soc);
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        TimelineTrack track;
        track.isStream = false;
        track.counter = static_cast<int>(i);
        m_tracks.push_back(std::move(track));
    }
}

void TimelineIndex::addArrows()
{
    std::unordered_map<std::int64_t, std::uint32_t> records;
    const auto& items = timeline().items;
    for (int pass = 0; pass < 2; ++pass)
        for (std::uint32_t number = 0; number < items.size() && m_arrows.size() < maxArrows; ++number) {
            const int at = items[number].task;
            if (at < 0 || static_cast<std::size_t>(at) >= tasks().tasks.size()) continue;
            const Task& task = tasks().tasks[static_cast<std::size_t>(at)];
            if (pass == 0 && task.kind == TaskKind::EventRecord) records[task.event] = number;
            if (pass == 1 && task.kind == TaskKind::EventWait)
                if (const auto found = records.find(task.event); found != records.end())
                    m_arrows.push_back({found->second, number});
        }
}

std::size_t TimelineIndex::trackOfStream(std::int64_t stream) const
{
    const auto found = m_trackOfStream.find(stream);
    return found == m_trackOfStream.end() ? m_tracks.size() : found->second;
}

std::string_view TimelineIndex::nameOf(std::uint32_t number) const
{
    const int task = item(number).task;
    if (task < 0 || static_cast<std::size_t>(task) >= tasks().tasks.size()) return {};
    return tasks().tasks[static_cast<std::size_t>(task)].name;
}

std::size_t TimelineIndex::firstEndingAfter(const TimelineTrack& track, double us) const
{
    return static_cast<std::size_t>(std::upper_bound(track.latestEnd.begin(), track.latestEnd.end(), us) -
                                    track.latestEnd.begin());
}

std::size_t TimelineIndex::firstStartingAt(const TimelineTrack& track, double us, std::size_t from) const
{
    const auto& items = timeline().items;
    return static_cast<std::size_t>(
        std::lower_bound(track.items.begin() + static_cast<std::ptrdiff_t>(from), track.items.end(), us,
                         [&](std::uint32_t number, double value) { return items[number].startUs < value; }) -
        track.items.begin());
}

std::int64_t TimelineIndex::itemAt(const TimelineTrack& track, double us) const
{
    for (std::size_t i = firstEndingAfter(track, us); i < track.items.size(); ++i) {
        const TimelineItem& found = item(track.items[i]);
        if (found.startUs > us) break;
        if (found.startUs + found.durationUs > us) return track.items[i];
    }
    return -1;
}

std::vector<TimelineIndex::Total> TimelineIndex::totals(double fromUs, double toUs) const
{
    std::vector<Total> all(m_types.size());
    for (std::uint32_t type = 0; type < all.size(); ++type) all[type].type = type;
    for (const TimelineTrack& track : m_tracks) {
        if (!track.isStream) continue;
        for (std::size_t i = firstEndingAfter(track, fromUs); i < track.items.size(); ++i) {
            const TimelineItem& found = item(track.items[i]);
            if (found.startUs >= toUs) break;
            const double us = std::min(toUs, found.startUs + found.durationUs) - std::max(fromUs, found.startUs);
            if (us <= 0 && found.durationUs > 0) continue;
            Total& total = all[m_typeOfItem[track.items[i]]];
            ++total.tasks;
            total.us += us;
            total.boundUs[static_cast<int>(found.bound)] += us;
        }
    }
    std::erase_if(all, [](const Total& total) { return total.tasks == 0; });
    std::stable_sort(all.begin(), all.end(), [](const Total& a, const Total& b) { return a.us > b.us; });
    return all;
}

std::vector<std::uint32_t> TimelineIndex::itemsOf(NodeId node) const
{
    const auto& items = timeline().items;
    const auto first = std::lower_bound(m_byNode.begin(), m_byNode.end(), node,
                                        [&](std::uint32_t number, NodeId value) { return items[number].node < value; });
    std::vector<std::uint32_t> found;
    for (auto at = first; node.isValid() && at != m_byNode.end() && items[*at].node == node; ++at) found.push_back(*at);
    return found;
}

} // namespace gelens
