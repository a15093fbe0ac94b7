#include "engine/report/report_places_internal.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace gelens::report {
namespace {

/// Part of a file's name: "b/" inside "/a/b/" or "web/" is no folder of its own.
bool isInName(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/' ||
           static_cast<unsigned char>(c) >= 0x80;
}

void takeOut(std::string& text, const std::string& what)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        if (at > 0 && isInName(text[at - 1]))
            at += what.size();
        else
            text.erase(at, what.size());
}

} // namespace

LocalPlaces::LocalPlaces(const Run& run)
{
    add(run.modelPath);
    add(run.options.socFile);
    add(run.options.fusionSwitchFile);
    for (const std::string& folder : run.options.ruleFolders) add(folder);
    // A folder may lie in another one's: the longer name first, or its end would stay.
    std::sort(m_folders.begin(), m_folders.end(),
              [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    m_folders.erase(std::unique(m_folders.begin(), m_folders.end()), m_folders.end());
}

void LocalPlaces::add(const std::string& path)
{
    std::filesystem::path clean = std::filesystem::path(path).lexically_normal();
    if (!clean.has_filename()) clean = clean.parent_path(); // "dumps/"
    const std::size_t nameAt = path.rfind(clean.filename().string());
    // As it was written, which is how messages name it; a relative one as well: "../../customer/x.onnx".
    if (!path.empty() && nameAt != std::string::npos && nameAt > 0) m_folders.push_back(path.substr(0, nameAt));
    if (std::string folder = clean.parent_path().string(); folder.size() > 1) m_folders.push_back(folder + "/");
}

std::string LocalPlaces::without(std::string_view text) const
{
    std::string clean(text);
    for (const std::string& folder : m_folders) takeOut(clean, folder);
    return clean;
}

} // namespace gelens::report
