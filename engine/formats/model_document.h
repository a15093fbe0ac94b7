#pragma once
// What a reader of models takes and gives.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/spec/om_details.h"
#include "engine/spec/step.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gelens {

struct ReadOptions {
    /// Shapes of graph inputs by name (`--set INPUT=1,3,224,224`); -1 keeps a dimension as the file has it.
    std::map<std::string, std::vector<std::int64_t>> inputShapes;
    /// Values of symbolic dimensions by name (`--set batch=4`).
    std::map<std::string, std::int64_t> symbols;
    std::stop_token stop;

    // Limits against files that would eat the machine; what exceeds one is an error that names it.
    std::int64_t maxNodes = 1'000'000;        ///< nodes of the graph that comes out
    std::int64_t maxFunctionNodes = 200'000;  ///< nodes that calls of model-local functions expand to
    std::int64_t maxDenseBytes = 512ll << 20; ///< bytes of one sparse tensor made dense
};

/// A model as read: the graph of step 0 and what the file says about itself.
struct ModelDocument {
    std::string format; ///< "ONNX"
    std::string path;
    Graph graph;
    std::vector<Message> messages;

    std::string producer; ///< name and version of the program that wrote the file
    std::string domain;
    std::string description;
    std::int64_t irVersion = 0;
    std::int64_t modelVersion = 0;
    std::map<std::string, std::int64_t> opsets;   ///< by domain; "" is the standard one
    std::map<std::string, std::string> metadata;  ///< metadata_props
    std::map<std::string, int> operatorHistogram; ///< the file's own operators, sub-graphs and functions included
    int functions = 0;                            ///< model-local functions
    std::int64_t fileBytes = 0;
    std::int64_t weightBytes = 0;       ///< all constants, absent ones included
    std::int64_t absentWeightBytes = 0; ///< of these, declared in files that are not there
    int weightCount = 0;
    int absentWeightCount = 0;

    std::shared_ptr<const OmDetails> om; ///< of an OM file: partitions, tasks, plan
};

} // namespace gelens
