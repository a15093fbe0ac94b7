// What each panel is for, said in it while no model is open.
#include "app/gui/main_window.h"

#include "viewers/common/view.h"

namespace gelens {

void MainWindow::retranslatePurposes()
{
    const auto say = [this](const char* name, const QString& purpose, const QString& next) {
        if (View* panel = view(QLatin1String(name))) panel->setPurpose(purpose, next);
    };
    say("pipeline", tr("Every pass of the compile, in GE's order, with what it changed."),
        tr("Open a model with Ctrl+O, or choose a sample in the middle."));
    say("inspector", tr("Everything about what you select: tensors, attributes, history, memory."),
        tr("Once a model is open, click a node in the graph."));
    say("unfused", tr("Chains of operators that were not fused, why, and what would help."),
        tr("The sample attention-too-long shows one: L1 is too small for it by some bytes."));
    say("diff", tr("What a pass changed, node by node and attribute by attribute."),
        tr("Open a model with Ctrl+O; then step with F9 and F10."));
    say("memory", tr("Which tensor lives where in device memory, and when; what the peak is made of."),
        tr("Open a model with Ctrl+O, or an OM file that carries its plan."));
    say("timeline", tr("When each task runs on the streams and units of the simulated NPU."),
        tr("Open a model with Ctrl+O; times are estimates of a published cost model."));
    say("statistics", tr("Operators, memory, tasks and latency before and after, and the reduction."),
        tr("Open a model with Ctrl+O; a what-if run gets a column beside it."));
    say("problems", tr("What readers, checkers and the proof by numbers found, with the place."),
        tr("Files that cannot be opened are named here too."));
    say("whatif", tr("The same model with another chip, other buffers, rules or shapes, beside its run."),
        tr("Open a model with Ctrl+O; then change what you like and press Run."));
    say("textdiff", tr("Two dumps as text, side by side, aligned by node and not by line."),
        tr("Choose two files here, or open a model to compare its steps."));
    say("accuracy", tr("The numbers of a tensor, computed before and after a step, and where they differ."),
        tr("Open a model with weights, such as the sample tiny-llama, and select a node."));
}

} // namespace gelens
