#include "viewers/layout/child_process.h"

#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace gelens {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMilliseconds = 10;

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return m_fd; }
    void set(int fd) { m_fd = fd; }
    void close()
    {
        if (m_fd >= 0) ::close(m_fd);
        m_fd = -1;
    }

private:
    int m_fd = -1;
};

/// A connected pair; ours does not block. Sockets and not pipes, because writing to a dead reader must not raise a
/// signal in this process (MSG_NOSIGNAL).
bool openPair(Descriptor& ours, Descriptor& theirs)
{
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return false;
    ours.set(fds[0]);
    theirs.set(fds[1]);
    return ::fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

int spawn(const std::string& program, std::span<const char* const> arguments, int in, int out, pid_t& pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // A group of its own, so that what the program starts in turn (a wrapper script does) is killed with it.
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
    argv.push_back(nullptr);
    const int error = ::posix_spawnp(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Moves bytes both ways until the child closes its output or a limit ends it.
ChildResult::End exchange(Descriptor& in, Descriptor& out, std::string_view input, const ChildLimits& limits,
                          Clock::time_point deadline, std::string& output)
{
    std::vector<char> buffer(1 << 16);
    while (true) {
        if (limits.stop.stop_requested()) return ChildResult::End::Cancelled;
        if (Clock::now() >= deadline) return ChildResult::End::TimedOut;
        pollfd fds[2] = {{out.get(), POLLIN, 0}, {in.get(), POLLOUT, 0}};
        ::poll(fds, in.get() >= 0 ? 2 : 1, kPollMilliseconds);
        if (in.get() >= 0 && (fds[1].revents & (POLLOUT | POLLERR | POLLHUP))) {
            const ssize_t sent = ::send(in.get(), input.data(), input.size(), MSG_NOSIGNAL);
            if (sent > 0) input.remove_prefix(static_cast<std::size_t>(sent));
            if (input.empty() || (sent < 0 && errno != EAGAIN && errno != EINTR))
                in.close(); // a child that does not want its input may still answer
        }
        if (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) {
            const ssize_t got = ::read(out.get(), buffer.data(), buffer.size());
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return ChildResult::End::Exited;
            if (got > 0) output.append(buffer.data(), static_cast<std::size_t>(got));
            if (output.size() > limits.output) return ChildResult::End::TooMuchOutput;
        }
    }
}

/// A child that closed its output should end at once; one that does not is killed.
void reap(pid_t pid, Clock::time_point deadline, const ChildLimits& limits, ChildResult& result)
{
    int status = 0;
    if (result.end == ChildResult::End::Exited) {
        pid_t done = 0;
        while ((done = ::waitpid(pid, &status, WNOHANG)) == 0 || (done < 0 && errno == EINTR)) {
            if (limits.stop.stop_requested())
                result.end = ChildResult::End::Cancelled;
            else if (Clock::now() >= deadline)
                result.end = ChildResult::End::TimedOut;
            if (result.end != ChildResult::End::Exited) break;
            ::poll(nullptr, 0, 1);
        }
        if (result.end == ChildResult::End::Exited) {
            if (WIFSIGNALED(status)) result.end = ChildResult::End::Killed;
            result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
            return;
        }
    }
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
}

} // namespace

ChildResult runChild(const std::string& program, std::span<const char* const> arguments, std::string_view input,
                     const ChildLimits& limits)
{
    ChildResult result;
    const Clock::time_point deadline = Clock::now() + limits.time;
    Descriptor in, out, childIn, childOut;
    pid_t pid = -1;
    if (!openPair(in, childIn) || !openPair(out, childOut)) {
        result.status = errno;
        return result;
    }
    result.status = spawn(program, arguments, childIn.get(), childOut.get(), pid);
    if (result.status != 0) return result;
    // Should this process die meanwhile, the child still ends by itself.
    const rlim_t seconds = static_cast<rlim_t>(std::chrono::ceil<std::chrono::seconds>(limits.time).count()) + 2;
    const rlimit cpu{seconds, seconds};
    ::prlimit(pid, RLIMIT_CPU, &cpu, nullptr);
    childIn.close();
    childOut.close();
    result.end = exchange(in, out, input, limits, deadline, result.output);
    in.close();
    reap(pid, deadline, limits, result);
    return result;
}

} // namespace gelens
