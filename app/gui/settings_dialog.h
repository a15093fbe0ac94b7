#pragma once
// What a person can set: language, colours, what new models and the graph begin with, and every shortcut.

#include "app/core/preferences.h"
#include "app/gui/command_registry.h"

#include <QDialog>

#include <array>
#include <functional>
#include <vector>

class QComboBox;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;
class QTreeWidget;

namespace gelens {

class PreferenceForm;

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    struct Choices {
        QString language, theme, soc;
        std::function<void(const QString&)> setLanguage, setTheme, setSoc;
        std::function<void(Preference)> preferenceChanged; ///< it is stored already
    };
    SettingsDialog(Choices choices, CommandRegistry* commands, QWidget* parent);

    void showShortcuts();
    QComboBox* languages() const { return m_language; }
    QComboBox* themes() const { return m_theme; }
    QComboBox* socs() const { return m_soc; }
    QTabWidget* tabs() const { return m_tabs; }
    PreferenceForm* form(PreferencePage page) const { return m_forms[static_cast<std::size_t>(page)]; }
    QPushButton* restoreButton() const { return m_restore; }
    QTreeWidget* shortcutList() const { return m_list; }
    QKeySequenceEdit* shortcutEdit() const { return m_edit; }
    QLineEdit* filterLine() const { return m_filter; }
    QString notice() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* preferencePage(PreferencePage page);
    void restoreDefaults();
    void restoreShortcuts();
    QWidget* shortcutPage();
    void fill();
    void say(std::function<void()> text); ///< sets a text now and in every language to come
    void assign(const QKeySequence& keys);
    const Command* chosen() const;

    Choices m_choices;
    std::vector<std::function<void()>> m_texts;
    CommandRegistry* m_registry;
    std::vector<Command> m_commands; ///< those that can have keys
    QTabWidget* m_tabs;
    std::array<PreferenceForm*, 3> m_forms{};
    QPushButton* m_restore = nullptr;
    QComboBox *m_language, *m_theme, *m_soc;
    QTreeWidget* m_list;
    QLineEdit* m_filter;
    QKeySequenceEdit* m_edit;
    QLabel* m_notice;
};

} // namespace gelens
