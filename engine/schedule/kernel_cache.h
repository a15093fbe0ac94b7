#pragma once
// Compiled kernels, shared by all models and cards of a process: the same key is compiled once.

#include "engine/graph/graph.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gelens {

/// "MatMulV2|fp16 [332, 4096] ND,…->…|transpose_x1=false,…": operator, then type, shape and format of every input and
/// output, then its own attributes by name. Names of nodes and bookkeeping attributes (leading underscore) do not count.
std::string kernelKey(const Node& node, const Graph& graph);
/// A readable symbol for a key: "MatMulV2_3f2a9c1e", as kernel names carry a hash of what they were compiled from.
std::string kernelName(const std::string& opType, const std::string& key);

/// Thread-safe. Handles are numbers in order of first use.
class KernelCache {
public:
    struct Entry {
        int handle = -1;
        bool wasShared = false; ///< somebody had compiled it before
    };
    Entry acquire(const std::string& key);
    int size() const;

private:
    mutable std::mutex m_mutex;
    std::unordered_map<std::string, int> m_handles;
};

} // namespace gelens
