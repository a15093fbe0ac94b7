#include "viewers/memory/share_reason.h"

#include "engine/session/memory_queries.h"
#include "viewers/common/formatter.h"
#include "viewers/memory/memory_picture.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gelens {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(gelens::MemoryView)
};

bool isReused(BufferKind kind) { return kind == BufferKind::FeatureMap || kind == BufferKind::Workspace; }

const MemoryBuffer* bufferAt(const Run& run, int buffer)
{
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= run.plan.buffers.size()) return nullptr;
    return &run.plan.buffers[static_cast<std::size_t>(buffer)];
}

QString address(std::int64_t bytes) { return QStringLiteral("0x") + QString::number(bytes, 16); }

/// Buffers that are never alive together: they share, or the planner had no need to.
QString apart(const Run& run, const MemoryBuffer& earlier, const MemoryBuffer& later)
{
    const QString first = words::text(earlier.name), second = words::text(later.name);
    const std::int64_t begin = std::max(earlier.offset, later.offset);
    const std::int64_t end = std::min(earlier.offset + earlier.blockBytes, later.offset + later.blockBytes);
    const QString free = positionText(run, earlier.lifetime.end - 1), needed = positionText(run, later.lifetime.begin);
    if (end > begin)
        return Words::tr("They share %1 from %2: '%3' is last used at step %4, '%5' begins at step %6.")
            .arg(format::exactBytes(end - begin), address(begin), first, free, second, needed);
    if (earlier.stream != later.stream)
        return Words::tr(
                   "They could share: '%1' is last used at step %2 on stream %3, '%4' begins at step %5 on stream %6. "
                   "Different streams share only where an event orders them.")
            .arg(first, free, format::count(earlier.stream), second, needed, format::count(later.stream));
    return Words::tr(
               "They could share: '%1' is last used at step %2, '%3' begins at step %4. The planner gave the places "
               "to other tensors.")
        .arg(first, free, second, needed);
}

/// Inputs and outputs are the user's; weights have a region of their own.
QString kindsDiffer(const MemoryBuffer& a, const MemoryBuffer& b)
{
    const auto isUsers = [](const MemoryBuffer& buffer) {
        return buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Output;
    };
    QString text =
        Words::tr("Different kinds: '%1' is a %2, '%3' a %4. They live in different regions, which never share.")
            .arg(words::text(a.name), words::bufferKind(a.kind), words::text(b.name), words::bufferKind(b.kind));
    if (isUsers(a) || isUsers(b))
        text += QLatin1Char(' ') + Words::tr("The user supplies '%1' and holds it for the whole run.")
                                       .arg(words::text((isUsers(a) ? a : b).name));
    return text;
}

/// Both hold something that is still needed.
QString overlap(const Run& run, const MemoryBuffer& a, const MemoryBuffer& b)
{
    const std::int64_t from = b.lifetime.begin, to = std::min(a.lifetime.end, b.lifetime.end) - 1;
    const QString span = from == to
                             ? Words::tr("at step %1").arg(positionText(run, from))
                             : Words::tr("from step %1 to step %2").arg(positionText(run, from), positionText(run, to));
    return Words::tr(
               "They could not share: their lifetimes overlap %1. '%2' is needed until then, '%3' already holds its "
               "values.")
        .arg(span, words::text(a.name), words::text(b.name));
}

} // namespace

QString positionText(const Run& run, std::int64_t position)
{
    const QString number = format::count(position);
    if (position < 0 || static_cast<std::size_t>(position) >= run.plan.order.size()) return number;
    const std::string name = run.nameOf(run.plan.order[static_cast<std::size_t>(position)]);
    return name.empty() ? number : Words::tr("%1 ('%2')").arg(number, words::text(name));
}

