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
    DescReader(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, DescNumbers& numbers)
        : m_scan(scan), m_facts(facts), m_attrs(attrs), m_numbers(numbers)
    {
    }

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
        m_numbers.begin(DescNumbers::Dims, m_scan.at());
        while (!m_scan.isNext('}')) {
            if (m_scan.word() != "dim" || !m_scan.sign(':') || !m_scan.space())
                return false;
            const char* const digits = m_scan.at();
            if (!m_scan.appendNumber(m_facts.dims))
                return false;
            m_numbers.add(digits, m_scan.at());
        }
        return m_scan.sign('}');
    }

    bool readSize()
    {
        if (!m_scan.space())
            return false;
        const char* const digits = m_scan.at();
        m_numbers.begin(DescNumbers::Size, digits);
        if (!m_scan.readNumber(m_facts.size))
            return false;
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
            if (!m_scan.readText(m_text))
                return false;
            m_facts.layout = cachedFormat(m_text);
            return true;
        }
        if (name == "size") return readSize();
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
        case FactAttr::OriginShape:
            if (m_facts.originShape) // the last one counts
                m_numbers.spoil();
            return readListAttr(m_scan, nullptr, &m_facts.originShape.emplace(), &m_numbers);
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
        return readAttrValue(m_scan, m_attrs->try_emplace(m_attrs->end(), std::string(*key))->second);
    }

    TextScan& m_scan;
    DescFacts& m_facts;
    AttrMap::Map* m_attrs;
    DescNumbers& m_numbers;
    AttrMap::Map m_members;
    std::string m_text, m_device;
    bool m_hasMore = false, m_isDeviceUsual = false;
};

} // namespace

void DescNumbers::begin(Kind kind, const char* place)
{
    m_isPlain = m_isPlain && m_count < m_runs.size();
    for (std::size_t i = 0; m_isPlain && i < m_count; ++i)
        m_isPlain = m_runs[i].kind != kind; // said twice: the reader knows which counts
    if (m_isPlain)
        m_runs[m_count++] = {kind, place, place, place};
}

void DescNumbers::add(const char* digits, const char* end)
{
    if (!m_isPlain)
        return;
    Run& run = m_runs[m_count - 1];
    if (run.end == run.start)
        run.digits = digits;
    run.end = end;
}

const DescMemo::Known* DescMemo::find(TextScan& scan)
{
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const std::size_t place = m_order[i];
        const Entry& entry = m_entries[place];
        if (entry.text.empty())
            return nullptr; // those behind were never used
        const char* const start = scan.at();
        if (!matches(entry, scan)) {
            scan.jump(start);
            continue;
        }
        toFront(i);
        return &entry.known;
    }
    return nullptr;
}

bool DescMemo::matches(const Entry& entry, TextScan& scan)
{
    m_dims.clear();
    m_originShape.clear();
    m_size = 0;
    std::size_t done = 0;
    for (std::size_t i = 0; i < entry.runs; ++i) {
        const Run& run = entry.run[i];
        const std::string_view before(entry.text.data() + done, run.begin - done);
        if (!scan.text(before) || !readRun(run, std::string_view(entry.text).substr(run.begin, run.lead), scan))
            return false;
        done = run.end;
    }
    return scan.text(std::string_view(entry.text).substr(done));
}

bool DescMemo::readRun(const Run& run, std::string_view lead, TextScan& scan)
{
    if (run.kind == DescNumbers::Size)
        return scan.readNumber(m_size);
    // A reader takes the next number wherever the same words stand before it.
    auto& numbers = run.kind == DescNumbers::Dims ? m_dims : m_originShape;
    while (!lead.empty() && scan.text(lead))
        if (!scan.appendNumber(numbers))
            return false;
    return true;
}

TensorDesc DescMemo::descOf(const Known& known) const
{
    DescFacts facts = known.facts;
    facts.dims.assign(m_dims.begin(), m_dims.end());
    if (facts.originShape)
        facts.originShape->assign(m_originShape.begin(), m_originShape.end());
    facts.size = m_size;
    return descFromFacts(std::move(facts), DescUse::Slot);
}

void DescMemo::add(std::string_view text, const DescNumbers& numbers, Known known)
{
    if (!numbers.isPlain() || text.size() > maxText)
        return;
    const std::size_t place = m_order.back();
    toFront(m_order.size() - 1);
    Entry& entry = m_entries[place];
    entry.text.assign(text);
    entry.runs = 0;
    for (const DescNumbers::Run& run : numbers.runs()) {
        const auto at = [&](const char* place) { return static_cast<std::size_t>(place - text.data()); };
        entry.run[entry.runs++] = {run.kind, at(run.start), at(run.end), static_cast<std::size_t>(run.digits - run.start)};
    }
    known.facts.dims.clear();
    if (known.facts.originShape)
        known.facts.originShape->clear();
    known.facts.size = 0;
    entry.known = std::move(known);
}

void DescMemo::toFront(std::size_t i)
{
    const auto place = m_order[i];
    for (; i > 0; --i)
        m_order[i] = m_order[i - 1];
    m_order[0] = place;
}

bool readDescFacts(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, bool& hasMore, DescNumbers& numbers)
{
    return DescReader(scan, facts, attrs, numbers).read(hasMore);
}

} // namespace gelens
