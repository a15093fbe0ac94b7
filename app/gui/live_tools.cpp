#include "app/gui/live_tools.h"

#include "app/gui/debug_tools.h"
#include "app/gui/main_window.h"
#include "viewers/breakpoints/breakpoints_view.h"
#include "viewers/common/formatter.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QAction>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace gelens {

LiveTools::LiveTools(MainWindow* window) : QObject(window), m_window(window)
{
    ModelJobs* jobs = window->jobs();
    connect(jobs, &ModelJobs::halted, this, &LiveTools::showHalt);
    connect(jobs, &ModelJobs::resumed, this, [this](int id) {
        m_halts.erase(id);
        m_window->m_activity->setText(tr("running …"));
        updateActions();
        m_window->updateStatus();
    });
    connect(jobs, &ModelJobs::started, this, [this](int id) {
        m_halts.erase(id);
        m_window->updateStatus();
    });
    connect(jobs, &ModelJobs::finished, this, [this](int id) { m_halts.erase(id); });
    BreakpointList* list = window->debugTools()->breakpoints();
    connect(list, &BreakpointList::changed, this,
            [this, list] { m_window->jobs()->setBreakpoints(list->breakpoints()); });
}

void LiveTools::createActions()
{
    const auto add = [this](const char* name, const QKeySequence& keys, void (ModelJobs::*ask)(int)) {
        m_window->addAction(QString::fromLatin1(name), keys, [this, ask] {
            (m_window->jobs()->*ask)(shownModel());
            updateActions();
            m_window->updateStatus();
        });
    };
    m_window->addAction(QStringLiteral("run_live"), QKeySequence(Qt::CTRL | Qt::Key_F5), [this] { runLive(); });
    add("pause", QKeySequence(Qt::Key_F6), &ModelJobs::pause);
    add("resume", QKeySequence(Qt::SHIFT | Qt::Key_F6), &ModelJobs::resume);
    add("step_edit", QKeySequence(Qt::Key_F11), &ModelJobs::stepEdit);
    add("finish_pass", QKeySequence(Qt::SHIFT | Qt::Key_F11), &ModelJobs::finishPass);
}

void LiveTools::createButtons()
{
    const auto add = [this](const char* action, const char* sign) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String("status_") + QLatin1String(action));
        button->setText(QString::fromUtf8(sign));
        button->setAutoRaise(true);
        m_window->statusBar()->addPermanentWidget(button);
        connect(button, &QToolButton::clicked, m_window->action(QLatin1String(action)), &QAction::trigger);
        return button;
    };
    static_cast<BreakpointsView*>(m_window->view(QStringLiteral("breakpoints")))
        ->addActionButton(m_window->action(QStringLiteral("run_live")));
    m_pause = add("pause", "⏸");
    m_resume = add("resume", "▶");
}

void LiveTools::retranslate()
{
    m_window->setActionText(
        "run_live", tr("Compile to breakpoint"),
        tr("Compile again and halt where a breakpoint stops; without breakpoints at the first pass"));
    m_window->setActionText("pause", tr("Pause"),
                            tr("Halt the run at its next edit, pass or verified step and show what is there"));
    m_window->setActionText("resume", tr("Continue"), tr("Go on to the next breakpoint or to the end"));
    m_window->setActionText("step_edit", tr("One edit"), tr("Go on by one edit of the pass under way"));
    m_window->setActionText("finish_pass", tr("To the end of the pass"),
                            tr("Go on until the pass, or the next one that changes something, has ended"));
    for (const auto& [button, name] : {std::pair(m_pause, "pause"), std::pair(m_resume, "resume")}) {
        if (button == nullptr) continue;
        button->setToolTip(m_window->action(QLatin1String(name))->toolTip());
        button->setAccessibleName(m_window->action(QLatin1String(name))->text());
    }
    updateActions();
}

