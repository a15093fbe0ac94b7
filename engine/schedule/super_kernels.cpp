#include "engine/schedule/super_kernels.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gelens {

namespace {

/// The stretch of one stream that is being gathered.
struct Open {
    int superKernel = -1;
    std::string name;
    std::vector<int> events; ///< since its last kernel: inside only if another one follows
};

class Joiner {
public:
    Joiner(const Graph& graph, TaskList& list)
        : m_graph(graph), m_list(list), m_open(static_cast<std::size_t>(std::max(1, list.streamCount)))
    {
    }

    void run()
    {
        for (Task& task : m_list.tasks) {
            Open& open = m_open[static_cast<std::size_t>(task.stream)];
            if (!task.node.isValid()) {
                if (open.superKernel >= 0) open.events.push_back(task.index);
                continue;
            }
            const AttrMap& attrs = m_graph.node(task.node).attrs;
            const std::string name = attrString(attrs, superKernelAttr);
            if (name.empty()) {
                open = {};
                continue;
            }
            if (open.superKernel < 0 || open.name != name)
                begin(open, task, name, attrString(attrs, superKernelScopeAttr));
            add(open, task);
        }
        renameEvents();
    }

private:
    void begin(Open& open, const Task& task, const std::string& name, std::string scope)
    {
        open = {static_cast<int>(m_list.superKernels.size()), name, {}};
        m_list.superKernels.push_back({name, std::move(scope), task.stream, task.index, 0, 1});
    }

    void add(Open& open, Task& task)
    {
        SuperKernel& whole = m_list.superKernels[static_cast<std::size_t>(open.superKernel)];
        task.superKernel = open.superKernel;
        ++whole.kernels;
        whole.blockDim = std::max(whole.blockDim, task.blockDim);
        for (const int event : open.events) {
            m_list.tasks[static_cast<std::size_t>(event)].superKernel = open.superKernel;
            m_inMemory.insert(m_list.tasks[static_cast<std::size_t>(event)].event);
        }
        open.events.clear();
    }

    void renameEvents()
    {
        for (Task& task : m_list.tasks) {
            if (!m_inMemory.contains(task.event)) continue;
            if (task.kind != TaskKind::EventRecord && task.kind != TaskKind::EventWait) continue;
            const bool isSend = task.kind == TaskKind::EventRecord;
            task.opType = isSend ? "SendMem" : "RecvMem";
            task.name = fmt::format("sk_{}_{}", isSend ? "send" : "rcv", task.event);
        }
    }

    const Graph& m_graph;
    TaskList& m_list;
    std::vector<Open> m_open; // by stream
    std::set<std::int64_t> m_inMemory;
};

} // namespace

void joinSuperKernels(const Graph& graph, TaskList& list) { Joiner(graph, list).run(); }

} // namespace gelens
