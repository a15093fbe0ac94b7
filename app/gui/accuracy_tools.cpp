#include "app/gui/accuracy_tools.h"

#include "app/gui/main_window.h"
#include "viewers/accuracy/accuracy_view.h"

#include <QAction>

namespace gelens {

AccuracyTools::AccuracyTools(MainWindow* window) : QObject(window), m_window(window) {}

void AccuracyTools::createViews()
{
    m_view = new AccuracyView;
    m_window->addDock(m_view, QStringLiteral("accuracy"));
}

void AccuracyTools::createActions()
{
    m_window->addAction(QStringLiteral("panel_accuracy"), QKeySequence(Qt::ALT | Qt::Key_9),
                        [this] { m_window->showView(QStringLiteral("accuracy")); });
    m_window->addAction(QStringLiteral("node_numbers"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                        [this] { computeSelection(); });
    m_window->addAction(QStringLiteral("find_overflow"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I), [this] {
        m_window->showView(QStringLiteral("accuracy"));
        m_view->searchOverflow();
    });
    updateActions();
}

void AccuracyTools::computeSelection()
{
    m_window->showView(QStringLiteral("accuracy"));
    // The panel may just have come into sight; then it takes in run and selection first.
    QMetaObject::invokeMethod(m_view, &AccuracyView::compute, Qt::QueuedConnection);
}

void AccuracyTools::retranslate()
{
    m_window->setDockTitle("accuracy", tr("Accuracy"));
    m_window->setActionText("panel_accuracy", tr("Accuracy"), tr("Show the numbers that the selected node makes"));
    m_window->setActionText("node_numbers", tr("Numbers of the selected node"),
                            tr("Compute the selected node's tensor after both steps and compare"));
    m_window->setActionText("find_overflow", tr("Find fp16 overflow"),
                            tr("Look for the node of this step whose 16-bit result overflows first"));
}

void AccuracyTools::updateActions()
{
    const bool hasRun = m_window->hub()->run() != nullptr;
    m_window->action(QStringLiteral("node_numbers"))->setEnabled(hasRun && m_window->hub()->selection().node.isValid());
    m_window->action(QStringLiteral("find_overflow"))->setEnabled(hasRun);
}

} // namespace gelens
