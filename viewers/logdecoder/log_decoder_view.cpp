#include "viewers/logdecoder/log_decoder_view.h"

#include "viewers/common/formatter.h"
#include "viewers/common/table_panel.h"
#include "viewers/logdecoder/log_lines_model.h"
#include "viewers/models/explaining_chain.h"
#include "viewers/models/words.h"

#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr qint64 sizeLimit = 256 << 20;

} // namespace

LogDecoderView::LogDecoderView(QWidget* parent)
    : View(parent), m_text(std::make_shared<const std::string>()), m_model(new LogLinesModel(this)),
      m_panel(new TablePanel), m_input(new QPlainTextEdit), m_pages(new QStackedWidget), m_open(new QToolButton),
      m_paste(new QToolButton), m_decode(new QToolButton), m_edit(new QToolButton), m_summary(new QLabel), m_job(this)
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
    m_input->setTabChangesFocus(true); // Tab leads on, as everywhere
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
    m_input->setAcceptDrops(false); // it would take a file for its address
    setAcceptDrops(true);

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
    if (!m_text || !m_text->empty()) decode();
}

const std::string& LogDecoderView::text() const
{
    static const std::string nothing;
    return m_text ? *m_text : nothing;
}

void LogDecoderView::setText(const QString& text)
{
    m_notice.clear();
    m_file.clear();
    m_text = std::make_shared<const std::string>(text.toStdString());
    if (m_input->toPlainText() != text) m_input->setPlainText(text);
    decode();
}

QString LogDecoderView::openFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return QStringLiteral("%1: %2").arg(path, file.errorString());
    if (file.size() > sizeLimit)
        return tr("%1 has %2; logs are read up to %3. Take its end, where errors stand (tail -c 200M), or the log of one "
                  "process.")
            .arg(path, format::bytes(file.size()), format::bytes(sizeLimit));
    m_notice.clear();
    m_file = path;
    m_text = nullptr;
    decode();
    return {};
}

/// All that is worked out off the window's thread.
struct LogDecoderView::Answer {
    std::shared_ptr<const std::string> text;
    std::shared_ptr<const DecodedLog> log; ///< null: there is nothing in the text
    std::shared_ptr<const Run> run;        ///< keeps alive what the log points to
    LogLinesModel::Tree tree;
};

void LogDecoderView::decode()
{
    m_job.cancel();
    Q_EMIT textChanged();
    m_summary->setText(tr("decoding …"));
    m_job.start(
        [text = m_text, path = m_file, run = run()](std::stop_token stop) {
            Answer answer{text, nullptr, run, {}};
            if (QFile file(path); !text && file.open(QIODevice::ReadOnly))
                answer.text = std::make_shared<const std::string>(file.readAll().toStdString());
            if (!answer.text) answer.text = std::make_shared<const std::string>();
            if (answer.text->find_first_not_of(" \t\r\n") == std::string::npos) return answer;
            answer.log = std::make_shared<const DecodedLog>(decodeLog(*answer.text, run.get(), stop));
            answer.tree = LogLinesModel::treeOf(*answer.log);
            return answer;
        },
        [this](Answer answer) {
            m_job.finished();
            show(std::move(answer));
        });
}

void LogDecoderView::show(Answer answer)
{
    if (!m_text) {
        m_text = answer.text;
        // The input page is for short texts.
        m_input->setPlainText(m_text->size() < 1'000'000 ? words::text(*m_text) : QString());
        Q_EMIT textChanged();
    }
    m_log = answer.log;
    m_model->setLog(std::move(answer.log), std::move(answer.run), std::move(answer.tree));
    m_pages->setCurrentIndex(m_log && !m_log->lines.empty() ? 1 : 0);
    // What is explained is to be seen; long logs stay folded.
    if (m_log && m_log->lines.size() < 2000) m_panel->view()->expandAll();
    updateSummary();
}

void LogDecoderView::follow(const QModelIndex& index)
{
    const QVariant step = index.data(StepRole), node = index.data(NodeRole);
    if (!run()) return;
    if (const FusionVerdict* verdict = m_model->verdictOf(index)) return followVerdict(*verdict);
    if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(NodeId{node.toInt()}));
}

/// To the place, and where it was refused to the chain that explains it.
void LogDecoderView::followVerdict(const FusionVerdict& verdict)
{
    Selection wanted;
    wanted.node = verdict.fused || verdict.nodes.empty() ? verdict.into : verdict.nodes.front();
    if (!verdict.fused) {
        wanted.chain = explainingChain(*run(), verdict);
        Q_EMIT panelRequested(QStringLiteral("unfused"));
    }
    Q_EMIT stepRequested(verdict.step);
    if (!wanted.isEmpty()) Q_EMIT selectionRequested(wanted);
}

bool LogDecoderView::isLogDropped(const QString& path)
{
    static const QStringList others{QStringLiteral("onnx"),  QStringLiteral("om"),     QStringLiteral("air"),
                                    QStringLiteral("pbtxt"), QStringLiteral("gelens"), QStringLiteral("ini")};
    const QFileInfo file(path);
    return file.isFile() && !others.contains(file.suffix().toLower());
}

void LogDecoderView::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    // Anything else is for the window around it.
    if (urls.isEmpty() ? event->mimeData()->hasText() : urls.size() == 1 && isLogDropped(urls.first().toLocalFile()))
        event->acceptProposedAction();
}

void LogDecoderView::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty()) {
        setText(event->mimeData()->text());
    } else {
        m_notice = openFile(urls.first().toLocalFile());
        updateSummary();
    }
    event->acceptProposedAction();
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
