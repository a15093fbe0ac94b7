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
    if (text.empty()) return read(text);
    const std::size_t place = (text.size() * 7 + static_cast<unsigned char>(text.back()) +
                               3u * static_cast<unsigned char>(text[text.size() / 2])) %
                              table.size();
    Known& known = table[place];
    if (known.text != text) known = {std::string(text), read(text)};
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

/// A `list` as it is filled, one kind of element at a time.
class ListReader {
public:
    /// From behind the '{' up to the '}'.
    std::optional<AttrValue> read(TextScan& scan)
    {
        while (!scan.isNext('}')) {
            const std::string_view name = scan.word();
            if (!scan.sign(':') || !readElement(scan, name)) return std::nullopt;
        }
        scan.sign('}');
        return value();
    }

private:
    bool readElement(TextScan& scan, std::string_view name)
    {
        if (name == "i") return take(Int) && scan.appendNumber(m_ints);
        if (name == "s") return take(Text) && scan.appendText(m_texts);
        if (name == "val_type") {
            m_kind = scan.word();
            return m_kind.starts_with("VT_LIST_");
        }
        if (name == "b") {
            bool flag = false;
            if (!take(Bool) || !readBool(scan, flag)) return false;
            m_bools.push_back(flag);
            return true;
        }
        if (name == "f") return take(Float) && scan.readReal(m_floats.emplace_back());
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
            if (kind == None || (m_held != None && m_held != kind)) return std::nullopt;
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
        if (scan.word() != "list_list_i" || !scan.sign('{')) return std::nullopt;
        IntList& row = rows.emplace_back();
        while (!scan.isNext('}'))
            if (scan.word() != "list_i" || !scan.sign(':') || !scan.appendNumber(row)) return std::nullopt;
        scan.sign('}');
    }
    scan.sign('}');
    return AttrValue(AttrValue::Variant(std::move(rows)));
}

/// The kinds that nearly all attributes have, up to the '}' of `value`.
bool readPlainValue(TextScan& scan, AttrValue& out)
{
    const std::string_view kind = scan.word();
    if (kind == "list" || kind == "list_list_int") {
        if (!scan.sign('{')) return false;
        auto value = kind == "list" ? ListReader().read(scan) : readRows(scan);
        if (!value) return false;
        out = std::move(*value);
    } else if (!scan.sign(':')) {
        return false;
    } else if (kind == "i") {
        const auto number = scan.integer();
        if (!number) return false;
        out = AttrValue(*number);
    } else if (kind == "s") {
        std::string text;
        if (!scan.readText(text)) return false;
        out = AttrValue(std::move(text));
    } else if (kind == "b") {
        bool flag = false;
        if (!readBool(scan, flag)) return false;
        out = AttrValue(flag);
    } else if (kind == "f") {
        float number = 0;
        if (!scan.readReal(number)) return false;
        out = AttrValue(number);
    } else {
        return false;
    }
    return scan.sign('}');
}

/// Values as GE prints them for an operator's attribute, line by line; all else is readPlainValue()'s.
class PrintedValue {
public:
    /// From behind the key's closing quote up to the '}' of the attribute.
    static bool read(TextScan& scan, AttrValue& out)
    {
        if (!scan.literal("\n      value {\n        ")) return false;
        if (scan.literal("i: ")) {
            const auto number = scan.integer();
            if (!number || !scan.literal(end)) return false;
            out = AttrValue(*number);
            return true;
        }
        if (scan.literal("s: \"")) {
            bool hasEscapes = false;
            const auto content = scan.behindQuote(hasEscapes);
            if (!content || !scan.literal(end)) return false;
            out = hasEscapes ? AttrValue(unescapedText(*content)) : AttrValue(*content);
            return true;
        }
        if (scan.literal("list {\n          ")) return readList(scan, out);
        if (scan.literal("b: ")) {
            const bool flag = scan.literal("true");
            if ((!flag && !scan.literal("false")) || !scan.literal(end)) return false;
            out = AttrValue(flag);
            return true;
        }
        float real = 0;
        if (!scan.literal("f: ") || !scan.readReal(real) || !scan.literal(end)) return false;
        out = AttrValue(real);
        return true;
    }

private:
    static constexpr char end[] = "\n      }\n    }";
    static constexpr char listEnd[] = "\n        }\n      }\n    }";

