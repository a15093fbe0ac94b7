#include "app/core/model_jobs.h"

#include "engine/graph/log.h"
#include "engine/session/attached_run.h"
#include "engine/session/cards.h"
#include "engine/session/dump_run.h"
#include "engine/session/sim_real.h"

#include <QFileInfo>
#include <QSignalBlocker>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace gelens {
namespace {

/// Folders up to this size are read whole before they are shown, so that nothing fills in later.
constexpr std::int64_t scannedAtOnceBytes = 4 << 20;

std::int64_t bytesOf(const SnapshotRun& run)
{
    std::int64_t bytes = 0;
    for (const Step& step : run.steps)
        for (const auto& [format, path] : run.sourceOf(step.id)->files) {
            std::error_code code;
            const auto size = std::filesystem::file_size(path, code);
            if (!code) bytes += static_cast<std::int64_t>(size);
            if (bytes > scannedAtOnceBytes) return bytes;
        }
    return bytes;
}

Result<std::shared_ptr<const Run>> openFolder(const std::string& path, const ProgressFunction& progress,
                                              std::stop_token stop)
{
    if (progress) progress({"listing", 0, 1});
    GELENS_ASSIGN(const auto dumps, openDumpRun(path));
    if (bytesOf(*dumps) > scannedAtOnceBytes) return std::shared_ptr<const Run>(dumps);
    GELENS_TRY(dumps->scan(progress, stop));
    return std::shared_ptr<const Run>(dumps->refreshed());
}

/// A folder may be open by itself and beside a model.
bool isComparison(const OpenModel& model)
{
    return model.run && model.run->sourceFormat == "simulation beside real dumps";
}

} // namespace

ModelJobs::ModelJobs(Hub* hub, QObject* parent) : QObject(parent), m_hub(hub), m_kernels(makeKernelCache()) {}

ModelJobs::~ModelJobs() { cancelAll(); }

int ModelJobs::open(const QString& path, const CompileOptions& options)
{
    const QString canonical = QFileInfo(path).canonicalFilePath();
    for (const OpenModel& model : m_hub->models())
        if (!canonical.isEmpty() && !isComparison(model) && cardsOf(model.id) == 0 &&
            QFileInfo(model.path).canonicalFilePath() == canonical) {
            m_hub->setCurrent(model.id);
            return model.id;
        }
    const int id = m_hub->addModel(path, options);
    start(id);
    return id;
}

int ModelJobs::openAs(const QString& path, const QString& kind, const CompileOptions& options)
{
    const int id = m_hub->addModel(path, options);
    m_hub->setReadAs(id, kind);
    start(id);
    return id;
}

void ModelJobs::rerun(int id, const CompileOptions& options)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || (model->run && !model->session)) return; // dumps are not compiled
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
                if (guard)
                    Q_EMIT guard->progress(id, QString::fromStdString(progress.what), progress.done, progress.total);
            },
            Qt::QueuedConnection);
    };
}

ModelJobs::Answer ModelJobs::work(Order order)
{
    Answer answer;
    const auto refuse = [&answer](const Error& error) {
        answer.error = QString::fromStdString(error.message());
        answer.isCancelled = error.isCancelled();
    };
    const std::stop_token stop = order.stop.get_token();
    if (!order.session) {
        auto opened = Session::openAs(order.path, order.kind, order.options, order.progress, stop);
        if (!opened.ok()) {
            refuse(opened.error());
            return answer;
        }
        order.session = *opened;
        order.session->setKernelCache(order.kernels);
    }
    answer.session = order.session;
    RunObservers observers(order.live.get(), order.habits, order.session->info().name, order.stop);
    auto run = order.session->run(order.options, &observers, order.progress, stop);
    if (run.ok())
        answer.run = *run;
    else
        refuse(run.error());
    if (observers.hasStoppedVerifying()) answer.stoppedVerifyingAfter = order.habits.verifySeconds;
    if (const Status dumps = observers.dumpStatus(); !dumps.ok())
        answer.dumpError = QString::fromStdString(dumps.error().message());
    return answer;
}

