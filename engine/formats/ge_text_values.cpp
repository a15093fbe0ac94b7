#include "engine/formats/ge_text_values_internal.h"

#include "engine/formats/text_proto_reader_internal.h"

#include <array>
#include <charconv>

namespace gelens {
namespace {

template <typename T, T (*read)(std::string_view)>
T cached(std::string_view text)
{
    struct Known {
        std::string text;
        T value{};
    };
    thread_local std::array<Known, 32> table;
    if (text.empty())
        return read(text);
    const std::size_t place = (text.size() * 7 + static_cast<unsigned char>(text.back()) +
                               3u * static_cast<unsigned char>(text[text.size() / 2])) % table.size();
    Known& known = table[place];
    if (known.text != text)
        known = {std::string(text), read(text)};
    return known.value;
}

DataType readProtoType(std::string_view name)
{
    ge::proto::DataType type = ge::proto::DT_UNDEFINED;
    ge::proto::DataType_Parse(std::string(name), &type);
    return dataTypeFromProtoNumber(type);
}

DataType readApiType(std::string_view name)
{
    return dataTypeFromProtoNumber(dataTypeProtoNumber(dataTypeFromName(name)));
}

bool readBool(TextScan& scan, bool& out)
{
    const std::string_view text = scan.word();
    out = text == "true";
    return out || text == "false";
}

/// A `list` as it is filled, one kind of element at a time.
class ListReader {
public:
    /// From behind the '{' up to the '}'.
    std::optional<AttrValue> read(TextScan& scan)
    {
        while (!scan.isNext('}')) {
            const std::string_view name = scan.word();
            if (!scan.sign(':') || !readElement(scan, name))
                return std::nullopt;
        }
        scan.sign('}');
        return value();
    }

private:
    bool readElement(TextScan& scan, std::string_view name)
    {
        if (name == "i")
            return take(Int) && scan.appendNumber(m_ints);
        if (name == "s")
            return take(Text) && scan.appendText(m_texts);
        if (name == "val_type") {
            m_kind = scan.word();
            return m_kind.starts_with("VT_LIST_");
        }
        if (name == "b") {
            bool flag = false;
            if (!take(Bool) || !readBool(scan, flag))
                return false;
            m_bools.push_back(flag);
            return true;
        }
        if (name == "f")
            return take(Float) && scan.readReal(m_floats.emplace_back());
        return false; // tensors, graphs, bundles
    }

    enum Kind { None, Int, Text, Bool, Float };
    bool take(Kind kind)
    {
        const bool fits = m_held == None || m_held == kind;
        m_held = kind;
        return fits;
    }

    std::optional<AttrValue> value()
    {
        Kind kind = m_held;
        if (!m_kind.empty() && m_kind != "VT_LIST_NONE") {
            kind = m_kind == "VT_LIST_INT"      ? Int
                   : m_kind == "VT_LIST_STRING" ? Text
                   : m_kind == "VT_LIST_BOOL"   ? Bool
                   : m_kind == "VT_LIST_FLOAT"  ? Float
                                                : None;
            if (kind == None || (m_held != None && m_held != kind))
                return std::nullopt;
        }
        switch (kind) {
        case Int: return AttrValue(std::move(m_ints));
        case Text: return AttrValue(std::move(m_texts));
        case Bool: return AttrValue(AttrValue::Variant(std::move(m_bools)));
        case Float: return AttrValue(std::move(m_floats));
        case None: break;
        }
        return AttrValue(AttrValue::Variant(UntypedList{}));
    }

