#pragma once
// Opens models and runs the pipeline off the GUI thread.

#include "app/core/hub.h"
#include "app/core/run_observers.h"
#include "engine/session/live_run.h"
#include "viewers/common/background.h"

#include <QObject>

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace gelens {

class KernelCache;

class ModelJobs : public QObject {
    Q_OBJECT
public:
    explicit ModelJobs(Hub* hub, QObject* parent = nullptr);
    ~ModelJobs() override;

    /// Opens a file and runs it, or opens a folder of dumps, whose phases are then read behind the scenes; returns the model's id. A file that is already open becomes current instead. When it
    /// fails, the model goes away again and what was shown before comes back.
    int open(const QString& path, const CompileOptions& options);
    /// Opens a file as what a person says it is (formats/open_as.h), also beside an entry of the same file.
    int openAs(const QString& path, const QString& kind, const CompileOptions& options);
    /// Puts the model that an open OM was compiled from at the start of its steps.
    void attachOriginal(int id, const QString& path);
    /// Opens a folder of dumps beside the run of an open model: a new entry whose steps are the phases that both have.
    /// Returns its id, or -1 when there is no run.
    int compareWithDumps(int id, const QString& folder);
    /// The model whose run one shows beside dumps; -1 when it is none of these.
    int besideOf(int id) const;
    /// Splits an open model by its repeated blocks; each card becomes a model of its own behind the others, and is run.
    /// The model shown stays. What cannot be split is told by `failed`, and nothing changes.
    void splitOverCards(int id, int cards);
    /// Number of cards that the model of this one was split over; 0 when it is no card.
    int cardsOf(int id) const;
    /// The cards that a model was split over and that are still open, in their order.
    std::vector<int> cardModelsOf(int id) const;
    /// Runs an open model again with other options. What is shown stays until the new run is there.
    void rerun(int id, const CompileOptions& options);
    /// The same, but the run halts where one of the breakpoints stops it; with none that is switched on, at its first pass.
    void runLive(int id, const CompileOptions& options, std::vector<Breakpoint> breakpoints);
    /// A compile of the model is under way, which pause() can hold.
    bool canPause(int id) const;
    bool isPausing(int id) const; ///< it was asked to halt, and has not yet
    void pause(int id);
    // Of a model that is halted:
    void resume(int id);     ///< on to the next breakpoint, or to the end
    void stepEdit(int id);   ///< one record of the journal
    void finishPass(int id); ///< to the end of the pass, or of the next one that changes something
    /// Where live runs stop from now on; runs that were not started live stay as they are.
    void setBreakpoints(const std::vector<Breakpoint>& breakpoints);
    /// For compiles that begin from now on; runs of a what-if go without.
    void setHabits(RunHabits habits) { m_habits = std::move(habits); }
    /// Asks the work on a model to stop. A first run keeps the steps it has reached; a further one leaves the run that
    /// was there.
    void cancel(int id);
    void cancelAll();
    /// Closes at once; work that is still under way ends behind the scenes.
    void close(int id);
    bool isBusy() const;

Q_SIGNALS:
    /// A few times a second at most. `total` 0 means that the end is not known.
    void progress(int id, const QString& what, int done, int total);
    /// The work on a model has ended, well or not. The model may be gone.
    void finished(int id);
    /// A run under way stands still; the hub shows where. resumed: it goes on.
    void halted(int id, const gelens::Halt& halt);
    /// A compile of a model has begun: it can be paused.
    void started(int id);
    void resumed(int id);
    /// A model was split; its cards are there and run now.
    void splitDone(int id, int cards);
    /// The proof by numbers took longer than it may; the run is there without it.
    void verifyStopped(int id, int seconds);
    /// Dumps of a run could not be written: one sentence.
    void dumpFailed(int id, const QString& sentence);
    /// A file could not be opened or run: one sentence.
    void failed(const QString& path, const QString& sentence);

private:
    using Work = std::function<Result<std::shared_ptr<const Run>>(const ProgressFunction&, std::stop_token)>;
    struct Answer {
        std::shared_ptr<Session> session;
        std::shared_ptr<const Run> run;
        QString error;
        std::vector<std::shared_ptr<Session>> cards; ///< the model was split, not run
        QString dumpError;
        int stoppedVerifyingAfter = 0; ///< seconds; 0: it was not stopped
        bool isCancelled = false;
        bool isRefresh = false; ///< the run is the one that is there, with more known of it
    };
    struct Job {
        std::shared_ptr<Background> slot;
        std::stop_source stop;         ///< the user's cancel: the answer still counts
        std::shared_ptr<LiveRun> live; ///< of a compile under way
        int serial = 0;
        bool isLive = false, isPausing = false, wasHalted = false;
        std::shared_ptr<const Run> before; ///< what was shown until the run was halted
        QString original;                  ///< that is being attached
    };
    Job& newJob(int id);
    std::shared_ptr<LiveRun> makeLive(int id);
    void showHalt(int id, int serial, const Halt& halt);
    void goOn(int id, void (LiveRun::*how)());
    /// What a compile is given.
    struct Order {
        std::shared_ptr<Session> session; ///< null: the file is opened first
        std::string path, kind;
        CompileOptions options;
        std::shared_ptr<LiveRun> live;
        RunHabits habits;
        ProgressFunction progress;
        std::shared_ptr<KernelCache> kernels;
        std::stop_source stop;
    };
    static Answer work(Order order);
    /// `stops`: breakpoints that halt the run; null: only a person does.
    void start(int id, const std::vector<Breakpoint>* stops = nullptr);
    /// Runs something else than open and compile for a model, and shows its run.
    void startOther(int id, Work work);
    void startScan(int id);
    template <typename Run_>
    void launch(Job& job, int id, Run_ run);
    void deliver(int id, Answer answer);
    void addCards(int id, const std::vector<std::shared_ptr<Session>>& cards);
    ProgressFunction progressFor(int id);

    Hub* m_hub;
    std::map<int, Job> m_jobs;
    int m_serials = 0;
    RunHabits m_habits;
    struct Card {
        int of = -1;   ///< the model that was split
        int count = 0; ///< over how many
    };
    std::map<int, Card> m_cards;            ///< models that are cards of another
    std::map<int, int> m_besides;           ///< comparison with dumps → model whose run it shows
    std::shared_ptr<KernelCache> m_kernels; ///< one cache for all models of the window
};

} // namespace gelens
