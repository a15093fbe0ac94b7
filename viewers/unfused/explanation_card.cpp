#include "viewers/unfused/explanation_card.h"

#include "engine/session/node_facts.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/palette.h"
#include "viewers/common/plain_label.h"
#include "viewers/models/option_words.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/needs_bar.h"
#include "viewers/unfused/pattern_picture.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace gelens {
namespace {

struct Drawn {
    std::vector<PatternPair> pairs;
    std::vector<std::pair<int, int>> edges;
};

/// Puts the pairs in the order of the data flow and finds the edges among them, in the graph in which the rule was tried.
Drawn arrange(const Graph& graph, std::vector<PatternPair> pairs)
{
    std::map<NodeId, int> columnOf;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].node.isValid()) columnOf.try_emplace(pairs[i].node, static_cast<int>(i));
    std::vector<std::vector<int>> readers(pairs.size());
    std::vector<int> waits(pairs.size(), 0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const NodeId id = pairs[i].node;
        if (!id.isValid() || id.value >= graph.nodeIdBound()) continue;
        const Node& node = graph.node(id);
        pairs[i].unit = nodeUnit(node);
        if (pairs[i].type.isEmpty()) pairs[i].type = words::text(node.type);
        if (pairs[i].name.isEmpty()) pairs[i].name = words::text(node.name);
        for (const InputSlot& input : node.inputs) {
            const auto found = columnOf.find(input.source.node);
            if (found == columnOf.end() || found->second == static_cast<int>(i)) continue;
            auto& of = readers[static_cast<std::size_t>(found->second)];
            if (std::find(of.begin(), of.end(), static_cast<int>(i)) != of.end()) continue;
            of.push_back(static_cast<int>(i));
            ++waits[i];
        }
    }
    // Kahn's order; patterns are named from the result backwards, so the last ready one is the earliest in the data flow.
    std::vector<int> order, place(pairs.size(), -1);
    std::vector<int> ready;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (waits[i] == 0) ready.push_back(static_cast<int>(i));
    while (!ready.empty()) {
        const int next = ready.back();
        ready.pop_back();
        place[static_cast<std::size_t>(next)] = static_cast<int>(order.size());
        order.push_back(next);
        for (const int reader : readers[static_cast<std::size_t>(next)])
            if (--waits[static_cast<std::size_t>(reader)] == 0) ready.push_back(reader);
    }
    Drawn drawn;
    for (const int column : order) drawn.pairs.push_back(pairs[static_cast<std::size_t>(column)]);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        for (const int reader : readers[i])
            if (place[i] >= 0 && place[static_cast<std::size_t>(reader)] >= 0)
                drawn.edges.emplace_back(place[i], place[static_cast<std::size_t>(reader)]);
    std::sort(drawn.edges.begin(), drawn.edges.end());
    return drawn;
}

} // namespace

ExplanationCard::ExplanationCard(QWidget* parent)
    : QScrollArea(parent), m_copyText(new QAction(this)), m_content(new QWidget), m_layout(new QVBoxLayout(m_content)),
      m_title(plainLabel()), m_sentence(plainLabel()), m_thresholds(plainLabel()), m_remedy(plainLabel()),
      m_pictureTitle(plainLabel()), m_checksTitle(plainLabel()), m_others(plainLabel()), m_remedyRow(new QWidget),
      m_rules(new QComboBox), m_picture(new PatternPicture), m_background(this), m_adviceJob(this)
{
    setWidget(m_content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    // Their names are long; the list that opens shows them whole.
    m_rules->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rules->setMinimumContentsLength(12);
    QFont bold = font();
    bold.setBold(true);
    for (QLabel* label : {m_title, m_pictureTitle, m_checksTitle}) label->setFont(bold);
    // Their own menu would offer the marked text only; the card's has the picture, too.
    for (QLabel* label : {m_title, m_sentence, m_thresholds, m_remedy, m_pictureTitle, m_checksTitle, m_others})
        label->setContextMenuPolicy(Qt::NoContextMenu);
    m_layout->setContentsMargins(10, 6, 10, 8);
    m_layout->setSpacing(6);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_sentence, m_thresholds, m_remedy, m_remedyRow,
                                                         m_others, m_rules, m_pictureTitle, m_picture, m_checksTitle})
        m_layout->addWidget(part);
    auto* buttons = new QVBoxLayout(m_remedyRow);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->setSpacing(4);
    m_layout->addStretch(1);
    m_copyText->setObjectName(QStringLiteral("explanation_copy"));
    m_copyText->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_content->addAction(m_copyText);
    connect(m_copyText, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(visibleText()); });
    connect(m_picture, &PatternPicture::nodeClicked, this, &ExplanationCard::nodeClicked);
    connect(m_rules, &QComboBox::activated, this,
            [this](int index) { show(m_verdicts[static_cast<std::size_t>(index)]); });
    retranslate();
    showNothing();
}

