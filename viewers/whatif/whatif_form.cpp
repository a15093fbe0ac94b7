#include "viewers/whatif/whatif_form.h"

#include "engine/session/what_if.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/formatter.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/option_words.h"
#include "viewers/models/words.h"
#include "viewers/whatif/rule_switches_model.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTreeView>
#include <QVBoxLayout>

#include <limits>

namespace gelens {
namespace {

constexpr int mostCards = 256; // as the dialog; blocks are the limit mostly

std::optional<std::vector<std::int64_t>> shapeFromText(const QString& text)
{
    std::vector<std::int64_t> dims;
    for (const QString& part : text.split(QLatin1Char(','))) {
        bool ok = false;
        const qlonglong dim = part.trimmed().toLongLong(&ok);
        if (!ok || dim < 0) return std::nullopt;
        dims.push_back(dim);
    }
    return dims;
}

QString shapeText(const std::vector<std::int64_t>& dims)
{
    QStringList parts;
    for (const std::int64_t dim : dims) parts += QString::number(dim);
    return parts.join(QLatin1Char(','));
}

QLabel* bold(QWidget* parent)
{
    auto* label = new QLabel(parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

} // namespace

std::optional<std::int64_t> bytesFromText(const QString& text)
{
    QString digits = text.trimmed();
    std::int64_t factor = 1;
    if (digits.endsWith(QLatin1Char('K'), Qt::CaseInsensitive)) factor = 1024;
    if (digits.endsWith(QLatin1Char('M'), Qt::CaseInsensitive)) factor = 1024 * 1024;
    if (factor > 1) digits.chop(1);
    bool ok = false;
    const qlonglong value = digits.trimmed().toLongLong(&ok);
    if (!ok || value <= 0 || value > std::numeric_limits<std::int64_t>::max() / factor / 1024) return std::nullopt;
    return value * factor;
}

std::optional<std::map<std::string, std::string>> streamLabelsFromText(const QString& text)
{
    std::map<std::string, std::string> labels;
    for (const QString& piece : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (piece.trimmed().isEmpty()) continue;
        const qsizetype sign = piece.lastIndexOf(QLatin1Char('='));
        const QString node = piece.left(std::max<qsizetype>(sign, 0)).trimmed(), label = piece.mid(sign + 1).trimmed();
        if (node.isEmpty() || label.isEmpty()) return std::nullopt;
        labels[node.toStdString()] = label.toStdString();
    }
    return labels;
}

WhatIfForm::WhatIfForm(QWidget* parent)
    : QScrollArea(parent), m_soc(new QComboBox), m_precision(new QComboBox), m_policy(new QComboBox),
      m_streams(new QComboBox), m_socLabel(new QLabel), m_precisionLabel(new QLabel), m_policyLabel(new QLabel),
      m_streamsLabel(new QLabel), m_rules(new TablePanel), m_ruleModel(new RuleSwitchesModel(this)), m_profiles(this)
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    m_layout = new QFormLayout;
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const std::string& soc : socNames()) m_soc->addItem(words::text(soc));
    for (const PrecisionMode mode : {PrecisionMode::MustKeepOriginDtype, PrecisionMode::ForceFp16,
                                     PrecisionMode::AllowFp32ToFp16, PrecisionMode::AllowMixPrecision})
        m_precision->addItem(words::precision(mode), static_cast<int>(mode));
    for (const MemoryPolicy policy :
         {MemoryPolicy::Best, MemoryPolicy::Ge, MemoryPolicy::Simple, MemoryPolicy::Greedy, MemoryPolicy::Optimal})
        m_policy->addItem(QString(), static_cast<int>(policy));
    m_streams->addItem(QString(), false);
    m_streams->addItem(QString(), true);
    m_layout->addRow(m_socLabel, m_soc);
    m_layout->addRow(m_precisionLabel, m_precision);
    m_layout->addRow(m_policyLabel, m_policy);
    m_layout->addRow(m_streamsLabel, m_streams);
    m_streamLabels = new QLineEdit;
    m_streamLabels->setObjectName(QStringLiteral("stream_labels"));
    m_streamLabels->setClearButtonEnabled(true);
    connect(m_streamLabels, &QLineEdit::textChanged, this, &WhatIfForm::edited);
    m_streamLabelsLabel = new QLabel;
    m_layout->addRow(m_streamLabelsLabel, m_streamLabels);
    m_skipped = new QLineEdit;
    m_skipped->setObjectName(QStringLiteral("skipped_passes"));
    m_skipped->setClearButtonEnabled(true);
    connect(m_skipped, &QLineEdit::textChanged, this, &WhatIfForm::edited);
    m_layout->addRow(m_skippedLabel = new QLabel, m_skipped);
    m_cards = new QSpinBox;
    m_cards->setObjectName(QStringLiteral("cards"));
    m_cards->setRange(1, mostCards);
    connect(m_cards, &QSpinBox::valueChanged, this, &WhatIfForm::edited);
    m_layout->addRow(m_cardsLabel = new QLabel, m_cards);
    layout->addLayout(m_layout);
    layout->addWidget(m_buffersTitle = bold(content));
    auto* buffers = new QFormLayout;
    for (const auto& [name, field] : bufferFields) {
        auto* line = new QLineEdit;
        line->setObjectName(QStringLiteral("buffer_") + QLatin1String(name));
        line->setClearButtonEnabled(true);
        connect(line, &QLineEdit::textChanged, this, &WhatIfForm::edited);
        auto* label = new QLabel(QString::fromLatin1(name).toUpper());
        buffers->addRow(label, line);
        m_buffers.push_back({name, label, line});
    }
    layout->addLayout(buffers);
    layout->addWidget(m_shapesTitle = bold(content));
    m_shapeLayout = new QFormLayout;
    layout->addLayout(m_shapeLayout);
    layout->addWidget(m_rulesTitle = bold(content));
    m_rules->setName(QStringLiteral("rules"));
    m_rules->setModel(m_ruleModel);
    m_rules->setMinimumHeight(220);
    new ColumnFit(m_rules->view(), {{RuleSwitchesModel::Rule, 130}, {RuleSwitchesModel::Summary, 60}},
                  RuleSwitchesModel::Summary);
    layout->addWidget(m_rules, 1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    for (QComboBox* box : {m_soc, m_precision, m_policy, m_streams})
        connect(box, &QComboBox::currentIndexChanged, this, &WhatIfForm::edited);
    connect(m_soc, &QComboBox::currentIndexChanged, this, &WhatIfForm::updateHints);
    connect(m_ruleModel, &RuleSwitchesModel::switched, this, &WhatIfForm::edited);
    retranslate();
}

void WhatIfForm::setBase(const std::shared_ptr<const Run>& base)
{
    if (base && base == m_base) return; // what was entered stays
    const bool isOtherModel = !base || !m_base || m_base->modelPath != base->modelPath;
    m_base = base;
    if (!base) return;
    if (m_ruleModel->rowCount() == 0) m_ruleModel->load(base->options.ruleFolders);
    if (isOtherModel || m_shapes.empty()) fillShapes();
    setOptions(base->options);
}

void WhatIfForm::fillShapes()
{
    while (m_shapeLayout->rowCount() > 0) m_shapeLayout->removeRow(0);
    m_shapes.clear();
    const auto graph = m_base->graphAt(StepId{0});
    constexpr std::size_t limit = 64; // lines
    int more = 0;
    graph->forEachNode(rootGraph, [&](const Node& node) {
        if (node.type != "Data" || node.outputs.empty()) return;
        if (m_shapes.size() >= limit) {
            ++more;
            return;
        }
        auto* line = new QLineEdit;
        line->setObjectName(QStringLiteral("shape_") + words::text(node.name));
        line->setClearButtonEnabled(true);
        line->setPlaceholderText(shapeText(node.outputs.front().desc.originShape.dims()));
        // What the file fixes stays as it is.
        line->setEnabled(!node.outputs.front().desc.originShape.isStatic() ||
                         m_base->options.inputShapes.contains(node.name));
        connect(line, &QLineEdit::textChanged, this, &WhatIfForm::edited);
        auto* label = new QLabel(words::text(node.name));
        label->setTextFormat(Qt::PlainText);
        m_shapeLayout->addRow(label, line);
        m_shapes.push_back({node.name, label, line});
    });
    if (more > 0) {
        auto* rest = new QLabel(tr("%1 more inputs. Set their shapes on the command line: gelens-cli compile --set.")
                                    .arg(format::count(more)));
        rest->setObjectName(QStringLiteral("more_shapes"));
        rest->setWordWrap(true);
        m_shapeLayout->addRow(rest);
    }
    m_shapesTitle->setVisible(!m_shapes.empty());
}

void WhatIfForm::setOptions(const CompileOptions& options)
{
    m_start = options;
    const bool wasBlocked = blockSignals(true);
    m_soc->setCurrentText(words::text(options.soc));
    m_precision->setCurrentIndex(m_precision->findData(static_cast<int>(options.precision)));
    m_policy->setCurrentIndex(m_policy->findData(static_cast<int>(options.memoryPolicy)));
    m_streams->setCurrentIndex(options.parallelStreams ? 1 : 0);
    QStringList labels;
    for (const auto& [node, label] : options.streamLabels)
        labels += words::text(node) + QStringLiteral(" = ") + words::text(label);
    m_streamLabels->setText(labels.join(QStringLiteral("; ")));
    QStringList skipped;
    for (const std::string& pass : options.skippedPasses) skipped += words::text(pass);
    m_skipped->setText(skipped.join(QStringLiteral("; ")));
    m_cards->setValue(options.cards);
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        const std::int64_t size = options.buffers.*bufferFields[i].size;
        m_buffers[i].line->setText(size == 0 ? QString() : QString::number(size));
    }
    for (const Field& field : m_shapes) {
        const auto found = options.inputShapes.find(field.name);
        field.line->setText(found == options.inputShapes.end() ? QString() : shapeText(found->second));
    }
    m_ruleModel->setSwitches(options.ruleSwitches);
    blockSignals(wasBlocked);
    updateHints();
    Q_EMIT edited();
}

CompileOptions WhatIfForm::options() const
{
    CompileOptions options = m_start;
    if (m_soc->currentText() != words::text(m_start.soc)) options.socFile.clear();
    options.soc = m_soc->currentText().toStdString();
    options.precision = static_cast<PrecisionMode>(m_precision->currentData().toInt());
    options.memoryPolicy = static_cast<MemoryPolicy>(m_policy->currentData().toInt());
    options.parallelStreams = m_streams->currentData().toBool();
    options.streamLabels = streamLabelsFromText(m_streamLabels->text()).value_or(m_start.streamLabels);
    options.skippedPasses.clear();
    for (const QString& pass : m_skipped->text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (!pass.trimmed().isEmpty()) options.skippedPasses.push_back(pass.trimmed().toStdString());
    options.cards = m_cards->value();
    for (std::size_t i = 0; i < m_buffers.size(); ++i)
        options.buffers.*bufferFields[i].size = bytesFromText(m_buffers[i].line->text()).value_or(0);
    for (const Field& field : m_shapes) {
        const auto dims = shapeFromText(field.line->text());
        if (dims)
            options.inputShapes[field.name] = *dims;
        else
            options.inputShapes.erase(field.name);
    }
    options.ruleSwitches = m_ruleModel->switches();
    return options;
}

QString WhatIfForm::problem() const
{
    for (const Field& field : m_buffers)
        if (!field.line->text().trimmed().isEmpty() && !bytesFromText(field.line->text()))
            return tr("%1: “%2” is no size; write bytes, 512K or 1M.").arg(field.label->text(), field.line->text());
    for (const Field& field : m_shapes)
        if (!field.line->text().trimmed().isEmpty() && !shapeFromText(field.line->text()))
            return tr("%1: “%2” is no shape; write 1,3,224,224.").arg(field.label->text(), field.line->text());
    if (!streamLabelsFromText(m_streamLabels->text()))
        return tr("“%1” names no stream labels; write node = label; node = label.").arg(m_streamLabels->text());
    return {};
}

QLineEdit* WhatIfForm::buffer(const char* name) const
{
    for (const Field& field : m_buffers)
        if (field.name == name) return field.line;
    return nullptr;
}

QLineEdit* WhatIfForm::shape(const QString& input) const
{
    for (const Field& field : m_shapes)
        if (words::text(field.name) == input) return field.line;
    return nullptr;
}

void WhatIfForm::updateHints()
{
    CompileOptions options;
    options.soc = m_soc->currentText().toStdString();
    m_profiles.start(
        [options](std::stop_token) { return loadSoc(options); },
        [this](Result<SocSpec> soc) {
            m_profiles.finished();
            if (!soc.ok()) return;
            for (std::size_t i = 0; i < m_buffers.size(); ++i)
                m_buffers[i].line->setPlaceholderText(
                    tr("%1 on the chip").arg(format::exactBytes(bufferSizeOn(*soc, bufferFields[i].size))));
        });
}

void WhatIfForm::retranslate()
{
    m_socLabel->setText(tr("SoC"));
    m_precisionLabel->setText(tr("Precision"));
    m_precision->setToolTip(tr("ATC's precision_mode; ATC's own default is force_fp16"));
    m_policyLabel->setText(tr("Memory policy"));
    m_streamsLabel->setText(tr("Streams"));
    m_streamLabelsLabel->setText(tr("Stream labels"));
    m_streamLabels->setPlaceholderText(tr("node = label; …"));
    m_streamLabels->setToolTip(
        tr("A node with a label runs on the stream of that label; several are parted by semicolons"));
    m_skippedLabel->setText(tr("Passes left out"));
    m_skipped->setPlaceholderText(tr("pass; …"));
    m_skipped->setToolTip(
        tr("Passes or rules that do not run, parted by semicolons; those that others need cannot be left out"));
    m_cardsLabel->setText(tr("Cards"));
    m_cards->setToolTip(
        tr("Split by its repeated blocks over so many cards, each compiled alone and set against the base run"));
    for (int i = 0; i < m_policy->count(); ++i)
        m_policy->setItemText(i, words::memoryPolicy(static_cast<MemoryPolicy>(m_policy->itemData(i).toInt())));
    m_streams->setItemText(0, tr("single stream"));
    m_streams->setItemText(1, tr("parallel streams"));
    m_buffersTitle->setText(tr("Buffers of one core, L2 of the chip"));
    m_shapesTitle->setText(tr("Input shapes"));
    m_rulesTitle->setText(tr("Fusion rules: on, off, or as by default"));
    for (const Field& field : m_buffers) field.line->setToolTip(tr("Bytes, or 512K, 1M; empty: what the chip has"));
    for (const Field& field : m_shapes)
        field.line->setToolTip(tr("Dimensions with commas between them; empty: as in the file"));
    m_ruleModel->refresh();
    updateHints();
}

} // namespace gelens
