#include "app/gui/preference_form.h"

#include "app/gui/preference_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace gelens {

using Kind = PreferenceInfo::Kind;

PreferenceForm::PreferenceForm(PreferencePage page, QWidget* parent)
    : QWidget(parent), m_page(page), m_layout(new QFormLayout(this))
{
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const PreferenceInfo& info : preferences())
        if (info.page == page) addRow(info);
    retranslate();
}

void PreferenceForm::addRow(const PreferenceInfo& info)
{
    const Preference id = info.id;
    QWidget* control = nullptr;
    QWidget* row = nullptr;
    QLabel* title = new QLabel;
    switch (info.kind) {
    case Kind::Flag: {
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::toggled, this, [this, id](bool isOn) { store(id, isOn); });
        m_texts[id] = [box, id] { box->setText(words::preference(id)); };
        control = box;
        delete title;
        title = nullptr;
        break;
    }
    case Kind::Number: {
        auto* box = new QSpinBox;
        box->setRange(info.least, info.most);
        box->setKeyboardTracking(false); // half a number is none
        connect(box, &QSpinBox::valueChanged, this, [this, id](int value) { store(id, value); });
        m_texts[id] = [box, title, id] {
            title->setText(words::preference(id));
            box->setSpecialValueText(words::preferenceZero(id));
            box->setSuffix(words::preferenceUnit(id));
        };
        control = box;
        break;
    }
    case Kind::Choice: {
        auto* box = new QComboBox;
        for (const QString& choice : info.choices) box->addItem(QString(), choice);
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, id, box](int index) { store(id, box->itemData(index)); });
        m_texts[id] = [box, title, id] {
            title->setText(words::preference(id));
            for (int i = 0; i < box->count(); ++i)
                box->setItemText(i, words::preferenceChoice(id, box->itemData(i).toString()));
        };
        control = box;
        break;
    }
    case Kind::Folder: {
        auto* line = new QLineEdit;
        line->setClearButtonEnabled(true);
        auto* browse = new QPushButton;
        browse->setAutoDefault(false);
        row = new QWidget;
        auto* both = new QHBoxLayout(row);
        both->setContentsMargins(0, 0, 0, 0);
        both->addWidget(line, 1);
        both->addWidget(browse);
        connect(line, &QLineEdit::editingFinished, this, [this, id, line] { store(id, line->text().trimmed()); });
        connect(line, &QLineEdit::textChanged, this, [this, id](const QString& text) {
            if (text.isEmpty()) store(id, text); // the button that clears the line is no end of editing
        });
        connect(browse, &QPushButton::clicked, this, [this, id, line] {
            const QString folder = QFileDialog::getExistingDirectory(this, words::preference(id), line->text());
            if (folder.isEmpty()) return;
            line->setText(folder);
            store(id, folder);
        });
        m_texts[id] = [this, line, browse, title, id] {
            title->setText(words::preference(id));
            line->setPlaceholderText(tr("no dumps are written"));
            browse->setText(tr("Browse…"));
        };
        control = line;
        break;
    }
    }
    control->setObjectName(QLatin1String(info.key));
    m_controls[id] = control;
    if (title != nullptr) {
        title->setBuddy(control);
        m_layout->addRow(title, row != nullptr ? row : control);
    } else {
        m_layout->addRow(control);
    }
    show(info);
}

void PreferenceForm::show(const PreferenceInfo& info)
{
    QWidget* control = m_controls.at(info.id);
    const QVariant value = preference(info.id);
    const QSignalBlocker quiet(control);
    switch (info.kind) {
    case Kind::Flag: static_cast<QCheckBox*>(control)->setChecked(value.toBool()); break;
    case Kind::Number: static_cast<QSpinBox*>(control)->setValue(value.toInt()); break;
    case Kind::Choice: {
        auto* box = static_cast<QComboBox*>(control);
        box->setCurrentIndex(std::max(0, box->findData(value)));
        break;
    }
    case Kind::Folder: static_cast<QLineEdit*>(control)->setText(value.toString()); break;
    }
}

void PreferenceForm::store(Preference id, const QVariant& value)
{
    if (preference(id) == value) return;
    setPreference(id, value);
    Q_EMIT changed(id);
}

void PreferenceForm::restoreDefaults()
{
    for (const auto& [id, control] : m_controls) {
        store(id, preferenceInfo(id).initial);
        show(preferenceInfo(id));
    }
}

void PreferenceForm::retranslate()
{
    for (const auto& [id, text] : m_texts) {
        text();
        m_controls.at(id)->setToolTip(words::preferenceToolTip(id));
        m_controls.at(id)->setAccessibleName(words::preference(id));
    }
}

void PreferenceForm::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace gelens
