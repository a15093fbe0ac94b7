#pragma once
// Where the messages of an OM file are put while they are read: blocks that are given back as a whole. Private to this
// folder, for .cpp files only.

#include <google/protobuf/arena.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace gelens::om {

/// Large blocks lie on large pages where the system has them: a thousand page faults less for a model of a megabyte,
/// which are a quarter of the time to read it.
inline void* arenaBlock(std::size_t bytes)
{
    constexpr std::size_t largePage = std::size_t{2} << 20;
    const bool isLarge = bytes >= largePage / 2;
    const std::size_t rounded = (bytes + largePage - 1) / largePage * largePage;
    void* const block = isLarge ? std::aligned_alloc(largePage, rounded) : std::malloc(bytes);
    if (!block) throw std::bad_alloc();
    if (isLarge) (void)::madvise(block, rounded, MADV_HUGEPAGE); // a hint: without large pages all goes on as ever
    return block;
}

/// Blocks for a message of so many bytes on the wire: parsed it takes about three times that, and a small file no more
/// than a few pages.
inline google::protobuf::ArenaOptions arenaFor(std::size_t wireBytes)
{
    constexpr std::size_t largest = std::size_t{8} << 20;
    google::protobuf::ArenaOptions options;
    options.start_block_size = std::clamp<std::size_t>(std::min(wireBytes, largest) * 4, 4'096, largest);
    options.max_block_size = largest;
    options.block_alloc = arenaBlock;
    options.block_dealloc = [](void* block, std::size_t) { std::free(block); };
    return options;
}

} // namespace gelens::om
