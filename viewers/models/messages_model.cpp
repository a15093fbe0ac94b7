#include "viewers/models/messages_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <algorithm>

namespace gelens {
namespace {

struct Verified {
    Q_DECLARE_TR_FUNCTIONS(gelens::MessagesModel)
};

QString measureText(const ErrorMeasure& output)
{
    if (output.shapeDiffers) return Verified::tr("output %1 has another shape").arg(words::text(output.tensor));
    if (output.typeDiffers) return Verified::tr("output %1 has another type").arg(words::text(output.tensor));
    return Verified::tr("output %1: %2 of %3 elements outside the tolerance, largest difference %4")
        .arg(words::text(output.tensor), format::count(output.mismatches), format::count(output.elements),
             format::real(output.maxAbs));
}

void addVerification(const Run& run, std::vector<MessageRow>& rows)
{
    const Verification& check = run.verification;
    const auto add = [&](Severity severity, const char* id, const QString& text, StepId step, NodeId node,
                         const std::string& where) {
        rows.push_back({{severity, id, text.toStdString(), where, node}, step.value});
    };
    if (!check.ran) {
        if (!check.skipReason.empty())
            add(Severity::Info, "verify.skipped",
                Verified::tr("The numbers were not checked: %1").arg(words::sentence(check.skipReason)), {}, {}, {});
        return;
    }
    for (const StepVerification& step : check.steps) {
        const std::string pass = run.step(step.step).pass;
        if (!step.ran && !step.skipReason.empty())
            add(Severity::Info, "verify.step-skipped",
                Verified::tr("This step was not computed: %1").arg(words::sentence(step.skipReason)), step.step, {},
                pass);
        for (const ErrorMeasure& output : step.outputs)
            if (!output.holds())
                add(Severity::Error, "verify.differs", measureText(output), step.step,
                    step.step == check.firstBadStep ? check.firstBadNode : NodeId(), pass);
    }
    for (const std::string& note : check.notes) add(Severity::Info, "verify.note", words::sentence(note), {}, {}, {});
    if (!check.devicePassed)
        add(Severity::Error, "verify.device", Verified::tr("The device computed other numbers than the graph does"), {},
            {}, {});
    if (!check.deviceSkipReason.empty())
        add(Severity::Info, "verify.device-skipped", words::sentence(check.deviceSkipReason), {}, {}, {});
    if (check.passed() && !check.deviceSkipReason.empty())
        add(Severity::Info, "verify.passed", Verified::tr("Every step keeps the numbers; the device did not run"), {},
            {}, {});
    else if (check.passed())
        add(Severity::Info, "verify.passed",
            Verified::tr("Every step keeps the numbers; the device ran %1 task orders with the same result")
                .arg(format::count(check.interleavings)),
            {}, {}, {});
}

QString severitySign(Severity severity)
{
    switch (severity) {
    case Severity::Info: return QStringLiteral("ℹ");
    case Severity::Warning: return QStringLiteral("⚠");
    case Severity::Error: return QStringLiteral("✕");
    }
    return {};
}

} // namespace

std::vector<MessageRow> messagesOf(const Run& run)
{
    std::vector<MessageRow> rows;
    // What stopped the run comes first, and once: of a pass with its name.
    const auto failure = std::find_if(run.messages.begin(), run.messages.end(),
                                      [](const Message& message) { return message.id == "pass.failed"; });
    if (failure != run.messages.end())
        rows.push_back({*failure, run.lastStep().value});
    else if (run.error && !run.error->isCancelled())
        rows.push_back({{Severity::Error, "run.failed", run.error->what, run.error->where, {}}, run.lastStep().value});
    if (run.wasCancelled)
        rows.push_back({{Severity::Warning,
                         "run.cancelled",
                         Verified::tr("The run was cancelled; what it had reached is shown").toStdString(),
                         {},
                         {}},
                        run.lastStep().value});
    for (auto message = run.messages.begin(); message != run.messages.end(); ++message)
        if (message != failure) rows.push_back({*message, -1});
    for (const Step& step : run.steps) // a file of its own: its findings are kept with it
        if (run.sourceOf(step.id) != nullptr)
            for (const Message& message : step.messages) rows.push_back({message, step.id.value});
    addVerification(run, rows);
    return rows;
}

QString MessagesModel::title(int column) const
{
    switch (column) {
    case SeverityColumn: return tr("Severity");
    case Text: return tr("What was found");
    case Where: return tr("Where");
    case Id: return tr("Code");
    default: return {};
    }
}

QVariant MessagesModel::cell(const MessageRow& row, int column, int role) const
{
    const Message& message = row.message;
    switch (role) {
    case Qt::DisplayRole:
        if (column == SeverityColumn)
            return QStringLiteral("%1 %2").arg(severitySign(message.severity), words::severity(message.severity));
        if (column == Text) return words::sentence(message.text);
        if (column == Where) return words::text(message.where);
        if (column == Id) return words::text(message.id);
        return {};
    case SortRole:
        if (column == SeverityColumn) return words::severity(message.severity);
        return {};
    case SeverityRole:
        if (column == SeverityColumn) return static_cast<int>(message.severity);
        return {};
    case NodeRole:
        if (message.node.isValid()) return message.node.value;
        return {};
    case StepRole:
        if (row.step >= 0) return row.step;
        return {};
    case LinkRole: return column == Where && (message.node.isValid() || row.step >= 0);
    case MutedRole: return column == Id;
    default: return {};
    }
}

} // namespace gelens
