// Einsum and the small linear-algebra operators. Part of the matmul family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/matmul_private.h"
#include "engine/ops/op_registry.h"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace gelens {
namespace {

// Labels of axes: letters as themselves; axes that an ellipsis covers get -1, -2 … counted from its right end, so that
// operands of different rank broadcast as NumPy does.
using Labels = std::vector<int>;

struct Equation {
    std::vector<Labels> inputs;
    Labels output;
};

std::vector<std::string> splitTerms(const std::string& text)
{
    std::vector<std::string> terms(1);
    for (char c : text) {
        if (c == ',')
            terms.emplace_back();
        else
            terms.back().push_back(c);
    }
    return terms;
}

Result<Labels> readTerm(const std::string& term, int ellipsisRank)
{
    Labels labels;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (term[i] == '.') {
            if (term.compare(i, 3, "...") != 0)
                return Error::invalid(fmt::format("bad term '{}' in the equation", term));
            for (int e = ellipsisRank; e >= 1; --e) labels.push_back(-e);
            i += 2;
        } else if (std::isalpha(static_cast<unsigned char>(term[i]))) {
            labels.push_back(term[i]);
        } else {
            return Error::invalid(fmt::format("bad character '{}' in the equation", term[i]));
        }
    }
    return labels;
}

Result<Equation> parseEquation(std::string text, const std::vector<int>& ranks)
{
    std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
    const std::size_t arrow = text.find("->");
    const std::vector<std::string> terms = splitTerms(text.substr(0, arrow));
    if (terms.size() != ranks.size())
        return Error::invalid(
            fmt::format("the equation '{}' has {} terms for {} inputs", text, terms.size(), ranks.size()));
    Equation equation;
    int widestEllipsis = 0;
    std::map<int, int> uses;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool hasEllipsis = terms[i].find("...") != std::string::npos;
        const int letters = static_cast<int>(terms[i].size()) - (hasEllipsis ? 3 : 0);
        const int covered = ranks[i] - letters;
        if (covered < 0 || (covered > 0 && !hasEllipsis))
            return Error::invalid(fmt::format("term '{}' does not fit an input of rank {}", terms[i], ranks[i]));
        GELENS_ASSIGN(Labels labels, readTerm(terms[i], covered));
        widestEllipsis = std::max(widestEllipsis, hasEllipsis ? covered : 0);
        for (int label : labels) ++uses[label];
        equation.inputs.push_back(std::move(labels));
    }
    if (arrow != std::string::npos) {
        GELENS_ASSIGN(equation.output, readTerm(text.substr(arrow + 2), widestEllipsis));
        for (int label : equation.output)
            if (label > 0 && !uses.contains(label))
                return Error::invalid(fmt::format("output label '{}' is in no input", static_cast<char>(label)));
    } else { // implicit form: ellipsis first, then every label that occurs once, in order of the alphabet
        for (int e = widestEllipsis; e >= 1; --e) equation.output.push_back(-e);
        for (const auto& [label, count] : uses)
            if (label > 0 && count == 1) equation.output.push_back(label);
    }
    return equation;
}

/// Size of each label; 1 broadcasts. Unknown dims stay -1.
Result<std::map<int, std::int64_t>> labelSizes(const Equation& equation, const std::vector<const Shape*>& shapes)
{
    std::map<int, std::int64_t> sizes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t axis = 0; axis < equation.inputs[i].size(); ++axis) {
            const std::int64_t dim = (*shapes[i])[axis];
            auto [entry, isNew] = sizes.emplace(equation.inputs[i][axis], dim);
            if (isNew || entry->second == dim) continue;
            if (entry->second == 1 || entry->second < 0)
                entry->second = dim == 1 ? entry->second : (dim < 0 ? entry->second : dim);
            else if (dim != 1 && dim >= 0)
                return Error::invalid(fmt::format("one label stands for sizes {} and {}", entry->second, dim));
        }
    }
    return sizes;
}

template <typename T>
struct Operand {
    Labels labels;
    std::vector<std::int64_t> dims;
    std::vector<T> data;
};

