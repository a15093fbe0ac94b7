#pragma once
// What a rule puts in place of a match: new nodes and constants, worked out before any edit. Private to rewrite.cpp.

#include "engine/fusion/checks.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace gelens {

class Replacement {
public:
    explicit Replacement(const CheckContext& context) : m_context(context), m_rule(context.rule) {}

    /// The new node without edges; `sources` gets what feeds each slot (invalid: nothing, or a constant still to be
    /// made).
    NodeSpec spec(const RuleNewNode& node, std::vector<RuleSource>& sources) const
    {
        NodeSpec result;
        result.type = node.type.empty() ? m_context.graph.node(m_context.match.resolve(m_rule, {node.typeOf}).node).type
                                        : node.type;
        const OutputRef copied = m_context.match.resolve(m_rule, {node.attrsOf});
        if (copied.isValid()) result.attrs = m_context.graph.node(copied.node).attrs;
        for (const RuleAttr& attr : node.attrs) setAttr(attr, result.attrs);
        const OpDef& def = *OpRegistry::instance().find(result.type);
        for (const AttrSpec& attr : def.attrs())
            if (attr.defaultValue.isSet()) result.attrs.emplace(attr.name, attr.defaultValue);
        for (const Port& port : def.inputs()) addPort(port, node, result, sources);
        while (!result.inputs.empty() && !isConnected(sources.back())) {
            result.inputs.pop_back();
            sources.pop_back();
        }
        for (const Port& port : def.outputs())
            if (port.kind != PortKind::Dynamic) result.outputs.emplace_back(port.name, TensorDesc());
        return result;
    }

    bool isConnected(const RuleSource& source) const
    {
        if (source.newConstant >= 0) return isMade(m_rule.newConstants[static_cast<std::size_t>(source.newConstant)]);
        if (source.newNode >= 0) return isMade(m_rule.newNodes[static_cast<std::size_t>(source.newNode)]);
        return source.element.element >= 0 && m_context.match.resolve(m_rule, source.element).isValid();
    }
    template <typename Made>
    bool isMade(const Made& made) const
    {
        return made.when.isEmpty() || made.when.evaluate(m_context.host).isTrue();
    }

    /// scale and shift of each channel; nothing when one of them cannot be computed.
    std::optional<std::pair<std::vector<double>, std::vector<double>>> channelFactors(const RuleNewConstant& made) const
    {
        const Tensor* const shaped = m_context.host.constant(made.shapeOf >= 0 ? made.shapeOf : made.like);
        if (!shaped) return std::nullopt;
        const Tensor* const like = made.like >= 0 ? m_context.host.constant(made.like) : nullptr;
        if (made.like >= 0 && (!like || !like->isPresent())) return std::nullopt;
        const Shape& shape = shaped->desc.shape;
        if (!shape.isStatic()) return std::nullopt;
        const std::size_t channels = made.axis < shape.rank() ? static_cast<std::size_t>(shape.dim(made.axis)) : 1;
        std::vector<double> scale(channels, 1.0), shift(channels, 0.0);
        for (std::size_t c = 0; c < channels; ++c) {
            m_context.host.setChannel(c);
            for (auto [formula, into] : {std::pair{&made.scale, &scale[c]}, std::pair{&made.shift, &shift[c]}}) {
                if (formula->isEmpty()) continue;
                const FormulaValue value = formula->evaluate(m_context.host);
                if (!value.isKnown) return std::nullopt;
                *into = value.number;
            }
        }
        return std::pair{std::move(scale), std::move(shift)};
    }

    /// Whether a constant can be made; decided before anything is changed.
    bool canMake(const RuleNewConstant& made) const
    {
        return made.movesBytes() ? movedBytes(made, true).has_value() : channelFactors(made).has_value();
    }