QString LiveTools::whyNoPause() const
{
    const OpenModel* model = m_window->hub()->current();
    const ModelJobs* jobs = m_window->jobs();
    if (model != nullptr && jobs->canPause(model->id)) return {};
    if (model != nullptr && jobs->isPausing(model->id))
        return tr("Cannot be paused: it is about to halt at its next edit, pass or verified step.");
    if (model != nullptr && model->isBusy)
        return tr(
            "Cannot be paused: files are being read, and there is no half-read graph to look at. Cancel with Esc.");
    return tr("Cannot be paused: what runs is not the model shown. Cancel with Esc, or choose its model.");
}

void LiveTools::updateActions()
{
    const OpenModel* model = m_window->hub()->current();
    const bool isHalted = model != nullptr && model->isHalted,
               canPause = model != nullptr && m_window->jobs()->canPause(model->id);
    m_window->action(QStringLiteral("run_live"))
        ->setEnabled(model != nullptr && model->session && !model->isBusy && !model->snapshots &&
                     !m_window->debugTools()->isComparison(model->id));
    m_window->action(QStringLiteral("pause"))->setEnabled(canPause);
    for (const char* name : {"resume", "step_edit", "finish_pass"})
        m_window->action(QLatin1String(name))->setEnabled(isHalted);
    if (m_pause == nullptr) return;
    // Where a pause has no meaning the button stays and says why.
    const QString why = whyNoPause();
    m_pause->setVisible(!isHalted && (m_window->jobs()->isBusy() || m_window->debugTools()->isBusy()));
    m_pause->setEnabled(canPause);
    m_pause->setToolTip(why.isEmpty() ? m_window->action(QStringLiteral("pause"))->toolTip() : why);
    m_resume->setVisible(isHalted);
}

int LiveTools::shownModel() const
{
    return m_window->hub()->current() == nullptr ? -1 : m_window->hub()->current()->id;
}

void LiveTools::runLive()
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr) return;
    CompileOptions options = model->options;
    options.verify = false;
    m_window->jobs()->runLive(model->id, options, m_window->debugTools()->breakpoints()->breakpoints());
}

void LiveTools::showHalt(int id, const Halt& halt)
{
    m_halts[id] = halt;
    // While numbers are verified the graph stands, and what one reads is kept in front.
    if (id == shownModel() && !halt.verifying.isValid()) m_window->showView(QStringLiteral("graph"));
    updateActions();
    m_window->updateStatus();
}

QString LiveTools::haltText() const
{
    const auto found = m_halts.find(shownModel());
    if (found == m_halts.end()) return {};
    const Halt& halt = found->second;
    const Step& step = halt.run->steps.back();
    const QString pass = words::text(step.pass);
    QString text;
    if (halt.verifying.isValid()) {
        const auto& proved = halt.run->verification.steps;
        const auto holding =
            std::count_if(proved.begin(), proved.end(), [](const StepVerification& one) { return one.holds(); });
        return tr("halted while verifying, before step %1, %2: %3 of %4 steps computed so far hold")
            .arg(halt.verifying.value)
            .arg(words::text(halt.run->step(halt.verifying).pass), format::count(static_cast<std::int64_t>(holding)),
                 format::count(static_cast<std::int64_t>(proved.size())));
    }
    if (!halt.isInside)
        text = tr("halted behind step %1, %2").arg(step.id.value).arg(pass);
    else if (halt.edits == 0)
        text = tr("halted before step %1, %2").arg(step.id.value).arg(pass);
    else
        text = tr("halted inside step %1, %2, at edit %3: %4")
                   .arg(step.id.value)
                   .arg(pass, format::count(static_cast<std::int64_t>(halt.edits)), words::sentence(halt.edit));
    if (halt.breakpoint) text += QStringLiteral(" · ") + breakpointText(*halt.breakpoint);
    return text;
}

QString LiveTools::activityText() const
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr) return {};
    if (model->isHalted) return tr("halted");
    return m_window->jobs()->isPausing(model->id) ? tr("pausing …") : QString();
}

} // namespace gelens