    Kind m_held = None;
    std::string_view m_kind;
    IntList m_ints;
    StringList m_texts;
    FloatList m_floats;
    std::vector<bool> m_bools;
};

std::optional<AttrValue> readRows(TextScan& scan)
{
    std::vector<IntList> rows;
    while (!scan.isNext('}')) {
        if (scan.word() != "list_list_i" || !scan.sign('{'))
            return std::nullopt;
        IntList& row = rows.emplace_back();
        while (!scan.isNext('}'))
            if (scan.word() != "list_i" || !scan.sign(':') || !scan.appendNumber(row))
                return std::nullopt;
        scan.sign('}');
    }
    scan.sign('}');
    return AttrValue(AttrValue::Variant(std::move(rows)));
}

/// The kinds that nearly all attributes have, up to the '}' of `value`.
std::optional<AttrValue> readPlainValue(TextScan& scan)
{
    const std::string_view kind = scan.word();
    std::optional<AttrValue> value;
    if (kind == "list" || kind == "list_list_int") {
        if (!scan.sign('{'))
            return std::nullopt;
        value = kind == "list" ? ListReader().read(scan) : readRows(scan);
    } else if (!scan.sign(':')) {
        return std::nullopt;
    } else if (kind == "i") {
        if (const auto number = scan.integer())
            value = AttrValue(*number);
    } else if (kind == "s") {
        std::string text;
        if (scan.readText(text))
            value = AttrValue(std::move(text));
    } else if (kind == "b") {
        bool flag = false;
        if (readBool(scan, flag))
            value = AttrValue(flag);
    } else if (kind == "f") {
        float number = 0;
        if (scan.readReal(number))
            value = AttrValue(number);
    }
    return value && scan.sign('}') ? std::move(value) : std::nullopt;
}

} // namespace

DataType cachedProtoType(std::string_view protoName) { return cached<DataType, readProtoType>(protoName); }
DataType cachedApiType(std::string_view apiName) { return cached<DataType, readApiType>(apiName); }
TensorFormat cachedFormat(std::string_view text) { return cached<TensorFormat, TensorFormat::fromText>(text); }

std::optional<std::string_view> readAttrKey(TextScan& scan)
{
    if (scan.word() != "key" || !scan.sign(':'))
        return std::nullopt;
    bool hasEscapes = false;
    const auto key = scan.quoted(hasEscapes);
    return hasEscapes ? std::nullopt : key;
}

std::optional<AttrValue> readAttrValue(TextScan& scan)
{
    const char* const start = scan.at();
    if (scan.word() == "value" && scan.sign('{'))
        if (auto value = readPlainValue(scan); value && scan.sign('}'))
            return value;
    scan.jump(start);
    if (!scan.skipMessage())
        return std::nullopt;
    const std::string_view body(start, static_cast<std::size_t>(scan.at() - start) - 1);
    // As an entry of some map of attributes; whose does not matter.
    const std::string entry = std::string("attr { key: \"\" ").append(body).append("}");
    ge::proto::NamedAttrs holder;
    TextMessageSink none;
    const TextProblem problem = parseProtoText(entry, holder, none);
    const auto found = holder.attr().find("");
    if (!problem.any() && found != holder.attr().end())
        return attrFromDef(found->second);
    return AttrValue(AttrValue::Variant(RawBytes{std::string(body)}));
}

bool readTextAttr(TextScan& scan, std::string& out)
{
    return scan.word() == "value" && scan.sign('{') && scan.word() == "s" && scan.sign(':') && scan.readText(out) &&
           scan.sign('}') && scan.sign('}');
}

bool readNumberAttr(TextScan& scan, std::int64_t& out)
{
    return scan.word() == "value" && scan.sign('{') && scan.word() == "i" && scan.sign(':') && scan.readNumber(out) &&
           scan.sign('}') && scan.sign('}');
}

bool readBoolAttr(TextScan& scan, bool& out)
{
    return scan.word() == "value" && scan.sign('{') && scan.word() == "b" && scan.sign(':') && readBool(scan, out) &&
           scan.sign('}') && scan.sign('}');
}

bool readListAttr(TextScan& scan, StringList* texts, IntList* numbers)
{
    if (texts)
        texts->clear();
    if (numbers)
        numbers->clear();
    if (scan.word() != "value" || !scan.sign('{'))
        return false;
    if (scan.isNext('}')) // GE leaves the value of an empty list out
        return scan.sign('}') && scan.sign('}');
    if (scan.word() != "list" || !scan.sign('{'))
        return false;
    while (!scan.isNext('}')) {
        const std::string_view name = scan.word();
        if (!scan.sign(':'))
            return false;
        const bool isRead = name == "s" && texts     ? scan.appendText(*texts)
                            : name == "i" && numbers ? scan.appendNumber(*numbers)
                            : name == "val_type"     ? scan.skipScalar()
                                                     : false;
        if (!isRead)
            return false;
    }
    return scan.sign('}') && scan.sign('}') && scan.sign('}');
}

namespace {

/// The attributes of a descriptor that are members of ours.
enum class FactAttr { None, Format, OriginFormat, OriginFormatNumber, OriginShape, IsOriginSet };

FactAttr factAttrOf(std::string_view key)
{
    if (key == "origin_format") return FactAttr::OriginFormat;
    if (key == "origin_shape") return FactAttr::OriginShape;
    if (key == "origin_shape_initialized") return FactAttr::IsOriginSet;
    if (key == "format_for_int") return FactAttr::Format;
    if (key == "origin_format_for_int") return FactAttr::OriginFormatNumber;
    return FactAttr::None;
}

class DescReader {
public:
    DescReader(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs) : m_scan(scan), m_facts(facts), m_attrs(attrs) {}

