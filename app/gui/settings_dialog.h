#pragma once
// What a person can set: language, colours, what new models and the graph begin with, and every shortcut.

#include "app/core/preferences.h"

#include <QDialog>

#include <array>
#include <functional>
#include <vector>

class QAction;
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
    SettingsDialog(Choices choices, std::vector<QAction*> actions, QWidget* parent);

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

    /// Shortcuts that the person chose, put on the actions. The actions' own are kept to go back to.
    static void applySaved(const std::vector<QAction*>& actions);

Q_SIGNALS:
    void shortcutChanged(QAction* action);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* preferencePage(PreferencePage page);
    void restoreDefaults();
    void restoreShortcuts();
    void giveShortcut(QAction* action, const QKeySequence& keys);
    QWidget* shortcutPage();
    void fill();
    void say(std::function<void()> text); ///< sets a text now and in every language to come
    void assign(const QKeySequence& keys);
    QAction* chosen() const;

    Choices m_choices;
    std::vector<std::function<void()>> m_texts;
    std::vector<QAction*> m_actions;
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
