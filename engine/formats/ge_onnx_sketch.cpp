// The skeleton of a ge_onnx node. What ge_proto says in fields of a descriptor stands here in rows of one flat list of
// attributes: "input_desc_shape:0".

#include "engine/formats/ge_lazy_op_internal.h"
#include "engine/formats/ge_onnx_rows_internal.h"

#include <array>
#include <charconv>

namespace gelens {
namespace {

class NodeSketcher {
public:
    NodeSketcher(std::string_view text, const std::shared_ptr<const DumpText>& dump, OpSketch& sketch)
        : m_scan(text), m_text(text), m_dump(dump), m_sketch(sketch)
    {
    }

    std::optional<std::size_t> read(std::shared_ptr<GeLazyOp>& source)
    {
        std::string type;
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            ++m_fields;
            if (name == "attribute") {
                if (!m_scan.sign('{')) return std::nullopt;
                if (takeKnownRows(false) || takeKnownRows(true)) continue;
                ++m_attributes;
                if (!readAttribute()) return std::nullopt;
                continue;
            }
            if (!m_scan.sign(':')) return std::nullopt;
            const bool isRead = name == "input"     ? readInputText(m_scan, m_sketch)
                                : name == "name"    ? m_scan.readText(m_sketch.node.name)
                                : name == "op_type" ? m_scan.readText(type)
                                                    : !name.empty() && m_scan.skipScalar();
            if (!isRead) return std::nullopt;
        }
        m_scan.sign('}');
        const auto length = static_cast<std::size_t>(m_scan.at() - m_text.data());
        // Sub-graphs, and nodes of a level without descriptors, are the tolerant reader's.
        if (type == "subgraph" || type == "ge:subgraph" || (m_counts[0] < 0 && m_counts[1] < 0)) return std::nullopt;
        const auto colon = type.find(':');
        m_sketch.node.type = colon == std::string::npos ? type : type.substr(colon + 1);
        source = std::make_shared<GeLazyOp>(GeLazyOp::Form::Onnx, m_dump, m_text.substr(0, length));
        if (!describe(true, source) || !describe(false, source) || !finishConstant()) return std::nullopt;
        return length;
    }

private:
    /// One row of a descriptor that its facts are made of.
    struct Row {
        bool isInput;
        int index;
        std::string_view field;
        const char* content; ///< behind the name; null when nothing but the type stands there
    };

    /// The rows of one side's descriptors, as they were read before.
    struct KnownRows {
        std::vector<DescFacts> facts; ///< of each descriptor, without the numbers that differ
        std::vector<bool> isLazy;     ///< descriptors with attributes that stay in the text
        std::int64_t stated = -1, attributes = 0;
    };
    /// Takes the rows of one side where they are the same as in another node.
    bool takeKnownRows(bool isInput)
    {
        const std::size_t side = isInput ? 0 : 1;
        const KnownRows* const known = m_runs[side].take(m_scan, isInput);
        if (!known) return false;
        m_known[side] = *known;
        auto& facts = m_known[side].facts;
        m_runs[side].eachNumberRow(
            [&facts](std::size_t descriptor, NumberRow row, std::span<const std::int64_t> numbers) {
                setNumbers(facts[descriptor], row, numbers);
            });
        m_counts[side] = known->stated;
        m_attributes += known->attributes;
        return true;
    }

    /// One row of those that stand together.
    bool readNextRow(bool isInput, std::string_view name, const char* start, const char* content)
    {
        DescRowRun<KnownRows>& run = m_runs[isInput ? 0 : 1];
        if (!run.add(start, m_fields)) return false;
        const bool isRead = readRow(isInput, name, content);
        run.endAt(m_scan.at());
        return isRead;
    }

    /// The rest of an attribute that nobody looks at now. One with a second name is the tolerant reader's.
    bool skipContent()
    {
        const char* const start = m_scan.at();
        if (!m_scan.skipMessage()) return false;
        const std::string_view body(start, static_cast<std::size_t>(m_scan.at() - start));
        if (body.find("name") == std::string_view::npos) return true;
        TextScan scan(body);
        while (!scan.isNext('}')) {
            const std::string_view field = scan.word();
            if (field.empty() || field == "name") return false;
            if (scan.isNext('{') ? !(scan.sign('{') && scan.skipMessage()) : !(scan.sign(':') && scan.skipScalar()))
                return false;
        }
        return true;
    }