    bool read(bool& hasMore)
    {
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (name == "attr") {
                if (!m_scan.sign('{') || !readAttr())
                    return false;
            } else if (name == "shape") {
                if (!readShape())
                    return false;
            } else if (name == "attr_groups") {
                m_hasMore = true; // kept in wire form, which only the tolerant reader makes
                if (m_attrs || !m_scan.sign('{') || !m_scan.skipMessage())
                    return false;
            } else if (name.empty() || !m_scan.sign(':') || !readScalar(name)) {
                return false;
            }
        }
        if (m_attrs) {
            if (!m_isDeviceUsual)
                m_members.emplace("device_type", AttrValue(m_device));
            m_attrs->merge(m_members); // an attribute of the same name goes before
        }
        hasMore = m_hasMore || !m_isDeviceUsual;
        return m_scan.sign('}');
    }

private:
    bool readShape()
    {
        if (!m_scan.sign('{'))
            return false;
        while (!m_scan.isNext('}'))
            if (m_scan.word() != "dim" || !m_scan.sign(':') || !m_scan.appendNumber(m_facts.dims))
                return false;
        return m_scan.sign('}');
    }

    bool readScalar(std::string_view name)
    {
        if (name == "dtype") {
            const std::string_view type = m_scan.word();
            m_facts.dtype = cachedProtoType(type);
            return type.starts_with("DT_");
        }
        if (name == "layout") {
            if (!m_scan.readText(m_text))
                return false;
            m_facts.layout = cachedFormat(m_text);
            return true;
        }
        if (name == "size") return m_scan.readNumber(m_facts.size);
        if (name == "name") return m_scan.readText(m_facts.name);
        if (name == "device_type") {
            if (!m_scan.readText(m_device))
                return false;
            m_isDeviceUsual = m_device == "NPU";
            return true;
        }
        if (!m_attrs) {
            m_hasMore = true;
            return m_scan.skipScalar();
        }
        return readMember(name);
    }

    /// Fields that are attributes of ours where they say something.
    bool readMember(std::string_view name)
    {
        static constexpr std::array<std::string_view, 6> numbers = {"weight_size",       "real_dim_cnt", "reuse_input_index",
                                                                    "data_offset",       "cmps_size",    "cmps_tab_offset"};
        static constexpr std::array<std::string_view, 4> flags = {"has_out_attr", "reuse_input", "output_tensor",
                                                                  "input_tensor"};
        for (const std::string_view number : numbers)
            if (name == number) {
                std::int64_t value = 0;
                if (!m_scan.readNumber(value))
                    return false;
                set(name, value != 0, AttrValue(value));
                return true;
            }
        for (const std::string_view flag : flags)
            if (name == flag) {
                bool value = false;
                if (!readBool(m_scan, value))
                    return false;
                set(name, value, AttrValue(true));
                return true;
            }
        if (name == "cmps_tab") {
            if (!m_scan.readText(m_text))
                return false;
            set(name, !m_text.empty(), AttrValue(m_text));
            return true;
        }
        return m_scan.skipScalar(); // a field of a newer schema
    }
    void set(std::string_view name, bool isSaid, AttrValue value)
    {
        if (isSaid)
            m_members.insert_or_assign(std::string(name), std::move(value));
        else
            m_members.erase(std::string(name));
    }

    bool readAttr()
    {
        const auto key = readAttrKey(m_scan);
        if (!key)
            return false;
        std::int64_t number = 0;
        bool flag = false;
        switch (factAttrOf(*key)) {
        case FactAttr::OriginFormat:
            if (!readTextAttr(m_scan, m_text))
                return false;
            m_facts.originFormat = cachedFormat(m_text);
            return true;
        case FactAttr::OriginShape: return readListAttr(m_scan, nullptr, &m_facts.originShape.emplace());
        case FactAttr::IsOriginSet:
            if (!readBoolAttr(m_scan, flag))
                return false;
            m_facts.isOriginSet = flag;
            return true;
        case FactAttr::Format:
            if (!readNumberAttr(m_scan, number))
                return false;
            m_facts.formatForInt = static_cast<std::int32_t>(number);
            return true;
        case FactAttr::OriginFormatNumber:
            if (!readNumberAttr(m_scan, number))
                return false;
            m_facts.originFormatForInt = static_cast<std::int32_t>(number);
            return true;
        case FactAttr::None: break;
        }
        if (!m_attrs) {
            m_hasMore = true;
            return m_scan.skipMessage();
        }
        std::string name(*key);
        auto value = readAttrValue(m_scan);
        if (!value)
            return false;
        m_attrs->insert_or_assign(std::move(name), std::move(*value));
        return true;
    }

    TextScan& m_scan;
    DescFacts& m_facts;
    AttrMap::Map* m_attrs;
    AttrMap::Map m_members;
    std::string m_text, m_device;
    bool m_hasMore = false, m_isDeviceUsual = false;
};

} // namespace

bool readDescFacts(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, bool& hasMore)
{
    return DescReader(scan, facts, attrs).read(hasMore);
}

} // namespace gelens
