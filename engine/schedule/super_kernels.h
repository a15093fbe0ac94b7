#pragma once
// Kernels that share one launch: what the super-kernel pass marks on operators, and what becomes of it in a task list.

#include "engine/graph/graph.h"
#include "engine/spec/task_list.h"

#include <string_view>

namespace gelens {

/// GE's names. The scope is the user's, the other one is written by the super-kernel pass on each operator it joined.
inline constexpr std::string_view superKernelScopeAttr = "_super_kernel_scope";
inline constexpr std::string_view superKernelOptionsAttr = "_super_kernel_options";
inline constexpr std::string_view superKernelAttr = "sk_parent_node_name";

/// Makes one launch of each stretch of a stream whose kernels carry the same `sk_parent_node_name`. Events inside
/// become SendMem and RecvMem, and so does the other end of such an event; those before the first kernel and behind the
/// last one stay with the runtime. The order of tasks does not change. O(tasks).
void joinSuperKernels(const Graph& graph, TaskList& list);

} // namespace gelens
