#pragma once
// One integer type for each kind of identity: mixing them does not compile.

#include <functional> // ahead of <compare>: Qt's moc cannot read libstdc++'s <compare> on its own

#include <compare>
#include <cstdint>

namespace gelens {

template <typename Tag>
struct Id {
    std::int32_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(std::int32_t v) : value(v) {}
    constexpr bool isValid() const { return value >= 0; }
    constexpr auto operator<=>(const Id&) const = default;
};

/// A node of a run's graph. Never reused within a run, unique over all sub-graphs.
using NodeId = Id<struct NodeTag>;
/// A (sub-)graph of a run; 0 is the root.
using GraphId = Id<struct GraphTag>;
/// A step of a run; 0 is the graph as read, k the graph after the k-th pass.
using StepId = Id<struct StepTag>;

inline constexpr GraphId rootGraph{0};

/// The index-th data output of a node; invalid for an unconnected slot.
struct OutputRef {
    NodeId node;
    std::int32_t index = 0;
    constexpr bool isValid() const { return node.isValid(); }
    constexpr auto operator<=>(const OutputRef&) const = default;
};

/// The index-th data input slot of a node.
struct InputRef {
    NodeId node;
    std::int32_t index = 0;
    constexpr auto operator<=>(const InputRef&) const = default;
};

} // namespace gelens

template <typename Tag>
struct std::hash<gelens::Id<Tag>> {
    std::size_t operator()(gelens::Id<Tag> id) const noexcept { return std::hash<std::int32_t>{}(id.value); }
};
template <>
struct std::hash<gelens::OutputRef> {
    std::size_t operator()(const gelens::OutputRef& ref) const noexcept
    {
        return std::hash<std::int64_t>{}((std::int64_t{ref.node.value} << 32) ^ ref.index);
    }
};
