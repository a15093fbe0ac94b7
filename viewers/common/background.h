#pragma once
// Work off the GUI thread, latest request wins.

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace gelens {

/// One slot of background work. Starting a new job asks the running one to stop and drops its answer; destroying the
/// slot does the same and waits for the thread. Jobs look at their stop token at least every 100 ms.
class Background {
public:
    /// Answers are delivered on `receiver`'s thread, and not at all once it is gone.
    explicit Background(QObject* receiver) : m_receiver(receiver) {}
    ~Background()
    {
        cancel();
        join();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Runs `work(stop_token)` on a thread of its own and hands its result to `done` on the receiver's thread.
    template <typename Work, typename Done>
    void start(Work work, Done done)
    {
        cancel();
        auto generation = std::make_shared<int>(0);
        m_generation = generation;
        std::stop_source stop;
        m_stop = stop;
        auto previous = std::make_shared<std::thread>(std::move(m_thread));
        QPointer<QObject> receiver = m_receiver;
        m_thread = std::thread([work = std::move(work), done = std::move(done), stop = stop.get_token(), previous,
                                receiver, weak = std::weak_ptr<int>(generation)]() mutable {
            // The superseded job ends first, so that at most one job of a slot uses the processor.
            if (previous->joinable()) previous->join();
            if (stop.stop_requested()) return;
            auto result = std::make_shared<std::invoke_result_t<Work, std::stop_token>>(work(stop));
            if (stop.stop_requested() || weak.expired()) return;
            // The application object outlives every view, so posting to it is safe; the receiver is checked there.
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [receiver, weak, result, done = std::move(done)]() mutable {
                    if (receiver && !weak.expired()) done(std::move(*result));
                },
                Qt::QueuedConnection);
        });
    }

    void cancel()
    {
        m_stop.request_stop();
        m_generation.reset(); // answers that are already under way find nobody
    }
    bool isRunning() const { return m_generation != nullptr; }
    void finished() { m_generation.reset(); }

private:
    void join()
    {
        if (m_thread.joinable()) m_thread.join();
    }

    QPointer<QObject> m_receiver;
    std::shared_ptr<int> m_generation;
    std::stop_source m_stop;
    std::thread m_thread;
};

} // namespace gelens
