#include "viewers/unfused/chains_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gelens {
namespace {

/// The order of the classes on the screen: what can be helped first.
constexpr ReasonClass classOrder[] = {ReasonClass::Capacity, ReasonClass::Unit, ReasonClass::Structure,
                                      ReasonClass::NoRule};

} // namespace

QString chainText(const std::vector<std::string>& types)
{
    QStringList parts;
    for (std::size_t i = 0; i < types.size();) {
        std::size_t next = i + 1;
        while (next < types.size() && types[next] == types[i]) ++next;
        const QString type = words::text(types[i]);
        if (next - i > 2)
            parts += QStringLiteral("%1 × %2").arg(type, format::count(static_cast<std::int64_t>(next - i)));
        else
            for (std::size_t k = i; k < next; ++k) parts += type;
        i = next;
    }
    return parts.join(QStringLiteral(" → "));
}

QString quantityText(double value, const std::string& unit)
{
    const bool isWhole = std::abs(value) < 1e15 && value == std::floor(value);
    const QString number = isWhole ? format::count(static_cast<std::int64_t>(value)) : format::real(value);
    return unit.empty() ? number : number + QLatin1Char(' ') + words::sentence(unit);
}

QString thresholdsText(const std::vector<Threshold>& thresholds)
{
    QStringList parts;
    for (const Threshold& threshold : thresholds)
        parts += QStringLiteral("%1 %2 %3")
                     .arg(words::sentence(threshold.quantity),
                          threshold.isUpperLimit ? QStringLiteral("≤") : QStringLiteral("≥"),
                          quantityText(threshold.limit, threshold.unit));
    return parts.join(QStringLiteral(" · "));
}

const FusionVerdict* ChainsModel::nearest(const Chain& chain, int link)
{
    const auto verdictOf = [](const ChainLink& content) {
        for (const FusionVerdict& verdict : content.tried)
            if (verdict.reason == content.reason) return &verdict;
        return content.tried.empty() ? nullptr : &content.tried.front();
    };
    if (link >= 0) return verdictOf(chain.links[static_cast<std::size_t>(link)]);
    for (const ChainLink& content : chain.links)
        if (content.reason == chain.reason)
            if (const FusionVerdict* verdict = verdictOf(content)) return verdict;
    return nullptr;
}

void ChainsModel::setRun(std::shared_ptr<const Run> run)
{
    Tree tree;
    m_rowOfChain.assign(run ? run->chains.size() : 0, -1);
    for (const ReasonClass reasons : classOrder) {
        ChainItem heading;
        heading.reasonClass = reasons;
        std::vector<int> chains;
        for (std::size_t i = 0; run && i < run->chains.size(); ++i)
            if (reasonClass(run->chains[i].reason) == reasons) {
                chains.push_back(static_cast<int>(i));
                ++heading.kinds;
                heading.occurrences += run->chains[i].count;
            }
        if (chains.empty()) continue;
        const int parent = tree.add(top, heading);
        for (const int chain : chains) {
            const int row = tree.add(parent, {chain, -1, reasons, 0, 0, false});
            m_rowOfChain[static_cast<std::size_t>(chain)] = row;
            const auto& links = run->chains[static_cast<std::size_t>(chain)].links;
            for (std::size_t link = 0; links.size() > 1 && link < links.size(); ++link)
                tree.add(row, {chain, static_cast<int>(link), reasonClass(links[link].reason), 0, 0, false});
        }
    }
    m_isMarked.assign(static_cast<std::size_t>(tree.size()), 0);
    const auto keep = std::exchange(m_run, std::move(run));
    setTree(std::move(tree));
}

int ChainsModel::mark(const std::unordered_set<NodeId>& nodes)
{
    std::vector<std::uint8_t> marks(static_cast<std::size_t>(nodeCount()), 0);
    const auto isMeant = [&](NodeId node) { return nodes.contains(node); };
    int first = -1;
    for (int row = 1; m_run && !nodes.empty() && row < nodeCount(); ++row) {
        const ChainItem& content = item(row);
        if (content.chain < 0) continue;
        const Chain& chain = m_run->chains[static_cast<std::size_t>(content.chain)];
        bool isMarked = false;
        if (content.link >= 0) {
            const ChainLink& link = chain.links[static_cast<std::size_t>(content.link)];
            isMarked = isMeant(link.from) || isMeant(link.to);
        } else {
            isMarked = std::any_of(chain.nodes.begin(), chain.nodes.end(), isMeant);
            for (const auto& nodesOf : chain.occurrences)
                isMarked = isMarked || std::any_of(nodesOf.begin(), nodesOf.end(), isMeant);
            if (isMarked && first < 0) first = content.chain;
        }
        marks[static_cast<std::size_t>(row)] = isMarked;
    }
    if (marks != m_isMarked) {
        m_isMarked = std::move(marks);
        refresh();
    }
    return first;
}

