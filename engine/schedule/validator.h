#pragma once
// Checks task lists. Shares no code with what makes them.

#include "engine/graph/graph.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/task_list.h"

#include <string>
#include <vector>

namespace gelens {

struct ScheduleViolation {
    enum class Kind {
        MissingTask,       ///< an operator without a task
        BadStream,         ///< a stream number out of range
        EventPairing,      ///< an event without exactly one record, or that nobody waits for
        WaitCycle,         ///< streams wait for each other
        UnorderedEdge,     ///< an edge between streams that no event orders
        UnorderedReuse,    ///< two tasks use the same bytes and nothing orders them
        UnjoinedStream,    ///< a stream whose end the first stream does not wait for
        BadAddress,        ///< an address outside its region
        BrokenSuperKernel, ///< parts of a super kernel that are apart, on two streams, or counted wrongly
    };
    Kind kind = Kind::MissingTask;
    int firstTask = -1, secondTask = -1;
    std::string text;
};

/// What is wrong with a schedule; empty when it holds. At most `limit` findings.
/// Cost: O(tasks × streams + edges), and for the check of reused bytes O(tasks × log) on top.
std::vector<ScheduleViolation> validateSchedule(const Graph& graph, const MemoryPlan& plan, const TaskList& tasks,
                                                std::size_t limit = 16);

} // namespace gelens
