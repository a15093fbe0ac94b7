#pragma once
// Read-only memory maps of files, which constants point into.

#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace gelens {

/// A regular file in memory, read only, for as long as somebody holds the pointer. The file must not be truncated
/// meanwhile: that is the one thing that a map cannot survive.
class MappedFile {
public:
    static constexpr std::uint64_t defaultLimit = std::uint64_t{1} << 40; ///< bytes

    /// Errors: not found, a folder, not a regular file (never blocks on a FIFO), empty, larger than `limit` bytes,
    /// or refused by the system. `Error::where` is the path.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path,
                                                          std::uint64_t limit = defaultLimit);
    /// Maps an open descriptor, which stays the caller's. An empty file gives an empty map here.
    static Result<std::shared_ptr<const MappedFile>> fromDescriptor(int descriptor, const std::string& shownName,
                                                                    std::uint64_t limit = defaultLimit);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    std::size_t size() const { return m_size; }

private:
    MappedFile() = default;

    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace gelens
