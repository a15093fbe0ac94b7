#include "app/core/what_if_runs.h"

#include "engine/graph/log.h"
#include "engine/session/cards.h"

#include <algorithm>
#include <chrono>

namespace gelens {
namespace {

struct Answer {
    std::shared_ptr<const Run> run;
    std::vector<std::shared_ptr<const Run>> cards;
    QString error;
};

/// The parts of a model, each compiled alone.
Answer compileOverCards(Session& session, const CompileOptions& options, const ProgressFunction& progress,
                        std::stop_token stop)
{
    Answer answer;
    FleetOptions fleet;
    fleet.compile = options;
    fleet.progress = progress;
    fleet.stop = stop;
    const auto parts = compileCards(session, fleet);
    if (!parts.ok()) {
        answer.error = QString::fromStdString(parts.error().message());
        return answer;
    }
    for (const FleetMember& member : parts->members) {
        if (!member.run || member.error) {
            answer.error = QString::fromStdString(member.error ? member.error->message() : std::string("failed"));
            answer.cards.clear();
            return answer;
        }
        answer.cards.push_back(member.run);
    }
    return answer;
}

Answer compile(const Session* model, const std::string& path, const CompileOptions& options,
               const std::shared_ptr<KernelCache>& kernels, const ProgressFunction& progress, std::stop_token stop)
{
    Answer answer;
    // A session of its own: the model's may be at work.
    auto session =
        model != nullptr ? model->beside(options, progress, stop) : Session::open(path, options, progress, stop);
    if (!session.ok()) {
        answer.error = QString::fromStdString(session.error().message());
        return answer;
    }
    (*session)->setKernelCache(kernels);
    if (options.cards > 1) return compileOverCards(**session, options, progress, stop);
    auto run = (*session)->run(options, nullptr, progress, stop);
    if (!run.ok())
        answer.error = QString::fromStdString(run.error().message());
    else if ((*run)->failed)
        answer.error = QString::fromStdString((*run)->error ? (*run)->error->message() : std::string("failed"));
    else
        answer.run = *run;
    return answer;
}

} // namespace

WhatIfRuns::WhatIfRuns(Hub* hub, QObject* parent)
    : QObject(parent), m_hub(hub), m_kernels(makeKernelCache()), m_job(this)
{
    connect(hub, &Hub::modelsChanged, this, &WhatIfRuns::forgetClosed);
}

WhatIfRuns::~WhatIfRuns() { m_stop.request_stop(); }

int WhatIfRuns::start(int model, const CompileOptions& options, const QString& name)
{
    if (m_hub->find(model) == nullptr) return -1;
    const int id = m_nextId++;
    m_entries.push_back({model, {id, name, options, nullptr, {}, true}});
    m_waiting.push_back(id);
    Q_EMIT changed(model);
    if (m_running < 0) next();
    return id;
}

void WhatIfRuns::next()
{
    m_running = -1;
    Entry* entry = nullptr;
    while (entry == nullptr && !m_waiting.empty()) {
        entry = entryOf(m_waiting.front());
        if (entry != nullptr) m_running = m_waiting.front();
        m_waiting.pop_front();
    }
    if (entry == nullptr) return;
    const OpenModel* model = m_hub->find(entry->model);
    if (model == nullptr) return next();
    m_stop = std::stop_source();
    QPointer<WhatIfRuns> guard(this);
    auto last = std::make_shared<std::chrono::steady_clock::time_point>();
    const ProgressFunction report = [guard, last](const Progress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (now - *last < std::chrono::milliseconds(80)) return;
        *last = now;
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, progress] {
                if (guard) Q_EMIT guard->progress(QString::fromStdString(progress.what), progress.done, progress.total);
            },
            Qt::QueuedConnection);
    };
    m_job.start(
        [session = model->session, path = model->path.toStdString(), options = entry->run.options, kernels = m_kernels,
         report, source = m_stop](std::stop_token dropped) mutable {
            const std::stop_callback forward(dropped, [&source] { source.request_stop(); });
            return compile(session.get(), path, options, kernels, report, source.get_token());
        },
        [this, id = m_running](Answer answer) {
            m_job.finished();
            if (Entry* entry = entryOf(id)) {
                entry->run.run = std::move(answer.run);
                entry->run.cards = std::move(answer.cards);
                entry->run.error = answer.error;
                entry->run.isRunning = false;
                const int model = entry->model;
                if (!answer.error.isEmpty()) log(LogLevel::Warning, "what-if", answer.error.toStdString());
                Q_EMIT changed(model);
            }
            next();
            Q_EMIT finished(id);
        });
}

std::vector<KeptRun> WhatIfRuns::runsOf(int model) const
{
    std::vector<KeptRun> runs;
    for (const Entry& entry : m_entries)
        if (entry.model == model) runs.push_back(entry.run);
    return runs;
}

const KeptRun* WhatIfRuns::find(int id) const
{
    const Entry* entry = const_cast<WhatIfRuns*>(this)->entryOf(id);
    return entry == nullptr ? nullptr : &entry->run;
}

int WhatIfRuns::modelOf(int id) const
{
    const Entry* entry = const_cast<WhatIfRuns*>(this)->entryOf(id);
    return entry == nullptr ? -1 : entry->model;
}

WhatIfRuns::Entry* WhatIfRuns::entryOf(int id)
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [id](const Entry& entry) { return entry.run.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

void WhatIfRuns::remove(int id)
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [id](const Entry& entry) { return entry.run.id == id; });
    if (found == m_entries.end()) return;
    const int model = found->model;
    if (id == m_running) m_stop.request_stop();
    m_entries.erase(found);
    Q_EMIT changed(model);
}

void WhatIfRuns::rename(int id, const QString& name)
{
    Entry* entry = entryOf(id);
    if (entry == nullptr) return;
    entry->run.name = name;
    Q_EMIT changed(entry->model);
}

void WhatIfRuns::cancel()
{
    m_stop.request_stop();
    for (const int id : std::exchange(m_waiting, {})) remove(id);
}

QString WhatIfRuns::activity() const
{
    const KeptRun* run = m_running < 0 ? nullptr : find(m_running);
    return run == nullptr ? QString() : run->name;
}

void WhatIfRuns::forgetClosed()
{
    std::vector<int> closed;
    for (const Entry& entry : m_entries)
        if (m_hub->find(entry.model) == nullptr) closed.push_back(entry.run.id);
    for (const int id : closed) remove(id);
}

} // namespace gelens
