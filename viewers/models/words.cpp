#include "viewers/models/words.h"

#include <QCoreApplication>

#include <array>
#include <string>
#include <utility>

namespace gelens::words {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(gelens::Words)
};

} // namespace

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString stage(Stage stage)
{
    switch (stage) {
    case Stage::Parse: return Words::tr("Graph parsing");
    case Stage::Compile: return Words::tr("Graph compilation");
    case Stage::Memory: return Words::tr("Memory allocation");
    case Stage::Tasks: return Words::tr("Task generation");
    case Stage::Launch: return Words::tr("Task launch");
    }
    return {};
}

QString phase(std::string_view gePhase)
{
    if (gePhase == "PreRunBegin") return Words::tr("Model as read");
    if (gePhase == "PreRunAfterNormalizeGraph") return Words::tr("Normalisation");
    if (gePhase == "AfterInfershape") return Words::tr("Shape inference");
    if (gePhase == "PreRunAfterPrepare") return Words::tr("Preparation");
    if (gePhase == "PreRunAfterOptimizeOriginalGraph") return Words::tr("Graph fusion");
    if (gePhase == "PreRunAfterRefineRunningPrecision" || gePhase == "AfterPrecisionRefine")
        return Words::tr("Precision");
    if (gePhase == "AfterFirstInferformat" || gePhase == "AfterSecondInferformat") return Words::tr("Format inference");
    if (gePhase == "PreRunAfterRefineRunningFormat") return Words::tr("Layout optimisation");
    if (gePhase == "OptimizeStage1_1") return Words::tr("Clean-up, first part");
    if (gePhase == "OptimizeStage1_2") return Words::tr("Clean-up, second part");
    if (gePhase == "PreRunAfterOptimize1") return Words::tr("Clean-up");
    if (gePhase == "PreRunAfterOptimizeSubgraph") return Words::tr("Kernel fusion");
    if (gePhase == "PreRunAfterOptimize2") return Words::tr("Clean-up after kernel fusion");
    if (gePhase == "PreRunAfterOptimizeGraphBeforeBuild") return Words::tr("Stream assignment");
    if (gePhase == "AfterAssignResource") return Words::tr("Memory reuse");
    if (gePhase == "Build") return Words::tr("Tasks");
    if (gePhase == "Launch") return Words::tr("Launch");
    return text(gePhase);
}

QString pass(std::string_view name)
{
    if (name == "simulated") return Words::tr("simulated");
    if (name == "real dump") return Words::tr("real dump");
    if (name == "original model") return Words::tr("original model");
    return text(name);
}

QString phaseMeaning(const StepSource& source)
{
    //: The language of this translation, as a code: the table of phases brings its own texts in two languages.
    return text(Words::tr("en") == QLatin1String("zh") ? source.meaningZh : source.meaning);
}

QString stepGroup(const StepSource& source)
{
    // Made of what the dump's name tells; any other group (a model, a phase) is a name and stays as it is.
    std::string plain = source.process;
    QString shown = text(source.process);
    const auto add = [&](const std::string& part, const QString& words) {
        plain += (plain.empty() ? "" : " · ") + part;
        shown += (shown.isEmpty() ? QString() : QStringLiteral(" · ")) + words;
    };
    if (source.isSingleOp) add("single operator", Words::tr("single operator"));
    if (source.graph >= 0) add("graph " + std::to_string(source.graph), Words::tr("graph %1").arg(source.graph));
    if (!source.subgraph.empty())
        add("sub-graph " + source.subgraph, Words::tr("sub-graph %1").arg(text(source.subgraph)));
    if (plain.empty()) add("graph", Words::tr("graph"));
    return plain == source.group ? shown : text(source.group);
}

QString unit(Unit unit)
{
    switch (unit) {
    case Unit::None: return Words::tr("none");
    case Unit::Cube: return Words::tr("cube");
    case Unit::Vector: return Words::tr("vector");
    case Unit::Mix: return Words::tr("mix");
    case Unit::AiCpu: return Words::tr("AI CPU");
    case Unit::Host: return Words::tr("host");
    case Unit::Runtime: return Words::tr("runtime");
    case Unit::GeLocal: return Words::tr("GE itself");
    }
    return {};
}

