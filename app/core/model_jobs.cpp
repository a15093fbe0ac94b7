#include "app/core/model_jobs.h"

#include "engine/graph/log.h"

#include <QFileInfo>

#include <chrono>

namespace gelens {

ModelJobs::ModelJobs(Hub* hub, QObject* parent) : QObject(parent), m_hub(hub), m_kernels(makeKernelCache()) {}

ModelJobs::~ModelJobs() { cancelAll(); }

int ModelJobs::open(const QString& path, const CompileOptions& options)
{
    const QString canonical = QFileInfo(path).canonicalFilePath();
    for (const OpenModel& model : m_hub->models())
        if (!canonical.isEmpty() && QFileInfo(model.path).canonicalFilePath() == canonical) {
            m_hub->setCurrent(model.id);
            return model.id;
        }
    const int id = m_hub->addModel(path, options);
    start(id);
    return id;
}

void ModelJobs::rerun(int id, const CompileOptions& options)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    m_hub->setOptions(id, options);
    m_hub->setBusy(id, true);
    start(id);
}

void ModelJobs::cancel(int id)
{
    const auto job = m_jobs.find(id);
    if (job != m_jobs.end()) job->second.stop.request_stop();
}

void ModelJobs::cancelAll()
{
    for (auto& [id, job] : m_jobs) {
        job.stop.request_stop();
        job.slot->cancel();
    }
}

void ModelJobs::close(int id)
{
    const auto found = m_jobs.find(id);
    if (found != m_jobs.end()) {
        const auto slot = found->second.slot;
        found->second.stop.request_stop();
        m_jobs.erase(found);
        // Destroying a slot waits for its thread. An empty job behind the real one keeps the slot until that has ended.
        slot->start([](std::stop_token) { return 0; }, [slot](int) { slot->finished(); });
    }
    m_hub->removeModel(id);
    Q_EMIT finished(id);
}

bool ModelJobs::isBusy() const
{
    for (const OpenModel& model : m_hub->models())
        if (model.isBusy) return true;
    return false;
}

ProgressFunction ModelJobs::progressFor(int id)
{
    QPointer<ModelJobs> guard(this);
    auto last = std::make_shared<std::chrono::steady_clock::time_point>();
    return [guard, id, last](const Progress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (now - *last < std::chrono::milliseconds(80)) return;
        *last = now;
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, id, progress] {
                if (guard) Q_EMIT guard->progress(id, QString::fromStdString(progress.what), progress.done, progress.total);
            },
            Qt::QueuedConnection);
    };
}

ModelJobs::Answer ModelJobs::work(std::shared_ptr<Session> session, const std::string& path, const CompileOptions& options,
                                  const ProgressFunction& progress, const std::shared_ptr<KernelCache>& kernels,
                                  std::stop_token stop)
{
    Answer answer;
    const auto refuse = [&answer](const Error& error) {
        answer.error = QString::fromStdString(error.message());
        answer.isCancelled = error.isCancelled();
    };
    if (!session) {
        auto opened = Session::open(path, options, progress, stop);
        if (!opened.ok()) {
            refuse(opened.error());
            return answer;
        }
        session = *opened;
        session->setKernelCache(kernels);
    }
    answer.session = session;
    auto run = session->run(options, nullptr, progress, stop);
    if (run.ok())
        answer.run = *run;
    else
        refuse(run.error());
    return answer;
}

void ModelJobs::start(int id)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    Job& job = m_jobs[id];
    if (!job.slot) job.slot = std::make_shared<Background>(this);
    job.stop = std::stop_source();
    const auto run = [session = model->session, path = model->path.toStdString(), options = model->options,
                      progress = progressFor(id), kernels = m_kernels, source = job.stop](std::stop_token dropped) mutable {
        // Either the user cancels, and the answer is wanted; or the job is dropped, and it is not.
        const std::stop_callback forward(dropped, [&source] { source.request_stop(); });
        return work(std::move(session), path, options, progress, kernels, source.get_token());
    };
    job.slot->start(run, [this, id](Answer answer) { deliver(id, std::move(answer)); });
}

void ModelJobs::deliver(int id, Answer answer)
{
    const auto job = m_jobs.find(id);
    if (job != m_jobs.end()) job->second.slot->finished();
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    const QString path = model->path;
    const bool hadRun = model->run != nullptr;
    if (answer.session) m_hub->setSession(id, answer.session);
    const bool isPartial = answer.run && answer.run->wasCancelled;
    if (answer.run && !(isPartial && hadRun)) {
        m_hub->setRun(id, answer.run);
    } else if (hadRun) {
        m_hub->setOptions(id, m_hub->find(id)->run->options);
        m_hub->setBusy(id, false);
    } else {
        m_hub->removeModel(id);
    }
    if (!answer.error.isEmpty() && !answer.isCancelled) {
        log(LogLevel::Error, "open", answer.error.toStdString());
        Q_EMIT failed(path, answer.error);
    }
    Q_EMIT finished(id);
}

} // namespace gelens
