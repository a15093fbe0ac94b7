#pragma once
// A ModelDef in wire form, taken apart: operators are decoded one after another, each into the memory of the one before,
// so that a large model is never there twice. Private to this folder, for .cpp files only.

#include "formats/proto/ge_ir.pb.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelens {

/// The fields of one message, in the order of the file.
class WireFields {
public:
    struct Field {
        std::uint32_t number = 0;
        bool isMessage = false;   ///< or a text, or packed numbers: it has a length
        std::string_view content; ///< of such a one
        std::string_view whole;   ///< with key and length
    };

    explicit WireFields(std::string_view message) : m_rest(message) {}

    /// False at the end, and at the first field that is none.
    bool next(Field& field);
    bool isSound() const { return m_isSound; }

private:
    std::optional<std::uint64_t> varint();

    std::string_view m_rest;
    bool m_isSound = true;
};

inline std::string_view wireText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Parses a message that is not over 2 GiB.
bool parseWire(std::string_view bytes, google::protobuf::MessageLite& message);

struct ModelDefParts {
    ge::proto::ModelDef rest; ///< all but the graphs
    std::vector<std::string_view> graphs;

    /// Nothing when the bytes are no ModelDef, as far as that can be seen without looking into its graphs.
    /// At most `most` graphs, and one more if there are more.
    static std::optional<ModelDefParts> of(std::string_view model, std::int64_t most);
};

struct GraphDefParts {
    ge::proto::GraphDef rest; ///< all but the operators
    std::vector<std::string_view> ops;

    static std::optional<GraphDefParts> of(std::string_view graph, std::int64_t most);
};

/// An operator without its attributes and descriptors, whose bytes are in lists of their own: layers repeat each other, and
/// most of them need not be decoded again. Decodes into memory that it uses again and again.
class OpDefParts {
public:
    OpDefParts();

    /// Names of the fields below are read only `withNeighbours`: who feeds whom follows from the inputs.
    /// Until the next call; null when the bytes are no OpDef.
    ge::proto::OpDef* read(std::string_view op, bool withNeighbours);
    const std::vector<std::string_view>& attrs() const { return m_attrs; } ///< entries of the map
    const std::vector<std::string_view>& inputDescs() const { return m_inputDescs; }
    const std::vector<std::string_view>& outputDescs() const { return m_outputDescs; }

    /// Until the next call of read(); null when the bytes are none.
    ge::proto::TensorDescriptor* readDesc(std::string_view desc);
    ge::proto::AttrDef* readAttr(std::string_view value);

private:
    std::vector<char> m_block; ///< enough for nearly every operator
    google::protobuf::Arena m_arena;
    std::string m_bare; ///< the operator without them
    std::vector<std::string_view> m_attrs, m_inputDescs, m_outputDescs;
};

/// Name and value of a map's entry; nothing when the bytes are none.
std::optional<std::pair<std::string_view, std::string_view>> mapEntry(std::string_view entry);

} // namespace gelens
