#pragma once
// Makes what-if runs off the GUI thread and keeps them, for each open model.

#include "app/core/hub.h"
#include "viewers/common/background.h"
#include "viewers/common/kept_run.h"

#include <QObject>

#include <deque>
#include <map>
#include <stop_token>
#include <vector>

namespace gelens {

class KernelCache;

class WhatIfRuns : public QObject {
    Q_OBJECT
public:
    explicit WhatIfRuns(Hub* hub, QObject* parent = nullptr);
    ~WhatIfRuns() override;

    /// Compiles a model with other options beside its own run. Runs wait for one another. Returns the run's id.
    int start(int model, const CompileOptions& options, const QString& name);
    /// What was kept for a model, oldest first.
    std::vector<KeptRun> runsOf(int model) const;
    const KeptRun* find(int id) const;
    int modelOf(int id) const; ///< that it was made for; -1 when it is not kept any more
    void remove(int id);
    void rename(int id, const QString& name);
    /// Stops what is under way and drops what waits.
    void cancel();
    bool isBusy() const { return m_running >= 0 || !m_waiting.empty(); }
    /// The name of the run under way; empty when none is.
    QString activity() const;

Q_SIGNALS:
    void changed(int model);
    void progress(const QString& what, int done, int total);
    void finished(int id);

private:
    struct Entry {
        int model = -1;
        KeptRun run;
    };
    Entry* entryOf(int id);
    void next();
    void forgetClosed();

    Hub* m_hub;
    std::vector<Entry> m_entries;
    std::deque<int> m_waiting;
    int m_running = -1;
    int m_nextId = 0;
    std::stop_source m_stop;
    std::shared_ptr<KernelCache> m_kernels;
    Background m_job;
};

} // namespace gelens
