#include "engine/graph/graph.h"

#include "engine/graph/result.h"

#include <algorithm>
#include <atomic>
#include <span>

// ThreadSanitizer does not model fences.
#if defined(__SANITIZE_THREAD__)
#define GELENS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GELENS_TSAN 1
#endif
#endif

namespace gelens {
namespace {

/// Makes a shared object private to its holder. With a single holder nobody else can gain access, but another thread
/// may just have dropped its copy: what it read must be over before we write, hence the acquire.
template <typename T>
T& unshare(std::shared_ptr<T>& object)
{
    if (object.use_count() != 1) {
        object = std::make_shared<T>(*object);
    } else {
#ifdef GELENS_TSAN
        const std::shared_ptr<T> synchronise = object; // its release is an acquire on the same counter
#else
        std::atomic_thread_fence(std::memory_order_acquire);
#endif
    }
    return *object;
}

/// Maps the nodes of one graph to 0 … n-1 in current order. An array over all ids of the model would make
/// work on many small sub-graphs quadratic, so a sorted list takes its place where ids are sparse.
class LocalIndex {
public:
    explicit LocalIndex(std::span<const NodeId> order)
    {
        if (order.empty()) return;
        const auto [low, high] = std::minmax_element(order.begin(), order.end());
        m_base = low->value;
        const auto range = static_cast<std::size_t>(high->value - low->value) + 1;
        if (range <= order.size() * 16 + 64) {
            m_dense.assign(range, -1);
            for (std::size_t i = 0; i < order.size(); ++i)
                m_dense[static_cast<std::size_t>(order[i].value - m_base)] = static_cast<int>(i);
            return;
        }
        m_sparse.reserve(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) m_sparse.emplace_back(order[i], static_cast<int>(i));
        std::sort(m_sparse.begin(), m_sparse.end());
    }

    /// -1 for a node of another graph.
    int operator[](NodeId id) const
    {
        if (m_sparse.empty()) {
            const std::int64_t offset = std::int64_t{id.value} - m_base;
            return offset >= 0 && offset < static_cast<std::int64_t>(m_dense.size())
                       ? m_dense[static_cast<std::size_t>(offset)]
                       : -1;
        }
        const auto found = std::lower_bound(m_sparse.begin(), m_sparse.end(), std::pair(id, -1));
        return found != m_sparse.end() && found->first == id ? found->second : -1;
    }

private:
    std::int32_t m_base = 0;
    std::vector<int> m_dense;
    std::vector<std::pair<NodeId, int>> m_sparse;
};

/// The nodes that each node of a graph waits for, as positions in current order: ascending and without repeats.
/// Entries of node i lie in [begin[i], begin[i + 1]).
struct Predecessors {
    std::vector<std::size_t> begin;
    std::vector<int> list;

    std::span<const int> of(int node) const
    {
        const auto i = static_cast<std::size_t>(node);
        return {list.data() + begin[i], list.data() + begin[i + 1]};
    }
};

Predecessors predecessorsOf(const Graph& graph, std::span<const NodeId> order)
{
    const LocalIndex index(order);
    Predecessors result;
    result.begin.reserve(order.size() + 1);
    result.begin.push_back(0);
    for (const NodeId id : order) {
        const Node& node = graph.node(id);
        const auto start = static_cast<std::ptrdiff_t>(result.list.size());
        for (const InputSlot& slot : node.inputs)
            if (slot.source.isValid())
                if (const int p = index[slot.source.node]; p >= 0) result.list.push_back(p);
        for (const NodeId source : node.controlInputs)
            if (const int p = index[source]; p >= 0) result.list.push_back(p);
        std::sort(result.list.begin() + start, result.list.end());
        result.list.erase(std::unique(result.list.begin() + start, result.list.end()), result.list.end());
        result.begin.push_back(result.list.size());
    }
    return result;
}

/// Marks every node that waits, directly or not, for a cycle (Kahn's algorithm).
std::vector<char> blockedByCycle(const Predecessors& predecessors, std::size_t count)
{
    std::vector<std::size_t> begin(count + 2, 0);
    for (const int p : predecessors.list) ++begin[static_cast<std::size_t>(p) + 2];
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<int> successors(predecessors.list.size());
    std::vector<std::size_t> waiting(count);
    std::vector<int> ready;
    for (std::size_t i = 0; i < count; ++i) {
        const auto sources = predecessors.of(static_cast<int>(i));
        waiting[i] = sources.size();
        if (sources.empty()) ready.push_back(static_cast<int>(i));
        for (const int p : sources) successors[begin[static_cast<std::size_t>(p) + 1]++] = static_cast<int>(i);
    }
    std::vector<char> blocked(count, 1);
    while (!ready.empty()) {
        const auto node = static_cast<std::size_t>(ready.back());
        ready.pop_back();
        blocked[node] = 0;
        for (std::size_t k = begin[node]; k < begin[node + 1]; ++k)
            if (--waiting[static_cast<std::size_t>(successors[k])] == 0) ready.push_back(successors[k]);
    }
    return blocked;
}

/// Depth-first post-order from each node in turn; false as soon as a cycle shows. Nodes marked in `skip` count as
/// placed.
bool placeDepthFirst(const Predecessors& predecessors, std::span<const NodeId> order, std::vector<char> state,
                     std::vector<NodeId>& placed)
{
    enum : char { Untouched = 0, Placed = 1, Open = 2 };
    struct Frame {
        int node;
        std::size_t next; // index into the predecessors of `node`
    };
    std::vector<Frame> stack;
    for (int start = 0; start < static_cast<int>(order.size()); ++start) {
        if (state[static_cast<std::size_t>(start)] != Untouched) continue;
        state[static_cast<std::size_t>(start)] = Open;
        stack.push_back({start, 0});
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const auto sources = predecessors.of(frame.node);
            if (frame.next == sources.size()) {
                state[static_cast<std::size_t>(frame.node)] = Placed;
                placed.push_back(order[static_cast<std::size_t>(frame.node)]);
                stack.pop_back();
                continue;
            }
            const int source = sources[frame.next++];
            char& sourceState = state[static_cast<std::size_t>(source)];
            if (sourceState == Open) return false;
            if (sourceState == Placed) continue;
            sourceState = Open;
            stack.push_back({source, 0});
        }
    }
    return true;
}

} // namespace

