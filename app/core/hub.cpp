#include "app/core/hub.h"

#include "app/core/selection_rules.h"
#include "engine/session/dump_run.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace gelens {

Hub::Hub(QObject* parent) : QObject(parent) {}

const OpenModel* Hub::current() const
{
    return m_current < 0 ? nullptr : &m_models[static_cast<std::size_t>(m_current)];
}

OpenModel* Hub::modelOf(int id)
{
    const auto found =
        std::find_if(m_models.begin(), m_models.end(), [id](const OpenModel& model) { return model.id == id; });
    return found == m_models.end() ? nullptr : &*found;
}

const OpenModel* Hub::find(int id) const { return const_cast<Hub*>(this)->modelOf(id); }

std::shared_ptr<const Run> Hub::run() const { return current() ? current()->run : nullptr; }
StepId Hub::shownStep() const { return current() ? current()->shown : StepId{0}; }
StepId Hub::comparedStep() const { return current() ? current()->compared : StepId{0}; }
Selection Hub::selection() const { return current() ? current()->selection : Selection(); }

int Hub::addModel(const QString& path, const CompileOptions& options)
{
    OpenModel model;
    model.id = m_nextId++;
    model.path = path;
    model.name = QFileInfo(path).completeBaseName();
    model.options = options;
    model.isBusy = true;
    if (const OpenModel* shown = current()) model.openedFrom = shown->id;
    m_models.push_back(std::move(model));
    m_current = static_cast<int>(m_models.size()) - 1;
    Q_EMIT modelsChanged();
    Q_EMIT currentChanged();
    return m_models.back().id;
}

void Hub::removeModel(int id)
{
    const auto found =
        std::find_if(m_models.begin(), m_models.end(), [id](const OpenModel& model) { return model.id == id; });
    if (found == m_models.end()) return;
    const int index = static_cast<int>(found - m_models.begin());
    const bool wasCurrent = index == m_current;
    const int back = found->openedFrom;
    m_models.erase(found);
    if (m_current >= index) --m_current;
    if (m_current < 0 && !m_models.empty()) m_current = 0;
    // Back to where one came from, when that is still open.
    for (std::size_t i = 0; wasCurrent && i < m_models.size(); ++i)
        if (m_models[i].id == back) m_current = static_cast<int>(i);
    Q_EMIT modelsChanged();
    if (wasCurrent) Q_EMIT currentChanged();
}

void Hub::setCurrent(int id)
{
    for (std::size_t i = 0; i < m_models.size(); ++i)
        if (m_models[i].id == id && static_cast<int>(i) != m_current) {
            m_current = static_cast<int>(i);
            Q_EMIT currentChanged();
        }
}

void Hub::setBusy(int id, bool isBusy)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || model->isBusy == isBusy) return;
    model->isBusy = isBusy;
    model->isHalted = model->isHalted && isBusy;
    Q_EMIT modelsChanged();
}

void Hub::setSession(int id, std::shared_ptr<Session> session)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr) return;
    model->session = std::move(session);
    Q_EMIT modelsChanged();
}

void Hub::setRun(int id, std::shared_ptr<const Run> run)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || !run) return;
    const auto before = std::exchange(model->run, std::move(run));
    const bool isOfFiles = model->snapshots != nullptr;
    model->snapshots = std::dynamic_pointer_cast<const SnapshotRun>(model->run);
    model->isBusy = model->isHalted = false;
    if (before && !isOfFiles && !model->snapshots) {
        // The same model again: one stays where one was. Ids of the imported graph are the same in every run.
        model->shown = correspondingStep(*before, model->shown, *model->run);
        model->compared = model->compared.value == 0 ? StepId{0} : StepId{std::max(model->shown.value - 1, 0)};
        const bool isKept = model->session && model->session->importedGraph()->contains(model->selection.node);
        model->selection = isKept ? Selection::ofNode(model->selection.node) : Selection();
    } else {
        // The whole compile at a glance: the result beside the model as it was read.
        // Of several graphs in a dump folder, that of the largest.
        const Run::Span span = mainSpan(*model->run);
        model->shown = span.last;
        model->compared = span.first;
        model->selection = {};
    }
    Q_EMIT modelsChanged();
    if (model == current()) Q_EMIT currentChanged();
}

void Hub::showHalt(int id, std::shared_ptr<const Run> run, NodeId node, StepId shown)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || !run) return;
    model->run = std::move(run);
    model->snapshots = nullptr;
    model->isHalted = true;
    model->shown = shown.isValid() ? shown : model->run->lastStep();
    model->compared = model->run->baseOf(model->shown);
    // A node that the edit took away is seen beside its graph; the rest is asked of the graph that is there already.
    const auto graph = model->run->graphAt(model->shown);
    if (node.isValid())
        model->selection = Selection::ofNode(node);
    else if (!graph->contains(model->selection.node))
        model->selection = {};
    Q_EMIT modelsChanged();
    if (model == current()) Q_EMIT currentChanged();
}

void Hub::setHalted(int id, bool isHalted)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || model->isHalted == isHalted) return;
    model->isHalted = isHalted;
    Q_EMIT modelsChanged();
}

void Hub::refreshRun(int id, std::shared_ptr<const Run> run)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || !run || !model->run || run->stepCount() != model->run->stepCount()) return;
    model->run = std::move(run);
    model->snapshots = std::dynamic_pointer_cast<const SnapshotRun>(model->run);
    Q_EMIT modelsChanged();
    if (model == current()) Q_EMIT runRefreshed();
}

void Hub::setName(int id, const QString& name)
{
    OpenModel* model = modelOf(id);
    if (model == nullptr || model->name == name) return;
    model->name = name;
    Q_EMIT modelsChanged();
}

void Hub::setReadAs(int id, const QString& kind)
{
    if (OpenModel* model = modelOf(id)) model->readAs = kind;
}

void Hub::setOriginal(int id, const QString& path)
{
    if (OpenModel* model = modelOf(id)) model->original = path;
}

void Hub::setOptions(int id, const CompileOptions& options)
{
    if (OpenModel* model = modelOf(id)) model->options = options;
}

void Hub::showStep(StepId step)
{
    if (const auto shown = run())
        showStep(step, shown->baseOf(StepId{std::clamp(step.value, 0, shown->stepCount() - 1)}));
}

void Hub::showStep(StepId step, StepId compared)
{
    if (m_current < 0 || !run()) return;
    OpenModel& model = m_models[static_cast<std::size_t>(m_current)];
    const int last = model.run->stepCount() - 1;
    const StepId shown{std::clamp(step.value, 0, last)}, other{std::clamp(compared.value, 0, last)};
    if (model.shown == shown && model.compared == other) return;
    const Selection selection = followSelection(*model.run, model.selection, model.shown, shown);
    const bool hasMoved = selection != model.selection;
    model.shown = shown;
    model.compared = other;
    model.selection = selection;
    Q_EMIT stepChanged();
    if (hasMoved) Q_EMIT selectionChanged();
}

void Hub::select(const Selection& selection)
{
    if (m_current < 0) return;
    OpenModel& model = m_models[static_cast<std::size_t>(m_current)];
    const Selection complete = model.run ? completeSelection(*model.run, selection) : selection;
    if (model.selection == complete) return;
    model.selection = complete;
    Q_EMIT selectionChanged();
}

} // namespace gelens
