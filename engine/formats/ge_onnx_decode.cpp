#include "engine/formats/ge_onnx_decode_internal.h"

#include "engine/formats/ge_ir_builder_internal.h"
#include "engine/formats/ge_onnx_rows_internal.h"
#include "engine/formats/ge_text_values_internal.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gelens {
namespace {

class Decoder {
public:
    Decoder(std::string_view body, OnnxNodeValues& values) : m_scan(body), m_values(values) {}

    bool read()
    {
        OpFields& fields = m_values.fields;
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            ++m_fieldCount;
            if (name == "attribute") {
                if (!m_scan.sign('{') || !(takeKnownRows(0) || takeKnownRows(1) || readAttribute())) return false;
                continue;
            }
            if (name.empty() || !m_scan.sign(':')) return false;
            if (name == "input") {
                if (!m_scan.readText(m_content.text)) return false;
                fields.inputEntries += !isControlEdge(m_content.text);
            } else if (name == "op_type") {
                if (!m_scan.readText(m_values.type)) return false;
            } else if (!m_scan.skipScalar()) {
                return false;
            }
        }
        if (const auto colon = m_values.type.find(':'); colon != std::string::npos) m_values.type.erase(0, colon + 1);
        if (m_counts[0] < 0 && m_counts[1] < 0) return false;
        restoreBools(m_values.type, m_values.attrs);
        return addConstant() && finishDescs(0, m_values.inputs, fields.inputDescs) &&
               finishDescs(1, m_values.outputs, fields.outputDescs);
    }

private:
    /// The content of one attribute.
    struct Content {
        std::string text, type;
        std::int64_t number = 0;
        float real = 0;
        StringList texts;
        IntList numbers;
        FloatList reals;
        // Where its integers stand: they come first, and all under one name, or it is not plain.
        const char *start = nullptr, *digits = nullptr, *end = nullptr;
        std::string_view integers;
        bool isPlain = true;

        void clear()
        {
            digits = end = nullptr;
            integers = {};
            isPlain = true;
            text.clear();
            type.clear();
            texts.clear();
            numbers.clear();
            reals.clear();
            number = 0;
            real = 0;
        }
    };

    /// From behind the name up to the '}', as GE prints it: at most one kind of value, then the type.
    bool readPrintedContent()
    {
        Content& c = m_content;
        if (m_scan.literal("\n      i: ")) {
            c.digits = m_scan.at();
            c.integers = "i";
            if (!m_scan.readNumber(c.number)) return false;
            c.end = m_scan.at();
        } else if (m_scan.literal("\n      ints: ")) {
            c.digits = m_scan.at();
            c.integers = "ints";
            do {
                if (!m_scan.appendNumber(c.numbers)) return false;
            } while (m_scan.literal("\n      ints: "));
            c.end = m_scan.at();
        } else if (m_scan.literal("\n      s: \"")) {
            bool hasEscapes = false;
            const auto content = m_scan.behindQuote(hasEscapes);
            if (!content || hasEscapes) return false;
            c.text = *content;
        }
        if (!m_scan.literal("\n      type: ")) return false;
        c.type = m_scan.word();
        return !c.type.empty() && m_scan.literal("\n    }");
    }

    /// From behind the name up to the '}'.
    bool readContent()
    {
        Content& c = m_content;
        const char* const start = m_scan.at();
        c.clear();
        c.start = start;
        if (readPrintedContent()) return true;
        m_scan.jump(start);
        c.clear();
        c.start = start;
        bool areOthersBefore = false;
        while (!m_scan.isNext('}')) {
            const std::string_view field = m_scan.word();
            if (!m_scan.sign(':') || !m_scan.space()) return false;
            const char* const digits = m_scan.at();
            if (field == "type") {
                c.type = m_scan.word();
                if (c.type.empty()) return false;
                areOthersBefore = true;
                continue;
            }
            const bool isRead = field == "i"         ? m_scan.readNumber(c.number)
                                : field == "s"       ? m_scan.readText(c.text)
                                : field == "ints"    ? m_scan.appendNumber(c.numbers)
                                : field == "strings" ? m_scan.appendText(c.texts)
                                : field == "f"       ? m_scan.readReal(c.real)
                                : field == "floats"  ? m_scan.readReal(c.reals.emplace_back())
                                                     : false;
            if (!isRead) return false;
            if (field == "i" || field == "ints") {
                c.isPlain = c.isPlain && !areOthersBefore && (c.integers.empty() || c.integers == field);
                c.integers = field;
                c.digits = c.digits ? c.digits : digits;
                c.end = m_scan.at();
            } else {
                areOthersBefore = true;
            }
        }
        return m_scan.sign('}');
    }

