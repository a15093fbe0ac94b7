#pragma once
// The monitor table of several models: the contract of `gelens-cli models`.

#include "engine/session/fleet.h"

#include <string>
#include <vector>

namespace gelens {

/// Header and one row for each model; figures as plain numbers, empty where a model has none (it failed, or has no
/// graph from before its compile). `asCards`: the first column is the card's number.
std::vector<std::vector<std::string>> modelsTable(const Fleet& fleet, bool asCards);

std::string modelsToCsv(const Fleet& fleet, bool asCards);
std::string modelsToJson(const Fleet& fleet, bool asCards);

/// `compile --cards N --json`: the parts of one model, counts summed up and one row for each card.
std::string cardsToJson(const Fleet& fleet, const std::string& model);

} // namespace gelens