    /// Constants joined along an axis, or an equal part of one. Absent values stay absent: only the shape is new.
    std::optional<Tensor> movedBytes(const RuleNewConstant& made, bool isTrial) const
    {
        std::vector<const Tensor*> sources;
        for (const int element : made.joined) sources.push_back(m_context.host.constant(element));
        if (made.joined.empty()) sources.push_back(m_context.host.constant(made.like));
        if (std::find(sources.begin(), sources.end(), nullptr) != sources.end()) return std::nullopt;
        const Tensor& first = *sources.front();
        const Shape& shape = first.desc.shape;
        const int bits = dataTypeBits(first.desc.dtype);
        if (!shape.isStatic() || made.axis >= shape.rank() || bits < 8) return std::nullopt;
        const auto axis = static_cast<std::size_t>(made.axis);
        std::int64_t length = 0;
        bool arePresent = true;
        for (const Tensor* const source : sources) {
            std::vector<std::int64_t> dims = source->desc.shape.dims(), wanted = shape.dims();
            if (dims.size() != wanted.size() || source->desc.dtype != first.desc.dtype) return std::nullopt;
            length += dims[axis];
            dims[axis] = wanted[axis] = 0;
            if (dims != wanted) return std::nullopt;
            arePresent = arePresent && source->isPresent();
        }
        if (made.parts > 0 && length % made.parts != 0) return std::nullopt;
        if (made.parts > 0) length /= made.parts;
        Tensor result;
        result.desc = first.desc;
        Shape newShape = shape;
        newShape.setDim(axis, length);
        result.desc.setShape(newShape);
        if (!arePresent && !placePieces(made, sources, length, result)) return std::nullopt;
        if (isTrial || !arePresent) return result;
        std::size_t outer = 1, inner = static_cast<std::size_t>(bits / 8);
        for (std::size_t i = 0; i < shape.dims().size(); ++i)
            (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(shape[i]);
        std::vector<std::byte> bytes;
        bytes.reserve(outer * inner * static_cast<std::size_t>(length));
        for (std::size_t row = 0; row < outer; ++row) {
            for (const Tensor* const source : sources) {
                const std::size_t whole = static_cast<std::size_t>(source->desc.shape[axis]) * inner;
                const std::size_t taken = made.parts > 0 ? static_cast<std::size_t>(length) * inner : whole;
                const std::byte* const from =
                    source->data.data() + row * whole + static_cast<std::size_t>(made.part) * taken * (made.parts > 0);
                bytes.insert(bytes.end(), from, from + taken);
            }
        }
        result.data = Bytes::owned(std::move(bytes));
        return result;
    }

    /// Says where the bytes of a constant lie that is made of absent ones. A constant of a model made in memory lies
    /// nowhere, and so does what is made of it. False when the place cannot be said.
    static bool placePieces(const RuleNewConstant& made, const std::vector<const Tensor*>& sources, std::int64_t length,
                            Tensor& result)
    {
        std::vector<ExternalPiece> pieces;
        for (const Tensor* const source : sources) {
            if (!source->external && source->externalPieces.empty())
                return source->data.isEmpty(); // an absent one beside one that is here cannot be written down
            const auto own = source->piecesAlong(made.axis);
            if (!own) return false;
            pieces.insert(pieces.end(), own->begin(), own->end());
        }
        if (made.parts > 0) { // keeps what lies between the two ends
            std::int64_t skipped = made.part * length, wanted = length;
            std::vector<ExternalPiece> kept;
            for (ExternalPiece piece : pieces) {
                const std::int64_t drop = std::min(skipped, piece.count);
                skipped -= drop;
                piece.first += drop;
                piece.count = std::min(piece.count - drop, wanted);
                wanted -= piece.count;
                if (piece.count > 0) kept.push_back(std::move(piece));
            }
            pieces = std::move(kept);
        }
        result.setExternal(std::move(pieces), made.axis);
        return true;
    }

    /// new = like × scale + shift, channel by channel.
    std::optional<Tensor> makeConstant(const RuleNewConstant& made) const
    {
        if (made.movesBytes()) return movedBytes(made, false);
        const auto factors = channelFactors(made);
        if (!factors) return std::nullopt;
        const auto& [scale, shift] = *factors;
        const Tensor* const like = made.like >= 0 ? m_context.host.constant(made.like) : nullptr;
        const Tensor* const shaped = made.shapeOf >= 0 ? m_context.host.constant(made.shapeOf) : like;
        const auto count = static_cast<std::size_t>(shaped->elementCount());
        std::vector<double> values(count, 0.0);
        if (like) {
            auto read = like->asDoubles(std::size_t{1} << 30);
            if (!read || read->size() != count) return std::nullopt;
            values = std::move(*read);
        }
        const Shape& shape = shaped->desc.shape;
        std::size_t inner = 1;
        for (int i = made.axis + 1; i < shape.rank(); ++i) inner *= static_cast<std::size_t>(shape.dim(i));
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t channel = i / inner % scale.size();
            values[i] = values[i] * scale[channel] + shift[channel];
        }
        if (made.isFlat)
            return Tensor::fromDoubles(values, Shape{static_cast<std::int64_t>(count)}, shaped->desc.dtype);
        Tensor tensor = Tensor::fromDoubles(values, shape, shaped->desc.dtype);
        tensor.desc.format = shaped->desc.format;
        tensor.desc.originFormat = shaped->desc.originFormat;
        return tensor;
    }

private:
    void addPort(const Port& port, const RuleNewNode& node, NodeSpec& result, std::vector<RuleSource>& sources) const
    {
        int number = 0;
        for (const RuleSource& source : node.inputs) {
            if (source.port != port.name || !isConnected(source)) continue;
            if (number > 0 && port.kind != PortKind::Dynamic) break;
            const std::string name =
                port.kind == PortKind::Dynamic ? fmt::format("{}{}", port.name, number) : port.name;
            ++number;
            TensorDesc desc;
            if (!source.isNew()) desc = m_context.graph.outputDesc(m_context.match.resolve(m_rule, source.element));
            desc.name.clear();
            result.inputs.emplace_back(name, std::move(desc));
            sources.push_back(source);
        }
        if (number > 0 || port.kind == PortKind::Dynamic) return;
        result.inputs.emplace_back(port.name, TensorDesc::unconnected());
        sources.push_back({});
    }

