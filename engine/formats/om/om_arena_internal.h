#pragma once
// Where the messages of an OM file are put while they are read: blocks that are given back as a whole. Private to this
// folder, for .cpp files only.

#include <google/protobuf/arena.h>

#include <algorithm>
#include <cstddef>

namespace gelens::om {

/// Blocks for a message of so many bytes on the wire: parsed it takes about three times that, and a small file no more
/// than a few pages.
inline google::protobuf::ArenaOptions arenaFor(std::size_t wireBytes)
{
    google::protobuf::ArenaOptions options;
    options.start_block_size = std::clamp<std::size_t>(wireBytes, 4'096, std::size_t{1} << 20);
    options.max_block_size = std::size_t{1} << 20;
    return options;
}

} // namespace gelens::om
