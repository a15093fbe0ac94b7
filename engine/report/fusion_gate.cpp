#include "engine/report/fusion_gate.h"

#include <nlohmann/json.hpp>

namespace gelens {

Result<std::vector<FusionExpectation>> readFusionExpectations(std::string_view text, const std::string& where)
{
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) return Error::invalid("expected fusions: the file is no JSON", where);
    if (!json.is_object())
        return Error::invalid("expected fusions: the file must be one object, rule id or pass name to least count",
                              where);
    std::vector<FusionExpectation> expectations;
    for (const auto& [name, value] : json.items()) {
        const bool isCount =
            value.is_number_integer() && (value.is_number_unsigned() || value.get<std::int64_t>() >= 0);
        if (!isCount) return Error::invalid("expected fusions: '" + name + "' needs a count, 0 or more", where);
        expectations.push_back({name, value.get<std::int64_t>(), 0});
    }
    return expectations;
}

void measureFusions(const Run& run, std::vector<FusionExpectation>& expectations)
{
    for (FusionExpectation& expectation : expectations) {
        expectation.actual = 0;
        for (const FusionSummary& fusion : run.fusions)
            if (fusion.rule == expectation.name || fusion.gePass == expectation.name)
                expectation.actual += fusion.effective;
    }
}

} // namespace gelens
