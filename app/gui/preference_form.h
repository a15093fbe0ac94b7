#pragma once
// One page of preferences, made from their table: a row each, with a control of its kind.

#include "app/core/preferences.h"

#include <QWidget>

#include <functional>
#include <map>

class QFormLayout;

namespace gelens {

class PreferenceForm : public QWidget {
    Q_OBJECT
public:
    explicit PreferenceForm(PreferencePage page, QWidget* parent = nullptr);

    /// Above the preferences: rows that are kept elsewhere (language, colours, chip).
    QFormLayout* layoutForMore() const { return m_layout; }
    /// The check box, number, choice or folder line of a preference; its object name is the preference's key.
    QWidget* control(Preference preference) const { return m_controls.at(preference); }
    /// Every preference of the page to its default.
    void restoreDefaults();

Q_SIGNALS:
    /// It is stored already.
    void changed(gelens::Preference preference);

protected:
    void changeEvent(QEvent* event) override;

private:
    void addRow(const PreferenceInfo& info);
    void show(const PreferenceInfo& info); ///< what is stored, in its control
    void store(Preference preference, const QVariant& value);
    void retranslate();

    PreferencePage m_page;
    QFormLayout* m_layout;
    std::map<Preference, QWidget*> m_controls;
    std::map<Preference, std::function<void()>> m_texts;
};

} // namespace gelens
