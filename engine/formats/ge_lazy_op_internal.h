#pragma once
// Operators of a ge_proto text of which only the skeleton is read at first: name, type, edges, descriptors, placement.
// Attributes stay in the text until somebody looks at them. Private to this folder, for .cpp files only.

#include "engine/formats/ge_ir_builder_internal.h"
#include "engine/formats/ge_text_values_internal.h"

#include <map>
#include <mutex>
#include <optional>
#include <string_view>

namespace gelens {

/// A text, and who keeps it in memory.
struct DumpText {
    std::shared_ptr<const void> owner;
    std::string_view text;
};

/// Foretells from the first operators of a text how many it has.
class OpForecast {
public:
    /// After each operator: the number of all, about, at the one moment when there is enough to go by; else 0.
    std::int64_t next(const DumpText& dump, const char* end)
    {
        constexpr int sample = 256;
        if (++m_read != sample) return 0;
        const auto done = static_cast<double>(end - dump.text.data());
        return static_cast<std::int64_t>(1.1 * sample * static_cast<double>(dump.text.size()) / done);
    }

private:
    int m_read = 0;
};

/// The skeleton of one operator.
struct OpSketch {
    Node node; ///< name, type, placement, slots without their names; no attributes but those of the descriptors
    std::vector<std::string_view> inputs; ///< in the dump's text or in `texts`
    std::vector<std::unique_ptr<const std::string>> texts;
    IntList peers; ///< place among the readers of each input's producer
    SlotNames inputNames, outputNames;
    StringList subgraphs;
    std::optional<LazyConstant> constant; ///< of a constant

    /// Ready for the next operator; lists keep their memory.
    void clear();
};

/// Reads one `input` into the sketch.
bool readInputText(TextScan& scan, OpSketch& sketch);

/// The attributes of one operator and of its descriptors, as an AttrSource.
class GeLazyOp final : public AttrSource {
public:
    enum class Form { Proto, Onnx };

    /// `body` stands behind the operator's '{' and ends with its '}'.
    GeLazyOp(Form form, std::shared_ptr<const DumpText> dump, std::string_view body)
        : m_dump(std::move(dump)), m_body(body), m_form(form)
    {
        if (form == Form::Onnx) m_decoded = std::make_unique<Decoded>();
    }

    static constexpr std::uint64_t operatorPlace = 0;
    /// Place of a descriptor's attributes; `position` is that of its text in the body, where it has one.
    static std::uint64_t descPlace(bool isInput, std::size_t index, std::size_t position)
    {
        return std::uint64_t{position} << 20 | index << 2 | (isInput ? 3 : 1);
    }

    /// Remembers what the operator's fields are compared with, once its graph is complete.
    void settle(const Graph& graph, const Node& node, std::int64_t position);
    AttrMap::Map load(std::uint64_t place) const override;

private:
    AttrMap::Map loadOp() const;
    AttrMap::Map loadDesc(std::size_t position) const;
    AttrMap::Map opAttrs(const ge::proto::OpDef& op) const;
    /// Adds what the operator's fields say beyond what follows from the graph.
    void addHidden(const std::string& type, OpFields stated, bool hasDefinition, AttrMap::Map& attrs) const;
    /// Whether the fields say nothing beyond that.
    bool isAsDerived(const std::string& type, const OpFields& stated, bool hasDefinition,
                     const AttrMap::Map& attrs) const;
    /// ge_onnx has no names of outputs, so that their absence says nothing.
    bool lacksOutputNames(const OpFields& stated) const
    {
        return m_form == Form::Onnx && stated.outputNames.empty() && stated.outputSlots.empty();
    }
    AttrMap::Map loadFromOnnx(std::uint64_t place) const;
    void decodeWhole() const;

    std::shared_ptr<const DumpText> m_dump;
    std::string_view m_body;
    std::int64_t m_position = 0;
    int m_outputs = 0;
    Form m_form;
    /// What follows from the graph for an operator with offsets, which names its neighbours.
    std::unique_ptr<const OpFields> m_neighbours;

    // A ge_onnx node has all its attributes in one list: decoding any map decodes them all, and they wait here.
    struct Decoded {
        std::mutex lock;
        std::map<std::uint64_t, AttrMap::Map> maps;
    };
    std::unique_ptr<Decoded> m_decoded;
};

/// Reads the skeleton of the operator whose text begins behind its '{'. Returns the length of that text, the closing
/// '}' included; nothing when the text needs the tolerant reader.
std::optional<std::size_t> sketchOp(std::string_view text, const std::shared_ptr<const DumpText>& dump,
                                    OpSketch& sketch, std::shared_ptr<GeLazyOp>& source);
/// The same for a node of a ge_onnx text.
std::optional<std::size_t> sketchOnnxNode(std::string_view text, const std::shared_ptr<const DumpText>& dump,
                                          OpSketch& sketch, std::shared_ptr<GeLazyOp>& source);

} // namespace gelens
