#pragma once
// A folder of GE's dumps as one document: its files found, grouped and put in order. Graphs are read when asked for.

#include "engine/formats/model_document.h"
#include "engine/formats/phase_table.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class DumpFormat { GeProto, GeOnnx, GeReadable };
std::string_view dumpFormatName(DumpFormat format); ///< "ge_proto" …

/// What a dump's file name says.
struct DumpFile {
    std::filesystem::path path;
    DumpFormat format = DumpFormat::GeProto;
    int number = 0;
    std::optional<int> graphId;
    bool isSingleOp = false; ///< `_aclop`
    std::string phase;
    std::int64_t bytes = 0;
};

/// Nothing for other files. Accepts the 8-digit names of today and the 5-digit ones without a graph id of before.
std::optional<DumpFile> parseDumpName(const std::string& fileName);

/// One dump of one graph, in the formats that are there.
struct DumpPhase {
    std::string name;
    int number = 0;                  ///< smallest number among its files
    const PhaseInfo* info = nullptr; ///< null for a phase that is not documented
    std::vector<DumpFile> files;     ///< at most one of each format, the fullest format first
};

/// The dumps of one graph of one process, in order.
struct DumpGraph {
    std::string process; ///< "pid_12_deviceid_0", or the sub-folder, empty at the top
    std::optional<int> graphId;
    bool isSingleOp = false;
    std::vector<DumpPhase> phases;

    std::string label() const; ///< "pid_12_deviceid_0 graph 3"
};

struct DumpFolder {
    std::filesystem::path path;
    std::vector<DumpGraph> graphs;
    std::vector<std::filesystem::path> fxDumps;        ///< TorchAir's own dumps
    std::optional<std::filesystem::path> fusionResult; ///< fusion_result.json
    std::vector<Message> messages;

    int phaseCount() const;
};

/// Lists the folder and those below it; opens no file. Errors: no folder, or no dump inside.
Result<DumpFolder> openDumpFolder(const std::filesystem::path& path);

/// The graph of one dump, from its fullest format that can be read.
Result<ModelDocument> readDumpPhase(const DumpPhase& phase, const ReadOptions& options = {});

/// A phase by name (exact, then without regard to case), by number, or "first"/"last"; null when there is none.
/// "name#2" is the second dump of that name.
const DumpPhase* findDumpPhase(const DumpFolder& folder, std::string_view text);

} // namespace gelens
