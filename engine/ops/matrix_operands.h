#pragma once
// Which tensors of a library kernel may lie in FRACTAL_NZ. CANN's operator information is installed data that is not
// public, so this is an assumption of ours (facts, pipeline 4.4 and 11.1): a kernel takes its matrices in blocks, and
// what it reads beside them (gains, tables, masks, statistics) as plain rows.

#include "engine/graph/node.h"

#include <cstdint>

namespace gelens {

/// Whether input `index` may be FRACTAL_NZ with blocks of `blockColumns` elements a row (16 for fp16). A tensor whose rows hold several heads side by side ([batch, tokens, heads · size]) may only where a
/// head is a whole number of block columns: a head is then a run of blocks, and the reshape that would split it is one
/// of indices alone.
bool mayInputBeBlocked(const Node& node, int index, std::int64_t blockColumns);
bool mayOutputBeBlocked(const Node& node, int index, std::int64_t blockColumns);

/// Whether the kernel loads each of its matrices by itself, so that one may be plain beside another in FRACTAL_NZ. Attention
/// does: every tile is brought into blocks on its way to L1. Other kernels take all their matrices alike.
bool loadsEachByItself(const Node& node);

/// Elements of one head where the rows of the tensors hold heads side by side; 0 where they do not.
std::int64_t headColumns(const Node& node);

} // namespace gelens
