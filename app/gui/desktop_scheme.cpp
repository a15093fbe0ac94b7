#include "app/gui/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>

namespace gelens {
namespace {

const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
const QString group = QStringLiteral("org.freedesktop.appearance");
const QString key = QStringLiteral("color-scheme");

/// Without a bus the library would try to start one, and wait for it.
bool hasSessionBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

} // namespace

DesktopScheme::DesktopScheme(QObject* parent) : QObject(parent)
{
    if (!hasSessionBus()) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    // From any sender: a named one would have to be looked up first, and that waits for the bus.
    bus.connect(QString(), path, interface, QStringLiteral("SettingChanged"), this, SLOT(settingChanged(QDBusMessage)));
    QDBusMessage question = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    question.setArguments({group, key});
    auto* call = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, &DesktopScheme::answered);
}

void DesktopScheme::answered(QDBusPendingCallWatcher* call)
{
    const QDBusPendingReply<QDBusVariant> reply = *call;
    call->deleteLater();
    if (!reply.isError()) take(reply.value().variant());
}

void DesktopScheme::settingChanged(const QDBusMessage& signal)
{
    const QVariantList parts = signal.arguments(); // group, key, value
    if (parts.size() == 3 && parts[0].toString() == group && parts[1].toString() == key) take(parts[2]);
}

void DesktopScheme::take(const QVariant& value)
{
    // Read() wraps its answer once more than the signal does.
    QVariant plain = value;
    while (plain.userType() == qMetaTypeId<QDBusVariant>()) plain = plain.value<QDBusVariant>().variant();
    bool isNumber = false;
    const uint scheme = plain.toUInt(&isNumber);
    // 1: dark, 2: light; 0 and numbers that may come one day say nothing.
    std::optional<bool> isDark;
    if (isNumber && scheme == 1) isDark = true;
    if (isNumber && scheme == 2) isDark = false;
    if (isDark == m_isDark) return;
    m_isDark = isDark;
    Q_EMIT changed();
}

} // namespace gelens
