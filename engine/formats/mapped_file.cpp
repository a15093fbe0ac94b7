#include "engine/formats/mapped_file.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gelens {
namespace {

/// Closes a descriptor at the end of a scope.
struct Descriptor {
    int value = -1;
    explicit Descriptor(int descriptor) : value(descriptor) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (value >= 0) ::close(value);
    }
};

Error systemError(const char* action, const std::string& where)
{
    return Error::io(fmt::format("{}: {}", action, std::strerror(errno)), where);
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path, std::uint64_t limit)
{
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (descriptor.value < 0) {
        if (errno == ENOENT || errno == ENOTDIR) return Error::notFound("no such file", path.string());
        return systemError("cannot be opened", path.string());
    }
    auto file = fromDescriptor(descriptor.value, path.string(), limit);
    if (file.ok() && file.value()->size() == 0) return Error::invalid("the file is empty", path.string());
    return file;
}

Result<std::shared_ptr<const MappedFile>> MappedFile::fromDescriptor(int descriptor, const std::string& shownName,
                                                                     std::uint64_t limit)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) return systemError("cannot be read", shownName);
    if (S_ISDIR(status.st_mode)) return Error::invalid("is a folder, not a file", shownName);
    if (!S_ISREG(status.st_mode)) return Error::invalid("is not a regular file", shownName);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > limit)
        return Error::limit(fmt::format("has {} bytes, more than the limit of {}", size, limit), shownName);

    std::shared_ptr<MappedFile> file(new MappedFile);
    if (size > 0) {
        void* const memory = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (memory == MAP_FAILED) return systemError("cannot be mapped", shownName);
        file->m_data = static_cast<const std::byte*>(memory);
        file->m_size = static_cast<std::size_t>(size);
    }
    return std::shared_ptr<const MappedFile>(std::move(file));
}

MappedFile::~MappedFile()
{
    if (m_data) ::munmap(const_cast<std::byte*>(m_data), m_size);
}

} // namespace gelens
