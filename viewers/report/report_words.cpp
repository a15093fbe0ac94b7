#include "viewers/report/report_words.h"

#include "viewers/models/summaries.h"
#include "viewers/models/words.h"

#include <QCoreApplication>
#include <QLocale>

#include <map>
#include <memory>

namespace gelens {
namespace {

/// The same list as `reportTexts()`, where lupdate can see it; a test holds both together.
constexpr const char* texts[] = {
    QT_TRANSLATE_NOOP("gelens::Report", "lightweight compilation"),
    QT_TRANSLATE_NOOP("gelens::Report", "full compilation"),
    QT_TRANSLATE_NOOP("gelens::Report", "needs"),
    QT_TRANSLATE_NOOP("gelens::Report", "has"),
    QT_TRANSLATE_NOOP("gelens::Report", "rows left out"),
    QT_TRANSLATE_NOOP("gelens::Report", "Contents"),
    QT_TRANSLATE_NOOP("gelens::Report", "Summary"),
    QT_TRANSLATE_NOOP("gelens::Report", "before"),
    QT_TRANSLATE_NOOP("gelens::Report", "after"),
    QT_TRANSLATE_NOOP("gelens::Report", "reduction"),
    QT_TRANSLATE_NOOP("gelens::Report", "operators"),
    QT_TRANSLATE_NOOP("gelens::Report", "intermediate tensors"),
    QT_TRANSLATE_NOOP("gelens::Report", "memory"),
    QT_TRANSLATE_NOOP("gelens::Report", "tasks"),
    QT_TRANSLATE_NOOP("gelens::Report", "latency, estimated"),
    QT_TRANSLATE_NOOP("gelens::Report", "More figures"),
    QT_TRANSLATE_NOOP("gelens::Report", "figure"),
    QT_TRANSLATE_NOOP("gelens::Report", "value"),
    QT_TRANSLATE_NOOP("gelens::Report", "fusion rate"),
    QT_TRANSLATE_NOOP("gelens::Report", "memory reuse rate"),
    QT_TRANSLATE_NOOP("gelens::Report", "lower bound of memory"),
    QT_TRANSLATE_NOOP("gelens::Report", "memory with GE's own policy"),
    QT_TRANSLATE_NOOP("gelens::Report", "memory without reuse"),
    QT_TRANSLATE_NOOP("gelens::Report", "weights"),
    QT_TRANSLATE_NOOP("gelens::Report", "kernels compiled"),
    QT_TRANSLATE_NOOP("gelens::Report", "kernels shared"),
    QT_TRANSLATE_NOOP("gelens::Report", "How it was compiled"),
    QT_TRANSLATE_NOOP("gelens::Report", "option"),
    QT_TRANSLATE_NOOP("gelens::Report", "file"),
    QT_TRANSLATE_NOOP("gelens::Report", "mode"),
    QT_TRANSLATE_NOOP("gelens::Report", "precision"),
    QT_TRANSLATE_NOOP("gelens::Report", "memory policy"),
    QT_TRANSLATE_NOOP("gelens::Report", "Times are estimates of a published cost model, not measurements."),
    QT_TRANSLATE_NOOP("gelens::Report", "Graphs"),
    QT_TRANSLATE_NOOP("gelens::Report", "Steps that changed the graph"),
    QT_TRANSLATE_NOOP("gelens::Report", "step"),
    QT_TRANSLATE_NOOP("gelens::Report", "stage"),
    QT_TRANSLATE_NOOP("gelens::Report", "phase"),
    QT_TRANSLATE_NOOP("gelens::Report", "pass"),
    QT_TRANSLATE_NOOP("gelens::Report", "edits"),
    QT_TRANSLATE_NOOP("gelens::Report", "ms"),
    QT_TRANSLATE_NOOP("gelens::Report", "Fusion rules"),
    QT_TRANSLATE_NOOP("gelens::Report", "rule"),
    QT_TRANSLATE_NOOP("gelens::Report", "GE pass"),
    QT_TRANSLATE_NOOP("gelens::Report", "matched"),
    QT_TRANSLATE_NOOP("gelens::Report", "effective"),
    QT_TRANSLATE_NOOP("gelens::Report", "what it does"),
    QT_TRANSLATE_NOOP("gelens::Report", "now"),
    QT_TRANSLATE_NOOP("gelens::Report", "Chains that were not fused"),
    QT_TRANSLATE_NOOP("gelens::Report", "Every chain that a rule names was fused."),
    QT_TRANSLATE_NOOP("gelens::Report", "chains left out"),
    QT_TRANSLATE_NOOP("gelens::Report", "Memory"),
    QT_TRANSLATE_NOOP("gelens::Report", "position in the task order"),
    QT_TRANSLATE_NOOP("gelens::Report", "address"),
    QT_TRANSLATE_NOOP("gelens::Report", "peak"),
    QT_TRANSLATE_NOOP("gelens::Report", "No memory was planned."),
    QT_TRANSLATE_NOOP("gelens::Report", "Who lives where in device memory, and when"),
    QT_TRANSLATE_NOOP("gelens::Report", "What the peak is made of"),
    QT_TRANSLATE_NOOP("gelens::Report", "tensor"),
    QT_TRANSLATE_NOOP("gelens::Report", "size"),
    QT_TRANSLATE_NOOP("gelens::Report", "share"),
    QT_TRANSLATE_NOOP("gelens::Report", "estimated time"),
    QT_TRANSLATE_NOOP("gelens::Report", "stream"),
    QT_TRANSLATE_NOOP("gelens::Report", "Timeline"),
    QT_TRANSLATE_NOOP("gelens::Report", "When each task runs, estimated"),
    QT_TRANSLATE_NOOP("gelens::Report", "Time by operator type"),
    QT_TRANSLATE_NOOP("gelens::Report", "operator type"),
    QT_TRANSLATE_NOOP("gelens::Report", "time"),
    QT_TRANSLATE_NOOP("gelens::Report", "Longest tasks"),
    QT_TRANSLATE_NOOP("gelens::Report", "task"),
    QT_TRANSLATE_NOOP("gelens::Report", "start"),
    QT_TRANSLATE_NOOP("gelens::Report", "Verification"),
    QT_TRANSLATE_NOOP("gelens::Report", "The numbers hold at every step."),
    QT_TRANSLATE_NOOP("gelens::Report", "The numbers do NOT hold."),
    QT_TRANSLATE_NOOP("gelens::Report", "holds"),
    QT_TRANSLATE_NOOP("gelens::Report", "largest error"),
    QT_TRANSLATE_NOOP("gelens::Report", "Messages"),
    QT_TRANSLATE_NOOP("gelens::Report", "severity"),
    QT_TRANSLATE_NOOP("gelens::Report", "place"),
    QT_TRANSLATE_NOOP("gelens::Report", "message"),
    QT_TRANSLATE_NOOP("gelens::Report", "error"),
    QT_TRANSLATE_NOOP("gelens::Report", "warning"),
    QT_TRANSLATE_NOOP("gelens::Report", "note"),
    QT_TRANSLATE_NOOP("gelens::Report", "%1 operators became %2, and %3 tasks %4."),
    QT_TRANSLATE_NOOP("gelens::Report", "Estimated latency: %1 before, %2 after."),
    QT_TRANSLATE_NOOP("gelens::Report", "Intermediate tensors need %1 at the peak; no plan can need less."),
    QT_TRANSLATE_NOOP("gelens::Report", "Intermediate tensors need %1 at the peak; any plan needs at least %2."),
    QT_TRANSLATE_NOOP("gelens::Report", "Chains that no rule fused: %1, at %2 places. Most often: %3 (%4 places)."),
    QT_TRANSLATE_NOOP("gelens::Report", "The numbers were verified and hold at every step."),
    QT_TRANSLATE_NOOP("gelens::Report", "The numbers were verified and do NOT hold."),
    QT_TRANSLATE_NOOP("gelens::Report", "The run stopped early; what follows is what it had reached."),
    QT_TRANSLATE_NOOP("gelens::Report", "Why chains were not fused"),
    QT_TRANSLATE_NOOP("gelens::Report", "reason"),
    QT_TRANSLATE_NOOP("gelens::Report", "chains"),
    QT_TRANSLATE_NOOP("gelens::Report", "places"),
    QT_TRANSLATE_NOOP("gelens::Report", "command line"),
    QT_TRANSLATE_NOOP("gelens::Report", "Words used here"),
    QT_TRANSLATE_NOOP("gelens::Report", "word"),
    QT_TRANSLATE_NOOP("gelens::Report", "meaning"),
    QT_TRANSLATE_NOOP("gelens::Report", "operators that fusion took away, as a share of those that were read"),
    QT_TRANSLATE_NOOP("gelens::Report",
                      "memory that sharing saves, as a share of what each tensor in a place of its own would take"),
    QT_TRANSLATE_NOOP("gelens::Report", "the most bytes alive at one time: no plan can need less"),
    QT_TRANSLATE_NOOP("gelens::Report", "what GE's own block allocator would need for the same tensors"),
    QT_TRANSLATE_NOOP("gelens::Report", "a kernel that several tasks run is compiled once"),
    QT_TRANSLATE_NOOP("gelens::Report", "colours and letters"),
    QT_TRANSLATE_NOOP(
        "gelens::Report",
        "C: cube, the matrix unit; V: vector unit; M: both in one kernel; H: AI CPU or host; ·: no computation of its own"),
    QT_TRANSLATE_NOOP("gelens::Report", "Graph as read"),
    QT_TRANSLATE_NOOP("gelens::Report", "Graph as compiled"),
    QT_TRANSLATE_NOOP("gelens::Report", "1 node"),
    QT_TRANSLATE_NOOP("gelens::Report", "%1 nodes"),
    QT_TRANSLATE_NOOP("gelens::Report", "%1 nodes each"),
    QT_TRANSLATE_NOOP("gelens::Report", "%1 variants"),
    QT_TRANSLATE_NOOP("gelens::Report", "graph of %1"),
    QT_TRANSLATE_NOOP("gelens::Report", "dumped phases"),
    QT_TRANSLATE_NOOP("gelens::Report", "Dumped phases"),
    QT_TRANSLATE_NOOP("gelens::Report", "Where it comes from"),
    QT_TRANSLATE_NOOP("gelens::Report", "folder"),
    QT_TRANSLATE_NOOP("gelens::Report", "changed nodes"),
    QT_TRANSLATE_NOOP("gelens::Report", "what it shows"),
    QT_TRANSLATE_NOOP("gelens::Report", "Graphs in the folder: %1."),
    QT_TRANSLATE_NOOP("gelens::Report",
                      "Graphs in the folder: %1. The first of the last series has %2 operators, its last %3."),
    QT_TRANSLATE_NOOP("gelens::Report", "Graphs that cannot be read: %1."),
    QT_TRANSLATE_NOOP("gelens::Report", "Graph of the first phase"),
    QT_TRANSLATE_NOOP("gelens::Report", "Graph of the last phase"),
    QT_TRANSLATE_NOOP(
        "gelens::Report",
        "Larger than a page: zoom in, or write it as a file of its own with gelens-cli export MODEL --to graph.svg."),
    QT_TRANSLATE_NOOP(
        "gelens::Report",
        "%1: its picture would have %2 boxes even with its blocks folded; a report shows up to %3. Write it as a file of its own: gelens-cli export MODEL --to graph.svg."),
};

} // namespace

ReportWords reportWords()
{
    auto translated = std::make_shared<std::map<std::string, std::string, std::less<>>>();
    for (const char* text : texts)
        (*translated)[text] = QCoreApplication::translate("gelens::Report", text).toStdString();
    ReportWords words;
    words.text = [translated](std::string_view text) {
        const auto found = translated->find(text);
        return found == translated->end() ? std::string(text) : found->second;
    };
    words.stage = [](Stage stage) { return words::stage(stage).toStdString(); };
    words.phase = [](std::string_view phase) { return words::phase(phase).toStdString(); };
    words.reason = [](Reason reason) { return words::reason(reason).toStdString(); };
    words.group = [](const StepSource& source) { return words::stepGroup(source).toStdString(); };
    words.meaning = [](const StepSource& source) { return words::phaseMeaning(source).toStdString(); };
    words.unit = [](Unit unit) { return words::unit(unit).toStdString(); };
    words.sentence = [](std::string_view sentence) {
        return words::summary(sentence).toStdString(); // which asks for sentences as well
    };
    words.language = QLocale().language() == QLocale::Chinese ? "zh-CN" : "en";
    return words;
}

} // namespace gelens