    /// Notes the numbers of one row of a descriptor, which differ between nodes that are otherwise alike.
    void notePlaces(int side, int index, NumberRow row)
    {
        const Content& c = m_content;
        NumberRuns& places = m_places[side];
        const int tag = numberTag(index, row);
        const bool isUsual = c.integers.empty() || c.integers == (row == NumberRow::Size ? "i" : "ints");
        if (!c.isPlain || !isUsual || places.has(tag)) places.spoil();
        places.begin(tag, c.start);
        if (c.digits) places.add(c.digits, c.end);
    }

    static void setNumbers(DescFacts& facts, NumberRow row, std::span<const std::int64_t> numbers)
    {
        if (row == NumberRow::Shape)
            facts.dims.assign(numbers.begin(), numbers.end());
        else if (row == NumberRow::OriginShape)
            facts.isOriginSet = !numbers.empty();
    }

    std::optional<AttrValue> value()
    {
        Content& c = m_content;
        if (c.type == "INT") return AttrValue(c.number);
        if (c.type == "STRING") return AttrValue(std::move(c.text));
        if (c.type == "FLOAT") return AttrValue(c.real);
        if (c.type == "INTS") return AttrValue(std::move(c.numbers));
        if (c.type == "STRINGS") return AttrValue(std::move(c.texts));
        if (c.type == "FLOATS") return AttrValue(std::move(c.reals));
        return std::nullopt;
    }

    /// The rows of one side's descriptors, as they were read before.
    struct KnownRows {
        std::vector<AttrMap::Map> descs; ///< without what follows from the facts
        std::vector<DescFacts> facts;    ///< without the numbers that differ
        std::int64_t stated = 0, counted = -1;
        /// Nothing follows from the facts, whatever the numbers are, as long as each origin shape has some.
        bool isUsual = false;
    };
    bool takeKnownRows(int side)
    {
        const KnownRows* const known = m_runs[side].take(m_scan, side == 0);
        if (!known) return false;
        m_stated[side] = known->stated;
        m_counts[side] = known->counted;
        auto& list = side == 0 ? m_values.inputs : m_values.outputs;
        list = known->descs;
        bool isUsual = known->isUsual;
        m_runs[side].eachNumberRow([&isUsual](std::size_t, NumberRow row, std::span<const std::int64_t> numbers) {
            isUsual = isUsual && (row != NumberRow::OriginShape || !numbers.empty());
        });
        if (isUsual) return true;
        std::vector<DescFacts> facts = known->facts;
        m_runs[side].eachNumberRow(
            [&facts](std::size_t descriptor, NumberRow row, std::span<const std::int64_t> numbers) {
                setNumbers(facts[descriptor], row, numbers);
            });
        addDerived(list, std::move(facts));
        return true;
    }