ModelJobs::Job& ModelJobs::newJob(int id)
{
    Job& job = m_jobs[id];
    if (!job.slot) job.slot = std::make_shared<Background>(this);
    // A run that takes the place of a halted one is asked for on what was there before.
    auto before = job.wasHalted ? std::move(job.before) : nullptr;
    auto slot = std::move(job.slot);
    job = Job();
    job.slot = std::move(slot);
    job.serial = ++m_serials;
    if (before) {
        job.before = std::move(before);
        job.wasHalted = true;
    }
    return job;
}

template <typename Run_>
void ModelJobs::launch(Job& job, int id, Run_ run)
{
    job.slot->start(
        [run = std::move(run), source = job.stop](std::stop_token dropped) mutable {
            // Either the user cancels, and the answer is wanted; or the job is dropped, and it is not.
            const std::stop_callback forward(dropped, [&source] { source.request_stop(); });
            return run(source.get_token());
        },
        [this, id](Answer answer) { deliver(id, std::move(answer)); });
}

std::shared_ptr<LiveRun> ModelJobs::makeLive(int id)
{
    Job& job = m_jobs[id];
    QPointer<ModelJobs> guard(this);
    return std::make_shared<LiveRun>(
        [guard, id, serial = job.serial](Halt halt) {
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, id, serial, halt = std::move(halt)] {
                    if (guard) guard->showHalt(id, serial, halt);
                },
                Qt::QueuedConnection);
        },
        job.stop.get_token());
}

void ModelJobs::showHalt(int id, int serial, const Halt& halt)
{
    const auto found = m_jobs.find(id);
    const OpenModel* model = m_hub->find(id);
    if (found == m_jobs.end() || model == nullptr || found->second.serial != serial || !found->second.live ||
        !found->second.live->isHalted())
        return;
    Job& job = found->second;
    if (!std::exchange(job.wasHalted, true)) job.before = model->run;
    job.isPausing = false;
    m_hub->showHalt(id, halt.run, halt.node, halt.verifying);
    Q_EMIT halted(id, halt);
}

void ModelJobs::runLive(int id, const CompileOptions& options, std::vector<Breakpoint> breakpoints)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->session || model->isBusy) return;
    if (std::none_of(breakpoints.begin(), breakpoints.end(), [](const Breakpoint& each) { return each.isEnabled; }))
        breakpoints = {{BreakpointKind::Pass, "*", "hits == 1", true}};
    m_hub->setOptions(id, options);
    m_hub->setBusy(id, true);
    start(id, &breakpoints);
}

bool ModelJobs::canPause(int id) const
{
    const auto job = m_jobs.find(id);
    const OpenModel* model = m_hub->find(id);
    return job != m_jobs.end() && job->second.live && model != nullptr && model->isBusy && !model->isHalted &&
           !job->second.isPausing;
}

bool ModelJobs::isPausing(int id) const
{
    const auto job = m_jobs.find(id);
    return job != m_jobs.end() && job->second.isPausing;
}

void ModelJobs::pause(int id)
{
    if (!canPause(id)) return;
    m_jobs[id].isPausing = true;
    m_jobs[id].live->pause();
}

void ModelJobs::goOn(int id, void (LiveRun::*how)())
{
    const auto job = m_jobs.find(id);
    if (job == m_jobs.end() || !job->second.live || !job->second.live->isHalted()) return;
    m_hub->setHalted(id, false);
    (job->second.live.get()->*how)();
    Q_EMIT resumed(id);
}

void ModelJobs::resume(int id) { goOn(id, &LiveRun::resume); }
void ModelJobs::stepEdit(int id) { goOn(id, &LiveRun::stepEdit); }
void ModelJobs::finishPass(int id) { goOn(id, &LiveRun::finishPass); }

void ModelJobs::setBreakpoints(const std::vector<Breakpoint>& breakpoints)
{
    for (auto& [id, job] : m_jobs)
        if (job.live && job.isLive) job.live->setBreakpoints(breakpoints);
}