void ExplanationCard::retranslate()
{
    setCommandTexts(m_copyText, tr("Copy explanation"), tr("Copy all that the card says as text"));
    m_pictureTitle->setText(tr("The rule's pattern above the nodes that stand there"));
    m_rules->setToolTip(tr("Rules that were tried on this place, the nearest first"));
    m_rules->setAccessibleName(tr("Rule"));
}

void ExplanationCard::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

void ExplanationCard::showNothing()
{
    m_background.cancel();
    m_run.reset();
    m_link = nullptr;
    m_verdicts.clear();
    show(nullptr);
    m_title->setText(tr("Choose a row to read why the operators were fused, or why not."));
}

void ExplanationCard::showChain(std::shared_ptr<const Run> run, int chain, int link)
{
    m_run = std::move(run);
    const Chain& content = m_run->chains[static_cast<std::size_t>(chain)];
    int shown = link;
    for (std::size_t i = 0; shown < 0 && i < content.links.size(); ++i)
        if (content.links[i].reason == content.reason) shown = static_cast<int>(i);
    if (shown < 0) return showNothing();
    m_link = &content.links[static_cast<std::size_t>(shown)];
    std::vector<const FusionVerdict*> verdicts;
    for (const FusionVerdict& verdict : m_link->tried) verdicts.push_back(&verdict);
    fillRules(verdicts, ChainsModel::nearest(content, shown));
}

void ExplanationCard::showVerdict(std::shared_ptr<const Run> run, const FusionVerdict* verdict)
{
    m_run = std::move(run);
    m_link = nullptr;
    fillRules({verdict}, verdict);
}

void ExplanationCard::fillRules(const std::vector<const FusionVerdict*>& verdicts, const FusionVerdict* first)
{
    m_verdicts = verdicts;
    m_rules->clear();
    for (const FusionVerdict* verdict : m_verdicts)
        m_rules->addItem(QStringLiteral("%1 — %2").arg(words::text(verdict->rule), words::reason(verdict->reason)));
    const auto at = std::find(m_verdicts.begin(), m_verdicts.end(), first);
    m_rules->setCurrentIndex(at == m_verdicts.end() ? -1 : static_cast<int>(at - m_verdicts.begin()));
    show(first);
}

