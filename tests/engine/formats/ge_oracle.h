#pragma once
// What the tests of GE's text formats share: the corpus of files that GE wrote, and byte comparison with a readable end.

#include "engine/formats/ge_onnx_writer.h"

#include <QStringList>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#define SKIP_WITHOUT_CORPUS()                                                                                          \
    if (!std::filesystem::exists(gelens::test::oracle())) QSKIP("the corpus is absent")

namespace gelens::test {

namespace fs = std::filesystem;

inline fs::path oracle() { return fs::path(GELENS_CORPUS_DIR) / "ge-oracle"; }

inline std::string fileText(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::vector<fs::path> filesLike(const fs::path& root, std::string_view prefix, std::string_view suffix)
{
    std::vector<fs::path> found;
    if (!fs::exists(root)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(suffix)) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Line of the first difference, for a failure that can be read.
inline std::string firstDifference(const std::string& ours, const std::string& theirs)
{
    std::istringstream a(ours), b(theirs);
    std::string left, right, before;
    for (int line = 1;; ++line) {
        const bool hasLeft = static_cast<bool>(std::getline(a, left)),
                   hasRight = static_cast<bool>(std::getline(b, right));
        if (!hasLeft && !hasRight) return "none";
        if (!hasLeft || !hasRight || left != right)
            return "line " + std::to_string(line) + " after '" + before + "': ours '" + (hasLeft ? left : "<end>") +
                   "', GE's '" + (hasRight ? right : "<end>") + "'";
        before = left;
    }
}

/// Level of detail of a dump by the folder that it lies in; dumps outside such a folder are of level 2.
inline DumpDetail detailOf(const fs::path& file)
{
    const std::string folder = file.parent_path().filename().string();
    return folder == "level1" ? DumpDetail::Full : folder == "level3" ? DumpDetail::Topology : DumpDetail::NoData;
}

struct Comparison {
    int same = 0, all = 0;
    QStringList different;

    bool add(const fs::path& file, const std::string& ours, const std::string& theirs)
    {
        ++all;
        if (ours == theirs) {
            ++same;
            return true;
        }
        different << QString::fromStdString(fs::relative(file, oracle()).string() + ": " +
                                            firstDifference(ours, theirs));
        return false;
    }
    void report(const char* what) const { qInfo("%d of %d %s", same, all, what); }
    QString text() const { return QStringLiteral("\n") + different.mid(0, 40).join(QLatin1Char('\n')); }
};

} // namespace gelens::test
