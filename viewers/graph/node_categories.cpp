#include "viewers/graph/node_categories.h"

#include "viewers/common/formatter.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace gelens {
namespace {

constexpr int levels = 5;

using Values = std::unordered_map<std::int32_t, double>; ///< by node id

/// Five classes below the largest value, each a fixed factor wide: few nodes are large, and those are looked for.
template <typename Format>
NodeCategories ramp(const Values& values, int idBound, double factor, Format&& text)
{
    NodeCategories result;
    result.categoryOf.assign(static_cast<std::size_t>(idBound), -1);
    double largest = 0;
    for (const auto& [id, value] : values) largest = std::max(largest, value);
    if (largest <= 0) return result;
    const auto bound = [&](int level) {
        return largest / std::pow(factor, levels - level);
    }; // from here on, of level ≥ 1
    for (int level = 0; level < levels; ++level) {
        const QString from = text(bound(level)), to = text(bound(level + 1));
        const QString name = level == 0            ? QStringLiteral("< %1").arg(to)
                             : level == levels - 1 ? QStringLiteral("≥ %1").arg(from)
                                                   : QStringLiteral("%1 – %2").arg(from, to);
        result.categories.push_back({name.toStdString(), static_cast<std::int8_t>(level)});
    }
    for (const auto& [id, value] : values) {
        if (id < 0 || id >= idBound) continue;
        int level = 0;
        while (level + 1 < levels && value >= bound(level + 1)) ++level;
        result.categoryOf[static_cast<std::size_t>(id)] = static_cast<std::int16_t>(level);
    }
    return result;
}

/// Estimated microseconds; of nodes that the end of the run does not have, as the imported model would run.
NodeCategories byLatency(const Run& run, int idBound)
{
    Values values, before;
    for (const TimelineItem& item : run.timeline.items) values[item.node.value] += item.durationUs;
    for (const TimelineItem& item : run.timelineBefore.items) before[item.node.value] += item.durationUs;
    for (const auto& [id, value] : before) values.try_emplace(id, value);
    values.erase(-1); // tasks of the scheduler's own
    return ramp(values, idBound, 2, [](double us) { return format::microseconds(us); });
}

/// Bytes of the results.
NodeCategories byMemory(const Run& run, int idBound)
{
    Values values, before;
    const auto add = [](const MemoryPlan& plan, Values& to) {
        for (const auto& [tensor, buffer] : plan.bufferOfTensor)
            if (buffer >= 0 && static_cast<std::size_t>(buffer) < plan.buffers.size())
                to[tensor.node.value] += static_cast<double>(plan.buffers[static_cast<std::size_t>(buffer)].bytes);
    };
    add(run.plan, values);
    if (run.planBefore) add(*run.planBefore, before);
    for (const auto& [id, value] : before) values.try_emplace(id, value);
    return ramp(values, idBound, 4, [](double bytes) { return format::bytes(static_cast<std::int64_t>(bytes)); });
}

/// The pass that added each node.
NodeCategories byOrigin(const Run& run, int idBound)
{
    NodeCategories result;
    if (run.stepCount() == 0) return result;
    result.categoryOf.assign(static_cast<std::size_t>(idBound), 0);
    std::map<std::string, std::int16_t> known;
    const auto indexOf = [&](const std::string& pass) {
        const auto [found, isNew] = known.try_emplace(pass, static_cast<std::int16_t>(result.categories.size()));
        if (isNew) result.categories.push_back({pass, -1});
        return found->second;
    };
    indexOf(run.step(StepId{0}).pass);
    const std::vector<StepId> births = run.birthSteps();
    for (std::size_t i = 0; i < std::min(births.size(), result.categoryOf.size()) && known.size() < 30000; ++i)
        if (births[i].value > 0 && births[i].value < run.stepCount())
            result.categoryOf[i] = indexOf(run.step(births[i]).pass);
    return result;
}

} // namespace

NodeCategories nodeCategories(const Run& run, ColorBy colorBy, int idBound)
{
    switch (colorBy) {
    case ColorBy::Latency: return byLatency(run, idBound);
    case ColorBy::Memory: return byMemory(run, idBound);
    case ColorBy::Origin: return byOrigin(run, idBound);
    default: return {};
    }
}

} // namespace gelens