    void setAttr(const RuleAttr& attr, AttrMap& attrs) const
    {
        if (!attr.when.isEmpty() && !attr.when.evaluate(m_context.host).isTrue()) return;
        switch (attr.kind) {
        case RuleAttr::Kind::Text: attrs[attr.name] = attr.text; return;
        case RuleAttr::Kind::Copy: {
            const OutputRef from = m_context.match.resolve(m_rule, {attr.element});
            if (!from.isValid()) return;
            const AttrMap& source = m_context.graph.node(from.node).attrs;
            if (const auto found = source.find(attr.text); found != source.end()) attrs[attr.name] = found->second;
            return;
        }
        case RuleAttr::Kind::IntsOf: {
            const Tensor* const value = m_context.host.constant(attr.element);
            if (auto list = value ? value->asInts() : std::nullopt) attrs[attr.name] = std::move(*list);
            return;
        }
        case RuleAttr::Kind::ShapeOf: {
            if (const TensorDesc* const desc = m_context.host.desc(attr.element))
                attrs[attr.name] = desc->originShape.dims();
            return;
        }
        case RuleAttr::Kind::Ints: {
            IntList list;
            for (const Formula& formula : attr.numbers)
                list.push_back(static_cast<std::int64_t>(std::llround(formula.evaluate(m_context.host).number)));
            attrs[attr.name] = std::move(list);
            return;
        }
        default: break;
        }
        const FormulaValue value = attr.number.evaluate(m_context.host);
        if (!value.isKnown) return;
        if (attr.kind == RuleAttr::Kind::Int)
            attrs[attr.name] = static_cast<std::int64_t>(std::llround(value.number));
        else if (attr.kind == RuleAttr::Kind::Bool)
            attrs[attr.name] = value.number != 0;
        else
            attrs[attr.name] = value.number;
    }

    const CheckContext& m_context;
    const Rule& m_rule;
};

} // namespace gelens
