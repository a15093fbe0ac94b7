#include "viewers/welcome/welcome_view.h"

#include <QApplication>
#include <QCommandLinkButton>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gelens {
namespace {

/// A name from the disk as button text: "&" is no shortcut mark in it.
QString plain(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

QString sampleSentence(const QString& name)
{
    if (name == QStringLiteral("tiny-llama"))
        return WelcomeView::tr("Two decoder layers with real weights: small enough to verify every step.");
    if (name == QStringLiteral("llama-7b"))
        return WelcomeView::tr(
            "The decoder of LLaMA-7B with its 32 layers; shapes are real, weights are only declared.");
    if (name == QStringLiteral("attention-fits"))
        return WelcomeView::tr("One attention that fuses into a single kernel.");
    if (name == QStringLiteral("attention-too-long"))
        return WelcomeView::tr("The same attention over 16,384 keys: see why L1 is too small for it.");
    if (name == QStringLiteral("unit-conflict"))
        return WelcomeView::tr("A chain across cube and vector cores that cannot become one kernel.");
    if (name == QStringLiteral("small-resnet"))
        return WelcomeView::tr("A convolutional network: batch normalisation and ReLU disappear into convolutions.");
    if (name == QStringLiteral("small-resnet-dumps"))
        return WelcomeView::tr("What DUMP_GE_GRAPH writes of this network: phases to step through and compare.");
    return WelcomeView::tr("Model file");
}

/// Tab comes from `before` to these, one after the other: what is made late would be the last of the window.
void inTabOrder(const QLayout* layout, QWidget* before)
{
    for (int i = 0; i < layout->count(); ++i) {
        QWidget* each = layout->itemAt(i)->widget();
        QWidget::setTabOrder(before, each);
        before = each;
    }
}

void clear(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
}

QLabel* heading(double scale)
{
    auto* label = new QLabel;
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * scale);
    label->setFont(font);
    return label;
}

} // namespace

QString WelcomeView::samplesFolder()
{
    const QString chosen = qEnvironmentVariable("GELENS_SAMPLES");
    return chosen.isEmpty() ? QDir::cleanPath(QApplication::applicationDirPath() + QStringLiteral("/../samples"))
                            : chosen;
}

WelcomeView::WelcomeView(QWidget* parent)
    : View(parent), m_title(heading(2.0)), m_lead(new QLabel), m_notice(new QLabel), m_recentTitle(heading(1.2)),
      m_samplesTitle(heading(1.2)), m_version(new QLabel), m_open(new QPushButton), m_openFolder(new QPushButton),
      m_tour(new QPushButton), m_recent(new QVBoxLayout), m_samples(new QGridLayout), m_recentColumn(new QWidget)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(36, 10, 36, 8);
    layout->setSpacing(6);
    m_lead->setWordWrap(true);
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setFrameShape(QFrame::StyledPanel);
    m_notice->setMargin(8);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notice->hide();
    auto* open = new QHBoxLayout;
    open->setSpacing(10);
    for (QPushButton* button : {m_open, m_openFolder, m_tour}) {
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        button->setMinimumHeight(34);
        open->addWidget(button);
    }
    open->addStretch(1);
    m_tour->setObjectName(QStringLiteral("start_tour"));
    connect(m_tour, &QPushButton::clicked, this, &WelcomeView::tourRequested);
    m_openFolder->setObjectName(QStringLiteral("open_folder"));
    layout->addWidget(m_title);
    layout->addWidget(m_lead);
    layout->addWidget(m_notice);
    layout->addLayout(open);
    layout->addSpacing(6);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(40);
    m_samples->setSpacing(4);
    m_samples->setColumnStretch(0, 1);
    for (const auto& [title, list] : {std::pair<QLabel*, QLayout*>(m_samplesTitle, m_samples),
                                      std::pair<QLabel*, QLayout*>(m_recentTitle, m_recent)}) {
        auto* part = list == m_recent ? m_recentColumn : new QWidget;
        auto* column = new QVBoxLayout(part);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        column->addWidget(title);
        column->addLayout(list);
        column->addStretch(1);
        columns->addWidget(part, 1);
    }
    layout->addLayout(columns);
    layout->addStretch(1);
    m_version->setEnabled(false);
    layout->addWidget(m_version);

    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(QString()); });
    connect(m_openFolder, &QPushButton::clicked, this, &WelcomeView::folderRequested);
    setFocusProxy(m_open);
    retranslate();
}

