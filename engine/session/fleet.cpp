#include "engine/session/fleet.h"

#include "engine/session/blocks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_set>

namespace gelens {
namespace {

void compileMember(FleetMember& member, const FleetJob& job, const FleetOptions& options,
                   const std::shared_ptr<KernelCache>& cache, const ProgressFunction& progress)
{
    auto session = job.open();
    if (!session.ok()) {
        member.error = session.error();
        return;
    }
    member.blocks = job.blocks;
    if (!member.blocks) {
        const auto found = static_cast<int>(findBlocks(*(*session)->importedGraph()).blocks.size());
        if (found > 0) member.blocks = found;
    }
    (*session)->setKernelCache(cache);
    auto run = (*session)->run(options.compile, nullptr, progress, options.stop);
    if (!run.ok()) {
        member.error = run.error();
        return;
    }
    member.run = *run;
    if (member.run->failed) member.error = member.run->error;
}

void countKernels(Fleet& fleet)
{
    std::unordered_set<std::string> known;
    for (FleetMember& member : fleet.members) {
        if (!member.run) continue;
        for (const Kernel& kernel : member.run->tasks.kernels)
            ++(known.insert(kernel.key).second ? member.compiledKernels : member.sharedKernels);
    }
    fleet.kernels = static_cast<int>(known.size());
}

} // namespace

Fleet compileModels(const std::vector<std::string>& paths, const FleetOptions& options)
{
    std::vector<FleetJob> jobs;
    for (const std::string& path : paths) {
        FleetJob job;
        job.path = path;
        job.open = [&options, path] { return Session::open(path, options.compile, {}, options.stop); };
        jobs.push_back(std::move(job));
    }
    return compileJobs(jobs, options);
}

Fleet compileJobs(const std::vector<FleetJob>& jobs, const FleetOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    Fleet fleet;
    fleet.members.resize(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) fleet.members[i].path = jobs[i].path;
    const std::shared_ptr<KernelCache> cache = makeKernelCache();
    std::mutex mutex;
    ProgressFunction progress;
    if (options.progress)
        progress = [&](const Progress& at) {
            const std::scoped_lock lock(mutex);
            options.progress(at);
        };
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < fleet.members.size(); i = next++) {
            try {
                compileMember(fleet.members[i], jobs[i], options, cache, progress);
            } catch (const std::bad_alloc&) {
                fleet.members[i].error = Error{ErrorCode::Limit, "not enough memory", fleet.members[i].path, {}};
            }
        }
    };
    {
        const unsigned wanted =
            options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < std::min<std::size_t>(wanted, jobs.size()); ++i) threads.emplace_back(work);
        work();
    }
    countKernels(fleet);
    fleet.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return fleet;
}

} // namespace gelens
