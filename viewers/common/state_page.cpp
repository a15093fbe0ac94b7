#include "viewers/common/state_page.h"

#include "viewers/models/sentence.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace gelens {

StatePage::StatePage(QWidget* parent)
    : QWidget(parent), m_title(new QLabel), m_sentence(new QLabel), m_bar(new QProgressBar), m_offer(new QPushButton)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {m_title, m_sentence}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // may hold texts from files
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(160, 6);
    layout->addStretch(1);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    layout->addWidget(m_bar, 0, Qt::AlignHCenter);
    layout->addWidget(m_offer, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    m_bar->hide();
    m_offer->hide();
    connect(m_offer, &QPushButton::clicked, this, [this] {
        if (const auto act = m_act) act(); // which may put other words here
    });
}

void StatePage::setWords(const QString& title, const QString& sentence, bool isBusy)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_bar->setVisible(isBusy);
    m_offer->hide();
    m_act = {};
}

void StatePage::offer(const QString& text, std::function<void()> act)
{
    m_offer->setText(text);
    m_offer->setVisible(!text.isEmpty());
    m_act = std::move(act);
}

QString StatePage::text() const { return m_title->text() + QLatin1Char('\n') + m_sentence->text(); }

StateStack::StateStack(QWidget* content, QWidget* parent) : QStackedWidget(parent), m_page(new StatePage)
{
    addWidget(content);
    addWidget(m_page);
    setCurrentIndex(1);
}

void StateStack::follow(const View& view)
{
    // An older run of the model stays in sight while a new one is made or after it failed.
    if (view.run()) return showContent();
    setCurrentIndex(1);
    switch (view.emptyState()) {
    case EmptyState::Loading:
        return m_page->setWords(tr("The model is being compiled …"), tr("Cancel with Esc or ✕ in the status bar."),
                                true);
    case EmptyState::Failed:
        return m_page->setWords(tr("The model could not be opened."),
                                (view.emptyText().isEmpty()
                                     ? QString()
                                     : words::sentence(view.emptyText().toStdString()) + QLatin1Char('\n')) +
                                    tr("Choose another file with Ctrl+O; the log has the details."));
    case EmptyState::NoRun:
    case EmptyState::Ready:
        if (!view.purpose().isEmpty()) return m_page->setWords(view.purpose(), view.purposeNext());
        return m_page->setWords(tr("No model is open."), tr("Open one with Ctrl+O, or drop a file on the window."));
    }
}

void StateStack::showEmpty(const QString& title, const QString& next)
{
    m_page->setWords(title, next);
    setCurrentIndex(1);
}

void StateStack::showTooLarge(const TooLarge& words)
{
    showEmpty(words.what, words.next);
    m_page->offer(words.offer, words.act);
}

void StateStack::showContent() { setCurrentIndex(0); }
bool StateStack::isContent() const { return currentIndex() == 0; }

} // namespace gelens
