#pragma once
// Generated graphs for the layout's tests and benchmarks, shaped like the models that users open.

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "viewers/layout/layout_types.h"

namespace gelens::testing {

/// Adds boxes of the sizes that operator names give; every third one is wider.
class LayoutGraphBuilder {
public:
    int32_t add(std::initializer_list<int32_t> inputs = {})
    {
        const auto id = static_cast<int32_t>(m_graph.nodes.size());
        m_graph.nodes.push_back({90.0 + 20.0 * (id % 3), 34.0});
        for (const int32_t input : inputs) connect(input, id);
        return id;
    }
    /// `count` operators in a row behind `from`.
    int32_t chain(int32_t from, int count)
    {
        for (int i = 0; i < count; ++i) from = add({from});
        return from;
    }
    void connect(int32_t from, int32_t to) { m_graph.edges.push_back({from, to}); }
    std::size_t size() const { return m_graph.nodes.size(); }
    LayoutGraph take() { return std::move(m_graph); }

private:
    LayoutGraph m_graph;
};

/// A decoder with 39 operators a layer; with `hubs`, cosine table, sine table, mask and positions feed every layer.
inline LayoutGraph llamaGraph(int layers, bool hubs)
{
    LayoutGraphBuilder b;
    const int32_t cosines = hubs ? b.add() : -1;
    const int32_t sines = hubs ? b.add() : -1;
    const int32_t mask = hubs ? b.add() : -1;
    const int32_t positions = hubs ? b.add() : -1;
    const auto share = [&](int32_t hub, int32_t node) {
        if (hub >= 0) b.connect(hub, node);
        return node;
    };
    const auto rotary = [&](int32_t x) { // 5 operators
        const int32_t straight = share(cosines, b.add({x}));
        const int32_t turned = share(sines, b.add({b.chain(x, 2)}));
        return b.add({straight, turned});
    };
    int32_t x = b.add({b.add()});
    for (int layer = 0; layer < layers; ++layer) {
        const int32_t norm = b.add({x, b.chain(x, 3)});                          // 4
        const int32_t scaled = b.add({norm});                                    // 5
        const int32_t q = rotary(b.chain(scaled, 2));                            // 12
        const int32_t k = share(positions, b.add({rotary(b.chain(scaled, 2))})); // 20
        const int32_t v = b.chain(scaled, 2);                                    // 22
        const int32_t scores = b.add({q, b.add({k})});                           // 24
        const int32_t weights = b.add({share(mask, b.add({scores}))});           // 26
        const int32_t attention = b.chain(b.add({weights, v}), 2);               // 29
        const int32_t middle = b.add({x, attention});                            // 30
        const int32_t norm2 = b.add({middle, b.chain(middle, 2)});               // 33
        const int32_t gate = b.chain(norm2, 2);                                  // 35
        const int32_t up = b.add({norm2});                                       // 36
        x = b.add({middle, b.add({b.add({gate, up})})});                         // 39
    }
    b.chain(x, 3);
    return b.take();
}

/// Blocks of Inception and ResNet in turn, until there are `nodes` operators.
inline LayoutGraph cnnGraph(std::size_t nodes)
{
    LayoutGraphBuilder b;
    int32_t x = b.chain(b.add(), 3);
    for (int block = 0; b.size() + 20 < nodes; ++block) {
        if (block % 3 == 0) {
            const int32_t one = b.chain(x, 2);
            const int32_t two = b.chain(x, 4);
            const int32_t three = b.chain(x, 6);
            const int32_t four = b.chain(x, 3);
            x = b.add({one, two, three, four});
        } else {
            const int32_t body = b.chain(x, 5);
            const int32_t skip = block % 3 == 1 ? x : b.add({x});
            x = b.add({b.add({body, skip})});
        }
    }
    b.chain(x, static_cast<int>(nodes - b.size()));
    return b.take();
}

/// Encoder and decoder joined by skips at every depth.
inline LayoutGraph unetGraph(int depth)
{
    LayoutGraphBuilder b;
    int32_t x = b.add();
    std::vector<int32_t> skips;
    for (int i = 0; i < depth; ++i) {
        x = b.chain(x, 4);
        skips.push_back(x);
        x = b.add({x});
    }
    x = b.chain(x, 4);
    for (int i = depth; i-- > 0;) x = b.chain(b.add({b.add({x}), skips[static_cast<std::size_t>(i)]}), 4);
    return b.take();
}

/// Dense blocks: every layer reads all earlier layers of its block.
inline LayoutGraph denseGraph(int blocks, int layers)
{
    LayoutGraphBuilder b;
    int32_t x = b.add();
    for (int block = 0; block < blocks; ++block) {
        std::vector<int32_t> earlier{x};
        for (int layer = 0; layer < layers; ++layer) {
            const int32_t joined = b.add();
            for (const int32_t e : earlier) b.connect(e, joined);
            earlier.push_back(b.chain(joined, 3));
        }
        x = b.chain(earlier.back(), 2);
    }
    return b.take();
}

/// An unrolled recurrent network: a grid of `layers` by `steps` cells.
inline LayoutGraph recurrentGraph(int layers, int steps)
{
    LayoutGraphBuilder b;
    std::vector<int32_t> state(static_cast<std::size_t>(layers));
    for (int32_t& s : state) s = b.add();
    for (int t = 0; t < steps; ++t) {
        int32_t x = b.add();
        for (int32_t& s : state) {
            const int32_t gates = b.add({x, s});
            const int32_t forget = b.add({gates});
            const int32_t input = b.add({gates});
            s = b.add({b.add({s, forget}), input});
            x = b.add({s});
        }
    }
    return b.take();
}

/// Splits and joins nested at random, constants with casts hanging in: the shape of an exported model.
inline LayoutGraph seriesParallelGraph(std::size_t nodes, uint32_t seed)
{
    std::mt19937 random(seed);
    LayoutGraphBuilder b;
    std::vector<int32_t> open{b.add()};
    while (b.size() < nodes) {
        const std::size_t at = random() % open.size();
        switch (random() % 5) {
        case 0: // split
            if (open.size() < 6) open.push_back(b.add({open[at]}));
            break;
        case 1: // join
            if (open.size() > 1) {
                const std::size_t other = (at + 1) % open.size();
                open[at] = b.add({open[at], open[other]});
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(other));
            }
            break;
        case 2: // constant
            open[at] = b.add({open[at], b.chain(b.add(), static_cast<int>(random() % 3))});
            break;
        default: open[at] = b.chain(open[at], 1 + static_cast<int>(random() % 3));
        }
    }
    return b.take();
}

/// Every node reads one or two of the `window` nodes before it.
inline LayoutGraph randomGraph(std::size_t nodes, uint32_t window, uint32_t seed)
{
    std::mt19937 random(seed);
    LayoutGraphBuilder b;
    b.add();
    while (b.size() < nodes) {
        const auto size = static_cast<uint32_t>(b.size());
        const auto pick = [&] { return static_cast<int32_t>(size - 1 - random() % std::min(window, size)); };
        const int32_t first = pick();
        const int32_t node = b.add({first});
        if (const int32_t second = pick(); random() % 3 == 0 && second != first) b.connect(second, node);
    }
    return b.take();
}

/// A tree that narrows towards one root, with `fan` inputs to each node.
inline LayoutGraph treeGraph(int depth, int fan)
{
    LayoutGraphBuilder b;
    std::vector<int32_t> level{b.add()};
    for (int d = 0; d < depth; ++d) {
        std::vector<int32_t> next;
        for (const int32_t node : level)
            for (int i = 0; i < fan; ++i) {
                next.push_back(b.add());
                b.connect(next.back(), node);
            }
        level = std::move(next);
    }
    return b.take();
}

} // namespace gelens::testing