void ModelJobs::start(int id, const std::vector<Breakpoint>* stops)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    if (QFileInfo(model->path).isDir())
        return startOther(id,
                          [path = model->path.toStdString()](const ProgressFunction& progress, std::stop_token stop) {
                              return openFolder(path, progress, stop);
                          });
    Job& job = newJob(id);
    job.live = makeLive(id);
    job.isLive = stops != nullptr;
    if (stops != nullptr) job.live->setBreakpoints(*stops);
    Order order{model->session,
                model->path.toStdString(),
                model->readAs.toStdString(),
                model->options,
                job.live,
                m_habits,
                progressFor(id),
                m_kernels,
                job.stop};
    launch(job, id, [order = std::move(order)](std::stop_token) mutable { return work(std::move(order)); });
    m_hub->setHalted(id, false); // a halted run that this one takes the place of is woken up and dropped
    Q_EMIT started(id);
}

void ModelJobs::startOther(int id, Work work)
{
    launch(newJob(id), id, [work = std::move(work), progress = progressFor(id)](std::stop_token stop) {
        Answer answer;
        auto run = work(progress, stop);
        if (run.ok()) {
            answer.run = *run;
        } else {
            answer.error = QString::fromStdString(run.error().message());
            answer.isCancelled = run.error().isCancelled();
        }
        return answer;
    });
}

void ModelJobs::startScan(int id)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->snapshots || model->snapshots->isScanned()) return;
    m_hub->setBusy(id, true);
    launch(newJob(id), id, [snapshots = model->snapshots, progress = progressFor(id)](std::stop_token stop) {
        Answer answer;
        (void)snapshots->scan(progress, stop); // cancelled or not: what is known counts
        answer.run = snapshots->refreshed();
        answer.isRefresh = true;
        return answer;
    });
}

void ModelJobs::attachOriginal(int id, const QString& path)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->run || model->isBusy) return;
    m_hub->setBusy(id, true);
    startOther(
        id, [om = model->run, original = path.toStdString()](const ProgressFunction& progress, std::stop_token stop) {
            return gelens::attachOriginal(om, original, progress, stop);
        });
    m_jobs[id].original = path;
}

int ModelJobs::compareWithDumps(int id, const QString& folder)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->run || !model->session || model->snapshots) return -1;
    const auto shown = model->run;
    const auto own = model->session;
    const ModelInfo info = own->info();
    const CompileOptions asked = model->options;
    const int added = m_hub->addModel(folder, asked); // `model` is no more: the list has grown
    m_hub->setName(added, tr("%1 beside dumps").arg(QString::fromStdString(shown->modelName)));
    m_besides[added] = id;
    startOther(added,
               [shown, own, info, path = folder.toStdString()](
                   const ProgressFunction& progress, std::stop_token stop) -> Result<std::shared_ptr<const Run>> {
                   GELENS_ASSIGN(const auto dumps, openDumpRun(path));
                   auto simulated = shown;
                   CompileOptions options = shown->options;
                   for (auto& [name, dims] : shapesFromDumps(info, *dumps))
                       options.inputShapes.try_emplace(name, std::move(dims));
                   if (options.inputShapes !=
                       shown->options.inputShapes) { // a session of its own: the one in the window stays as it is
                       GELENS_ASSIGN(const auto session, own->beside(options, progress, stop));
                       GELENS_ASSIGN(simulated, session->run(options, nullptr, progress, stop));
                   }
                   GELENS_ASSIGN(const auto sides, sideBySide(simulated, dumps));
                   return comparedSides(*sides, *simulated, *dumps, progress, stop);
               });
    return added;
}

