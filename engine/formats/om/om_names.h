#pragma once
// Newer OM files keep the names of operator and tensor attributes in a dictionary. Private to this folder.

#include <memory>
#include <string>
#include <vector>

namespace ge::proto {
class AttrDef;
class ModelDef;
class TensorDescriptor;
} // namespace ge::proto

namespace gelens::om {

/// Numbers of `attr_name_enum` written as names: byte 0, then the position in base 127, least significant digit first,
/// each digit plus one.
class NameDictionary {
public:
    NameDictionary() = default;
    /// Takes the dictionary attributes out of a model; empty when it has none.
    static NameDictionary takeFrom(ge::proto::ModelDef& model);
    bool isEmpty() const { return m_names.empty(); }

    /// Puts the plain name (and text value) back into an attribute, or into those of a descriptor. A name that decodes to
    /// another number is looked up in `outer`, which is the first model's dictionary. Returns how many names could not be
    /// decoded; those stay as they are.
    int expand(std::string& name, ge::proto::AttrDef& value, const NameDictionary& outer) const;
    int expand(ge::proto::TensorDescriptor& desc, const NameDictionary& outer) const;

    /// Position that a compressed name stands for; -1 when it is plain or damaged.
    static long positionOf(const std::string& name);

private:
    friend struct Expander;
    std::vector<std::string> m_names, m_values;
    std::vector<bool> m_usesText;
};

} // namespace gelens::om