    bool readAttribute()
    {
        const char* const start = m_scan.at();
        bool hasEscapes = false;
        const auto name = readOnnxName(m_scan, hasEscapes);
        if (!name || hasEscapes) return false;
        const char* const content = m_scan.at();
        if (name->starts_with("input_desc_")) return readNextRow(true, name->substr(11), start, content);
        if (name->starts_with("output_desc_")) return readNextRow(false, name->substr(12), start, content);
        if (name->starts_with("_input_name_")) return readNames(name->substr(12), m_sketch.inputNames);
        if (name->starts_with("_output_name_")) return readNames(name->substr(13), m_sketch.outputNames);
        Placement& placement = m_sketch.node.placement;
        if (*name == peerOrderAttr) return readValues(nullptr, &m_sketch.peers);
        if (*name == "input_i") return readValues(nullptr, &placement.inputOffsets);
        if (*name == "output_i") return readValues(nullptr, &placement.outputOffsets);
        if (*name == "workspace") return readValues(nullptr, &placement.workspaceOffsets);
        if (*name == "workspace_bytes") return readValues(nullptr, &placement.workspaceBytes);
        if (*name == "stream_id") return readOne("i", nullptr, &placement.streamId);
        if (*name == "_ge_attr_engine_name") return readOne("s", &placement.engine, nullptr);
        if (*name == "_ge_attr_op_kernel_lib_name") return readOne("s", &placement.kernelLib, nullptr);
        if (name->starts_with("value_")) {
            for (std::size_t i = 0; i < constantRows.size(); ++i)
                if (*name == constantRows[i]) m_value[i] = content;
        }
        return skipContent();
    }

    bool readNames(std::string_view rest, SlotNames& names)
    {
        if (rest == "key") return readValues(&names.names, nullptr);
        if (rest == "value") return readValues(nullptr, &names.slots);
        return !rest.starts_with("idx_") && skipContent(); // the old spelling is the tolerant reader's
    }