/// Sums an operand down to `keep`, in that order; takes diagonals of repeated labels on the way. Labels of `keep` that
/// the operand lacks get size 1.
template <typename T>
Operand<T> project(const Operand<T>& from, const Labels& keep)
{
    Operand<T> to;
    to.labels = keep;
    std::vector<std::int64_t> fromStrides(from.dims.size(), 1);
    for (std::size_t i = from.dims.size(); i-- > 1;) fromStrides[i - 1] = fromStrides[i] * from.dims[i];
    std::map<int, std::pair<std::int64_t, std::int64_t>> axes; // label: size, stride in `from`
    for (std::size_t i = 0; i < from.labels.size(); ++i) {
        auto& entry = axes.try_emplace(from.labels[i], from.dims[i], 0).first->second;
        entry.second += fromStrides[i];
    }
    std::vector<std::int64_t> dims, strides; // kept axes, then summed ones
    std::int64_t kept = 1, summed = 1;
    for (int label : keep) {
        const auto found = axes.find(label);
        to.dims.push_back(found == axes.end() ? 1 : found->second.first);
        dims.push_back(to.dims.back());
        strides.push_back(found == axes.end() ? 0 : found->second.second);
        kept *= to.dims.back();
    }
    for (const auto& [label, axis] : axes) {
        if (std::find(keep.begin(), keep.end(), label) != keep.end()) continue;
        dims.push_back(axis.first);
        strides.push_back(axis.second);
        summed *= axis.first;
    }
    to.data.assign(static_cast<std::size_t>(kept), T{});
    std::vector<std::int64_t> index(dims.size(), 0);
    std::int64_t offset = 0;
    for (std::int64_t k = 0; k < kept * summed; ++k) {
        to.data[static_cast<std::size_t>(k / summed)] += from.data[static_cast<std::size_t>(offset)];
        for (std::size_t axis = dims.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++index[axis] < dims[axis]) break;
            offset -= strides[axis] * dims[axis];
            index[axis] = 0;
        }
    }
    return to;
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c)
{
    gemmFloat(false, true, m, n, k, a, b, c);
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, const double* b, double* c)
{
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Matrix>(c, m, n).noalias() =
        Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, n, k).transpose();
}

std::int64_t product(const std::map<int, std::int64_t>& sizes, const Labels& labels)
{
    std::int64_t result = 1;
    for (int label : labels) result *= sizes.at(label);
    return result;
}

/// Repeats size-1 axes of a projected operand up to the sizes of their labels.
template <typename T>
void expand(Operand<T>& operand, const std::map<int, std::int64_t>& sizes)
{
    std::vector<std::int64_t> wanted;
    for (int label : operand.labels) wanted.push_back(sizes.at(label));
    if (wanted == operand.dims) return;
    const Shape to{std::vector<std::int64_t>(wanted)};
    std::vector<T> data(static_cast<std::size_t>(to.elementCount().value_or(0)));
    const auto strides = broadcastStrides(Shape(std::vector<std::int64_t>(operand.dims)), to);
    for (std::size_t i = 0; i < data.size(); ++i) {
        std::int64_t rest = static_cast<std::int64_t>(i), at = 0;
        for (std::size_t axis = wanted.size(); axis-- > 0;) {
            at += rest % wanted[axis] * strides[axis];
            rest /= wanted[axis];
        }
        data[i] = operand.data[static_cast<std::size_t>(at)];
    }
    operand.dims = std::move(wanted);
    operand.data = std::move(data);
}

/// a·b over labels that neither `needed` nor the result keeps; the labels of the result: batch, a's own, b's own.
template <typename T>
Operand<T> contract(const Operand<T>& a, const Operand<T>& b, const std::set<int>& needed,
                    const std::map<int, std::int64_t>& sizes)
{
    Labels batch, left, right, inner;
    const auto has = [](const Labels& labels, int label) {
        return std::find(labels.begin(), labels.end(), label) != labels.end();
    };
    for (int label : std::set<int>(a.labels.begin(), a.labels.end())) {
        if (has(b.labels, label))
            (needed.contains(label) ? batch : inner).push_back(label);
        else if (needed.contains(label))
            left.push_back(label);
    }
    for (int label : std::set<int>(b.labels.begin(), b.labels.end()))
        if (!has(a.labels, label) && needed.contains(label)) right.push_back(label);
    const auto joined = [](Labels x, const Labels& y, const Labels& z) {
        x.insert(x.end(), y.begin(), y.end());
        x.insert(x.end(), z.begin(), z.end());
        return x;
    };
    Operand<T> pa = project(a, joined(batch, left, inner)), pb = project(b, joined(batch, right, inner));
    expand(pa, sizes);
    expand(pb, sizes);
    const std::int64_t count = product(sizes, batch), m = product(sizes, left), n = product(sizes, right),
                       k = product(sizes, inner);
    Operand<T> result;
    result.labels = joined(batch, left, right);
    for (int label : result.labels) result.dims.push_back(sizes.at(label));
    result.data.assign(static_cast<std::size_t>(count * m * n), T{});
    if (m == 0 || n == 0 || k == 0) return result;
    for (std::int64_t i = 0; i < count; ++i)
        multiply(m, n, k, pa.data.data() + i * m * k, pb.data.data() + i * n * k, result.data.data() + i * m * n);
    return result;
}

