#include "app/gui/settings_dialog.h"

#include "app/gui/preference_form.h"
#include "engine/session/session.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

constexpr int shortcutTab = 3;
constexpr const char* shippedSoc = "Ascend910B1";

} // namespace

SettingsDialog::SettingsDialog(Choices choices, CommandRegistry* commands, QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)), m_registry(commands), m_tabs(new QTabWidget),
      m_language(new QComboBox), m_theme(new QComboBox), m_soc(new QComboBox), m_list(new QTreeWidget),
      m_filter(new QLineEdit), m_edit(new QKeySequenceEdit), m_notice(new QLabel)
{
    setObjectName(QStringLiteral("settings_dialog"));
    say([this] { setWindowTitle(tr("Settings")); });
    setAttribute(Qt::WA_DeleteOnClose);
    resize(620, 520);
    for (const PreferencePage page : {PreferencePage::General, PreferencePage::Compile, PreferencePage::Graph})
        m_tabs->addTab(preferencePage(page), QString());
    m_tabs->addTab(shortcutPage(), QString());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_restore = buttons->addButton(QString(), QDialogButtonBox::ResetRole);
    m_restore->setObjectName(QStringLiteral("restore_defaults"));
    // Enter in a line ends the line, not the dialog.
    for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
    say([this] {
        m_tabs->setTabText(0, tr("General"));
        m_tabs->setTabText(1, tr("Compiling"));
        m_tabs->setTabText(2, tr("Graph"));
        m_tabs->setTabText(shortcutTab, tr("Shortcuts"));
        m_restore->setText(tr("Restore defaults"));
        m_restore->setToolTip(tr("Everything on this page as it was shipped"));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_restore, &QPushButton::clicked, this, &SettingsDialog::restoreDefaults);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(buttons);
}

void SettingsDialog::say(std::function<void()> text)
{
    text();
    m_texts.push_back(std::move(text));
}

void SettingsDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        for (const auto& text : m_texts) text();
        // The commands are renamed by the window, which hears of the language after its dialogs.
        QMetaObject::invokeMethod(
            this, [this] { fill(); }, Qt::QueuedConnection);
    }
    QDialog::changeEvent(event);
}

QWidget* SettingsDialog::preferencePage(PreferencePage page)
{
    auto* form = new PreferenceForm(page);
    m_forms[static_cast<std::size_t>(page)] = form;
    connect(form, &PreferenceForm::changed, this, [this](Preference id) { m_choices.preferenceChanged(id); });
    int row = 0;
    const auto add = [&](QComboBox* box, const std::vector<std::pair<QString, QString>>& values, const QString& current,
                         const std::function<void(const QString&)>& set) {
        for (const auto& [value, text] : values) box->addItem(text, value);
        box->setCurrentIndex(std::max(0, box->findData(current)));
        connect(box, &QComboBox::activated, this, [box, set](int index) { set(box->itemData(index).toString()); });
        auto* title = new QLabel;
        title->setBuddy(box);
        form->layoutForMore()->insertRow(row++, title, box);
        return title;
    };
    if (page == PreferencePage::General) {
        QLabel* language = add(m_language,
                               {{QString(), QString()},
                                {QStringLiteral("en"), QStringLiteral("English")},
                                {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}},
                               m_choices.language, m_choices.setLanguage);
        QLabel* theme =
            add(m_theme,
                {{QString(), QString()}, {QStringLiteral("light"), QString()}, {QStringLiteral("dark"), QString()}},
                m_choices.theme, m_choices.setTheme);
        say([this, language, theme] {
            language->setText(tr("Language"));
            theme->setText(tr("Colours"));
            m_language->setItemText(0, tr("As the system"));
            m_theme->setItemText(0, tr("As the system"));
            m_theme->setItemText(1, tr("Light"));
            m_theme->setItemText(2, tr("Dark"));
        });
    } else if (page == PreferencePage::Compile) {
        std::vector<std::pair<QString, QString>> socs;
        for (const std::string& name : socNames())
            socs.emplace_back(QString::fromStdString(name), QString::fromStdString(name));
        QLabel* soc = add(m_soc, socs, m_choices.soc, m_choices.setSoc);
        say([soc] { soc->setText(tr("Chip for new models")); });
    }
    return form;
}

