#include "engine/memory/validator.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelens {

namespace {

struct Rectangle {
    int id;
    std::int64_t begin, end; // time
    std::int64_t low, high;  // address
};

/// Sweeps over time with the live address ranges in a map. In a sound plan these are disjoint, so each arrival need
/// only look at its two neighbours; after a first hit it looks further, to name what it meets.
std::vector<std::pair<int, int>> findOverlaps(std::vector<Rectangle> rectangles, std::size_t limit)
{
    struct Event {
        std::int64_t time;
        bool isStart; // ends come first: lifetimes are half-open
        std::size_t index;
        bool operator<(const Event& other) const
        {
            if (time != other.time) return time < other.time;
            return isStart < other.isStart;
        }
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < rectangles.size(); ++i) {
        if (rectangles[i].begin >= rectangles[i].end || rectangles[i].low >= rectangles[i].high) continue;
        events.push_back({rectangles[i].begin, true, i});
        events.push_back({rectangles[i].end, false, i});
    }
    std::stable_sort(events.begin(), events.end());
    std::vector<std::pair<int, int>> found;
    std::multimap<std::int64_t, std::size_t> live; // low address → rectangle
    for (const Event& event : events) {
        const Rectangle& one = rectangles[event.index];
        if (!event.isStart) {
            for (auto [at, end] = live.equal_range(one.low); at != end; ++at) {
                if (at->second != event.index) continue;
                live.erase(at);
                break;
            }
            continue;
        }
        auto at = live.lower_bound(one.low);
        for (auto after = at; after != live.end() && after->first < one.high && found.size() < limit; ++after)
            found.emplace_back(one.id, rectangles[after->second].id);
        for (auto before = at; before != live.begin() && found.size() < limit;) {
            --before;
            if (rectangles[before->second].high <= one.low) break;
            found.emplace_back(one.id, rectangles[before->second].id);
        }
        if (found.size() >= limit) break;
        live.emplace(one.low, event.index);
    }
    return found;
}

bool isPlanned(const MemoryBuffer& buffer)
{
    return buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace;
}

std::string place(const MemoryBuffer& buffer)
{
    return fmt::format("'{}' at [{}, {}) alive during [{}, {})", buffer.name, buffer.offset,
                       buffer.offset + buffer.blockBytes, buffer.lifetime.begin, buffer.lifetime.end);
}

} // namespace

std::vector<PlanViolation> validatePlan(const MemoryPlan& plan, std::size_t limit)
{
    using Kind = PlanViolation::Kind;
    std::vector<PlanViolation> violations;
    const auto add = [&](Kind kind, int first, int second, std::string text) {
        if (violations.size() < limit) violations.push_back({kind, first, second, std::move(text)});
    };
    std::vector<Rectangle> rectangles;
    std::int64_t highest = 0;
    for (const MemoryBuffer& buffer : plan.buffers) {
        if (buffer.offset < 0) {
            add(Kind::Missing, buffer.id, -1, fmt::format("'{}' has no address", buffer.name));
            continue;
        }
        const std::int64_t end = buffer.offset + buffer.blockBytes;
        if (buffer.offset % 512 != 0)
            add(Kind::Misaligned, buffer.id, -1, fmt::format("{} does not start at a multiple of 512", place(buffer)));
        if (buffer.blockBytes < buffer.bytes)
            add(Kind::OutOfBounds, buffer.id, -1,
                fmt::format("{} is smaller than its {} bytes", place(buffer), buffer.bytes));
        if (!isPlanned(buffer)) continue;
        if (end > plan.totals.featureMapPeak)
            add(Kind::OutOfBounds, buffer.id, -1,
                fmt::format("{} ends beyond the {} bytes of the plan", place(buffer), plan.totals.featureMapPeak));
        highest = std::max(highest, end);
        rectangles.push_back({buffer.id, buffer.lifetime.begin, buffer.lifetime.end, buffer.offset, end});
    }
    for (const auto& [tensor, offset] : plan.sliceOffsets) {
        const auto found = plan.bufferOfTensor.find(tensor);
        if (found == plan.bufferOfTensor.end() || offset < 0 ||
            offset > plan.buffers[static_cast<std::size_t>(found->second)].bytes)
            add(Kind::BadMember, found == plan.bufferOfTensor.end() ? -1 : found->second, -1,
                fmt::format("output {} of node {} lies outside its buffer", tensor.index, tensor.node.value));
    }
    // Over several streams a lifetime in list order covers more than it must, so each hit is looked at again.
    const bool hasStreams = std::any_of(plan.buffers.begin(), plan.buffers.end(),
                                        [](const MemoryBuffer& buffer) { return !buffer.freeFrom.empty(); });
    const std::size_t hits = hasStreams ? std::max<std::size_t>(limit, plan.buffers.size() * 16) : limit;
    for (const auto& [a, b] : findOverlaps(rectangles, hits))
        if (!hasStreams ||
            !plan.buffers[static_cast<std::size_t>(a)].mayShareWith(plan.buffers[static_cast<std::size_t>(b)]))
            add(Kind::Overlap, a, b,
                fmt::format("{} shares bytes with {}", place(plan.buffers[static_cast<std::size_t>(a)]),
                            place(plan.buffers[static_cast<std::size_t>(b)])));
    if (violations.empty() && highest < plan.totals.featureMapPeak)
        add(Kind::BadPeak, -1, -1,
            fmt::format("the plan claims {} bytes, the highest buffer ends at {}", plan.totals.featureMapPeak,
                        highest));
    return violations;
}

std::vector<PlanViolation> validateOffsets(const std::vector<PlanItem>& items, const std::vector<std::int64_t>& offsets,
                                           std::int64_t capacity, std::size_t limit)
{
    using Kind = PlanViolation::Kind;
    std::vector<PlanViolation> violations;
    std::vector<Rectangle> rectangles;
    for (std::size_t i = 0; i < items.size() && violations.size() < limit; ++i) {
        const int id = static_cast<int>(i);
        if (i >= offsets.size() || offsets[i] < 0) {
            violations.push_back({Kind::Missing, id, -1, fmt::format("item {} has no offset", i)});
            continue;
        }
        const std::int64_t end = offsets[i] + items[i].size;
        if (capacity > 0 && end > capacity)
            violations.push_back({Kind::OutOfBounds, id, -1,
                                  fmt::format("item {} ends at {}, beyond the capacity of {}", i, end, capacity)});
        rectangles.push_back({id, items[i].lower, items[i].upper, offsets[i], end});
    }
    for (const auto& [a, b] : findOverlaps(rectangles, limit))
        if (violations.size() < limit)
            violations.push_back({Kind::Overlap, a, b, fmt::format("items {} and {} share bytes", a, b)});
    return violations;
}

} // namespace gelens
