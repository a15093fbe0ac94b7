#pragma once
// All operators the program knows, by GE type.

#include "engine/ops/op_def.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelens {

/// Built once from the families' entry functions (op_families.h); read-only afterwards, so free to share.
class OpRegistry {
public:
    static const OpRegistry& instance();

    const OpDef* find(std::string_view type) const; ///< null for an unknown type
    std::vector<const OpDef*> all() const;          ///< sorted by type

    void add(OpDef def); ///< asserts that the type is new

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, OpDef, Hash, std::equal_to<>> m_ops;
};

/// Unit of a node, Unit::AiCpu for unknown (opaque) operators.
Unit unitOf(const Node& node);
FusionClass fusionClassOf(const Node& node);
/// Cost of a node; zero cost for boundary nodes and views. Unknown operators count their bytes only.
Cost costOf(const Node& node, const Graph& graph);

} // namespace gelens
