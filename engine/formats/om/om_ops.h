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
        ge::proto::OpDef* message = nullptr; ///< until the next one is read; without descriptors
        OpDescs descs;
        std::optional<ConstantPlace> place; ///< of a constant in a file of our own
    };

    /// `unfinisher`: for a file that a writer of ours finished.
    OpReader(const NameDictionary& names, const NameDictionary& outer, std::optional<Unfinisher> unfinisher)
        : m_names(names), m_outer(outer), m_unfinisher(std::move(unfinisher))
    {
    }

    /// The bytes must stay as long as the reader. Nothing when they are no operator.
    std::optional<Op> read(std::string_view bytes);
    /// The same for who needs no descriptors.
    ge::proto::OpDef* readBare(std::string_view bytes);

    /// Attribute names that no dictionary of the file knows.
    int unknownNames() const { return m_unknownNames; }

private:
    std::optional<TensorDesc> readDesc(std::string_view bytes, bool isOfPlacedConstant);

    const NameDictionary& m_names;
    const NameDictionary& m_outer;
    std::optional<Unfinisher> m_unfinisher;
    OpDefParts m_parts;
    /// Layers repeat each other, and so do their descriptors: by their bytes, of placed constants and of all others.
    std::unordered_map<std::string_view, TensorDesc> m_known[2];
    int m_unknownNames = 0;
};

} // namespace gelens::om