    /// What the facts say of a descriptor as an attribute of its own.
    static void addDerived(std::vector<AttrMap::Map>& list, std::vector<DescFacts> facts)
    {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const TensorDesc desc = descFromFacts(std::move(facts[i]), DescUse::Slot);
            list[i].insert(desc.attrs.begin(), desc.attrs.end());
        }
    }

    /// One row of those that stand together.
    bool takeNextRow(int side, std::string_view name, const char* start)
    {
        if (!m_runs[side].add(start, m_fieldCount)) return false;
        m_runs[side].endAt(m_scan.at());
        return takeRow(side, name);
    }

    bool readAttribute()
    {
        const char* const start = m_scan.at();
        bool hasEscapes = false;
        const auto quoted = readOnnxName(m_scan, hasEscapes);
        if (!quoted || hasEscapes || !readContent()) return false;
        const std::string_view name = *quoted;
        if (name.starts_with("input_desc_")) return takeNextRow(0, name.substr(11), start);
        if (name.starts_with("output_desc_")) return takeNextRow(1, name.substr(12), start);
        const bool isInternal = name.starts_with('_'); // as no field's name is
        if (!isInternal && (takeField(name) || takeValueRow(name))) return true;
        if (name.ends_with("_desc_device_type")) return false; // another tensor
        if (isInternal && ((name == "_input_name_key" && m_content.type != "STRINGS") ||
                           (name == "_input_name_value" && m_content.type != "INTS")))
            return false;
        auto made = value();
        if (!made) return false;
        m_values.attrs.try_emplace(m_values.attrs.end(), std::string(name))->second = std::move(*made);
        return true;
    }

    bool takeField(std::string_view name)
    {
        OpFields& fields = m_values.fields;
        Content& c = m_content;
        if (name == "id")
            fields.id = c.number;
        else if (name == "stream_id")
            fields.streamId = c.number;
        else if (name == "input_name")
            fields.inputName = std::move(c.texts);
        else if (name == "src_name")
            fields.srcName = std::move(c.texts);
        else if (name == "dst_name")
            fields.dstName = std::move(c.texts);
        else if (name == "src_index")
            fields.srcIndex = std::move(c.numbers);
        else if (name == "dst_index")
            fields.dstIndex = std::move(c.numbers);
        else if (name == "is_input_const") {
            std::vector<bool> flags(c.numbers.size());
            std::transform(c.numbers.begin(), c.numbers.end(), flags.begin(),
                           [](std::int64_t flag) { return flag != 0; });
            if (!m_hasConstField) // comes twice: the operator's field, then the attribute
                fields.isInputConst = std::move(flags);
            else
                m_values.attrs.insert_or_assign("is_input_const", AttrValue(AttrValue::Variant(std::move(flags))));
            m_hasConstField = true;
        } else
            return name == "input_i" || name == "output_i" || name == "workspace" || name == "workspace_bytes";
        return true;
    }

    AttrMap::Map& descAttrs(int side, int index)
    {
        auto& list = side == 0 ? m_values.inputs : m_values.outputs;
        if (list.size() <= static_cast<std::size_t>(index)) list.resize(static_cast<std::size_t>(index) + 1);
        return list[static_cast<std::size_t>(index)];
    }

    bool takeRow(int side, std::string_view name)
    {
        Content& c = m_content;
        if (name == "nums") {
            m_counts[side] = c.number;
            return true;
        }
        const auto colon = name.rfind(':');
        if (colon == std::string_view::npos) return false; // a descriptor as JSON
        const std::string_view field = name.substr(0, colon), place = name.substr(colon + 1);
        int index = 0;
        const auto [end, code] = std::from_chars(place.data(), place.data() + place.size(), index);
        if (code != std::errc() || index < 0 || index >= maxOnnxDescriptors || end != place.data() + place.size())
            return false;
        m_most[side] = std::max<std::int64_t>(m_most[side], index + 1);
        if (field.starts_with("attr_")) {
            auto made = value();
            if (!made) return false;
            if (field == "attr_origin_format_is_set") made = AttrValue(c.number != 0);
            descAttrs(side, index).insert_or_assign(std::string(field.substr(5)), std::move(*made));
            return true;
        }
        if (field == "device_type") {
            if (m_hasDevice[side].size() <= static_cast<std::size_t>(index))
                m_hasDevice[side].resize(static_cast<std::size_t>(index) + 1);
            m_hasDevice[side][static_cast<std::size_t>(index)] = true;
            if (c.text != "NPU") m_members.push_back({side, index, "device_type", AttrValue(c.text)});
            return true;
        }
        if (field == "shape" || field == "origin_shape" || field == "size")
            notePlaces(side, index,
                       field == "shape"  ? NumberRow::Shape
                       : field == "size" ? NumberRow::Size
                                         : NumberRow::OriginShape);
        if (field == "origin_shape") {
            m_originFlags.push_back({side, index, !c.numbers.empty()});
            return true;
        }
        if (field == "dtype" || field == "shape" || field == "layout") {
            m_factRows.push_back({side, index, field, c.text, c.numbers});
            return true;
        }
        if (field == "origin_layout" || field == "size") return true;
        if (field == "origin_dtype") {
            if (c.text != "DT_UNDEFINED")
                descAttrs(side, index).insert_or_assign("origin_data_type", AttrValue(c.text));
            return true;
        }
        return takeMember(side, index, field);
    }

    bool takeMember(int side, int index, std::string_view field)
    {
        static constexpr std::array<std::string_view, 5> numbers = {"weight_size", "data_offset", "real_dim_cnt",
                                                                    "cmps_size", "cmps_tab_offset"};
        static constexpr std::array<std::string_view, 3> flags = {"reuse_input", "output_tensor", "input_tensor"};
        const bool isNumber = std::find(numbers.begin(), numbers.end(), field) != numbers.end();
        if (!isNumber && std::find(flags.begin(), flags.end(), field) == flags.end()) {
            if (field != "cmps_tab") return false;
            if (!m_content.text.empty()) m_members.push_back({side, index, field, AttrValue(m_content.text)});
            return true;
        }
        if (m_content.number != 0)
            m_members.push_back({side, index, field, isNumber ? AttrValue(m_content.number) : AttrValue(true)});
        return true;
    }

    /// What a descriptor says beyond its attributes, and whether its origin shape is set though it would not follow.
    bool finishDescs(int side, std::vector<AttrMap::Map>& list, std::int64_t& stated)
    {
        const DescRowRun<KnownRows>& run = m_runs[side];
        if (run.isKnown()) {
            stated = m_stated[side];
            return true;
        }
        stated = std::max<std::int64_t>(m_counts[side], 0);
        if (stated > maxOnnxDescriptors || m_most[side] > stated) return false;
        list.resize(static_cast<std::size_t>(stated));
        for (std::size_t i = 0; i < list.size(); ++i)
            if (i >= m_hasDevice[side].size() || !m_hasDevice[side][i])
                m_members.push_back({side, static_cast<int>(i), "device_type", AttrValue(std::string())});
        for (const Member& member : m_members)
            if (member.side == side) list[static_cast<std::size_t>(member.index)].emplace(member.name, member.value);
        std::vector<DescFacts> facts(list.size());
        for (const FactRow& row : m_factRows) {
            if (row.side != side) continue;
            DescFacts& fact = facts[static_cast<std::size_t>(row.index)];
            if (row.field == "dtype")
                fact.dtype = cachedApiType(row.text);
            else if (row.field == "layout")
                fact.layout = cachedFormat(row.text);
            else
                fact.dims = row.numbers;
        }
        for (const auto& flag : m_originFlags)
            if (flag.side == side) {
                facts[static_cast<std::size_t>(flag.index)].isOriginSet = flag.isSet;
            }
        if (run.isWorthKeeping(list.size())) {
            KnownRows kept{list, facts, stated, m_counts[side]};
            kept.isUsual = std::all_of(facts.begin(), facts.end(), [](const DescFacts& fact) {
                return fact.dtype != DataType::Undefined && fact.layout.primary != Format::Reserved &&
                       fact.isOriginSet.value_or(true);
            });
            for (const NumberRuns::Run& numbers : m_places[side].runs())
                setNumbers(kept.facts[static_cast<std::size_t>(numbers.tag / numberRows)],
                           static_cast<NumberRow>(numbers.tag % numberRows), {});
            run.keep(std::move(kept), m_places[side]);
        }
        addDerived(list, std::move(facts));
        return true;
    }

    bool takeValueRow(std::string_view name)
    {
        if (!name.starts_with("value_")) return false;
        const auto row = std::find(constantRows.begin(), constantRows.end(), name);
        if (row == constantRows.end()) return false;
        const auto place = static_cast<std::size_t>(row - constantRows.begin());
        m_valueRows[place] = true;
        switch (static_cast<ConstantRow>(place)) {
        case ConstantRow::Dtype: m_value.dtype = cachedApiType(m_content.text); break;
        case ConstantRow::Dims: m_value.dims = m_content.numbers; break;
        case ConstantRow::Layout: m_value.layout = cachedFormat(m_content.text); break;
        case ConstantRow::Device: m_isValueDeviceUsual = m_content.text == "NPU"; break;
        case ConstantRow::Data: m_data = std::move(m_content.text); break;
        }
        return true;
    }

    bool addConstant()
    {
        if (std::none_of(m_valueRows.begin(), m_valueRows.end(), [](bool has) { return has; })) return true;
        const auto has = [this](ConstantRow row) { return m_valueRows[static_cast<std::size_t>(row)]; };
        if (!has(ConstantRow::Dtype) || !has(ConstantRow::Layout) || !has(ConstantRow::Device) || !m_isValueDeviceUsual)
            return false; // attributes that only look like a tensor's rows
        Tensor tensor;
        tensor.desc = descFromFacts(std::move(m_value), DescUse::Value);
        tensor.data = Bytes::copyOf(m_data.data(), m_data.size());
        m_values.attrs.insert_or_assign("value", AttrValue(std::move(tensor)));
        return true;
    }

    struct Member {
        int side, index;
        std::string name;
        AttrValue value;
        Member(int s, int i, std::string_view n, AttrValue v) : side(s), index(i), name(n), value(std::move(v)) {}
    };
    struct OriginFlag {
        int side, index;
        bool isSet;
    };
    struct FactRow {
        int side, index;
        std::string_view field;
        std::string text;
        IntList numbers;
    };

    TextScan m_scan;
    OnnxNodeValues& m_values;
    Content m_content;
    std::vector<Member> m_members;
    std::vector<OriginFlag> m_originFlags;
    std::vector<FactRow> m_factRows;
    std::array<std::vector<bool>, 2> m_hasDevice;
    std::array<std::int64_t, 2> m_counts{-1, -1}, m_most{0, 0}, m_stated{0, 0};
    std::array<DescRowRun<KnownRows>, 2> m_runs; ///< rows of inputs, of outputs
    std::array<NumberRuns, 2> m_places;          ///< their numbers
    std::int64_t m_fieldCount = 0;
    bool m_hasConstField = false;
    DescFacts m_value;
    std::string m_data;
    std::array<bool, constantRows.size()> m_valueRows{};
    bool m_isValueDeviceUsual = false;
};

} // namespace

bool decodeOnnxNode(std::string_view body, OnnxNodeValues& values) { return Decoder(body, values).read(); }

void restoreBools(const std::string& type, AttrMap::Map& attrs)
{
    const OpDef* const known = OpRegistry::instance().find(type);
    if (!known) return;
    for (const AttrSpec& spec : known->attrs()) {
        const bool isFlag = spec.defaultValue.as<bool>() != nullptr;
        if (!isFlag && !spec.defaultValue.as<std::vector<bool>>()) continue;
        const auto found = attrs.find(spec.name);
        if (found == attrs.end()) continue;
        if (const auto* number = found->second.as<std::int64_t>(); number && isFlag) {
            found->second = AttrValue(*number != 0);
        } else if (const auto* list = found->second.as<IntList>(); list && !isFlag && !list->empty()) {
            std::vector<bool> flags(list->size());
            std::transform(list->begin(), list->end(), flags.begin(), [](std::int64_t flag) { return flag != 0; });
            found->second = AttrValue(AttrValue::Variant(std::move(flags)));
        }
    }
}

} // namespace gelens