QString reason(Reason reason)
{
    switch (reason) {
    case Reason::None: return Words::tr("fused");
    case Reason::NoRule: return Words::tr("no rule");
    case Reason::RuleDisabled: return Words::tr("rule is off");
    case Reason::L1Capacity: return Words::tr("L1 limit");
    case Reason::UbCapacity: return Words::tr("UB limit");
    case Reason::L0Capacity: return Words::tr("L0 limit");
    case Reason::UnitConflict: return Words::tr("execution unit conflict");
    case Reason::CoreCount: return Words::tr("number of cores");
    case Reason::ChipUnsupported: return Words::tr("not on this chip");
    case Reason::KernelType: return Words::tr("kernel type");
    case Reason::MultiConsumer: return Words::tr("several readers");
    case Reason::GraphOutput: return Words::tr("graph output inside");
    case Reason::ControlEdge: return Words::tr("control edge");
    case Reason::Cycle: return Words::tr("would make a cycle");
    case Reason::SubgraphBorder: return Words::tr("border of a sub-graph");
    case Reason::DynamicShape: return Words::tr("dynamic shape");
    case Reason::DtypeMismatch: return Words::tr("data type");
    case Reason::FormatMismatch: return Words::tr("format");
    case Reason::AttributeMismatch: return Words::tr("attribute");
    case Reason::ValueMismatch: return Words::tr("constant value");
    case Reason::NotConstant: return Words::tr("not a constant");
    case Reason::InputCount: return Words::tr("number of inputs");
    case Reason::Alignment: return Words::tr("alignment");
    case Reason::StreamLabel: return Words::tr("stream label");
    case Reason::PrecisionMode: return Words::tr("precision mode");
    case Reason::AlreadyFused: return Words::tr("already fused");
    case Reason::ScopeDiffers: return Words::tr("different scopes");
    case Reason::Determinism: return Words::tr("determinism");
    case Reason::DumpEnabled: return Words::tr("dump is on");
    case Reason::ThreadMode: return Words::tr("thread mode");
    case Reason::OutputLimit: return Words::tr("too many outputs");
    case Reason::RepeatCount: return Words::tr("repeat count");
    case Reason::SliceMismatch: return Words::tr("slices differ");
    case Reason::NoSavings: return Words::tr("nothing to gain");
    case Reason::PeakMemory: return Words::tr("peak memory");
    case Reason::NodeLimit: return Words::tr("too many nodes");
    }
    return {};
}

QString reasonClass(ReasonClass reasons)
{
    switch (reasons) {
    case ReasonClass::NoRule: return Words::tr("No rule");
    case ReasonClass::Capacity: return Words::tr("Capacity");
    case ReasonClass::Unit: return Words::tr("Execution unit");
    case ReasonClass::Structure: return Words::tr("Structure");
    }
    return {};
}

QString severity(Severity severity)
{
    switch (severity) {
    case Severity::Info: return Words::tr("note");
    case Severity::Warning: return Words::tr("warning");
    case Severity::Error: return Words::tr("error");
    }
    return {};
}

QString bufferKind(BufferKind kind)
{
    switch (kind) {
    case BufferKind::FeatureMap: return Words::tr("feature map");
    case BufferKind::Workspace: return Words::tr("workspace");
    case BufferKind::Input: return Words::tr("model input");
    case BufferKind::Output: return Words::tr("model output");
    case BufferKind::Weight: return Words::tr("weight");
    }
    return {};
}

QString bound(Bound bound)
{
    switch (bound) {
    case Bound::Launch: return Words::tr("launch");
    case Bound::Compute: return Words::tr("compute");
    case Bound::Memory: return Words::tr("memory");
    }
    return {};
}

QString mode(std::string_view mode)
{
    if (mode == "full") return Words::tr("full compilation");
    if (mode == "light") return Words::tr("lightweight compilation");
    if (mode == "dumps") return Words::tr("dumped phases");
    return text(mode);
}

} // namespace gelens::words
