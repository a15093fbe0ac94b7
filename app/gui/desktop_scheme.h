#pragma once
// Whether the desktop is dark, as its portal says (org.freedesktop.portal.Settings, color-scheme).

#include <QDBusMessage>
#include <QObject>

#include <optional>

class QDBusPendingCallWatcher;

namespace gelens {

/// Asks once without waiting and follows what the desktop says later. Where there is no session bus or no portal, or
/// where the person prefers neither, isDark() stays empty.
class DesktopScheme : public QObject {
    Q_OBJECT
public:
    explicit DesktopScheme(QObject* parent = nullptr);

    std::optional<bool> isDark() const { return m_isDark; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QDBusMessage& signal);

private:
    void answered(QDBusPendingCallWatcher* call);
    void take(const QVariant& value);

    std::optional<bool> m_isDark;
};

} // namespace gelens
