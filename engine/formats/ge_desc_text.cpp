// Descriptors of ge_proto text, and what is remembered of those that were read before.

#include "engine/formats/ge_desc_text_internal.h"

#include "engine/formats/ge_text_values_internal.h"

#include <algorithm>
#include <array>

namespace gelens {
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
    DescReader(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, NumberRuns& numbers)
        : m_scan(scan), m_facts(facts), m_attrs(attrs), m_numbers(numbers)
    {
    }

    bool read(bool& hasMore)
    {
        while (!m_scan.isNext('}')) {
            const std::string_view name = m_scan.word();
            if (name == "attr") {
                if (!m_scan.sign('{') || !readAttr()) return false;
            } else if (name == "shape") {
                if (!readShape()) return false;
            } else if (name == "attr_groups") {
                m_hasMore = true; // kept in wire form, which only the tolerant reader makes
                if (m_attrs || !m_scan.sign('{') || !m_scan.skipMessage()) return false;
            } else if (name.empty() || !m_scan.sign(':') || !readScalar(name)) {
                return false;
            }
        }
        if (m_attrs) {
            if (!m_isDeviceUsual) m_members.emplace("device_type", AttrValue(m_device));
            m_attrs->merge(m_members); // an attribute of the same name goes before
        }
        hasMore = m_hasMore || !m_isDeviceUsual;
        return m_scan.sign('}');
    }

private:
    bool readShape()
    {
        if (!m_scan.sign('{')) return false;
        if (m_numbers.has(ShapeNumbers)) // a second one goes on with the first
            m_numbers.spoil();
        m_numbers.begin(ShapeNumbers, m_scan.at());
        while (!m_scan.isNext('}')) {
            if (m_scan.word() != "dim" || !m_scan.sign(':') || !m_scan.space()) return false;
            const char* const digits = m_scan.at();
            if (!m_scan.appendNumber(m_facts.dims)) return false;
            m_numbers.add(digits, m_scan.at());
        }
        return m_scan.sign('}');
    }

    bool readSize()
    {
        if (!m_scan.space()) return false;
        const char* const digits = m_scan.at();
        if (m_numbers.has(SizeNumber)) m_numbers.spoil();
        m_numbers.begin(SizeNumber, digits, true);
        if (!m_scan.readNumber(m_facts.size)) return false;
        m_numbers.add(digits, m_scan.at());
        return true;
    }

    bool readScalar(std::string_view name)
    {
        if (name == "dtype") {
            const std::string_view type = m_scan.word();
            m_facts.dtype = cachedProtoType(type);
            return type.starts_with("DT_");
        }
        if (name == "layout") {
            if (!m_scan.readText(m_text)) return false;
            m_facts.layout = cachedFormat(m_text);
            return true;
        }
        if (name == "size") return readSize();
        if (name == "name") return m_scan.readText(m_facts.name);
        if (name == "device_type") {
            if (!m_scan.readText(m_device)) return false;
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
        static constexpr std::array<std::string_view, 6> numbers = {"weight_size", "real_dim_cnt", "reuse_input_index",
                                                                    "data_offset", "cmps_size",    "cmps_tab_offset"};
        static constexpr std::array<std::string_view, 4> flags = {"has_out_attr", "reuse_input", "output_tensor",
                                                                  "input_tensor"};
        for (const std::string_view number : numbers)
            if (name == number) {
                std::int64_t value = 0;
                if (!m_scan.readNumber(value)) return false;
                set(name, value != 0, AttrValue(value));
                return true;
            }
        for (const std::string_view flag : flags)
            if (name == flag) {
                bool value = false;
                if (!readBool(m_scan, value)) return false;
                set(name, value, AttrValue(true));
                return true;
            }
        if (name == "cmps_tab") {
            if (!m_scan.readText(m_text)) return false;
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
        if (!key) return false;
        std::int64_t number = 0;
        bool flag = false;
        switch (factAttrOf(*key)) {
        case FactAttr::OriginFormat:
            if (!readTextAttr(m_scan, m_text)) return false;
            m_facts.originFormat = cachedFormat(m_text);
            return true;
        case FactAttr::OriginShape:
            if (m_facts.originShape) // the last one counts
                m_numbers.spoil();
            return readListAttr(m_scan, nullptr, &m_facts.originShape.emplace(), &m_numbers);
        case FactAttr::IsOriginSet:
            if (!readBoolAttr(m_scan, flag)) return false;
            m_facts.isOriginSet = flag;
            return true;
        case FactAttr::Format:
            if (!readNumberAttr(m_scan, number)) return false;
            m_facts.formatForInt = static_cast<std::int32_t>(number);
            return true;
        case FactAttr::OriginFormatNumber:
            if (!readNumberAttr(m_scan, number)) return false;
            m_facts.originFormatForInt = static_cast<std::int32_t>(number);
            return true;
        case FactAttr::None: break;
        }
        if (!m_attrs) {
            m_hasMore = true;
            return skipAttrValue(m_scan);
        }
        return readAttrValue(m_scan, m_attrs->try_emplace(m_attrs->end(), std::string(*key))->second);
    }

    TextScan& m_scan;
    DescFacts& m_facts;
    AttrMap::Map* m_attrs;
    NumberRuns& m_numbers;
    AttrMap::Map m_members;
    std::string m_text, m_device;
    bool m_hasMore = false, m_isDeviceUsual = false;
};

} // namespace

bool readDescFacts(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, bool& hasMore, NumberRuns& numbers)
{
    return DescReader(scan, facts, attrs, numbers).read(hasMore);
}

bool DescTextReader::read(TextScan& scan, ReadDesc& out)
{
    if (const Known* const known = m_memo.find(scan)) {
        DescFacts facts = known->facts;
        m_memo.eachRun([&facts](int tag, std::span<const std::int64_t> numbers) {
            if (tag == SizeNumber)
                facts.size = numbers.back();
            else
                (tag == ShapeNumbers ? facts.dims : *facts.originShape).assign(numbers.begin(), numbers.end());
        });
        out.desc = descFromFacts(std::move(facts), DescUse::Slot);
        out.attrs = known->attrs;
        out.hasMore = known->hasMore;
        return true;
    }
    const char* const start = scan.at();
    Known known;
    NumberRuns numbers;
    if (!readDescFacts(scan, known.facts, m_withAttrs ? &known.attrs : nullptr, known.hasMore, numbers)) return false;
    out.desc = descFromFacts(known.facts, DescUse::Slot);
    out.attrs = known.attrs;
    out.hasMore = known.hasMore;
    known.facts.dims.clear();
    if (known.facts.originShape) known.facts.originShape->clear();
    m_memo.add({start, static_cast<std::size_t>(scan.at() - start)}, numbers, std::move(known));
    return true;
}

} // namespace gelens