void SettingsDialog::restoreDefaults()
{
    const int tab = m_tabs->currentIndex();
    if (tab == shortcutTab) return restoreShortcuts();
    const auto page = static_cast<PreferencePage>(tab);
    m_forms[static_cast<std::size_t>(page)]->restoreDefaults();
    if (page == PreferencePage::General) {
        m_language->setCurrentIndex(0);
        m_theme->setCurrentIndex(0);
        m_choices.setLanguage({});
        m_choices.setTheme({});
    } else if (page == PreferencePage::Compile) {
        m_soc->setCurrentText(QLatin1String(shippedSoc));
        m_choices.setSoc(QLatin1String(shippedSoc));
    }
}

void SettingsDialog::restoreShortcuts()
{
    for (const Command& command : m_commands) m_registry->setKeys(command, m_registry->shippedKeys(command));
    fill();
    m_notice->setText(tr("All shortcuts are as shipped."));
}

QWidget* SettingsDialog::shortcutPage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    m_filter->setClearButtonEnabled(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    auto* clear = new QPushButton;
    auto* own = new QPushButton;
    say([this, clear, own] {
        m_filter->setPlaceholderText(tr("filter…"));
        m_list->setHeaderLabels({tr("Command"), tr("Shortcut"), tr("Where")});
        clear->setText(tr("None"));
        own->setText(tr("As shipped"));
    });
    row->addWidget(m_edit, 1);
    row->addWidget(clear);
    row->addWidget(own);
    layout->addWidget(m_filter);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_notice);
    layout->addLayout(row);
    fill();
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
            QTreeWidgetItem* item = m_list->topLevelItem(i);
            const auto says = [&](int column) { return item->text(column).contains(text, Qt::CaseInsensitive); };
            item->setHidden(!says(0) && !says(1) && !says(2));
        }
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
        if (const Command* command = chosen()) m_edit->setKeySequence(command->keys);
        m_notice->clear();
    });
    connect(m_edit, &QKeySequenceEdit::editingFinished, this, [this] { assign(m_edit->keySequence()); });
    connect(clear, &QPushButton::clicked, this, [this] { assign({}); });
    connect(own, &QPushButton::clicked, this, [this] {
        if (const Command* command = chosen()) assign(m_registry->shippedKeys(*command));
    });
    return page;
}

void SettingsDialog::fill()
{
    m_commands = m_registry->commands();
    std::erase_if(m_commands, [](const Command& command) { return command.name.isEmpty() || command.text.isEmpty(); });
    m_list->clear();
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        auto* item =
            new QTreeWidgetItem({command.text, command.keys.toString(QKeySequence::NativeText), command.place});
        item->setData(0, Qt::UserRole, static_cast<int>(i));
        item->setToolTip(0, command.does);
        m_list->addTopLevelItem(item);
    }
    m_list->sortItems(0, Qt::AscendingOrder);
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

const Command* SettingsDialog::chosen() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item == nullptr ? nullptr : &m_commands[static_cast<std::size_t>(item->data(0, Qt::UserRole).toInt())];
}

QString SettingsDialog::notice() const { return m_notice->text(); }

void SettingsDialog::assign(const QKeySequence& keys)
{
    const Command* command = chosen();
    if (command == nullptr || command->keys == keys) return;
    // Two commands on one key would both do nothing.
    if (const Command* other = CommandRegistry::clash(m_commands, *command, keys)) {
        m_notice->setText(tr("%1 belongs to “%2”; take it away there first.")
                              .arg(keys.toString(QKeySequence::NativeText), other->text));
        m_edit->setKeySequence(command->keys);
        return;
    }
    m_registry->setKeys(*command, keys);
    m_commands[static_cast<std::size_t>(m_list->currentItem()->data(0, Qt::UserRole).toInt())].keys = keys;
    m_list->currentItem()->setText(1, keys.toString(QKeySequence::NativeText));
    m_edit->setKeySequence(keys);
    m_notice->clear();
}

void SettingsDialog::showShortcuts() { m_tabs->setCurrentIndex(shortcutTab); }

} // namespace gelens
