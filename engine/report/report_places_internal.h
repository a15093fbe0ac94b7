#pragma once
// A report is handed to others: where its files lie on this machine is nobody else's business. Private to this folder.

#include "engine/session/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens::report {

/// The folders of a run's files, to be taken out of what is said about them: "/home/me/secret/x.onnx: no graph" becomes
/// "x.onnx: no graph".
class LocalPlaces {
public:
    explicit LocalPlaces(const Run& run);
    std::string without(std::string_view text) const;

private:
    void add(const std::string& path);

    std::vector<std::string> m_folders; ///< each ends with '/'; the longest first
};

} // namespace gelens::report
