#include "app/gui/bisect_dialog.h"

#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gelens {

using Kind = BisectQuestion::Kind;

BisectDialog::BisectDialog(std::shared_ptr<const Run> run, std::shared_ptr<const Session> session, QWidget* parent)
    : QDialog(parent), m_run(std::move(run)), m_session(std::move(session)), m_kinds(new QComboBox),
      m_text(new QLineEdit), m_search(new QPushButton), m_stop(new QPushButton), m_go(new QPushButton),
      m_close(new QPushButton), m_kindLabel(new QLabel), m_textLabel(new QLabel), m_result(new QLabel), m_job(this)
{
    setObjectName(QStringLiteral("bisect_dialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const Kind kind : {Kind::NumbersFail, Kind::OutputsDiffer, Kind::NodeGone, Kind::TypeGone, Kind::Statistic})
        m_kinds->addItem(QString(), static_cast<int>(kind));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_result->setMinimumSize(440, 48);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* form = new QFormLayout;
    form->addRow(m_kindLabel, m_kinds);
    form->addRow(m_textLabel, m_text);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_search);
    buttons->addWidget(m_stop);
    buttons->addWidget(m_go);
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_result);
    layout->addLayout(buttons);
    m_search->setDefault(true);
    for (QPushButton* button : {m_stop, m_go, m_close}) button->setAutoDefault(false);
    connect(m_kinds, &QComboBox::currentIndexChanged, this, &BisectDialog::retranslate);
    connect(m_text, &QLineEdit::textChanged, this, &BisectDialog::updateButtons);
    connect(m_search, &QPushButton::clicked, this, &BisectDialog::search);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_job.cancel();
        m_result->setText(tr("Cancelled."));
        updateButtons();
    });
    connect(m_go, &QPushButton::clicked, this, [this] { Q_EMIT stepChosen((*m_answer)->step, (*m_answer)->node); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    retranslate();
}

QString BisectDialog::result() const { return m_result->text(); }

BisectQuestion BisectDialog::question() const
{
    return {static_cast<Kind>(m_kinds->currentData().toInt()), m_text->text().trimmed().toStdString()};
}

void BisectDialog::search()
{
    if (!m_search->isEnabled()) return;
    m_answer.reset();
    m_result->setText(tr("Searching …"));
    QPointer<BisectDialog> guard(this);
    const ProgressFunction report = [guard](const Progress& progress) {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, progress] {
                if (guard && guard->isSearching())
                    guard->m_result->setText(
                        BisectDialog::tr("Searching … look %1, %2").arg(progress.done).arg(words::text(progress.what)));
            },
            Qt::QueuedConnection);
    };
    m_job.start([run = m_run, session = m_session, asked = question(),
                 report](std::stop_token stop) { return bisect(*run, session.get(), asked, report, stop); },
                [this](Result<BisectAnswer> answer) {
                    m_job.finished();
                    showAnswer(answer);
                });
    updateButtons();
}

void BisectDialog::showAnswer(const Result<BisectAnswer>& answer)
{
    m_answer = answer;
    m_result->setText(answer.ok() ? sentenceOf(*answer) : words::sentence(answer.error().message()));
    updateButtons();
    if (m_go->isEnabled()) m_go->setFocus();
}

QString BisectDialog::sentenceOf(const BisectAnswer& answer) const
{
    const QString figures = answer.after.empty() ? QString()
                            : answer.before == answer.after
                                ? words::text(answer.after)
                                : words::text(answer.before) + QStringLiteral(" → ") +
                                      words::text(answer.after).section(QStringLiteral(" = "), 1);
    if (answer.outcome == BisectAnswer::Outcome::NeverSo)
        return figures.isEmpty() ? tr("It is not so at the end of the run.")
                                 : tr("It is not so at the end of the run: %1.").arg(figures);
    if (answer.outcome == BisectAnswer::Outcome::SoFromTheStart)
        return figures.isEmpty() ? tr("It is so from the start; no pass made it so.")
                                 : tr("It is so from the start; no pass made it so: %1.").arg(figures);
    QString text =
        tr("Step %1, %2, makes it so.").arg(answer.step.value).arg(words::text(m_run->step(answer.step).pass));
    if (!figures.isEmpty()) text += QLatin1Char(' ') + figures + QLatin1Char('.');
    if (answer.node.isValid()) text += QLatin1Char(' ') + tr("Node: %1.").arg(words::text(m_run->nameOf(answer.node)));
    return text + QLatin1Char('\n') +
           (answer.isByRuns ? tr("Found in %1 runs with the passes behind left out.") : tr("Found in %1 looks."))
               .arg(answer.probes);
}

void BisectDialog::updateButtons()
{
    const Kind kind = question().kind;
    const bool needsText = kind == Kind::NodeGone || kind == Kind::TypeGone || kind == Kind::Statistic;
    m_text->setEnabled(needsText);
    m_search->setEnabled(!isSearching() && (!needsText || !m_text->text().trimmed().isEmpty()));
    m_stop->setEnabled(isSearching());
    m_go->setEnabled(!isSearching() && m_answer && m_answer->ok() &&
                     (*m_answer)->outcome != BisectAnswer::Outcome::NeverSo);
}

void BisectDialog::retranslate()
{
    setWindowTitle(tr("Find the pass that …"));
    m_kindLabel->setText(tr("What came about"));
    const QString kinds[] = {tr("numbers beyond tolerance"), tr("outputs differ at all"), tr("node is gone"),
                             tr("operator type is gone"), tr("figure")};
    for (int i = 0; i < m_kinds->count(); ++i) m_kinds->setItemText(i, kinds[i]);
    const Kind kind = question().kind;
    m_textLabel->setText(kind == Kind::Statistic ? tr("Condition") : kind == Kind::TypeGone ? tr("Type") : tr("Name"));
    m_text->setPlaceholderText(
        kind == Kind::Statistic
            ? QStringLiteral("operators < 40 · memory > 20M · peak > 1M · tasks < 30 · latency > 500")
        : kind == Kind::TypeGone ? QStringLiteral("Softmax")
        : kind == Kind::NodeGone ? QStringLiteral("layers.0*")
                                 : QString());
    m_search->setText(tr("Search"));
    m_search->setToolTip(tr("Halve the steps of the run until the pass is found"));
    m_stop->setText(tr("Cancel"));
    m_go->setText(tr("Go to the step"));
    m_close->setText(tr("Close"));
    m_kinds->setAccessibleName(m_kindLabel->text());
    m_text->setAccessibleName(m_textLabel->text());
    if (m_answer)
        m_result->setText(m_answer->ok() ? sentenceOf(**m_answer) : words::sentence(m_answer->error().message()));
    updateButtons();
}

void BisectDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace gelens
