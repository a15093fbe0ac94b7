#include "app/gui/card_tools.h"

#include "app/gui/main_window.h"

#include <QAction>
#include <QInputDialog>
#include <QStatusBar>

namespace gelens {

CardTools::CardTools(MainWindow* window) : QObject(window), m_window(window)
{
    connect(window->jobs(), &ModelJobs::splitDone, this, &CardTools::showCards);
    connect(window->jobs(), &ModelJobs::finished, this, [this](int id) {
        const auto found = m_waiting.find(id);
        if (found == m_waiting.end()) return;
        const int cards = found->second;
        m_waiting.erase(found);
        split(id, cards);
    });
}

void CardTools::createActions()
{
    m_window->addAction(QStringLiteral("split_cards"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
                        [this] { chooseCards(); });
    updateActions();
}

void CardTools::retranslate()
{
    m_window->setActionText(
        "split_cards", tr("Split over cards…"),
        tr("Split the model by its repeated blocks and compile each card's part as a model of its own"));
}

void CardTools::updateActions()
{
    const OpenModel* model = m_window->hub()->current();
    m_window->action(QStringLiteral("split_cards"))
        ->setEnabled(model != nullptr && model->run && model->session && !model->isBusy);
}

void CardTools::chooseCards()
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr) return;
    auto* dialog = new QInputDialog(m_window);
    dialog->setObjectName(QStringLiteral("cards_dialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Split over cards"));
    dialog->setLabelText(tr("Number of cards for %1:").arg(model->name));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(2, mostCards);
    dialog->setIntValue(2);
    dialog->setModal(true);
    connect(dialog, &QInputDialog::intValueSelected, this, [this, id = model->id](int cards) { split(id, cards); });
    dialog->show();
}

void CardTools::split(int id, int cards)
{
    const OpenModel* model = m_window->hub()->find(id);
    if (model == nullptr) return;
    m_window->statusBar()->showMessage(tr("Splitting %1 …").arg(model->name), 4000);
    m_window->jobs()->splitOverCards(id, cards);
}

void CardTools::splitWhenOpened(int id, int cards)
{
    if (const OpenModel* model = m_window->hub()->find(id); model != nullptr && model->isBusy) m_waiting[id] = cards;
}

void CardTools::showCards(int id, int cards)
{
    const OpenModel* model = m_window->hub()->find(id);
    if (model == nullptr) return;
    m_window->showView(QStringLiteral("models"));
    m_window->statusBar()->showMessage(
        tr("%1 is split over %2 cards; choose one in the list of models.").arg(model->name).arg(cards), 10000);
}

} // namespace gelens