QWidget* WelcomeView::fileButton(const QString& path, const QString& title, const QString& sentence)
{
    auto* button = new QCommandLinkButton(plain(title), sentence);
    button->setObjectName(QStringLiteral("open_") + title);
    button->setIcon({});
    button->setToolTip(QStringLiteral("<qt>%1</qt>").arg(QDir::toNativeSeparators(path).toHtmlEscaped()));
    connect(button, &QCommandLinkButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
    return button;
}

void WelcomeView::setRecentFiles(const QStringList& files)
{
    m_files = files;
    fillRecent();
    fillSamples();
}

void WelcomeView::setNotice(const QString& sentence)
{
    m_notice->setText(sentence);
    m_notice->setVisible(!sentence.isEmpty());
}

QString WelcomeView::notice() const { return m_notice->text(); }

void WelcomeView::fillRecent()
{
    clear(m_recent);
    for (const QString& path : m_files) {
        const QFileInfo file(path);
        const bool isThere = file.exists();
        QWidget* button =
            fileButton(path, file.fileName(),
                       isThere ? plain(QDir::toNativeSeparators(file.absolutePath())) : tr("This file is gone."));
        button->setEnabled(isThere);
        m_recent->addWidget(button);
    }
    inTabOrder(m_recent, m_tour);
    m_recentColumn->setVisible(!m_files.isEmpty()); // the first time the samples have the page to themselves
}

void WelcomeView::fillSamples()
{
    clear(m_samples);
    const QDir folder(samplesFolder());
    const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.onnx")}, QDir::Files, QDir::Name) +
                                folder.entryInfoList({QStringLiteral("*-dumps")}, QDir::Dirs, QDir::Name);
    const int across = m_files.isEmpty() ? 2 : 1;
    m_samples->setColumnStretch(1, across - 1);
    for (int i = 0; i < files.size(); ++i) {
        const QString name = files[i].completeBaseName();
        m_samples->addWidget(fileButton(files[i].absoluteFilePath(), name, sampleSentence(name)), i / across,
                             i % across);
    }
    inTabOrder(m_samples, m_recent->count() > 0 ? m_recent->itemAt(m_recent->count() - 1)->widget() : m_tour);
    if (files.isEmpty()) {
        auto* none =
            new QLabel(tr("No samples in %1; “./dev build” makes them.").arg(QDir::toNativeSeparators(folder.path())));
        none->setTextFormat(Qt::PlainText);
        none->setWordWrap(true);
        none->setEnabled(false);
        m_samples->addWidget(none);
    }
}

void WelcomeView::retranslate()
{
    m_title->setText(QStringLiteral("GE Lens"));
    m_lead->setText(
        tr("Step through the compile of a neural network for an Ascend NPU: what each pass changed, why a chain "
           "was not fused, where the memory goes, and whether the numbers still hold."));
    m_open->setText(tr("Open a model…"));
    m_open->setToolTip(tr("Open a model file (Ctrl+O)"));
    m_openFolder->setText(tr("Open a dump folder…"));
    m_openFolder->setToolTip(tr("Step through a folder of DUMP_GE_GRAPH dumps (Ctrl+Alt+O)"));
    m_tour->setText(tr("Two-minute tour"));
    m_tour->setToolTip(tr("See the panels one after the other (F1)"));
    m_samplesTitle->setText(tr("Samples"));
    m_recentTitle->setText(tr("Recent files"));
    m_version->setText(tr("Version %1").arg(QCoreApplication::applicationVersion()));
    fillRecent();
    fillSamples();
}

void WelcomeView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
