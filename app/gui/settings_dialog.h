#pragma once
// What a person can set: language, colours, chip, and every shortcut.

#include <QDialog>

#include <functional>
#include <vector>

class QAction;
class QComboBox;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QTabWidget;
class QTreeWidget;

namespace gelens {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    struct Choices {
        QString language, theme, soc;
        std::function<void(const QString&)> setLanguage, setTheme, setSoc;
    };
    SettingsDialog(Choices choices, std::vector<QAction*> actions, QWidget* parent);

    void showShortcuts();
    QComboBox* languages() const { return m_language; }
    QComboBox* themes() const { return m_theme; }
    QTreeWidget* shortcutList() const { return m_list; }
    QKeySequenceEdit* shortcutEdit() const { return m_edit; }
    QLineEdit* filterLine() const { return m_filter; }
    QString notice() const;

    /// Shortcuts that the person chose, put on the actions. The actions' own are kept to go back to.
    static void applySaved(const std::vector<QAction*>& actions);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* generalPage();
    QWidget* shortcutPage();
    void fill();
    void say(std::function<void()> text); ///< sets a text now and in every language to come
    void assign(const QKeySequence& keys);
    QAction* chosen() const;

    Choices m_choices;
    std::vector<std::function<void()>> m_texts;
    std::vector<QAction*> m_actions;
    QTabWidget* m_tabs;
    QComboBox *m_language, *m_theme, *m_soc;
    QTreeWidget* m_list;
    QLineEdit* m_filter;
    QKeySequenceEdit* m_edit;
    QLabel* m_notice;
};

} // namespace gelens