void ExplanationCard::setHeadline(bool isFused, const QString& title, const QString& sentence)
{
    m_title->setText((isFused ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + title);
    m_sentence->setText(sentence);
    const Palette palette = Palette::of(this->palette());
    QPalette colours = this->palette();
    colours.setColor(QPalette::WindowText, isFused ? palette.good() : palette.error());
    m_title->setPalette(colours);
}

void ExplanationCard::show(const FusionVerdict* verdict)
{
    m_background.cancel();
    clearAdvice();
    delete m_bar;
    delete m_checks;
    m_bar = m_checks = nullptr;
    m_title->setPalette(QPalette());
    m_sentence->clear();
    m_thresholds->clear();
    m_remedy->clear();
    m_picture->setPairs({}, {}, true);
    if (verdict != nullptr) {
        const Check* headline = verdict->headline();
        setHeadline(
            verdict->fused,
            verdict->fused
                ? tr("Fused by %1 (%2)").arg(words::text(verdict->rule), words::text(verdict->gePass))
                : tr("%1: %2 (%3)")
                      .arg(words::reason(verdict->reason), words::text(verdict->rule), words::text(verdict->gePass)),
            verdict->fused ? tr("Every check held; the new operator is '%1'.").arg(words::text(verdict->intoName))
            : headline != nullptr ? words::sentence(headline->what)
                                  : QString());
        if (headline != nullptr && headline->needs && headline->has) {
            m_bar = new NeedsBar(*headline->needs, *headline->has, quantityText(*headline->needs, headline->unit),
                                 quantityText(*headline->has, headline->unit), headline->held);
            m_layout->insertWidget(2, m_bar);
        }
        QStringList fits;
        for (const Threshold& threshold : verdict->thresholds)
            fits += tr("fits with %1 (now %2)")
                        .arg(thresholdsText({threshold}), quantityText(threshold.current, threshold.unit));
        m_thresholds->setText(fits.join(QLatin1Char('\n')));
        if (!verdict->remedy.empty()) m_remedy->setText(tr("What to do: %1").arg(words::sentence(verdict->remedy)));
        drawVerdict(*verdict);
        addChecks(*verdict);
        requestAdvice(*verdict);
    } else if (m_link != nullptr) {
        setHeadline(false, words::reason(m_link->reason), words::sentence(m_link->evidence));
        m_remedy->setText(m_link->remedy.empty() ? QString()
                                                 : tr("What to do: %1").arg(words::sentence(m_link->remedy)));
        drawLink(*m_link);
    }
    for (QLabel* label : {m_sentence, m_thresholds, m_remedy}) label->setVisible(!label->text().isEmpty());
    m_rules->setVisible(m_verdicts.size() > 1);
    m_pictureTitle->setVisible(verdict != nullptr);
    m_picture->setVisible(verdict != nullptr || m_link != nullptr);
    m_checksTitle->setVisible(m_checks != nullptr);
    verticalScrollBar()->setValue(0);
}

void ExplanationCard::clearAdvice()
{
    m_adviceJob.cancel();
    for (QPushButton* button : m_remedyButtons) button->deleteLater();
    m_remedyButtons.clear();
    m_remedyRow->hide();
    m_others->clear();
    m_others->hide();
}

void ExplanationCard::requestAdvice(const FusionVerdict& verdict)
{
    m_adviceJob.start(
        [run = m_run, verdict = &verdict](std::stop_token) {
            Advice advice;
            if (!verdict->fused) {
                advice.remedies = remediesFor(*run, *verdict);
                return advice;
            }
            // Whoever was tried on the same place before: "why this one and not that one?"
            const auto isOfPlace = [&](NodeId node) {
                return std::find(verdict->nodes.begin(), verdict->nodes.end(), node) != verdict->nodes.end();
            };
            for (const Step& step : run->steps)
                for (const FusionVerdict& other : step.verdicts)
                    if (!other.fused && other.rule != verdict->rule && other.nodes.size() > 1 &&
                        std::all_of(other.nodes.begin(), other.nodes.end(), isOfPlace))
                        advice.others.push_back(&other);
            return advice;
        },
        [this, verdict = &verdict](const Advice& advice) {
            m_adviceJob.finished();
            showAdvice(advice, verdict);
        });
}

void ExplanationCard::showAdvice(const Advice& advice, const FusionVerdict* verdict)
{
    for (const Remedy& remedy : advice.remedies) {
        const QString change = words::optionChange(remedy.change);
        auto* button = new QPushButton(tr("Try it: %1").arg(change).replace(QLatin1Char('&'), QStringLiteral("&&")));
        button->setToolTip(tr("Compile with this change beside the run and compare"));
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this,
                [this, options = remedy.options, change] { Q_EMIT remedyRequested(options, change); });
        m_remedyRow->layout()->addWidget(button);
        // Tab comes from the card to its buttons: what is made late would be the last of the window.
        setTabOrder(m_remedyButtons.empty() ? static_cast<QWidget*>(m_rules) : m_remedyButtons.back(), button);
        m_remedyButtons.push_back(button);
    }
    m_remedyRow->setVisible(!m_remedyButtons.empty());
    QStringList lines;
    for (const FusionVerdict* other : advice.others) {
        const Check* headline = other->headline();
        QString line = tr("Also tried here: %1 — %2.").arg(words::text(other->rule), words::reason(other->reason));
        if (headline != nullptr && headline->needs && headline->has)
            line += QLatin1Char(' ') + tr("It needs %1 and has %2.")
                                           .arg(quantityText(*headline->needs, headline->unit),
                                                quantityText(*headline->has, headline->unit));
        else if (headline != nullptr)
            line += QLatin1Char(' ') + words::sentence(headline->what);
        if (!other->thresholds.empty())
            line += QLatin1Char(' ') + tr("Fits when: %1.").arg(thresholdsText(other->thresholds));
        lines += line;
    }
    m_others->setText(lines.join(QLatin1Char('\n')));
    m_others->setVisible(!lines.isEmpty());
    if (advice.others.empty() || m_verdicts.size() != 1) return;
    // Each of them can be read in full as well.
    std::vector<const FusionVerdict*> all{verdict};
    all.insert(all.end(), advice.others.begin(), advice.others.end());
    m_verdicts = std::move(all);
    m_rules->clear();
    for (const FusionVerdict* each : m_verdicts)
        m_rules->addItem(QStringLiteral("%1 — %2").arg(words::text(each->rule), words::reason(each->reason)));
    m_rules->setCurrentIndex(0);
    m_rules->setVisible(true);
}

void ExplanationCard::drawVerdict(const FusionVerdict& verdict)
{
    std::vector<PatternPair> pairs;
    for (std::size_t i = 0; i < verdict.nodes.size(); ++i) {
        const auto at = [i](const std::vector<std::string>& texts) {
            return i < texts.size() ? words::text(texts[i]) : QString();
        };
        pairs.push_back({at(verdict.patternNodes), at(verdict.nodeTypes), at(verdict.nodeNames), Unit::None,
                         verdict.nodes[i], false});
    }
    if (!verdict.firstMismatch.empty())
        pairs.push_back({words::text(verdict.firstMismatch), {}, {}, Unit::None, verdict.mismatchNode, true});
    // Fused nodes are gone after the step, so the graph before it is asked.
    const StepId step{std::clamp(verdict.step.value - (verdict.fused ? 1 : 0), 0, m_run->lastStep().value)};
    m_background.start([run = m_run, step, pairs](std::stop_token) { return arrange(*run->graphAt(step), pairs); },
                       [this](Drawn drawn) {
                           m_background.finished();
                           m_picture->setPairs(std::move(drawn.pairs), std::move(drawn.edges), true);
                       });
}

