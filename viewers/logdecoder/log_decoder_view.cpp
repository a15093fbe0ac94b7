#include "viewers/logdecoder/log_decoder_view.h"

#include "viewers/common/formatter.h"
#include "viewers/common/table_panel.h"
#include "viewers/logdecoder/log_lines_model.h"
#include "viewers/models/words.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr qint64 sizeLimit = 256 << 20;

} // namespace

LogDecoderView::LogDecoderView(QWidget* parent)
    : View(parent), m_model(new LogLinesModel(this)), m_panel(new TablePanel), m_input(new QPlainTextEdit),
      m_pages(new QStackedWidget), m_open(new QToolButton), m_paste(new QToolButton), m_decode(new QToolButton),
      m_edit(new QToolButton), m_summary(new QLabel), m_job(this)
{
    m_panel->setName(QStringLiteral("log_lines"));
    m_panel->setModel(m_model);
    m_panel->view()->setIndentation(16);
    QHeaderView* header = m_panel->view()->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(LogLinesModel::Text, QHeaderView::Stretch);
    header->resizeSection(LogLinesModel::Level, 70);
    header->resizeSection(LogLinesModel::Module, 80);
    header->resizeSection(LogLinesModel::Number, 60);
    m_input->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_input->setFrameShape(QFrame::NoFrame);
    m_pages->addWidget(m_input);
    m_pages->addWidget(m_panel);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 6, 1);
    for (QToolButton* button : {m_open, m_paste, m_decode, m_edit}) {
        button->setAutoRaise(true);
        bar->addWidget(button);
    }
    m_summary->setTextFormat(Qt::PlainText);
    bar->addWidget(m_summary, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    layout->addLayout(bar);
    layout->addWidget(m_pages, 1);
    setFocusProxy(m_input);

    connect(m_open, &QToolButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open a log"));
        if (path.isEmpty()) return;
        m_notice = openFile(path);
        updateSummary();
    });
    connect(m_paste, &QToolButton::clicked, this, [this] { setText(QApplication::clipboard()->text()); });
    connect(m_decode, &QToolButton::clicked, this, [this] { setText(m_input->toPlainText()); });
    connect(m_edit, &QToolButton::clicked, this, [this] {
        m_pages->setCurrentIndex(0);
        updateSummary();
    });
    connect(m_panel, &TablePanel::activated, this, &LogDecoderView::follow);
    retranslate();
}

LogDecoderView::~LogDecoderView() = default;

QString LogDecoderView::summary() const { return m_summary->text(); }

void LogDecoderView::runChanged()
{
    // Names are looked for in the model that is shown now.
    if (!m_text.empty()) decode();
}

void LogDecoderView::setText(const QString& text)
{
    m_notice.clear();
    m_text = text.toStdString();
    if (m_input->toPlainText() != text) m_input->setPlainText(text);
    decode();
}

QString LogDecoderView::openFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return QStringLiteral("%1: %2").arg(path, file.errorString());
    if (file.size() > sizeLimit) return tr("%1 is larger than %2.").arg(path, format::bytes(sizeLimit));
    m_text = file.readAll().toStdString();
    // The input page is for short texts.
    m_input->setPlainText(m_text.size() < 1'000'000 ? words::text(m_text) : QString());
    decode();
    return {};
}

void LogDecoderView::decode()
{
    m_job.cancel();
    Q_EMIT textChanged();
    if (QString::fromStdString(m_text).trimmed().isEmpty()) return show(nullptr, nullptr);
    m_summary->setText(tr("decoding …"));
    m_job.start(
        [text = m_text, run = run()](std::stop_token stop) {
            return std::make_shared<const DecodedLog>(decodeLog(text, run.get(), stop));
        },
        [this, run = run()](std::shared_ptr<const DecodedLog> log) {
            m_job.finished();
            show(std::move(log), run);
        });
}

void LogDecoderView::show(std::shared_ptr<const DecodedLog> log, std::shared_ptr<const Run> run)
{
    m_log = log;
    m_model->setLog(std::move(log), std::move(run));
    m_pages->setCurrentIndex(m_log && !m_log->lines.empty() ? 1 : 0);
    // What is explained is to be seen; long logs stay folded.
    if (m_log && m_log->lines.size() < 2000) m_panel->view()->expandAll();
    updateSummary();
}

void LogDecoderView::follow(const QModelIndex& index)
{
    const QVariant step = index.data(StepRole), node = index.data(NodeRole);
    if (!run()) return;
    if (const FusionVerdict* verdict = m_model->verdictOf(index)) {
        Selection wanted;
        wanted.node = verdict->fused || verdict->nodes.empty() ? verdict->into : verdict->nodes.front();
        const StepId at = verdict->step;
        Q_EMIT stepRequested(at);
        if (wanted.node.isValid()) Q_EMIT selectionRequested(wanted);
        return;
    }
    if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(NodeId{node.toInt()}));
}

void LogDecoderView::updateSummary()
{
    const bool isList = m_pages->currentIndex() == 1;
    m_edit->setEnabled(isList);
    m_decode->setEnabled(!isList);
    if (!m_notice.isEmpty() || !m_log) {
        m_summary->setText(m_notice);
        return;
    }
    QStringList codes;
    for (const auto& [code, count] : m_log->codes) {
        if (codes.size() >= 8) break;
        codes += count > 1 ? QStringLiteral("%1 × %2").arg(words::text(code)).arg(count) : words::text(code);
    }
    QString text = tr("%1 errors · %2 warnings · %3 lines name something of the model")
                       .arg(format::count(m_log->errors), format::count(m_log->warnings), format::count(m_log->linked));
    if (!codes.isEmpty()) text += QStringLiteral(" · ") + codes.join(QStringLiteral(", "));
    if (m_log->isCut) text += QStringLiteral(" · ") + tr("the rest is left out");
    m_summary->setText(text);
}

void LogDecoderView::retranslate()
{
    m_open->setText(tr("Open…"));
    m_open->setToolTip(tr("Open a log file of ATC or GE"));
    m_paste->setText(tr("Paste"));
    m_paste->setToolTip(tr("Decode the text of the clipboard"));
    m_decode->setText(tr("Decode"));
    m_decode->setToolTip(tr("Explain the text below"));
    m_edit->setText(tr("Edit text"));
    m_edit->setToolTip(tr("Back to the text"));
    m_input->setPlaceholderText(tr(
        "Paste the output of ATC or a GE log here, English or Chinese, and press Decode: error codes are explained, and what "
        "it names in the open model becomes a link."));
    m_model->refresh();
    updateSummary();
}

void LogDecoderView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
