#pragma once
// The documented phases at which GE dumps its graph, in order, with owner and meaning.

#include <span>
#include <string_view>

namespace gelens {

struct PhaseInfo {
    int number = 0; ///< place in a compile, from 1
    std::string_view name;
    std::string_view owner;   ///< "GE", "FE", "HCCL", "RTS" …
    std::string_view english; ///< what the graph shows
    std::string_view chinese;
    bool isDefault = false; ///< dumped when DUMP_GRAPH_LEVEL is not set
};

/// All 124, in order.
std::span<const PhaseInfo> phaseTable();
/// The phase of that name, or the one whose family it belongs to (parts of an engine cut); null for others.
const PhaseInfo* findPhase(std::string_view name);

} // namespace gelens