    /// `strings:` or `ints:` as often as there are, then the type. `places` is told where the numbers stand.
    bool readValues(StringList* texts, IntList* numbers, NumberRuns* places = nullptr)
    {
        bool areOthersBefore = false;
        if (texts) texts->clear();
        if (numbers) numbers->clear();
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (!m_scan.sign(':')) return false;
            if (places && name == "ints") {
                if (!m_scan.space()) return false;
                const char* const digits = m_scan.at();
                if (!m_scan.appendNumber(*numbers)) return false;
                places->add(digits, m_scan.at());
                if (areOthersBefore) places->spoil();
                continue;
            }
            areOthersBefore = true;
            const bool isRead = name == "strings" && texts  ? m_scan.appendText(*texts)
                                : name == "ints" && numbers ? m_scan.appendNumber(*numbers)
                                : name == "type"            ? m_scan.skipScalar()
                                                            : false;
            if (!isRead) return false;
        }
        return m_scan.sign('}');
    }
    bool readOne(std::string_view wanted, std::string* text, std::int64_t* number)
    {
        if (text) text->clear();
        if (number) *number = 0;
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (!m_scan.sign(':')) return false;
            const bool isRead = name == wanted && text     ? m_scan.readText(*text)
                                : name == wanted && number ? m_scan.readNumber(*number)
                                : name == "type"           ? m_scan.skipScalar()
                                                           : false;
            if (!isRead) return false;
        }
        return m_scan.sign('}');
    }

    bool readSize(DescFacts& facts, NumberRuns* places)
    {
        facts.size = 0;
        bool areOthersBefore = false;
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (!m_scan.sign(':') || !m_scan.space()) return false;
            const char* const digits = m_scan.at();
            if (name == "i" ? !m_scan.readNumber(facts.size) : name != "type" || !m_scan.skipScalar()) return false;
            if (name == "i" && places) {
                places->add(digits, m_scan.at());
                if (areOthersBefore) places->spoil();
            }
            areOthersBefore = true;
        }
        return m_scan.sign('}');
    }

    bool readRow(bool isInput, std::string_view name, const char* content)
    {
        if (name == "nums") return readOne("i", nullptr, &m_counts[isInput ? 0 : 1]);
        const auto colon = name.rfind(':');
        if (colon == std::string_view::npos) return false; // a whole descriptor as one JSON object
        const std::string_view field = name.substr(0, colon), place = name.substr(colon + 1);
        int index = 0;
        const auto [end, code] = std::from_chars(place.data(), place.data() + place.size(), index);
        const bool isWhole = end == place.data() + place.size();
        if (code != std::errc() || index < 0 || index >= maxOnnxDescriptors || (!isWhole && *end != '_')) return false;
        // Nothing but the type: the value is the default one, which says something of a data type only.
        const bool isPlain = field != "origin_dtype" && m_scan.word() == "type" && m_scan.sign(':') &&
                             !m_scan.word().empty() && m_scan.isNext('}');
        m_scan.jump(content);
        static constexpr std::array<std::string_view, 6> factFields = {"dtype",        "shape",         "layout",
                                                                       "origin_shape", "origin_layout", "size"};
        if (!isWhole || field.starts_with("attr_")) {
            if (field.starts_with("attr_origin_") && field != "attr_origin_format_is_set")
                return false; // facts in disguise
            if (field.starts_with("attr_format_for_int")) return false;
            return noteMore(isInput, index) && skipContent();
        }
        for (const std::string_view fact : factFields)
            if (field == fact) {
                m_rows.push_back({isInput, index, field, content});
                return skipContent();
            }
        if (field == "device_type") {
            m_hasDevice.push_back({isInput, index, field, nullptr});
            std::string& text = m_buffer;
            if (!readOne("s", &text, nullptr)) return false;
            return text == "NPU" || noteMore(isInput, index);
        }
        if (!isPlain && !noteMore(isInput, index)) return false;
        return skipContent();
    }

    bool noteMore(bool isInput, int index)
    {
        auto& list = m_more[isInput ? 0 : 1];
        if (list.size() <= static_cast<std::size_t>(index)) list.resize(static_cast<std::size_t>(index) + 1);
        list[static_cast<std::size_t>(index)] = true;
        return true;
    }

    /// Makes the descriptors of one side from their rows.
    bool describe(bool isInput, const std::shared_ptr<GeLazyOp>& source)
    {
        const std::int64_t limit = m_attributes + static_cast<std::int64_t>(m_sketch.inputs.size());
        const std::int64_t stated = std::max<std::int64_t>(m_counts[isInput ? 0 : 1], 0);
        if (stated > std::min(limit, maxOnnxDescriptors)) return false; // a claim that its rows do not bear out
        const DescRowRun<KnownRows>& run = m_runs[isInput ? 0 : 1];
        KnownRows& known = m_known[isInput ? 0 : 1];
        NumberRuns places;
        if (!run.isKnown() && !makeDescs(isInput, static_cast<std::size_t>(stated), known, places)) return false;
        if (run.isWorthKeeping(known.facts.size())) {
            KnownRows kept = known;
            for (const NumberRuns::Run& numbers : places.runs()) {
                DescFacts& facts = kept.facts[static_cast<std::size_t>(numbers.tag / numberRows)];
                const auto row = static_cast<NumberRow>(numbers.tag % numberRows);
                setNumbers(facts, row, {});
                if (row == NumberRow::OriginShape) facts.originShape.reset();
            }
            kept.stated = m_counts[isInput ? 0 : 1];
            kept.attributes = run.rows();
            run.keep(std::move(kept), places);
        }
        auto& node = m_sketch.node;
        if (isInput)
            node.inputs.reserve(std::max(known.facts.size(), m_sketch.inputs.size()));
        else
            node.outputs.reserve(known.facts.size());
        for (std::size_t i = 0; i < known.facts.size(); ++i) {
            TensorDesc desc = descFromFacts(std::move(known.facts[i]), DescUse::Slot);
            if (known.isLazy[i]) desc.attrs = AttrMap(source, GeLazyOp::descPlace(isInput, i, 0));
            if (isInput)
                node.inputs.push_back({std::move(desc), {}, {}});
            else
                node.outputs.push_back({std::move(desc), {}, {}});
        }
        return true;
    }

    bool makeDescs(bool isInput, std::size_t count, KnownRows& made, NumberRuns& places)
    {
        made.facts.resize(count);
        std::vector<DescFacts>& facts = made.facts;
        std::vector<bool> hasDevice(count, false);
        for (const Row& row : m_rows)
            if (row.isInput == isInput) {
                if (static_cast<std::size_t>(row.index) >= count)
                    return false; // no descriptor's row, but an attribute of that name
                if (!readFact(facts[static_cast<std::size_t>(row.index)], row, &places)) return false;
            }
        for (const Row& row : m_hasDevice)
            if (row.isInput == isInput) {
                if (static_cast<std::size_t>(row.index) >= count) return false;
                hasDevice[static_cast<std::size_t>(row.index)] = true;
            }
        const std::vector<bool>& more = m_more[isInput ? 0 : 1];
        if (more.size() > count) return false;
        for (std::size_t i = 0; i < count; ++i) made.isLazy.push_back(!hasDevice[i] || (i < more.size() && more[i]));
        return true;
    }

    static void setNumbers(DescFacts& facts, NumberRow row, std::span<const std::int64_t> numbers)
    {
        if (row == NumberRow::Size) {
            facts.size = numbers.empty() ? 0 : numbers.back();
        } else if (row == NumberRow::Shape) {
            facts.dims.assign(numbers.begin(), numbers.end());
        } else {
            facts.isOriginSet = !numbers.empty(); // without dims it is one that was never set
            if (!numbers.empty()) facts.originShape.emplace(numbers.begin(), numbers.end());
        }
    }

    bool readFact(DescFacts& facts, const Row& row, NumberRuns* places = nullptr)
    {
        m_scan.jump(row.content);
        m_numbers.clear();
        const auto begin = [&](NumberRow kind) {
            const int tag = numberTag(row.index, kind);
            if (!places) return;
            if (places->has(tag)) // the last one counts, and others may be left of those before
                places->spoil();
            places->begin(tag, row.content);
        };
        const bool isShape = row.field == "shape";
        if (isShape || row.field == "origin_shape") {
            const NumberRow kind = isShape ? NumberRow::Shape : NumberRow::OriginShape;
            begin(kind);
            if (!readValues(nullptr, &m_numbers, places)) return false;
            setNumbers(facts, kind, m_numbers);
            return true;
        }
        if (row.field == "size") {
            begin(NumberRow::Size);
            return readSize(facts, places);
        }
        if (!readOne("s", &m_buffer, nullptr)) return false;
        if (row.field == "dtype")
            facts.dtype = cachedApiType(m_buffer);
        else if (row.field == "layout")
            facts.layout = cachedFormat(m_buffer);
        else
            facts.originFormat = cachedFormat(m_buffer);
        return true;
    }

    /// What there is to know of a constant's value without decoding it.
    bool finishConstant()
    {
        if (!isConstantType(m_sketch.node.type)) return true;
        LazyConstant& constant = m_sketch.constant.emplace();
        const auto at = [this](ConstantRow row) { return m_value[static_cast<std::size_t>(row)]; };
        const char *const dtype = at(ConstantRow::Dtype), *const dims = at(ConstantRow::Dims);
        const char *const layout = at(ConstantRow::Layout), *const data = at(ConstantRow::Data);
        if (!dtype || !layout || !at(ConstantRow::Device)) return true;
        constant.hasValue = true;
        DescFacts facts;
        if (!readFact(facts, {false, 0, "dtype", dtype}) || !readFact(facts, {false, 0, "layout", layout}))
            return false;
        if (dims && !readFact(facts, {false, 0, "shape", dims})) return false;
        const TensorDesc desc = descFromFacts(std::move(facts), DescUse::Value);
        constant.declaredBytes = storageBytes(desc.dtype, desc.shape).value_or(0);
        if (!data) return true;
        m_scan.jump(data);
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (!m_scan.sign(':')) return false;
            if (name == "s") {
                const auto content = m_scan.quoted();
                if (!content || m_scan.isNext('"')) return false;
                constant.bytes = static_cast<std::int64_t>(unescapedLength(*content));
            } else if (!m_scan.skipScalar()) {
                return false;
            }
        }
        return true;
    }

    TextScan m_scan;
    std::string_view m_text;
    const std::shared_ptr<const DumpText>& m_dump;
    OpSketch& m_sketch;
    std::vector<Row> m_rows, m_hasDevice;
    std::array<std::vector<bool>, 2> m_more; ///< descriptors with attributes: inputs, outputs
    std::array<std::int64_t, 2> m_counts{-1, -1};
    std::array<const char*, constantRows.size()> m_value{};
    std::int64_t m_attributes = 0, m_fields = 0;
    std::array<DescRowRun<KnownRows>, 2> m_runs; ///< rows of inputs, of outputs
    std::array<KnownRows, 2> m_known;            ///< what they were read as
    std::string m_buffer;
    IntList m_numbers;
};

} // namespace

std::optional<std::size_t> sketchOnnxNode(std::string_view text, const std::shared_ptr<const DumpText>& dump,
                                          OpSketch& sketch, std::shared_ptr<GeLazyOp>& source)
{
    sketch.clear();
    return NodeSketcher(text, dump, sketch).read(source);
}

} // namespace gelens