Graph::Graph() : Graph(std::string()) {}

Graph::Graph(std::string name)
{
    auto root = std::make_shared<SubgraphInfo>();
    root->id = rootGraph;
    root->name = std::move(name);
    m_subgraphs.push_back(std::move(root));
}

Node& Graph::mutableNode(NodeId id)
{
    GELENS_ASSERT(id.value >= 0 && id.value < nodeIdBound());
    return unshare(m_nodes[static_cast<std::size_t>(id.value)]);
}

SubgraphInfo& Graph::mutableSubgraph(GraphId id)
{
    GELENS_ASSERT(id.value >= 0 && id.value < subgraphCount());
    return unshare(m_subgraphs[static_cast<std::size_t>(id.value)]);
}

std::vector<GraphId> Graph::liveSubgraphs() const
{
    std::vector<GraphId> live;
    for (const auto& info : m_subgraphs)
        if (info->isAlive) live.push_back(info->id);
    return live;
}

std::vector<NodeId> Graph::nodes(GraphId graph) const
{
    std::vector<NodeId> list;
    list.reserve(static_cast<std::size_t>(subgraph(graph).nodeCount));
    forEachNode(graph, [&list](const Node& node) { list.push_back(node.id); });
    return list;
}

std::vector<NodeId> Graph::allNodes() const
{
    std::vector<NodeId> list;
    list.reserve(static_cast<std::size_t>(m_liveNodes));
    for (const auto& info : m_subgraphs)
        if (info->isAlive) forEachNode(info->id, [&list](const Node& node) { list.push_back(node.id); });
    return list;
}

std::vector<NodeId> Graph::topologicalOrder(GraphId graph, bool* hasCycle) const
{
    const std::vector<NodeId> order = nodes(graph);
    const Predecessors predecessors = predecessorsOf(*this, order);
    std::vector<NodeId> placed;
    placed.reserve(order.size());
    const bool isAcyclic = placeDepthFirst(predecessors, order, std::vector<char>(order.size(), 0), placed);
    if (hasCycle) *hasCycle = !isAcyclic;
    if (isAcyclic) return placed;

    const std::vector<char> blocked = blockedByCycle(predecessors, order.size());
    placed.clear();
    placeDepthFirst(predecessors, order, blocked, placed);
    for (std::size_t i = 0; i < order.size(); ++i)
        if (blocked[i]) placed.push_back(order[i]);
    return placed;
}

NodeId Graph::findNode(std::string_view name) const
{
    for (const auto& info : m_subgraphs) {
        if (!info->isAlive) continue;
        for (NodeId id = info->first; id.isValid(); id = node(id).next)
            if (node(id).name == name) return id;
    }
    return {};
}

const Tensor* Graph::constantOf(OutputRef ref) const
{
    if (!contains(ref.node) || ref.index != 0) return nullptr;
    const Node& source = node(ref.node);
    return isConstantType(source.type) ? attrTensor(source.attrs, "value") : nullptr;
}

const Tensor* Graph::constantInput(const Node& node, int index) const { return constantOf(node.source(index)); }

bool isConstantType(std::string_view type)
{
    return type == "Const" || type == "Constant" || type == "FileConstant" || type == "ConstPlaceHolder";
}

bool isBoundaryType(std::string_view type)
{
    return isConstantType(type) || type == "Data" || type == "Variable" || type == "RefData" || type == "AippData" ||
           type == "AnnData" || type == "NetOutput";
}

bool isViewType(std::string_view type)
{
    static constexpr std::string_view types[] = {"Reshape",     "Squeeze",     "SqueezeV2",  "SqueezeV3", "Unsqueeze",
                                                 "UnsqueezeV2", "UnsqueezeV3", "ExpandDims", "Flatten",   "FlattenV2",
                                                 "Identity",    "IdentityN",   "ReFormat"};
    return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

bool isOperator(const Node& node) { return !isBoundaryType(node.type) && !isViewType(node.type); }

} // namespace gelens
