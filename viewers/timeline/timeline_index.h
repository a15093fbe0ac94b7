#pragma once
// A timeline cut into tracks, with what is needed to paint and sum a million items quickly.

#include "engine/session/run.h"
#include "viewers/timeline/timeline_counters.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelens {

/// One row of the picture: a stream, one of the device's units, or a quantity over time. Items are numbers in Timeline::items.
struct TimelineTrack {
    bool isStream = true;
    std::int64_t stream = 0;          ///< of a stream track
    Unit unit = Unit::None;           ///< of a unit track
    int counter = -1;                 ///< index in counters(); such a track has no items
    std::vector<std::uint32_t> items; ///< by start
    std::vector<double> latestEnd;    ///< latest end of items[0..i], µs: never falls, so it can be searched
    double busyUs = 0;
    int bubbles = 0;     ///< gaps between items, start of the run included
    double bubbleUs = 0; ///< their sum
};

/// An event: the second task waits for the first.
struct TimelineArrow {
    std::uint32_t from = 0, to = 0; ///< items
};

/// Built once for a timeline, on any thread; read-only afterwards. The run must outlive it.
class TimelineIndex {
public:
    struct Total {
        std::uint32_t type = 0; ///< index in types()
        std::int64_t tasks = 0;
        double us = 0;          ///< time within the span
        double boundUs[3] = {}; ///< by Bound
    };

    TimelineIndex(std::shared_ptr<const Run> run, bool isBefore);

    const Run& run() const { return *m_run; }
    const Timeline& timeline() const { return m_isBefore ? m_run->timelineBefore : m_run->timeline; }
    const TaskList& tasks() const { return m_isBefore ? m_run->tasksBefore : m_run->tasks; }
    bool isBefore() const { return m_isBefore; }
    const std::vector<TimelineTrack>& tracks() const { return m_tracks; }
    const std::vector<TimelineCounter>& counters() const { return m_counters; }
    /// Row of an item's stream; the number of rows when it has none.
    std::size_t trackOfStream(std::int64_t stream) const;
    const std::vector<TimelineArrow>& arrows() const { return m_arrows; }
    const std::vector<std::string>& types() const { return m_types; }
    int streamCount() const { return m_streamCount; }

    const TimelineItem& item(std::uint32_t item) const { return timeline().items[item]; }
    std::string_view nameOf(std::uint32_t item) const;
    std::uint32_t typeNumber(std::uint32_t item) const { return m_typeOfItem[item]; }
    std::string_view typeOf(std::uint32_t item) const { return m_types[m_typeOfItem[item]]; }
    /// First item of a track that ends after `us`; the size of the track when there is none.
    std::size_t firstEndingAfter(const TimelineTrack& track, double us) const;
    /// First item of a track that starts at or after `us`, from position `from` on.
    std::size_t firstStartingAt(const TimelineTrack& track, double us, std::size_t from = 0) const;
    /// Item of a track at a moment; -1 when it is idle.
    std::int64_t itemAt(const TimelineTrack& track, double us) const;
    /// Time by operator type between two moments, longest first.
    std::vector<Total> totals(double fromUs, double toUs) const;
    /// Items of a node, by start.
    std::vector<std::uint32_t> itemsOf(NodeId node) const;

private:
    void addTracks();
    void addArrows();

    std::shared_ptr<const Run> m_run;
    bool m_isBefore;
    int m_streamCount = 0;
    std::vector<TimelineTrack> m_tracks;
    std::vector<TimelineCounter> m_counters;
    std::unordered_map<std::int64_t, std::size_t> m_trackOfStream;
    std::vector<TimelineArrow> m_arrows;
    std::vector<std::string> m_types;
    std::vector<std::uint32_t> m_typeOfItem;
    std::vector<std::uint32_t> m_byNode; ///< items ordered by node
};

} // namespace gelens