QString whyNotShared(const Run& run, int first, int second)
{
    const MemoryBuffer *a = bufferAt(run, first), *b = bufferAt(run, second);
    if (a == nullptr || b == nullptr) return {};
    if (first == second) return Words::tr("This is one buffer: its tensors are views or results in place.");
    if (a->kind != b->kind && !(isReused(a->kind) && isReused(b->kind))) return kindsDiffer(*a, *b);
    if (!isReused(a->kind))
        return Words::tr("'%1' and '%2' are kept for the whole run (%3), so their places are never given to others.")
            .arg(words::text(a->name), words::text(b->name), words::bufferKind(a->kind));
    if (b->lifetime.begin < a->lifetime.begin) std::swap(a, b);
    // A workspace is no tensor: it is needed while its node runs, and nothing else can be the reason.
    if (a->kind == BufferKind::Workspace || b->kind == BufferKind::Workspace)
        return a->lifetime.overlaps(b->lifetime) ? overlap(run, *a, *b) : apart(run, *a, *b);
    const ShareVerdict verdict = whyNotShared(run, a->tensor, b->tensor);
    const QString early = words::text(a->name), late = words::text(b->name);
    const QString used = positionText(run, verdict.earlyUse), needed = positionText(run, b->lifetime.begin);
    switch (verdict.blocker) {
    case ShareBlocker::UnorderedStreams:
        return Words::
            tr("They could not share: '%1' is last used at step %2 on stream %3 and '%4' begins at step %5 on stream %6, but no "
               "event orders the two streams there: they may run at the same time.")
                .arg(early, used, format::count(a->stream), late, needed, format::count(b->stream));
    case ShareBlocker::ContinuousGroup:
        return Words::
            tr("They could not share: '%1' itself is dead by then, but it is a part of one continuous piece of memory, which is "
               "used until step %2. '%3' begins at step %4.")
                .arg(early, used, late, needed);
    case ShareBlocker::NeverReleased:
        return Words::
            tr("They could not share: '%1' is never released, because it is a model output as well or its node says so.")
                .arg(early);
    case ShareBlocker::Padding:
        return Words::tr(
                   "Their lives would allow it, but with padding and alignment '%1' needs %2, and '%3' leaves %4.")
            .arg(late, format::exactBytes(b->blockBytes), early, format::exactBytes(a->blockBytes));
    case ShareBlocker::LifetimeOverlap: return overlap(run, *a, *b);
    default: return a->lifetime.overlaps(b->lifetime) ? overlap(run, *a, *b) : apart(run, *a, *b);
    }
}

QString bufferLine(const Run& run, int buffer)
{
    const MemoryBuffer* found = bufferAt(run, buffer);
    if (found == nullptr) return {};
    return Words::tr("'%1': %2, block %3 at %4, alive from step %5 to step %6")
        .arg(words::text(found->name), format::bytes(found->bytes), format::bytes(found->blockBytes),
             address(found->offset), format::count(found->lifetime.begin), format::count(found->lifetime.end - 1));
}

QString bufferFacts(const Run& run, const MemoryPicture& picture, int buffer)
{
    const MemoryBuffer* found = bufferAt(run, buffer);
    if (found == nullptr) return {};
    QStringList lines{words::text(found->name)};
    const QString type = words::text(producerType(run, *found));
    lines += type.isEmpty() ? words::bufferKind(found->kind)
                            : Words::tr("%1, made by %2").arg(words::bufferKind(found->kind), type);
    lines += Words::tr("address %1 (%2)").arg(address(found->offset), format::exactBytes(found->offset));
    lines +=
        Words::tr("size %1, block %2").arg(format::exactBytes(found->bytes), format::exactBytes(found->blockBytes));
    lines += Words::tr("alive from step %1 to step %2")
                 .arg(positionText(run, found->lifetime.begin), positionText(run, found->lifetime.end - 1));
    if (found->members.size() > 1)
        lines += Words::tr("holds %1 tensors (views, results in place)")
                     .arg(format::count(static_cast<std::int64_t>(found->members.size())));
    constexpr std::size_t shown = 3;
    QStringList names;
    const std::vector<int> sharers = picture.sharersOf(buffer, 1000);
    for (std::size_t i = 0; i < std::min(shown, sharers.size()); ++i)
        names += words::text(run.plan.buffers[static_cast<std::size_t>(sharers[i])].name);
    if (sharers.size() > shown)
        names += Words::tr("… %1 more").arg(format::count(static_cast<std::int64_t>(sharers.size() - shown)));
    if (!names.isEmpty()) lines += Words::tr("at other times here: %1").arg(names.join(QStringLiteral(", ")));
    if (!found->note.empty()) lines += words::sentence(found->note);
    return lines.join(QLatin1Char('\n'));
}

} // namespace gelens
