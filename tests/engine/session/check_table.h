#pragma once
// Test folders against a table of those that are known not to pass.

#include "engine/session/check.h"

#include <QtTest>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <random>
#include <thread>

namespace gelens::test {

struct Exclusion {
    bool isInScope = false;
    std::string reason;
};

/// Rows "| folder | in or out | reason |" of a Markdown file.
inline std::map<std::string, Exclusion> readExclusions(const std::string& path)
{
    std::map<std::string, Exclusion> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cells;
        for (std::size_t at = line.find('|'); at != std::string::npos;) {
            const std::size_t next = line.find('|', at + 1);
            if (next == std::string::npos) break;
            std::string cell = line.substr(at + 1, next - at - 1);
            cell.erase(0, cell.find_first_not_of(' '));
            cell.erase(cell.find_last_not_of(' ') + 1);
            cells.push_back(std::move(cell));
            at = next;
        }
        if (cells.size() == 3 && (cells[1] == "in" || cells[1] == "out")) rows[cells[0]] = {cells[1] == "in", cells[2]};
    }
    return rows;
}

struct CheckedFolders {
    int passed = 0, total = 0, inScope = 0;
    std::vector<std::string>
        faults; ///< folders without a row that do not pass, rows whose folder passes or is not there
    double share() const { return static_cast<double>(passed) / std::max(1, total); }
    double shareInScope() const { return static_cast<double>(passed) / std::max(1, inScope); }
};

/// Checks folders below `root` that hold test data: all with GELENS_TEST_ALL, else those with a row and `choice` more,
/// drawn with a fixed seed.
inline CheckedFolders checkAgainstTable(const std::string& root, const std::string& table, std::size_t choice)
{
    namespace fs = std::filesystem;
    const auto exclusions = readExclusions(table);
    auto folders = findTestFolders({root});
    CheckedFolders result;
    if (!folders.ok() || exclusions.empty()) {
        result.faults.push_back(exclusions.empty() ? "no table " + table : folders.error().message());
        return result;
    }
    const auto nameOf = [&](const fs::path& folder) { return fs::relative(folder, root).generic_string(); };
    std::erase_if(*folders, [](const fs::path& folder) { return !fs::is_directory(folder / "test_data_set_0"); });
    for (const auto& [name, row] : exclusions)
        if (!fs::is_directory(fs::path(root) / name)) result.faults.push_back(name + " is in the table, but not there");
    if (!qEnvironmentVariableIsSet("GELENS_TEST_ALL")) {
        std::mt19937_64 random(20260101);
        for (std::size_t i = folders->size(); i-- > 1;) std::swap((*folders)[i], (*folders)[random() % (i + 1)]);
        std::size_t left = choice;
        std::erase_if(*folders, [&](const fs::path& folder) {
            if (exclusions.contains(nameOf(folder))) return false;
            if (left == 0) return true;
            --left;
            return false;
        });
    }
    std::vector<CheckResult> results(folders->size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < results.size(); i = next++) results[i] = checkFolder((*folders)[i], {});
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
    work();
    threads.clear();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string name = nameOf((*folders)[i]);
        const auto row = exclusions.find(name);
        const bool hasPassed = results[i].outcome == CheckOutcome::Passed;
        ++result.total;
        result.passed += hasPassed;
        result.inScope += row == exclusions.end() || row->second.isInScope;
        if (hasPassed && row != exclusions.end()) result.faults.push_back(name + " passes, but is in the table");
        if (!hasPassed && row == exclusions.end()) result.faults.push_back(name + ": " + results[i].reason);
    }
    for (const std::string& fault : result.faults) qWarning("%s", fault.c_str());
    qInfo("%d of %d pass (%.1f %%), %d in scope (%.1f %%)", result.passed, result.total, 100 * result.share(),
          result.inScope, 100 * result.shareInScope());
    return result;
}

} // namespace gelens::test
