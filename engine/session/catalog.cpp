#include "engine/session/catalog.h"

#include "engine/ops/op_registry.h"
#include "engine/passes/pipeline.h"
#include "engine/session/session.h"

#include <fmt/format.h>

namespace gelens {
namespace {

RuleSet loadRules(const std::vector<std::string>& folders, std::vector<Message>& messages)
{
    std::vector<std::filesystem::path> paths{resourceFolder() + "/rules"};
    paths.insert(paths.end(), folders.begin(), folders.end());
    return RuleSet::load(paths, messages);
}

std::string portsText(const std::vector<Port>& ports)
{
    std::string text;
    for (const Port& port : ports) {
        if (!text.empty()) text += ", ";
        text += port.name;
        if (port.kind == PortKind::Optional) text += "?";
        if (port.kind == PortKind::Dynamic) text += "…";
    }
    return text;
}

} // namespace

std::vector<CatalogEntry> listPasses()
{
    std::vector<Message> messages;
    const RuleSet rules = loadRules({}, messages);
    std::vector<CatalogEntry> entries;
    for (const PassEntry& entry : fullPipeline(rules, FusionSwitch()))
        entries.push_back({entry.info.id,
                           entry.info.summary,
                           {{"stage", std::string(stageName(entry.info.stage))},
                            {"phase", entry.info.phase},
                            {"rule", entry.info.rule},
                            {"evidence", std::string(1, entry.info.evidence)}}});
    return entries;
}

std::vector<CatalogEntry> listRules(const std::vector<std::string>& folders, std::vector<Message>& messages)
{
    const RuleSet rules = loadRules(folders, messages);
    std::vector<CatalogEntry> entries;
    for (const auto& rule : rules.rules())
        entries.push_back({rule->id,
                           rule->summary,
                           {{"ge_pass", rule->gePass},
                            {"group", std::string(ruleGroupName(rule->group))},
                            {"unit", std::string(ruleUnitName(rule->unit))},
                            {"evidence", std::string(1, rule->evidence)},
                            {"source", rule->source}}});
    return entries;
}

std::vector<CatalogEntry> listSocs()
{
    std::vector<CatalogEntry> entries;
    for (const std::string& name : socNames()) {
        CompileOptions options;
        options.soc = name;
        const Result<SocSpec> soc = loadSoc(options);
        if (!soc.ok()) continue;
        const bool isSplit = soc->coreLayout == CoreLayout::Split;
        entries.push_back(
            {name,
             fmt::format("{} cube cores, {} vector cores ({}), L1 {} KiB, UB {} KiB, L2 {} MiB, {} MHz", soc->cubeCores,
                         soc->vectorCores, isSplit ? "split" : "combined", soc->buffers.l1 / 1024,
                         soc->buffers.ub / 1024, soc->l2Bytes >> 20, soc->cubeMegahertz),
             {{"family", soc->family}, {"cores", isSplit ? "split" : "combined"}}});
    }
    return entries;
}

std::vector<CatalogEntry> listOps()
{
    std::vector<CatalogEntry> entries;
    for (const OpDef* op : OpRegistry::instance().all())
        entries.push_back({op->type(),
                           op->docText(),
                           {{"inputs", portsText(op->inputs())},
                            {"outputs", portsText(op->outputs())},
                            {"unit", std::string(unitName(op->unitOf()))},
                            {"class", std::string(fusionClassName(op->fusionClassOf()))},
                            {"arithmetic", std::string(op->arithmeticText())},
                            {"source", op->sourceText()}}});
    return entries;
}

} // namespace gelens