template <typename T>
std::vector<T> evaluate(const Equation& equation, std::vector<Operand<T>> operands,
                        const std::map<int, std::int64_t>& sizes)
{
    Operand<T> result = std::move(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i) {
        std::set<int> needed(equation.output.begin(), equation.output.end());
        for (std::size_t later = i + 1; later < operands.size(); ++later)
            needed.insert(operands[later].labels.begin(), operands[later].labels.end());
        result = contract(result, operands[i], needed, sizes);
    }
    result = project(result, equation.output);
    expand(result, sizes);
    return std::move(result.data);
}

Status inferEinsum(InferContext& context)
{
    std::vector<int> ranks;
    std::vector<const Shape*> shapes;
    for (int i = 0; i < context.inputCount(); ++i) {
        if (!context.shape(i).hasRank()) {
            context.setOutput(0, context.dtype(0), Shape::unknownRank());
            return {};
        }
        ranks.push_back(context.shape(i).rank());
        shapes.push_back(&context.shape(i));
    }
    auto equation = parseEquation(attrString(context.attrs(), "equation"), ranks);
    if (!equation.ok()) return context.error(equation.error().what);
    const auto sizes = labelSizes(*equation, shapes);
    if (!sizes.ok()) return context.error(sizes.error().what);
    Shape out;
    for (int label : equation->output) {
        std::string_view symbol;
        for (std::size_t i = 0; i < shapes.size() && symbol.empty(); ++i)
            for (std::size_t axis = 0; axis < equation->inputs[i].size(); ++axis)
                if (equation->inputs[i][axis] == label && sizes->at(label) < 0) symbol = shapes[i]->symbol(axis);
        out.append(sizes->at(label), symbol);
    }
    context.setOutput(0, context.dtype(0), out);
    return {};
}

template <typename T>
Result<std::vector<T>> elements(const KernelContext& context, int i)
{
    if constexpr (std::is_same_v<T, float>)
        return context.floats(i);
    else
        return context.doubles(i);
}

template <typename T>
Result<std::vector<T>> runEinsum(KernelContext& context, const Equation& equation,
                                 const std::map<int, std::int64_t>& sizes)
{
    std::vector<Operand<T>> operands;
    for (int i = 0; i < context.inputCount(); ++i) {
        Operand<T> operand;
        operand.labels = equation.inputs[static_cast<std::size_t>(i)];
        operand.dims = context.input(i).shape.dims();
        GELENS_ASSIGN(operand.data, elements<T>(context, i));
        operands.push_back(std::move(operand));
    }
    return evaluate(equation, std::move(operands), sizes);
}

Status einsumKernel(KernelContext& context)
{
    std::vector<int> ranks;
    std::vector<const Shape*> shapes;
    for (int i = 0; i < context.inputCount(); ++i) {
        ranks.push_back(context.input(i).shape.rank());
        shapes.push_back(&context.input(i).shape);
    }
    if (ranks.empty()) return context.error("needs at least one input");
    auto equation = parseEquation(attrString(context.attrs(), "equation"), ranks);
    if (!equation.ok()) return context.error(equation.error().what);
    const auto sizes = labelSizes(*equation, shapes);
    if (!sizes.ok()) return context.error(sizes.error().what);
    Shape out;
    for (int label : equation->output) out.append(sizes->at(label));
    const DataType type = context.input(0).dtype;
    if (type == DataType::Float || type == DataType::Float16 || type == DataType::BFloat16) {
        GELENS_ASSIGN(const std::vector<float> y, runEinsum<float>(context, *equation, *sizes));
        return context.setFloats(0, type, out, y);
    }
    GELENS_ASSIGN(const std::vector<double> y, runEinsum<double>(context, *equation, *sizes));
    GELENS_ASSIGN(std::byte* const data, context.output(0, type, out));
    const Tensor packed = Tensor::fromDoubles(y, out, type);
    std::copy(packed.data.span().begin(), packed.data.span().end(), data);
    return {};
}

