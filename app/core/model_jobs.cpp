#include "app/core/model_jobs.h"

#include <QFileInfo>

#include <chrono>

namespace gelens {

ModelJobs::ModelJobs(Hub* hub, QObject* parent) : QObject(parent), m_hub(hub), m_kernels(makeKernelCache()) {}

ModelJobs::~ModelJobs() { cancelAll(); }

int ModelJobs::open(const QString& path, const CompileOptions& options)
{
    const QString canonical = QFileInfo(path).canonicalFilePath();
    for (const OpenModel& model : m_hub->models())
        if (!canonical.isEmpty() && QFileInfo(model.path).canonicalFilePath() == canonical && model.error.isEmpty()) {
            m_hub->setCurrent(model.id);
            return model.id;
        }
    const int id = m_hub->addModel(path, options);
    start(id);
    return id;
}

void ModelJobs::rerun(int id, const CompileOptions& options)
{
    m_hub->setOptions(id, options);
    m_hub->setBusy(id, true);
    start(id);
}

void ModelJobs::cancel(int id)
{
    const auto job = m_jobs.find(id);
    if (job == m_jobs.end()) return;
    job->second->cancel();
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->isBusy) return;
    if (model->run)
        m_hub->setBusy(id, false);
    else
        m_hub->setError(id, tr("Cancelled."));
    Q_EMIT finished(id);
}

void ModelJobs::cancelAll()
{
    for (auto& [id, job] : m_jobs) job->cancel();
}

void ModelJobs::close(int id)
{
    cancel(id);
    m_jobs.erase(id);
    m_hub->removeModel(id);
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

void ModelJobs::start(int id)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    std::unique_ptr<Background>& job = m_jobs[id];
    if (!job) job = std::make_unique<Background>(this);
    const auto work = [session = model->session, path = model->path.toStdString(), options = model->options,
                       progress = progressFor(id), kernels = m_kernels](std::stop_token stop) mutable -> Answer {
        Answer answer;
        if (!session) {
            auto opened = Session::open(path, options, progress, stop);
            if (!opened.ok()) {
                answer.error = QString::fromStdString(opened.error().message());
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
            answer.error = QString::fromStdString(run.error().message());
        return answer;
    };
    job->start(work, [this, id](Answer answer) { deliver(id, std::move(answer)); });
}

void ModelJobs::deliver(int id, Answer answer)
{
    if (answer.session) m_hub->setSession(id, answer.session);
    if (answer.run)
        m_hub->setRun(id, answer.run);
    else
        m_hub->setError(id, answer.error);
    Q_EMIT finished(id);
}

} // namespace gelens
