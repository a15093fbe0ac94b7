#pragma once
// The operators of an OM file, decoded one after another. Private to this folder, for .cpp files only.

#include "engine/formats/ge_model_parts_internal.h"
#include "engine/formats/om/om_finish.h"
#include "engine/formats/om/om_names.h"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace gelens::om {

class OpReader {
public:
    struct Op {
        const ge::proto::OpDef* message = nullptr; ///< until the next one is read; without what is in the values
        OpValues values;
        std::optional<ConstantPlace> place; ///< of a constant in a file of our own
    };

    /// `unfinisher`: for a file that a writer of ours finished.
    OpReader(const NameDictionary& names, const NameDictionary& outer, Bytes weights,
             std::optional<Unfinisher> unfinisher)
        : m_names(names), m_outer(outer), m_weights(std::move(weights)), m_unfinisher(std::move(unfinisher))
    {
    }

    /// The bytes must stay as long as the reader. Nothing when they are no operator.
    std::optional<Op> read(std::string_view bytes);

    /// Attribute names that no dictionary of the file knows.
    int unknownNames() const { return m_unknownNames; }

private:
    struct Attr {
        std::string name;
        AttrValue value;
    };

    bool readAttrs(Op& op);
    bool readDescs(Op& op);
    std::optional<Attr> readAttr(std::string_view entry);
    std::optional<TensorDesc> readDesc(std::string_view bytes, bool isOfPlacedConstant);
    void findValue(Op& op) const;

    const NameDictionary& m_names;
    const NameDictionary& m_outer;
    Bytes m_weights;
    std::optional<Unfinisher> m_unfinisher;
    OpDefParts m_parts;
    /// Layers repeat each other: attributes, and descriptors of placed constants and of all others, by their bytes.
    std::unordered_map<std::string_view, Attr> m_knownAttrs;
    std::unordered_map<std::string_view, TensorDesc> m_knownDescs[2];
    int m_unknownNames = 0;
};

} // namespace gelens::om
