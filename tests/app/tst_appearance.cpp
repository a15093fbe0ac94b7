// The theme follows what the desktop's portal says: against a portal of our own on a bus of our own.

#include "app/gui/appearance.h"
#include "app/gui/desktop_scheme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace gelens;

namespace {

constexpr const char* portalPath = "/org/freedesktop/portal/desktop";

bool isDarkNow() { return QApplication::palette().color(QPalette::Window).lightness() < 128; }

} // namespace

class FakePortal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint scheme = 0;
    int asked = 0;

public Q_SLOTS:
    QDBusVariant Read(const QString& group, const QString& key)
    {
        if (group == QStringLiteral("org.freedesktop.appearance") && key == QStringLiteral("color-scheme")) ++asked;
        // As the portal does: a variant in a variant.
        return QDBusVariant(QVariant::fromValue(QDBusVariant(scheme)));
    }
};

class TestAppearance : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutABusThePaletteDecides()
    {
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("XDG_RUNTIME_DIR", "/nonexistent");
        const DesktopScheme scheme;
        QVERIFY(!scheme.isDark().has_value());
    }

    void theDesktopsSchemeIsFollowed()
    {
        const QString daemon = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
        if (daemon.isEmpty()) QSKIP("dbus-daemon is not installed");
        m_daemon.start(daemon,
                       {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
        QVERIFY(m_daemon.waitForStarted() && m_daemon.waitForReadyRead(10000));
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_daemon.readLine().trimmed());

        QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("portal"));
        QVERIFY(bus.isConnected());
        FakePortal portal;
        portal.scheme = 1;
        QVERIFY(bus.registerObject(QLatin1String(portalPath), &portal, QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")));

        // Nothing waits for the answer: the palette decides until it is there.
        applyTheme(QStringLiteral("light"));
        applyTheme(QString());
        QCOMPARE(portal.asked, 0);
        QVERIFY(QTest::qWaitFor([] { return isDarkNow(); }, 10000));
        QCOMPARE(portal.asked, 1);

        // The desktop changes its mind, the window with it.
        announce(bus, QStringLiteral("org.freedesktop.appearance"), 2);
        QVERIFY(QTest::qWaitFor([] { return !isDarkNow(); }, 10000));
        announce(bus, QStringLiteral("org.freedesktop.appearance"), 1);
        QVERIFY(QTest::qWaitFor([] { return isDarkNow(); }, 10000));
        announce(bus, QStringLiteral("org.gnome.other"), 2); // another setting of the same name
        QTest::qWait(200);
        QVERIFY(isDarkNow());

        // A theme that the person chose stays, whatever the desktop says.
        applyTheme(QStringLiteral("dark"));
        announce(bus, QStringLiteral("org.freedesktop.appearance"), 2);
        QTest::qWait(200);
        QVERIFY(isDarkNow());
        applyTheme(QString());
        QVERIFY(!isDarkNow());
    }

    void cleanupTestCase()
    {
        QDBusConnection::disconnectFromBus(QStringLiteral("portal"));
        m_daemon.kill();
        m_daemon.waitForFinished();
    }

private:
    static void announce(const QDBusConnection& bus, const QString& group, uint scheme)
    {
        QDBusMessage signal =
            QDBusMessage::createSignal(QLatin1String(portalPath), QStringLiteral("org.freedesktop.portal.Settings"),
                                       QStringLiteral("SettingChanged"));
        signal << group << QStringLiteral("color-scheme") << QVariant::fromValue(QDBusVariant(scheme));
        QVERIFY(bus.send(signal));
    }

    QProcess m_daemon;
};

QTEST_MAIN(TestAppearance)
#include "tst_appearance.moc"
