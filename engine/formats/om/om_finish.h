#pragma once
// What an OM file says of each operator beyond the graph: where constants lie, which inputs are constant, sizes,
// engines. The writer derives it, the reader takes it back, so that the graph that comes out is the one that went in.
// Private to this folder.

#include "engine/formats/ge_ir_convert.h"
#include "engine/graph/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelens::om {

/// Payloads in the order of the WEIGHTS_DATA partition. Equal payloads share a place.
struct WeightLayout {
    struct Piece {
        std::int64_t offset = 0;
        std::span<const std::byte> bytes;
    };
    std::vector<Piece> pieces;
    std::map<NodeId, std::pair<std::int64_t, std::int64_t>> places; ///< constant → offset, bytes
    std::int64_t totalBytes = 0;                                    ///< 0 when no constant has its bytes in the file
};

/// The first payload lies at 512, each at a multiple of 512, and at least 32 spare bytes follow the last one.
WeightLayout layOutWeights(const Graph& graph);

/// A copy of the graph whose constants hold no bytes, so that building the message copies none.
Graph withoutPayloads(const Graph& graph, const WeightLayout& weights);

/// `model` was made from the graph by modelDefFromGraph. Constants whose bytes are absent become FileConstant operators.
void finishModelDef(const Graph& graph, const WeightLayout& weights, ge::proto::ModelDef& model);

/// Where a constant lies, as its operator says.
struct ConstantPlace {
    std::int64_t offset = 0, bytes = 0; ///< in WEIGHTS_DATA; bytes 0: not there
    std::string location;               ///< of a FileConstant; may be empty
    std::int64_t fileOffset = 0, fileLength = 0;
    bool isExternal = false;
    std::vector<ExternalPiece> pieces; ///< of a FileConstant in several places, along `axis`
    int axis = 0;
    std::vector<std::string> strings;
};

/// Takes out of the operators what finishing put in, one after another while they are read.
class Unfinisher {
public:
    Unfinisher() = default;
    /// `filled`: what the file says that finishing filled.
    explicit Unfinisher(const StringList& filled);

    /// The operators' definitions were added by finishing, and go with what else was.
    bool dropsDefinitions() const { return m_dropsDefinitions; }
    bool dropsEngines() const { return m_dropsEngines; }

    /// Takes out of a constant's attributes where it lies; nothing for other operators.
    static std::optional<ConstantPlace> takePlace(const std::string& type, AttrMap::Map& attrs);
    void unfinish(ge::proto::OpDef& op) const;
    void unfinish(ge::proto::TensorDescriptor& desc, bool isOfPlacedConstant) const;

private:
    bool m_dropsSizes = false, m_dropsConstFlags = false, m_dropsDefinitions = false, m_dropsEngines = false;
};

/// The other half, on the graph that came out: payloads are windows into the weights or into files of the folder.
void restoreNodes(Graph& graph, const std::unordered_map<NodeId, ConstantPlace>& constants, const Bytes& weights,
                  const Unfinisher& unfinisher, const std::filesystem::path& folder, std::vector<Message>& messages);

} // namespace gelens::om
