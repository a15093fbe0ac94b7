#pragma once
// Text of an ATC or GE log taken apart: level, module, error codes, and the nodes and passes of a run that it speaks of.

#include "engine/session/run.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class LogLineLevel { Unknown, Debug, Info, Event, Warning, Error };

/// A name of the open model found in a line: bytes [begin, end) of its text.
struct LogMention {
    enum class Kind { Node, Pass, Rule, Phase };
    Kind kind = Kind::Node;
    std::size_t begin = 0, end = 0;
    NodeId node; ///< nodes
    StepId step; ///< the step that the mention leads to: the pass, the end of the phase, or where the node lives
    std::string name;
};

struct LogLine {
    std::size_t number = 0; ///< 1 for the first line of the text
    LogLineLevel level = LogLineLevel::Unknown;
    std::string module, time;       ///< "GE", "2024-05-06-10:11:12.123.456"; empty where the line has none
    std::string place;              ///< "graph_manager.cc:123"
    std::string text;               ///< the message without that head
    std::vector<std::string> codes; ///< "E19999", "EZ3003", "W11003", "NF1010"
    std::vector<LogMention> mentions;
    /// The line tells why something was not fused; verdicts of ours that speak of the same nodes.
    bool isAboutFusion = false;
    std::vector<const FusionVerdict*> verdicts; ///< point into the run
};

struct DecodedLog {
    std::vector<LogLine> lines;                     ///< empty lines left out
    std::vector<std::pair<std::string, int>> codes; ///< each code with how often it occurs, in order of appearance
    int errors = 0, warnings = 0, linked = 0;       ///< lines
    bool isCut = false;                             ///< the text went on beyond the limit
};

/// Lines of CANN's own head form ("[ERROR] GE(12,atc):… [file.cc:1]…"), of ATC's summary ("E10001: …") and plain text,
/// English or Chinese. `run` may be null. At most `lineLimit` lines are taken.
DecodedLog decodeLog(std::string_view text, const Run* run, std::stop_token stop = {}, std::size_t lineLimit = 200'000);

/// The codes in a line: a letter or two, four or five digits.
std::vector<std::string> errorCodesIn(std::string_view line);

} // namespace gelens
