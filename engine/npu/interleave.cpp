#include "engine/npu/device.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace gelens {

Result<std::vector<int>> interleave(const TaskList& list, std::uint64_t seed)
{
    std::map<std::int64_t, std::vector<int>> streams;
    for (const Task& task : list.tasks) streams[task.stream].push_back(task.index);
    std::vector<const std::vector<int>*> queues;
    for (const auto& [stream, queue] : streams) queues.push_back(&queue);

    std::mt19937_64 random(seed);
    std::vector<std::size_t> next(queues.size(), 0);
    std::set<std::int64_t> recorded;
    std::vector<int> order;
    order.reserve(list.tasks.size());
    const auto isReady = [&](std::size_t q) {
        if (next[q] >= queues[q]->size()) return false;
        const int index = (*queues[q])[next[q]];
        const Task& task = list.tasks[static_cast<std::size_t>(index)];
        if (task.kind == TaskKind::EventWait) return recorded.contains(task.event);
        return true;
    };
    std::size_t favourite = seed == 0 || queues.empty() ? 0 : random() % queues.size();
    while (order.size() < list.tasks.size()) {
        std::vector<std::size_t> ready;
        for (std::size_t q = 0; q < queues.size(); ++q)
            if (isReady(q)) ready.push_back(q);
        if (ready.empty()) {
            std::string waiting;
            for (std::size_t q = 0; q < queues.size(); ++q) {
                if (next[q] >= queues[q]->size()) continue;
                const Task& task = list.tasks[static_cast<std::size_t>((*queues[q])[next[q]])];
                waiting +=
                    fmt::format("{}stream {} for event {}", waiting.empty() ? "" : ", ", task.stream, task.event);
            }
            return Error::invalid(fmt::format("the streams wait for each other without end: {}", waiting));
        }
        std::size_t chosen = ready.front();
        if (seed == 0) {
            for (const std::size_t q : ready)
                if ((*queues[q])[next[q]] < (*queues[chosen])[next[chosen]]) chosen = q;
        } else {
            // One stream runs far ahead of the others, then another: that is where races show.
            const bool canStay = std::find(ready.begin(), ready.end(), favourite) != ready.end();
            if (!canStay || random() % 16 == 0) favourite = ready[random() % ready.size()];
            chosen = favourite;
        }
        const int index = (*queues[chosen])[next[chosen]++];
        const Task& task = list.tasks[static_cast<std::size_t>(index)];
        if (task.kind == TaskKind::EventRecord) recorded.insert(task.event);
        order.push_back(index);
    }
    return order;
}

} // namespace gelens
