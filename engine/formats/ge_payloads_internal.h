#pragma once
// Values of constants in a ModelDef's wire form that stay where they are; private to this folder.

#include "engine/graph/tensor.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gelens {

/// A ModelDef whose large tensor data have been replaced by short marks, so that parsing it copies no weights.
class GePayloads {
public:
    /// Nothing when there is no large payload, or the bytes are not sound enough to be taken apart: parse them whole.
    /// `owner` keeps `bytes` in memory.
    static std::shared_ptr<const GePayloads> takeOut(std::span<const std::byte> bytes,
                                                     std::shared_ptr<const void> owner);

    const std::string& bareModel() const { return m_bare; }
    /// The payload that a mark stands for; nothing for data that are no mark.
    std::optional<Bytes> find(std::string_view data) const;

private:
    bool copy(std::span<const std::byte> message, std::size_t level, std::string& out);

    std::string m_bare, m_mark;
    std::vector<std::span<const std::byte>> m_payloads;
    std::shared_ptr<const void> m_owner;
};

} // namespace gelens
