#include "viewers/common/breakpoint_list.h"

#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <iterator>

namespace gelens {
namespace {

/// Nothing is known of where it stops; one that cannot be read says why.
BreakpointList::Entry freshEntry(Breakpoint breakpoint)
{
    BreakpointList::Entry entry;
    if (const Status status = checkBreakpoint(breakpoint); !status.ok())
        entry.error = words::sentence(status.error().message());
    entry.breakpoint = std::move(breakpoint);
    return entry;
}

} // namespace

std::vector<Breakpoint> BreakpointList::breakpoints() const
{
    std::vector<Breakpoint> all;
    for (const Entry& entry : m_entries) all.push_back(entry.breakpoint);
    return all;
}

QString BreakpointList::add(const Breakpoint& breakpoint)
{
    if (const Status status = checkBreakpoint(breakpoint); !status.ok())
        return words::sentence(status.error().message());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Breakpoint known = m_entries[i].breakpoint;
        known.isEnabled = breakpoint.isEnabled;
        if (!(known == breakpoint)) continue;
        setEnabled(static_cast<int>(i), true);
        return {};
    }
    m_entries.push_back({breakpoint, {}, {}, false});
    search();
    Q_EMIT changed();
    return {};
}

void BreakpointList::remove(int index)
{
    if (index < 0 || index >= static_cast<int>(m_entries.size())) return;
    m_entries.erase(m_entries.begin() + index);
    search();
    updateStops();
    Q_EMIT changed();
}

void BreakpointList::setEnabled(int index, bool isEnabled)
{
    if (index < 0 || index >= static_cast<int>(m_entries.size())) return;
    m_entries[static_cast<std::size_t>(index)].breakpoint.isEnabled = isEnabled;
    updateStops();
    Q_EMIT changed();
}

QString BreakpointList::replace(int index, const Breakpoint& breakpoint)
{
    if (index < 0 || index >= static_cast<int>(m_entries.size())) return {};
    if (const Status status = checkBreakpoint(breakpoint); !status.ok())
        return words::sentence(status.error().message());
    m_entries[static_cast<std::size_t>(index)] = {breakpoint, {}, {}, false};
    search();
    Q_EMIT changed();
    return {};
}

void BreakpointList::setAll(std::vector<Breakpoint> breakpoints)
{
    m_entries.clear();
    // One from a file that cannot be read stays in the list, with the reason: dropped, nobody would know of it.
    for (Breakpoint& breakpoint : breakpoints) m_entries.push_back(freshEntry(std::move(breakpoint)));
    search();
    updateStops();
    Q_EMIT changed();
}

bool BreakpointList::hasPass(const std::string& pass) const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.breakpoint.kind == BreakpointKind::Pass && entry.breakpoint.pattern == pass;
    });
}

void BreakpointList::togglePass(const std::string& pass)
{
    if (!hasPass(pass)) {
        add({BreakpointKind::Pass, pass, {}, true});
        return;
    }
    std::erase_if(m_entries, [&](const Entry& entry) {
        return entry.breakpoint.kind == BreakpointKind::Pass && entry.breakpoint.pattern == pass;
    });
    search();
    updateStops();
    Q_EMIT changed();
}

void BreakpointList::setRun(std::shared_ptr<const Run> run)
{
    if (run == m_run) return;
    m_run = std::move(run);
    for (Entry& entry : m_entries) entry = freshEntry(entry.breakpoint);
    search();
    updateStops();
}

void BreakpointList::search()
{
    m_search.cancel();
    if (!m_run || m_entries.empty()) return updateStops();
    using Found = std::vector<std::pair<std::vector<BreakpointHit>, QString>>;
    m_search.start(
        [run = m_run, wanted = breakpoints()](std::stop_token stop) {
            Found found;
            for (const Breakpoint& breakpoint : wanted) {
                auto hits = breakpointHits(*run, breakpoint, stop);
                if (hits.ok())
                    found.emplace_back(std::move(*hits), QString());
                else
                    found.emplace_back(std::vector<BreakpointHit>(), words::sentence(hits.error().message()));
            }
            return found;
        },
        [this](Found found) {
            m_search.finished();
            for (std::size_t i = 0; i < std::min(found.size(), m_entries.size()); ++i) {
                m_entries[i].hits = std::move(found[i].first);
                m_entries[i].error = std::move(found[i].second);
                m_entries[i].isSearched = true;
            }
            updateStops();
        });
}

void BreakpointList::updateStops()
{
    m_stops.clear();
    for (const Entry& entry : m_entries)
        if (entry.breakpoint.isEnabled)
            for (const BreakpointHit& hit : entry.hits) m_stops.insert(hit.step);
    Q_EMIT hitsChanged();
}

StepId BreakpointList::nextStop(StepId from, int direction) const
{
    if (direction > 0) {
        const auto next = m_stops.upper_bound(from);
        return next == m_stops.end() ? StepId{-1} : *next;
    }
    const auto next = m_stops.lower_bound(from);
    return next == m_stops.begin() ? StepId{-1} : *std::prev(next);
}

QStringList BreakpointList::reasonsAt(StepId step) const
{
    QStringList reasons;
    for (const Entry& entry : m_entries)
        for (const BreakpointHit& hit : entry.hits)
            if (entry.breakpoint.isEnabled && hit.step == step)
                reasons += tr("%1: %2").arg(breakpointText(entry.breakpoint), words::text(hit.what));
    return reasons;
}

QString breakpointKindText(BreakpointKind kind)
{
    switch (kind) {
    case BreakpointKind::Pass: return BreakpointList::tr("pass");
    case BreakpointKind::Node: return BreakpointList::tr("node");
    case BreakpointKind::OpType: return BreakpointList::tr("operator type");
    case BreakpointKind::Tensor: return BreakpointList::tr("tensor");
    case BreakpointKind::RuleFires: return BreakpointList::tr("rule fires");
    case BreakpointKind::RuleRefused: return BreakpointList::tr("rule is refused");
    case BreakpointKind::Statistic: return BreakpointList::tr("statistic");
    }
    return {};
}

QString breakpointText(const Breakpoint& breakpoint)
{
    const QString text =
        QStringLiteral("%1 %2").arg(breakpointKindText(breakpoint.kind), words::text(breakpoint.pattern));
    return breakpoint.condition.empty() ? text
                                        : BreakpointList::tr("%1 when %2").arg(text, words::text(breakpoint.condition));
}

} // namespace gelens
