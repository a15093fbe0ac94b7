#pragma once
// What is built in, for `gelens-cli list`, help pages and panels.

#include "engine/graph/result.h"
#include "engine/spec/step.h"

#include <string>
#include <vector>

namespace gelens {

struct CatalogEntry {
    std::string id;
    std::string summary;                                      ///< one line
    std::vector<std::pair<std::string, std::string>> details; ///< name → text: "phase", "unit", "GE pass" …
};

std::vector<CatalogEntry> listPasses();
/// Rules of the built-in folder and of `folders`; problems of rule files go to `messages`.
std::vector<CatalogEntry> listRules(const std::vector<std::string>& folders, std::vector<Message>& messages);
std::vector<CatalogEntry> listSocs();
std::vector<CatalogEntry> listOps();

} // namespace gelens