QModelIndex ChainsModel::indexOfChain(int chain) const
{
    if (chain < 0 || static_cast<std::size_t>(chain) >= m_rowOfChain.size()) return {};
    return indexOf(m_rowOfChain[static_cast<std::size_t>(chain)]);
}

bool ChainsModel::hasText(int column) const
{
    for (int node = 1; node < nodeCount(); ++node)
        if (item(node).chain >= 0 && !text(item(node), column).toString().isEmpty()) return true;
    return false;
}

QString ChainsModel::title(int column) const
{
    switch (column) {
    case Why: return tr("Reason");
    case Nodes: return tr("Chain");
    case Count: return tr("Times");
    case Needs: return tr("Needs");
    case Has: return tr("Has");
    case FitsWhen: return tr("Fits when");
    case Remedy: return tr("What to do");
    default: return {};
    }
}

QVariant ChainsModel::classCell(const ChainItem& row, int column, int role) const
{
    if (role == HeadingRole) return true;
    if (role == Qt::DisplayRole && column == Why)
        return QStringLiteral("%1 (%2)").arg(words::reasonClass(row.reasonClass), format::count(row.kinds));
    if (column == Count && role == Qt::DisplayRole) return format::count(row.occurrences);
    if (column == Count && role == SortRole) return row.occurrences;
    return {};
}

QVariant ChainsModel::text(const ChainItem& row, int column) const
{
    const Chain& chain = m_run->chains[static_cast<std::size_t>(row.chain)];
    const ChainLink* link = row.link < 0 ? nullptr : &chain.links[static_cast<std::size_t>(row.link)];
    const FusionVerdict* verdict = nearest(chain, row.link);
    const Check* check = verdict == nullptr ? nullptr : verdict->headline();
    switch (column) {
    case Why: return words::reason(link != nullptr ? link->reason : chain.reason);
    case Nodes: return link == nullptr ? chainText(chain.nodeTypes) : chainText({link->fromType, link->toType});
    case Count: return link == nullptr ? format::count(chain.count) : QString();
    case Needs: return check != nullptr && check->needs ? quantityText(*check->needs, check->unit) : QString();
    case Has: return check != nullptr && check->has ? quantityText(*check->has, check->unit) : QString();
    case FitsWhen: return verdict != nullptr ? thresholdsText(verdict->thresholds) : QString();
    case Remedy: return words::sentence(link != nullptr ? link->remedy : chain.remedy);
    default: return {};
    }
}

QVariant ChainsModel::cell(int node, int column, int role) const
{
    const ChainItem& row = item(node);
    if (row.chain < 0) return classCell(row, column, role);
    if (role == Qt::DisplayRole) return text(row, column);
    if (role == CurrentRole) return m_isMarked[static_cast<std::size_t>(node)] != 0;
    const Chain& chain = m_run->chains[static_cast<std::size_t>(row.chain)];
    if (role == SortRole) {
        const FusionVerdict* verdict = nearest(chain, row.link);
        const Check* check = verdict == nullptr ? nullptr : verdict->headline();
        if (column == Count && row.link < 0) return chain.count;
        if (column == Needs && check != nullptr && check->needs) return *check->needs;
        if (column == Has && check != nullptr && check->has) return *check->has;
        return {};
    }
    if (role == MutedRole) return row.link >= 0;
    if (role == NodeRole) {
        const NodeId first = row.link < 0 ? (chain.nodes.empty() ? NodeId{} : chain.nodes.front())
                                          : chain.links[static_cast<std::size_t>(row.link)].from;
        return first.isValid() ? QVariant(first.value) : QVariant();
    }
    if (role == Qt::ToolTipRole && column == Nodes) {
        QStringList names;
        constexpr std::size_t shown = 20;
        for (std::size_t i = 0; i < std::min(shown, chain.nodeNames.size()); ++i)
            names += words::text(chain.nodeNames[i]);
        if (chain.nodeNames.size() > shown) names += QStringLiteral("…");
        return names.join(QLatin1Char('\n'));
    }
    if (role == Qt::ToolTipRole && column == Why)
        return words::sentence(row.link < 0 ? chain.evidence
                                            : chain.links[static_cast<std::size_t>(row.link)].evidence);
    if (role == FilterRole) {
        QString all = words::sentence(chain.evidence) + QLatin1Char(' ') + words::text(reasonName(chain.reason));
        for (const std::string& name : chain.nodeNames) all += QLatin1Char(' ') + words::text(name);
        return all;
    }
    return {};
}

} // namespace gelens
