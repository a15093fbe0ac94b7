#include "viewers/models/option_words.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace gelens::words {
namespace {

struct OptionWords {
    Q_DECLARE_TR_FUNCTIONS(gelens::OptionWords)
};

QString bytesOf(const std::string& text) { return format::exactBytes(std::strtoll(text.c_str(), nullptr, 10)); }

} // namespace

QString optionChange(const OptionChange& change)
{
    using Kind = OptionChange::Kind;
    const QString subject = text(change.subject), before = text(change.before), after = text(change.after);
    switch (change.kind) {
    case Kind::Soc: return OptionWords::tr("SoC %1 → %2").arg(before, after);
    case Kind::SocFile: return OptionWords::tr("SoC file %1").arg(after.isEmpty() ? QStringLiteral("–") : after);
    case Kind::Mode: return OptionWords::tr("mode %1").arg(after);
    case Kind::Precision: return OptionWords::tr("precision %1").arg(after);
    case Kind::MemoryPolicy: return OptionWords::tr("memory policy %1").arg(after);
    case Kind::Rule:
        if (change.after.empty()) return OptionWords::tr("rule %1 as by default").arg(subject);
        return change.after == "on" ? OptionWords::tr("rule %1 on").arg(subject)
                                    : OptionWords::tr("rule %1 off").arg(subject);
    case Kind::RuleFolder:
        return change.after.empty() ? OptionWords::tr("without rules of %1").arg(subject)
                                    : OptionWords::tr("rules of %1").arg(subject);
    case Kind::SwitchFile: return OptionWords::tr("switches of %1").arg(after.isEmpty() ? QStringLiteral("–") : after);
    case Kind::SkippedPass:
        return change.after.empty() ? OptionWords::tr("with pass %1").arg(subject)
                                    : OptionWords::tr("without pass %1").arg(subject);
    case Kind::Autofuse: return OptionWords::tr("autofusion %1").arg(after.isEmpty() ? QStringLiteral("–") : after);
    case Kind::Shape:
        return OptionWords::tr("input %1 [%2]").arg(subject, after.isEmpty() ? QStringLiteral("–") : after);
    case Kind::Buffer:
        return QStringLiteral("%1 %2").arg(subject.toUpper(), change.after.empty() ? OptionWords::tr("as on the chip")
                                                                                   : bytesOf(change.after));
    case Kind::Cards: return OptionWords::tr("%1 cards").arg(after);
    case Kind::Streams:
        return change.after == "parallel" ? OptionWords::tr("parallel streams") : OptionWords::tr("single stream");
    case Kind::StreamLabel: return OptionWords::tr("stream label of %1: %2").arg(subject, after);
    case Kind::SuperKernel: return OptionWords::tr("super kernel of %1: %2").arg(subject, after);
    case Kind::TimeLimit: return OptionWords::tr("time limit %1 s").arg(after.isEmpty() ? QStringLiteral("–") : after);
    case Kind::Seed: return OptionWords::tr("seed %1").arg(after);
    case Kind::Verify: return change.after == "on" ? OptionWords::tr("verified") : OptionWords::tr("not verified");
    }
    return {};
}

QString optionChanges(const std::vector<OptionChange>& changes)
{
    QStringList parts;
    for (const OptionChange& change : changes) parts += optionChange(change);
    return parts.isEmpty() ? OptionWords::tr("same options") : parts.join(QStringLiteral(" · "));
}

QString figure(const std::string& figure)
{
    if (figure == "operators") return OptionWords::tr("operators");
    if (figure == "intermediate_tensors") return OptionWords::tr("intermediate tensors");
    if (figure == "memory_peak") return OptionWords::tr("peak memory");
    if (figure == "lower_bound") return OptionWords::tr("lower bound");
    if (figure == "memory_unshared") return OptionWords::tr("memory without reuse");
    if (figure == "weights") return OptionWords::tr("weights");
    if (figure == "tasks") return OptionWords::tr("tasks");
    if (figure == "latency") return OptionWords::tr("latency, estimated");
    if (figure == "fusion_rate") return OptionWords::tr("fusion rate");
    if (figure == "memory_reuse_rate") return OptionWords::tr("memory reuse rate");
    if (figure == "unfused_chains") return OptionWords::tr("unfused chains");
    return text(figure);
}

QString figureValue(FigureChange::Unit unit, double value)
{
    switch (unit) {
    case FigureChange::Unit::Count: return format::count(std::llround(value));
    case FigureChange::Unit::Bytes: return format::bytes(std::llround(value));
    case FigureChange::Unit::Microseconds: return format::microseconds(value);
    case FigureChange::Unit::Ratio: return format::percent(value);
    }
    return {};
}

QString figureDifference(const FigureChange& change)
{
    if (change.base == change.other) return OptionWords::tr("same");
    if (change.unit == FigureChange::Unit::Count) return format::signedCount(std::llround(change.difference()));
    const double part = change.unit == FigureChange::Unit::Ratio ? change.difference()
                        : change.base == 0                       ? 0
                                                                 : change.difference() / change.base;
    if (part == 0) return QStringLiteral("–");
    const QString size = format::percent(std::abs(part));
    return (part > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

QString memoryPolicy(MemoryPolicy policy)
{
    switch (policy) {
    case MemoryPolicy::Best: return OptionWords::tr("best of all");
    case MemoryPolicy::Ge: return OptionWords::tr("GE's own");
    case MemoryPolicy::Simple: return OptionWords::tr("simple");
    case MemoryPolicy::Greedy: return OptionWords::tr("greedy");
    case MemoryPolicy::Optimal: return OptionWords::tr("optimal (searches)");
    }
    return {};
}

QString precision(PrecisionMode precision) { return text(precisionName(precision)); }

} // namespace gelens::words
