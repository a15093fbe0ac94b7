#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/recurrent_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace gelens {
namespace {

using recurrent::Cell;
using recurrent::Sizes;

/// Sizes from the shapes of x [seq, batch, input], w [directions, gates·hidden, input] and the attributes; -1 when
/// unknown.
Result<Sizes> readSizes(const AttrMap& attrs, Cell cell, const Shape& x, const Shape& w, const Shape& r)
{
    Sizes s;
    s.gates = recurrent::gateCount(cell);
    s.hidden = attrInt(attrs, "hidden_size");
    const std::string direction = attrString(attrs, "direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
        return Error::invalid(fmt::format("direction '{}' is not known", direction));
    s.directions = direction == "bidirectional" ? 2 : 1;
    s.isReverse = direction == "reverse";
    if (x.hasRank()) {
        if (x.rank() != 3) return Error::invalid(fmt::format("x of shape {} needs three axes", x.text()));
        s.steps = x.dim(0);
        s.batch = x.dim(1);
        s.input = x.dim(2);
    }
    if (s.hidden <= 0 && r.hasRank() && r.rank() == 3) s.hidden = r.dim(2);
    if (s.hidden == 0) return Error::invalid("hidden_size is missing");
    const auto check = [&](const Shape& shape, const char* name, std::int64_t width) -> Status {
        if (!shape.hasRank()) return {};
        const std::int64_t rows = s.hidden < 0 ? unknownDim : s.gates * s.hidden;
        if (shape.rank() != 3 || dimsContradict(shape.dim(0), s.directions) || dimsContradict(shape.dim(1), rows) ||
            dimsContradict(shape.dim(2), width))
            return Error::invalid(
                fmt::format("{} of shape {} must be [{}, {}, {}]", name, shape.text(), s.directions, rows, width));
        return {};
    };
    GELENS_TRY(check(w, "w", s.input));
    GELENS_TRY(check(r, "r", s.hidden));
    return s;
}

InferFunction inferRecurrent(Cell cell)
{
    return [cell](InferContext& context) -> Status {
        auto sizes = readSizes(context.attrs(), cell, context.shape(0), context.shape(1), context.shape(2));
        if (!sizes.ok()) return context.error(sizes.error().what);
        const Shape& x = context.shape(0);
        Shape y, state;
        y.append(sizes->steps, x.hasRank() ? x.symbol(0) : std::string_view());
        y.append(sizes->directions);
        y.append(sizes->batch, x.hasRank() ? x.symbol(1) : std::string_view());
        y.append(sizes->hidden);
        for (int i = 1; i < 4; ++i) appendDim(state, y, i);
        context.setOutput(0, context.dtype(0), y);
        for (int i = 1; i < context.outputCount(); ++i) context.setOutput(i, context.dtype(0), state);
        return {};
    };
}

/// An optional operand of a known element count, as fp32; empty when it is absent.
Result<std::vector<float>> optionalOperand(const KernelContext& context, int slot, std::int64_t count, const char* name)
{
    if (slot < 0 || !context.hasInput(slot)) return std::vector<float>{};
    if (context.input(slot).elementCount() != count)
        return context.error(
            fmt::format("{} of shape {} must have {} elements", name, context.input(slot).shape.text(), count));
    return context.floats(slot);
}

struct Slots {
    int bias = 3, lengths = 4, hidden = 5, cell = -1, peephole = -1;
};

KernelFunction recurrentKernel(Cell cell)
{
    return [cell](KernelContext& context) -> Status {
        const Shape& x = context.input(0).shape;
        const auto sizes = readSizes(context.attrs(), cell, x, context.input(1).shape, context.input(2).shape);
        if (!sizes.ok()) return context.error(sizes.error().what);
        const Sizes& s = *sizes;
        Slots slots;
        if (cell == Cell::Lstm) {
            slots.cell = 6;
            slots.peephole = 7;
        }
        recurrent::Job job;
        job.cell = cell;
        job.sizes = s;
        GELENS_ASSIGN(job.x, context.floats(0));
        GELENS_ASSIGN(job.w, context.floats(1));
        GELENS_ASSIGN(job.r, context.floats(2));
        const std::int64_t states = s.directions * s.batch * s.hidden;
        GELENS_ASSIGN(job.bias, optionalOperand(context, slots.bias, s.directions * 2 * s.gates * s.hidden, "b"));
        GELENS_ASSIGN(job.initialHidden, optionalOperand(context, slots.hidden, states, "initial_h"));
        GELENS_ASSIGN(job.initialCell, optionalOperand(context, slots.cell, states, "initial_c"));
        GELENS_ASSIGN(job.peephole, optionalOperand(context, slots.peephole, s.directions * 3 * s.hidden, "p"));
        job.lengths.assign(static_cast<std::size_t>(s.batch), s.steps);
        if (context.hasInput(slots.lengths)) {
            GELENS_ASSIGN(job.lengths, context.ints(slots.lengths));
            if (static_cast<std::int64_t>(job.lengths.size()) != s.batch)
                return context.error("sequence_lens does not fit the batch");
            for (const std::int64_t length : job.lengths)
                if (length < 0 || length > s.steps)
                    return context.error(fmt::format("sequence length {} lies outside 0 to {}", length, s.steps));
        }
        auto activations = recurrent::readActivations(cell, s.directions, attrStrings(context.attrs(), "activations"),
                                                      attrFloats(context.attrs(), "activation_alpha"),
                                                      attrFloats(context.attrs(), "activation_beta"));
        if (!activations.ok()) return context.error(activations.error().what);
        job.activations = *activations;
        job.clip = static_cast<float>(attrFloat(context.attrs(), "clip", -1));
        job.linearBeforeReset = attrInt(context.attrs(), "linear_before_reset") != 0;
        job.inputForget = attrInt(context.attrs(), "input_forget") != 0;
        job.stop = context.stop;
        const Shape yShape{s.steps, s.directions, s.batch, s.hidden}, stateShape{s.directions, s.batch, s.hidden};
        if (!storageBytes(DataType::Float, yShape)) return context.error("the result is too large");
        if (!recurrent::run(job)) return Error::cancelled();
        const DataType type = context.input(0).dtype;
        GELENS_TRY(context.setFloats(0, type, yShape, job.y));
        if (context.outputCount() > 1) GELENS_TRY(context.setFloats(1, type, stateShape, job.hidden));
        if (context.outputCount() > 2) GELENS_TRY(context.setFloats(2, type, stateShape, job.cellState));
        return {};
    };
}

CostFunction recurrentCost(Cell cell)
{
    return [cell](const Node& node, const Graph& graph) {
        Cost cost = bytesOnly(node, graph);
        const auto s = readSizes(node.attrs, cell, inputDesc(node, graph, 0).originShape,
                                 inputDesc(node, graph, 1).originShape, inputDesc(node, graph, 2).originShape);
        if (!s.ok()) return cost;
        const auto known = [](std::int64_t v) { return std::max<std::int64_t>(v, 1); };
        cost.batch = known(s->steps) * s->directions;
        cost.m = known(s->batch);
        cost.k = known(s->input) + known(s->hidden);
        cost.n = s->gates * known(s->hidden);
        cost.cubeMacs = static_cast<double>(cost.batch) * static_cast<double>(cost.m) * static_cast<double>(cost.k) *
                        static_cast<double>(cost.n);
        cost.vectorOps = static_cast<double>(cost.batch * cost.m) * static_cast<double>(cost.n) * 8;
        return cost;
    };
}

OpDef recurrentOp(const char* type, Cell cell, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .input("x")
        .input("w")
        .input("r")
        .optionalInput("b")
        .optionalInput("sequence_lens")
        .optionalInput("initial_h");
    if (cell == Cell::Lstm) def.optionalInput("initial_c").optionalInput("p");
    def.output("y").output("y_h");
    if (cell == Cell::Lstm) def.output("y_c");
    def.attr("activation_alpha", FloatList{}).attr("activation_beta", FloatList{}).attr("activations", StringList{});
    def.attr("clip", -1.0f).attr("direction", "forward").requiredAttr("hidden_size");
    def.unit(Unit::Mix)
        .fusionClass(FusionClass::Other)
        .infer(inferRecurrent(cell))
        .cost(recurrentCost(cell))
        .kernel(recurrentKernel(cell));
    return def;
}

} // namespace

void registerRecurrentOps(OpRegistry& registry)
{
    registry.add(
        recurrentOp(
            "CommonRNN", Cell::Rnn,
            "h' = f(x·wᵀ + h·rᵀ + b) over [seq, batch, input], one or two directions, with lengths, initial state, "
            "clip and any ONNX activation. Products and state in fp32, one rounding on storage")
            .source("simulator (ONNX RNN-22); named after CommonGRU"));
    registry.add(
        recurrentOp(
            "CommonGRU", Cell::Gru,
            "Gated recurrent unit, gates in the order z, r, h; linear_before_reset applies the recurrent product "
            "before the reset gate. Products and state in fp32, one rounding on storage")
            .source("CANN operator library")
            .attr("linear_before_reset", 0));
    registry.add(
        recurrentOp(
            "CommonLSTM", Cell::Lstm,
            "Long short-term memory, gates in the order i, o, f, c, with peepholes and coupled input and forget "
            "gates. Products and state in fp32, one rounding on storage")
            .source("CANN operator library")
            .attr("input_forget", 0));
}

} // namespace gelens
