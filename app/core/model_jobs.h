#pragma once
// Opens models and runs the pipeline off the GUI thread.

#include "app/core/hub.h"
#include "viewers/common/background.h"

#include <QObject>

#include <map>
#include <memory>

namespace gelens {

class KernelCache;

class ModelJobs : public QObject {
    Q_OBJECT
public:
    explicit ModelJobs(Hub* hub, QObject* parent = nullptr);
    ~ModelJobs() override;

    /// Opens a file and runs it; returns the model's id. A file that is already open becomes current instead.
    int open(const QString& path, const CompileOptions& options);
    /// Runs an open model again with other options. What is shown stays until the new run is there.
    void rerun(int id, const CompileOptions& options);
    /// Stops the work on a model; what was there before stays.
    void cancel(int id);
    void cancelAll();
    void close(int id);
    bool isBusy() const;

Q_SIGNALS:
    /// A few times a second at most. `total` 0 means that the end is not known.
    void progress(int id, const QString& what, int done, int total);
    void finished(int id);

private:
    struct Answer {
        std::shared_ptr<Session> session;
        std::shared_ptr<const Run> run;
        QString error;
    };
    void start(int id);
    void deliver(int id, Answer answer);
    ProgressFunction progressFor(int id);

    Hub* m_hub;
    std::map<int, std::unique_ptr<Background>> m_jobs;
    std::shared_ptr<KernelCache> m_kernels; ///< one cache for all models of the window
};

} // namespace gelens