void ModelJobs::splitOverCards(int id, int cards)
{
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr || !model->run || !model->session || model->isBusy) return;
    CompileOptions options = model->options;
    options.cards = cards;
    const auto session = model->session;
    m_hub->setBusy(id, true);
    launch(newJob(id), id, [session, options, progress = progressFor(id), kernels = m_kernels](std::stop_token stop) {
        Answer answer;
        progress({"splitting", 0, 0});
        const auto parts = openCards(*session, options, stop);
        if (!parts.ok()) {
            answer.error = QString::fromStdString(parts.error().message());
            answer.isCancelled = parts.error().isCancelled();
            return answer;
        }
        answer.isCancelled = stop.stop_requested();
        for (const CardSession& card : *parts) {
            card.session->setKernelCache(kernels);
            if (!answer.isCancelled) answer.cards.push_back(card.session);
        }
        return answer;
    });
}

int ModelJobs::besideOf(int id) const
{
    const auto found = m_besides.find(id);
    return found == m_besides.end() ? -1 : found->second;
}

int ModelJobs::cardsOf(int id) const
{
    const auto found = m_cards.find(id);
    return found == m_cards.end() ? 0 : found->second.count;
}

std::vector<int> ModelJobs::cardModelsOf(int id) const
{
    std::vector<int> cards;
    for (const OpenModel& model : m_hub->models())
        if (const auto card = m_cards.find(model.id); card != m_cards.end() && card->second.of == id)
            cards.push_back(model.id);
    return cards;
}

void ModelJobs::addCards(int id, const std::vector<std::shared_ptr<Session>>& cards)
{
    CompileOptions options = m_hub->find(id)->options;
    options.cards = 1;
    options.verify = false; // asked for card by card
    const QString path = m_hub->find(id)->path;
    const int shown = m_hub->current()->id;
    std::vector<int> added;
    {
        // A new entry becomes current. Here one stays where one is, and no view is to draw the way there and back.
        const QSignalBlocker quiet(m_hub);
        for (std::size_t i = 0; i < cards.size(); ++i) {
            added.push_back(m_hub->addModel(path, options));
            m_hub->setCurrent(shown);
        }
    }
    for (std::size_t i = 0; i < cards.size(); ++i) {
        m_cards[added[i]] = {id, static_cast<int>(cards.size())};
        m_hub->setName(added[i], QString::fromStdString(cards[i]->info().name));
        m_hub->setSession(added[i], cards[i]);
    }
    for (const int card : added) start(card);
    Q_EMIT splitDone(id, static_cast<int>(cards.size()));
}

void ModelJobs::deliver(int id, Answer answer)
{
    const auto job = m_jobs.find(id);
    if (job != m_jobs.end()) job->second.slot->finished();
    const OpenModel* model = m_hub->find(id);
    if (model == nullptr) return;
    const QString path = model->path;
    if (job != m_jobs.end()) {
        job->second.live.reset();
        job->second.isPausing = false;
        // What a halted run showed on its way is no run of its own.
        if (std::exchange(job->second.wasHalted, false)) {
            const bool isKept = answer.run && !answer.run->wasCancelled;
            const auto before = std::exchange(job->second.before, nullptr);
            if (before && !isKept) m_hub->setRun(id, before);
        }
    }
    const bool hadRun = model->run != nullptr && !model->run->isUnderWay;
    if (answer.isRefresh) {
        m_hub->refreshRun(id, answer.run);
        m_hub->setBusy(id, false);
        Q_EMIT finished(id);
        return;
    }
    if (!answer.cards.empty()) {
        m_hub->setBusy(id, false);
        addCards(id, answer.cards);
        Q_EMIT finished(id);
        return;
    }
    if (answer.session) m_hub->setSession(id, answer.session);
    const bool isPartial = answer.run && answer.run->wasCancelled;
    if (answer.run && !(isPartial && hadRun)) {
        // A run anew is of the file alone.
        m_hub->setOriginal(id, job == m_jobs.end() ? QString() : std::exchange(job->second.original, {}));
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
    if (answer.stoppedVerifyingAfter > 0) Q_EMIT verifyStopped(id, answer.stoppedVerifyingAfter);
    if (!answer.dumpError.isEmpty()) Q_EMIT dumpFailed(id, answer.dumpError);
    startScan(id);
    Q_EMIT finished(id);
}

} // namespace gelens