    /// Numbers or texts of one kind, with or without the kind's name behind them.
    static bool readList(TextScan& scan, AttrValue& out)
    {
        thread_local IntList numbers; // a list of its own is then made to measure
        if (scan.literal("i: ")) {
            numbers.clear();
            do {
                const auto number = scan.integer();
                if (!number) return false;
                numbers.push_back(*number);
            } while (scan.literal("\n          i: "));
            if (!endsAs(scan, "\n          val_type: VT_LIST_INT")) return false;
            out = AttrValue(IntList(numbers.begin(), numbers.end()));
            return true;
        }
        if (scan.literal("s: \"")) {
            StringList texts;
            do {
                bool hasEscapes = false;
                const auto content = scan.behindQuote(hasEscapes);
                if (!content) return false;
                if (hasEscapes)
                    texts.push_back(unescapedText(*content));
                else
                    texts.emplace_back(*content);
            } while (scan.literal("\n          s: \""));
            if (!endsAs(scan, "\n          val_type: VT_LIST_STRING")) return false;
            out = AttrValue(std::move(texts));
            return true;
        }
        return false;
    }

    template <std::size_t size>
    static bool endsAs(TextScan& scan, const char (&kind)[size])
    {
        scan.literal(kind);
        return scan.literal(listEnd);
    }
};

} // namespace

DataType cachedProtoType(std::string_view protoName) { return cached<DataType, readProtoType>(protoName); }
DataType cachedApiType(std::string_view apiName) { return cached<DataType, readApiType>(apiName); }
TensorFormat cachedFormat(std::string_view text) { return cached<TensorFormat, TensorFormat::fromText>(text); }

bool readBool(TextScan& scan, bool& out)
{
    const std::string_view text = scan.word();
    out = text == "true";
    return out || text == "false";
}

std::optional<std::string_view> readAttrKey(TextScan& scan)
{
    if (scan.word() != "key" || !scan.sign(':')) return std::nullopt;
    bool hasEscapes = false;
    const auto key = scan.quoted(hasEscapes);
    return hasEscapes ? std::nullopt : key;
}

bool readAttrValue(TextScan& scan, AttrValue& out)
{
    const char* const start = scan.at();
    if (scan.word() == "value" && scan.sign('{') && readPlainValue(scan, out) && scan.sign('}')) return true;
    scan.jump(start);
    if (!scan.skipMessage()) return false;
    const std::string_view body(start, static_cast<std::size_t>(scan.at() - start) - 1);
    // As an entry of some map of attributes; whose does not matter.
    const std::string entry = std::string("attr { key: \"\" ").append(body).append("}");
    ge::proto::NamedAttrs holder;
    TextMessageSink none;
    const TextProblem problem = parseProtoText(entry, holder, none);
    const auto found = holder.attr().find("");
    if (problem.any())
        out = AttrValue(AttrValue::Variant(RawBytes{std::string(body)}));
    else if (found != holder.attr().end())
        out = attrFromDef(found->second);
    else
        return false; // a second key, which is the one that counts
    return true;
}

bool readOpAttrValue(TextScan& scan, AttrValue& out)
{
    const char* const start = scan.at();
    if (PrintedValue::read(scan, out)) return true;
    scan.jump(start);
    return readAttrValue(scan, out);
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

bool readListAttr(TextScan& scan, StringList* texts, IntList* numbers, NumberRuns* places)
{
    if (texts) texts->clear();
    if (numbers) numbers->clear();
    if (scan.word() != "value" || !scan.sign('{')) return false;
    if (scan.isNext('}')) // GE leaves the value of an empty list out
        return scan.sign('}') && scan.sign('}');
    if (scan.word() != "list" || !scan.sign('{')) return false;
    if (places) places->begin(OriginShapeNumbers, scan.at());
    bool areOthersBefore = false;
    while (!scan.isNext('}')) {
        const std::string_view name = scan.word();
        if (!scan.sign(':')) return false;
        if (places && name == "i") {
            const char* const digits = scan.space() ? scan.at() : nullptr;
            if (!digits || !scan.appendNumber(*numbers)) return false;
            places->add(digits, scan.at());
            if (areOthersBefore) places->spoil();
            continue;
        }
        areOthersBefore = true;
        const bool isRead = name == "s" && texts     ? scan.appendText(*texts)
                            : name == "i" && numbers ? scan.appendNumber(*numbers)
                            : name == "val_type"     ? scan.skipScalar()
                                                     : false;
        if (!isRead) return false;
    }
    return scan.sign('}') && scan.sign('}') && scan.sign('}');
}

} // namespace gelens