void ExplanationCard::drawLink(const ChainLink& link)
{
    std::vector<PatternPair> pairs{
        {{}, words::text(link.fromType), words::text(link.fromName), Unit::None, link.from, false},
        {{}, words::text(link.toType), words::text(link.toName), Unit::None, link.to, false}};
    m_background.start([run = m_run, pairs](std::stop_token) { return arrange(*run->graphAt(run->lastStep()), pairs); },
                       [this](Drawn drawn) {
                           m_background.finished();
                           m_picture->setPairs(std::move(drawn.pairs), std::move(drawn.edges), false);
                       });
}

QLabel* ExplanationCard::addLabel(const QString& text, int row, int column, int columns)
{
    QLabel* label = plainLabel();
    label->setText(text);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_grid->addWidget(label, row, column, 1, columns);
    return label;
}

void ExplanationCard::addChecks(const FusionVerdict& verdict)
{
    std::vector<const Check*> checks;
    for (const Check& check : verdict.checks) checks.push_back(&check);
    std::stable_sort(checks.begin(), checks.end(), [](const Check* a, const Check* b) { return a->held < b->held; });
    const auto failed = std::count_if(checks.begin(), checks.end(), [](const Check* check) { return !check->held; });
    m_checksTitle->setText(failed == 0 ? tr("Checks: all %1 held").arg(checks.size())
                                       : tr("Checks: %1 of %2 failed").arg(failed).arg(checks.size()));
    m_checks = new QWidget;
    m_grid = new QGridLayout(m_checks);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(2, 1);
    for (std::size_t i = 0; i < checks.size(); ++i) addCheck(static_cast<int>(i), *checks[i]);
    m_layout->insertWidget(m_layout->count() - 1, m_checks);
}

void ExplanationCard::addCheck(int row, const Check& check)
{
    const Palette palette = Palette::of(this->palette());
    QLabel* mark = addLabel(check.held ? QStringLiteral("✓") : QStringLiteral("✗"), row, 0);
    QPalette colours = this->palette();
    colours.setColor(QPalette::WindowText, check.held ? palette.good() : palette.error());
    mark->setPalette(colours);
    mark->setAccessibleName(check.held ? tr("held") : tr("failed"));
    QLabel* code = addLabel(check.code.empty() ? QStringLiteral("–") : words::text(check.code), row, 1);
    code->setWordWrap(false);
    code->setToolTip(tr("%1; evidence %2").arg(words::reason(check.reason), QString(QLatin1Char(check.evidence))));
    if (!check.needs || !check.has) {
        addLabel(words::sentence(check.what), row, 2, 2);
        return;
    }
    addLabel(words::sentence(check.what), row, 2);
    const QString needs = quantityText(*check.needs, check.unit), has = quantityText(*check.has, check.unit);
    if (*check.needs < 0 || *check.has < 0 || std::max(*check.needs, *check.has) < 2)
        addLabel(tr("needs %1, has %2").arg(needs, has), row, 3)->setWordWrap(false);
    else
        m_grid->addWidget(new NeedsBar(*check.needs, *check.has, needs, has, check.held), row, 3, Qt::AlignTop);
}

QString ExplanationCard::visibleText() const
{
    QStringList lines;
    for (const QLabel* label : {m_title, m_sentence}) lines += label->text();
    if (m_bar != nullptr) lines += static_cast<NeedsBar*>(m_bar)->text();
    for (const QLabel* label : {m_thresholds, m_remedy}) lines += label->text();
    for (const QPushButton* button : m_remedyButtons) lines += button->text();
    lines += m_others->text();
    lines += m_picture->description();
    for (int row = 0; m_checks != nullptr && row < m_grid->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_grid->columnCount(); ++column) {
            const QLayoutItem* item = m_grid->itemAtPosition(row, column);
            if (item == nullptr || (column > 0 && m_grid->itemAtPosition(row, column - 1) == item)) continue;
            if (const auto* label = qobject_cast<QLabel*>(item->widget())) cells += label->text();
            if (const auto* bar = qobject_cast<NeedsBar*>(item->widget())) cells += bar->text();
        }
        lines += cells.join(QLatin1Char(' '));
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

} // namespace gelens
