#include "engine/formats/om/om_names.h"

#include "formats/proto/ge_ir.pb.h"

namespace gelens::om {

using namespace ge::proto;

long NameDictionary::positionOf(const std::string& name)
{
    if (name.size() < 2 || name.size() > 6 || name[0] != '\0') return -1;
    long position = 0;
    for (std::size_t i = name.size() - 1; i > 0; --i) {
        const auto digit = static_cast<unsigned char>(name[i]);
        if (digit == 0 || digit > 127) return -1;
        position = position * 127 + (digit - 1);
    }
    return position;
}

NameDictionary NameDictionary::takeFrom(ModelDef& model)
{
    NameDictionary dictionary;
    auto& attrs = *model.mutable_attr();
    const auto version = attrs.find("om_compress_version");
    if (version == attrs.end()) return dictionary;
    const auto take = [&](const char* name) {
        const auto found = attrs.find(name);
        AttrDef::ListValue list;
        if (found != attrs.end()) list.Swap(found->second.mutable_list());
        attrs.erase(name);
        return list;
    };
    const auto names = take("attr_name_enum"), values = take("attr_value_enum"), flags = take("attrs_use_string_value");
    attrs.erase("om_compress_version");
    dictionary.m_names.assign(names.s().begin(), names.s().end());
    dictionary.m_values.assign(values.s().begin(), values.s().end());
    dictionary.m_usesText.assign(flags.b().begin(), flags.b().end());
    return dictionary;
}

struct Expander {
    const NameDictionary& own;
    const NameDictionary& outer;
    int failures = 0;

    /// Text values are numbers of the dictionary whose entry named the attribute.
    static void expandValue(AttrDef& value, const NameDictionary& dictionary)
    {
        const auto textOf = [&](std::int64_t number) -> const std::string* {
            return number >= 0 && static_cast<std::size_t>(number) < dictionary.m_values.size()
                       ? &dictionary.m_values[static_cast<std::size_t>(number)]
                       : nullptr;
        };
        if (value.value_case() == AttrDef::kI) {
            if (const std::string* text = textOf(value.i())) value.set_s(*text);
        } else if (value.value_case() == AttrDef::kList && value.list().i_size() > 0) {
            AttrDef::ListValue list;
            for (const std::int64_t number : value.list().i())
                if (const std::string* text = textOf(number)) list.add_s(*text);
            if (list.s_size() != value.list().i_size()) return;
            list.set_val_type(AttrDef::ListValue::VT_LIST_STRING);
            value.mutable_list()->Swap(&list);
        }
    }

    static bool step(std::string& name, AttrDef& value, const NameDictionary& dictionary)
    {
        const long position = NameDictionary::positionOf(name);
        if (position < 0 || static_cast<std::size_t>(position) >= dictionary.m_names.size()) return false;
        const auto index = static_cast<std::size_t>(position);
        if (index < dictionary.m_usesText.size() && dictionary.m_usesText[index]) expandValue(value, dictionary);
        name = dictionary.m_names[index];
        return true;
    }

    void expandAttr(std::string& name, AttrDef& value)
    {
        if (!name.empty() && name[0] == '\0') {
            bool isKnown = step(name, value, own.isEmpty() ? outer : own);
            // The dictionary of a further model may itself hold numbers, of the first model's dictionary.
            if (isKnown && !name.empty() && name[0] == '\0') isKnown = step(name, value, outer);
            failures += isKnown ? 0 : 1;
        }
        if (value.value_case() == AttrDef::kT) expandDesc(*value.mutable_t()->mutable_desc());
    }

    void expandDesc(TensorDescriptor& desc)
    {
        auto& attrs = *desc.mutable_attr();
        std::vector<std::string> compressed;
        for (const auto& entry : attrs)
            if (!entry.first.empty() && entry.first[0] == '\0') compressed.push_back(entry.first);
        for (const std::string& key : compressed) {
            std::string name = key;
            AttrDef value;
            value.Swap(&attrs[key]);
            expandAttr(name, value);
            attrs.erase(key);
            attrs[name].Swap(&value);
        }
    }
};

int NameDictionary::expand(std::string& name, AttrDef& value, const NameDictionary& outer) const
{
    if (isEmpty() && outer.isEmpty()) return 0;
    Expander expander{*this, outer};
    expander.expandAttr(name, value);
    return expander.failures;
}

int NameDictionary::expand(TensorDescriptor& desc, const NameDictionary& outer) const
{
    if (isEmpty() && outer.isEmpty()) return 0;
    Expander expander{*this, outer};
    expander.expandDesc(desc);
    return expander.failures;
}

} // namespace gelens::om