Cost einsumCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    std::vector<int> ranks;
    std::vector<const Shape*> shapes;
    for (int i = 0; i < node.inputCount(); ++i) {
        const Shape& shape = inputDesc(node, graph, i).originShape;
        if (!shape.hasRank()) return cost;
        ranks.push_back(shape.rank());
        shapes.push_back(&shape);
    }
    const auto equation = parseEquation(attrString(node.attrs, "equation"), ranks);
    if (!equation.ok()) return cost;
    const auto sizes = labelSizes(*equation, shapes);
    if (!sizes.ok()) return cost;
    const std::set<int> kept(equation->output.begin(), equation->output.end());
    cost.m = cost.n = cost.k = 1;
    for (const auto& [label, size] : *sizes) {
        std::int64_t& axis = !kept.contains(label)                                                       ? cost.k
                             : std::count(equation->inputs[0].begin(), equation->inputs[0].end(), label) ? cost.m
                                                                                                         : cost.n;
        axis *= std::max<std::int64_t>(size, 1);
    }
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n);
    return cost;
}

// ---- determinant and inverse of the last two axes ----

std::string squareProblem(const Shape& shape)
{
    if (!shape.hasRank() || (shape.rank() >= 2 && !dimsContradict(shape.dim(-1), shape.dim(-2)))) return {};
    return fmt::format("needs square matrices, not {}", shape.text());
}

Status inferSquare(InferContext& context, bool keepsMatrix)
{
    const std::string problem = squareProblem(context.shape(0));
    if (!problem.empty()) return context.error(problem);
    Shape out = context.shape(0);
    if (!keepsMatrix && out.hasRank()) {
        Shape batch;
        for (int i = 0; i + 2 < out.rank(); ++i) appendDim(batch, out, i);
        out = batch;
    }
    context.setOutput(0, context.dtype(0), out);
    return {};
}

Status squareKernel(KernelContext& context, bool isInverse)
{
    const Shape& shape = context.input(0).shape;
    const std::string problem = squareProblem(shape);
    if (!problem.empty()) return context.error(problem);
    GELENS_ASSIGN(std::vector<double> x, context.doubles(0));
    const std::int64_t n = shape.dim(-1);
    Shape out;
    for (int i = 0; i < shape.rank() - (isInverse ? 0 : 2); ++i) out.append(shape.dim(i));
    std::vector<double> wide(static_cast<std::size_t>(out.elementCount().value_or(0)));
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    std::int64_t count = 1;
    for (int i = 0; i + 2 < shape.rank(); ++i) count *= shape.dim(i);
    for (std::int64_t i = 0; i < count; ++i) {
        const Eigen::Map<const Matrix> matrix(x.data() + i * n * n, n, n);
        if (isInverse && n > 0) Eigen::Map<Matrix>(wide.data() + i * n * n, n, n) = matrix.inverse();
        if (!isInverse)
            wide[static_cast<std::size_t>(i)] = n == 0 ? 1.0 : matrix.determinant(); // of no rows: the empty product
    }
    const DataType type = context.input(0).dtype;
    GELENS_ASSIGN(std::byte* const data, context.output(0, type, out));
    const Tensor packed = Tensor::fromDoubles(wide, out, type);
    std::copy(packed.data.span().begin(), packed.data.span().end(), data);
    return {};
}

} // namespace

void registerEinsumOps(OpRegistry& registry)
{
    registry.add(
        OpDef("Einsum")
            .doc("Einstein summation over any number of operands, with ellipsis, diagonals and the implicit form. "
                 "Contracted pair by pair from the left; fp16, bf16 and fp32 in fp32, other types in fp64")
            .source("CANN operator library")
            .dynamicInput("x")
            .output("y")
            .requiredAttr("equation")
            .attr("N", 1)
            .unit(Unit::Cube)
            .fusionClass(FusionClass::Other)
            .infer(inferEinsum)
            .cost(einsumCost)
            .kernel(einsumKernel));
    registry.add(OpDef("MatrixDeterminant")
                     .doc("Determinants of the last two axes, by LU in fp64")
                     .source("CANN operator library")
                     .input("x")
                     .output("y")
                     .unit(Unit::AiCpu)
                     .infer([](InferContext& context) { return inferSquare(context, false); })
                     .cost(bytesOnly)
                     .kernel([](KernelContext& context) { return squareKernel(context, false); }));
    registry.add(OpDef("MatrixInverse")
                     .doc("Inverse of the last two axes, by LU in fp64; a singular matrix gives infinities")
                     .source("CANN operator library")
                     .input("x")
                     .output("y")
                     .attr("adjoint", false)
                     .unit(Unit::AiCpu)
                     .infer([](InferContext& context) { return inferSquare(context, true); })
                     .cost(bytesOnly)
                     .kernel([](KernelContext& context) { return squareKernel(context, true); }));
}

} // namespace gelens
