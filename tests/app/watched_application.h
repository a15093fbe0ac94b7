#pragma once
// An application that measures what each event costs the window's thread.

#include <QApplication>
#include <QMetaEnum>
#include <QStringList>
#include <QTest>
#include <QThread>

#include <ctime>

namespace gelens::test {

/// Processor time of this thread: what else the machine does is not in it.
inline double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Measures every event that the loop delivers, with all that its handler does; events sent from within one count with it.
class WatchedApplication : public QApplication {
public:
    static constexpr double limit = 50; ///< milliseconds of one event
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_isInside || !m_isOn || thread() != QThread::currentThread()) return QApplication::notify(receiver, event);
        m_isInside = true;
        // The receiver may be gone afterwards.
        const QString name =
            QString::fromLatin1(receiver->metaObject()->className()) + QLatin1Char(' ') + receiver->objectName();
        const int type = event->type();
        const double start = threadMilliseconds();
        const bool result = QApplication::notify(receiver, event);
        const double used = threadMilliseconds() - start;
        m_isInside = false;
        ++m_events;
        if (used > m_longest) m_longest = used;
        if (used > limit)
            m_offenders += QStringLiteral("%1 ms in %2, event %3")
                               .arg(used, 0, 'f', 1)
                               .arg(name, QString::fromLatin1(QMetaEnum::fromType<QEvent::Type>().valueToKey(type)));
        return result;
    }

    void watch()
    {
        m_isOn = true;
        m_longest = 0;
        m_events = 0;
        m_offenders.clear();
    }
    double longest() const { return m_longest; }
    int events() const { return m_events; }
    QStringList offenders() const { return m_offenders; }

private:
    bool m_isOn = false, m_isInside = false;
    double m_longest = 0;
    int m_events = 0;
    QStringList m_offenders;
};

inline WatchedApplication* watched() { return static_cast<WatchedApplication*>(QApplication::instance()); }

/// No event since watch() took longer than the limit; says how long the longest was.
inline void verifyNoneIsLong()
{
    qInfo("%d events, the longest used %.1f ms", watched()->events(), watched()->longest());
    QVERIFY2(watched()->offenders().isEmpty(), qPrintable(watched()->offenders().join(QLatin1Char('\n'))));
}

} // namespace gelens::test
