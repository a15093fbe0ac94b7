// On-chip buffers: the rule's formulas summed for each memory, the tile that fits, and the threshold where none does.

#include "engine/fusion/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gelens {

namespace {

constexpr std::size_t maxTileCombinations = 4096;

Reason capacityReason(OnChipMemory memory)
{
    if (memory == OnChipMemory::L1) return Reason::L1Capacity;
    return memory == OnChipMemory::Ub ? Reason::UbCapacity : Reason::L0Capacity;
}

std::int64_t sizeOf(const BufferSizes& sizes, OnChipMemory memory)
{
    switch (memory) {
    case OnChipMemory::L1: return sizes.l1;
    case OnChipMemory::Ub: return sizes.ub;
    case OnChipMemory::L0a: return sizes.l0a;
    case OnChipMemory::L0b: return sizes.l0b;
    case OnChipMemory::L0c: return sizes.l0c;
    }
    return 0;
}

class CapacityCheck {
public:
    CapacityCheck(const CheckContext& context, CheckList& list)
        : m_context(context), m_list(list), m_sizes(context.environment.bufferSizes())
    {
        for (const RuleBuffer& buffer : context.rule.buffers)
            if (std::find(m_memories.begin(), m_memories.end(), buffer.memory) == m_memories.end())
                m_memories.push_back(buffer.memory);
    }

    void run()
    {
        if (m_memories.empty()) return;
        const bool fits = chooseTile();
        for (const OnChipMemory memory : m_memories) report(memory, fits);
        m_context.host.clearVariables();
    }

private:
    std::optional<double> bytes(OnChipMemory memory)
    {
        double sum = 0;
        for (const RuleBuffer& buffer : m_context.rule.buffers) {
            if (buffer.memory != memory) continue;
            const FormulaValue value = buffer.bytes.evaluate(m_context.host);
            if (!value.isKnown) return std::nullopt;
            sum += value.number;
        }
        return sum;
    }
    bool fits(OnChipMemory memory)
    {
        const auto needs = bytes(memory);
        return needs && *needs <= static_cast<double>(sizeOf(m_sizes, memory));
    }
    bool allFit()
    {
        return std::all_of(m_memories.begin(), m_memories.end(), [this](OnChipMemory memory) { return fits(memory); });
    }

    void setTile(std::size_t combination)
    {
        const auto& tiles = m_context.rule.tiles;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const std::size_t count = tiles[i].values.size();
            m_context.host.setVariable(static_cast<int>(m_context.rule.lets.size() + i),
                                       static_cast<double>(tiles[i].values[combination % count]));
            combination /= count;
        }
    }
    std::size_t combinations() const
    {
        std::size_t count = 1;
        for (const RuleTile& tile : m_context.rule.tiles)
            count = std::min(count * tile.values.size(), maxTileCombinations);
        return count;
    }
    /// Sets the largest tile for which all fits, the last tile variable counting most; else the smallest tile.
    bool chooseTile()
    {
        for (std::size_t i = combinations(); i-- > 0;) {
            setTile(i);
            if (allFit()) return true;
        }
        return false; // the smallest is set now
    }

    void report(OnChipMemory memory, bool isTileLegal)
    {
        const Rule& rule = m_context.rule;
        const auto needs = bytes(memory);
        const double has = static_cast<double>(sizeOf(m_sizes, memory));
        if (!needs) {
            Check check{Reason::DynamicShape, false, {}, {}, has, "B", "C15", rule.evidence, {}};
            check.what =
                fmt::format("how much {} it needs depends on a dim that is not known", onChipMemoryName(memory));
            m_list.add(std::move(check), "Fix the input shapes (--set) or compile for gears.");
            return;
        }
        Check check{capacityReason(memory), *needs <= has,    {}, *needs, has, "B", "U13",
                    rule.evidence,          m_context.members};
        std::string parts;
        for (const RuleBuffer& buffer : rule.buffers) {
            if (buffer.memory != memory) continue;
            const double size = buffer.bytes.evaluate(m_context.host).number;
            parts += fmt::format("{}{} {} B", parts.empty() ? "" : " + ", buffer.name, grouped(size));
        }
        std::string tile;
        for (std::size_t i = 0; i < rule.tiles.size(); ++i)
            tile += fmt::format(", {} = {}", rule.tiles[i].name,
                                grouped(m_context.host.variable(static_cast<int>(rule.lets.size() + i)).number));
        check.what = fmt::format("needs {} B of {}, {} has {} B ({}{})", grouped(*needs), onChipMemoryName(memory),
                                 m_context.soc().name, grouped(has), parts, tile);
        if (check.held || isTileLegal) {
            m_list.add(std::move(check));
            return;
        }
        m_list.add(std::move(check), solve(memory, *needs, has));
    }

    /// Thresholds at which it would fit; returns the remedy.
    std::string solve(OnChipMemory memory, double needs, double has)
    {
        const Rule& rule = m_context.rule;
        std::string remedy;
        for (std::size_t i = 0; i < rule.lets.size(); ++i) {
            const RuleLet& let = rule.lets[i];
            if (let.label.empty()) continue;
            m_context.host.clearVariables();
            const FormulaValue current = m_context.host.variable(static_cast<int>(i));
            if (!current.isKnown || current.number < 1 || current.number > 9e15) continue;
            const auto fitsAt = [&](std::int64_t value) {
                return fitsWith(memory, static_cast<int>(i), static_cast<double>(value));
            };
            const std::int64_t limit = largestThatFits(1, static_cast<std::int64_t>(current.number), let.step, fitsAt);
            if (limit < 1 || static_cast<double>(limit) >= current.number) continue;
            m_list.thresholds.push_back(
                {let.label, let.name, current.number, static_cast<double>(limit), true, let.unit});
            remedy += fmt::format("{} {} to at most {}{}{}", remedy.empty() ? "Reduce" : ", or reduce", let.label,
                                  grouped(static_cast<double>(limit)), let.unit.empty() ? "" : " ", let.unit);
        }
        m_context.host.clearVariables();
        chooseTile();
        const std::string name(onChipMemoryName(memory));
        m_list.thresholds.push_back({name + " size", "soc." + name, has, std::ceil(needs), false, "B"});
        remedy += fmt::format("{} a chip with at least {} B of {}.", remedy.empty() ? "Use" : ", or use",
                              grouped(std::ceil(needs)), name);
        if (!m_context.rule.socRemedy.empty()) remedy += " " + m_context.rule.socRemedy;
        return remedy;
    }
    bool fitsWith(OnChipMemory memory, int variable, double value)
    {
        for (std::size_t i = combinations(); i-- > 0;) {
            m_context.host.clearVariables();
            m_context.host.setVariable(variable, value);
            setTile(i);
            if (fits(memory)) return true;
        }
        return false;
    }

    const CheckContext& m_context;
    CheckList& m_list;
    BufferSizes m_sizes;
    std::vector<OnChipMemory> m_memories;
};

} // namespace

void checkCapacity(const CheckContext& context, CheckList& list) { CapacityCheck(context, list).run(); }

} // namespace gelens
