#include "app/gui/settings_dialog.h"

#include "engine/session/session.h"

#include <QAction>
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
#include <QSettings>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

/// The shortcut that an action was made with.
constexpr const char* ownKeys = "gelens_own_keys";

QString settingOf(const QAction* action) { return QStringLiteral("shortcuts/") + action->objectName(); }

} // namespace

void SettingsDialog::applySaved(const std::vector<QAction*>& actions)
{
    const QSettings settings;
    for (QAction* action : actions) {
        if (!action->property(ownKeys).isValid())
            action->setProperty(ownKeys, action->shortcut().toString(QKeySequence::PortableText));
        if (settings.contains(settingOf(action)))
            action->setShortcut(
                QKeySequence::fromString(settings.value(settingOf(action)).toString(), QKeySequence::PortableText));
    }
}

SettingsDialog::SettingsDialog(Choices choices, std::vector<QAction*> actions, QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)), m_actions(std::move(actions)), m_tabs(new QTabWidget),
      m_language(new QComboBox), m_theme(new QComboBox), m_soc(new QComboBox), m_list(new QTreeWidget),
      m_filter(new QLineEdit), m_edit(new QKeySequenceEdit), m_notice(new QLabel)
{
    setObjectName(QStringLiteral("settings_dialog"));
    say([this] { setWindowTitle(tr("Settings")); });
    setAttribute(Qt::WA_DeleteOnClose);
    resize(620, 520);
    m_tabs->addTab(generalPage(), QString());
    m_tabs->addTab(shortcutPage(), QString());
    say([this] {
        m_tabs->setTabText(0, tr("General"));
        m_tabs->setTabText(1, tr("Shortcuts"));
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
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

QWidget* SettingsDialog::generalPage()
{
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    const auto add = [&](QComboBox* box, const std::vector<std::pair<QString, QString>>& values, const QString& current,
                         const std::function<void(const QString&)>& set) {
        for (const auto& [value, text] : values) box->addItem(text, value);
        box->setCurrentIndex(std::max(0, box->findData(current)));
        connect(box, &QComboBox::activated, this, [box, set](int index) { set(box->itemData(index).toString()); });
        auto* title = new QLabel;
        title->setBuddy(box);
        form->addRow(title, box);
        return title;
    };
    QLabel* language = add(m_language,
                           {{QString(), QString()},
                            {QStringLiteral("en"), QStringLiteral("English")},
                            {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}},
                           m_choices.language, m_choices.setLanguage);
    QLabel* theme = add(
        m_theme, {{QString(), QString()}, {QStringLiteral("light"), QString()}, {QStringLiteral("dark"), QString()}},
        m_choices.theme, m_choices.setTheme);
    std::vector<std::pair<QString, QString>> socs;
    for (const std::string& name : socNames())
        socs.emplace_back(QString::fromStdString(name), QString::fromStdString(name));
    QLabel* soc = add(m_soc, socs, m_choices.soc, m_choices.setSoc);
    say([this, language, theme, soc] {
        language->setText(tr("Language"));
        theme->setText(tr("Colours"));
        soc->setText(tr("Chip for new models"));
        m_language->setItemText(0, tr("As the system"));
        m_theme->setItemText(0, tr("As the system"));
        m_theme->setItemText(1, tr("Light"));
        m_theme->setItemText(2, tr("Dark"));
    });
    return page;
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
        m_list->setHeaderLabels({tr("Command"), tr("Shortcut")});
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
            item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) &&
                            !item->text(1).contains(text, Qt::CaseInsensitive));
        }
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
        if (const QAction* action = chosen()) m_edit->setKeySequence(action->shortcut());
        m_notice->clear();
    });
    connect(m_edit, &QKeySequenceEdit::editingFinished, this, [this] { assign(m_edit->keySequence()); });
    connect(clear, &QPushButton::clicked, this, [this] { assign({}); });
    connect(own, &QPushButton::clicked, this, [this] {
        if (const QAction* action = chosen())
            assign(QKeySequence::fromString(action->property(ownKeys).toString(), QKeySequence::PortableText));
    });
    return page;
}

void SettingsDialog::fill()
{
    m_list->clear();
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        QString text = m_actions[i]->text();
        if (text.isEmpty()) continue;
        auto* item = new QTreeWidgetItem(
            {text.remove(QLatin1Char('&')), m_actions[i]->shortcut().toString(QKeySequence::NativeText)});
        item->setData(0, Qt::UserRole, static_cast<int>(i));
        item->setToolTip(0, m_actions[i]->statusTip());
        m_list->addTopLevelItem(item);
    }
    m_list->sortItems(0, Qt::AscendingOrder);
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

QAction* SettingsDialog::chosen() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item == nullptr ? nullptr : m_actions[static_cast<std::size_t>(item->data(0, Qt::UserRole).toInt())];
}

QString SettingsDialog::notice() const { return m_notice->text(); }

void SettingsDialog::assign(const QKeySequence& keys)
{
    QAction* action = chosen();
    if (action == nullptr || action->shortcut() == keys) return;
    // Two commands on one key would both do nothing.
    for (const QAction* other : m_actions)
        if (other != action && !keys.isEmpty() && other->shortcut() == keys) {
            m_notice->setText(
                tr("%1 belongs to “%2”; take it away there first.")
                    .arg(keys.toString(QKeySequence::NativeText), other->text().remove(QLatin1Char('&'))));
            m_edit->setKeySequence(action->shortcut());
            return;
        }
    action->setShortcut(keys);
    m_list->currentItem()->setText(1, keys.toString(QKeySequence::NativeText));
    m_edit->setKeySequence(keys);
    m_notice->clear();
    QSettings settings;
    const QString written = keys.toString(QKeySequence::PortableText);
    if (written == action->property(ownKeys).toString())
        settings.remove(settingOf(action));
    else
        settings.setValue(settingOf(action), written);
}

void SettingsDialog::showShortcuts() { m_tabs->setCurrentIndex(1); }

} // namespace gelens
