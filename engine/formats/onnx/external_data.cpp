#include "engine/formats/onnx/external_data.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace gelens::onnx_import {
namespace {

constexpr int fileFlags = O_RDONLY | O_NONBLOCK | O_CLOEXEC; // O_NONBLOCK: a FIFO must not make us wait

Error refused(const std::string& location, const char* why)
{
    return Error::invalid(fmt::format("external data '{}' {}: not read", location, why));
}

/// The parts of a location that stays inside its folder by its text alone.
Result<std::vector<std::string>> partsOf(const std::string& location)
{
    if (location.empty() || location.find('\0') != std::string::npos || location.find("://") != std::string::npos)
        return refused(location, "is not a file name");
    if (location.front() == '/') return refused(location, "is an absolute path");
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= location.size();) {
        const std::size_t end = std::min(location.find('/', begin), location.size());
        std::string part = location.substr(begin, end - begin);
        begin = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == "..") return refused(location, "lies outside the model's folder");
        parts.push_back(std::move(part));
    }
    if (parts.empty()) return refused(location, "is not a file name");
    return parts;
}

/// For kernels without openat2: folder by folder, refusing every symbolic link.
int openWithoutLinks(int folder, const std::vector<std::string>& parts)
{
    int current = ::dup(folder);
    for (std::size_t i = 0; i < parts.size() && current >= 0; ++i) {
        const bool isLast = i + 1 == parts.size();
        const int flags = O_NOFOLLOW | (isLast ? fileFlags : O_PATH | O_DIRECTORY | O_CLOEXEC);
        const int next = ::openat(current, parts[i].c_str(), flags);
        const int reason = errno;
        ::close(current);
        errno = reason;
        current = next;
    }
    return current;
}

int openBeneath(int folder, const std::string& location, const std::vector<std::string>& parts)
{
    struct open_how how = {};
    how.flags = fileFlags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const long descriptor = ::syscall(SYS_openat2, folder, location.c_str(), &how, sizeof how);
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM)) return openWithoutLinks(folder, parts);
    return static_cast<int>(descriptor);
}

} // namespace

ExternalFiles::~ExternalFiles()
{
    if (m_folderDescriptor >= 0) ::close(m_folderDescriptor);
}

Result<ExternalFiles::File*> ExternalFiles::open(const std::string& location)
{
    const auto known = m_files.find(location);
    if (known != m_files.end()) return &known->second;
    GELENS_ASSIGN(std::shared_ptr<const MappedFile> file, map(location));
    return &m_files.emplace(location, File{std::move(file)}).first->second;
}

Result<std::shared_ptr<const MappedFile>> ExternalFiles::map(const std::string& location)
{
    GELENS_ASSIGN(const std::vector<std::string> parts, partsOf(location));
    const std::shared_ptr<const MappedFile> missing;
    if (m_folder.empty()) return missing;
    if (m_folderDescriptor < 0) m_folderDescriptor = ::open(m_folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (m_folderDescriptor < 0)
        return Error::io(fmt::format("the model's folder cannot be opened: {}", std::strerror(errno)));
    const int descriptor = openBeneath(m_folderDescriptor, location, parts);
    if (descriptor < 0) {
        switch (errno) {
        case ENOENT:
        case ENOTDIR: return missing;
        case EXDEV: return refused(location, "is a symbolic link out of the model's folder");
        case ELOOP: return refused(location, "is a symbolic link");
        default:
            return Error::io(fmt::format("external data '{}' cannot be opened: {}", location, std::strerror(errno)));
        }
    }
    auto file = MappedFile::fromDescriptor(descriptor, fmt::format("external data '{}'", location));
    ::close(descriptor);
    if (!file.ok()) return Error{file.error().code, file.error().message(), {}, {}};
    return file;
}

} // namespace gelens::onnx_import
