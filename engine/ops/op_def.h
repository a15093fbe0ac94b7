#pragma once
// The definition of one operator, in one place: signature, inference, unit, formats, cost, kernel.

#include "engine/graph/result.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/spec/unit.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class PortKind { Required, Optional, Dynamic };

struct Port {
    std::string name;
    PortKind kind = PortKind::Required;
};

struct AttrSpec {
    std::string name;
    AttrValue defaultValue; ///< unset: the attribute is required
};

/// Which storage formats an operator takes beyond ND, for layout selection.
enum class FormatSupport {
    NdOnly,     ///< ND (and NCHW/NHWC as plain data) only
    AnyElement, ///< element by element: whatever its neighbours use, all operands alike
    CubeMatrix, ///< matrices: FRACTAL_NZ on chips that want it
    CubeConv,   ///< NC1HWC0 activations and FRACTAL_Z filters
    FiveHd,     ///< NC1HWC0 activations (pooling, per-channel)
    Matrices,   ///< library kernels that take each matrix in ND or FRACTAL_NZ as it comes (an assumption of ours)
    Agnostic,   ///< moves bytes and does not care
};

/// How a kernel computes, as far as it shows in the result: part of an operator's documentation.
enum class Arithmetic {
    ByClass,     ///< what operators of its fusion class do: Elements, or None for those that only move data
    None,        ///< no arithmetic: elements are moved, chosen or counted as they are
    Elements,    ///< element by element; fp16 and bf16 in fp32, one rounding on storage
    Fp32,        ///< several elements in fp32, one rounding on storage
    SumsInFp64,  ///< sums of many terms kept in fp64, where hardware adds fp32 in trees; one rounding on storage
    SumsInFp32,  ///< sums kept in fp32 (fp64 for fp64), one rounding on storage
    RoundedSums, ///< each addition rounds into the storage type, as updates in place do
    Fp64,        ///< all in fp64, one rounding on storage
};

using InferFunction = std::function<Status(InferContext&)>;
using KernelFunction = std::function<Status(KernelContext&)>;
/// Cost from descriptors; unknown dims count as 1.
using CostFunction = std::function<Cost(const Node&, const Graph&)>;

/// Built by chained calls:
///   OpDef("Relu").doc("y = max(x, 0)").source("ONNX Relu").input("x").output("y")
///       .unit(Unit::Vector).fusionClass(FusionClass::ElementWise).infer(sameAsInput).cost(elementwise(1)).kernel(…)
class OpDef {
public:
    explicit OpDef(std::string type) : m_type(std::move(type)) {}

    OpDef& doc(std::string text)
    {
        m_doc = std::move(text);
        return *this;
    }
    /// Needed where the class does not tell (see Arithmetic::ByClass).
    OpDef& arithmetic(Arithmetic value)
    {
        m_arithmetic = value;
        return *this;
    }
    /// Where the definition comes from: "CANN operator library", "ONNX Gelu-20", "simulator".
    OpDef& source(std::string text)
    {
        m_source = std::move(text);
        return *this;
    }
    OpDef& input(std::string name)
    {
        m_inputs.push_back({std::move(name), PortKind::Required});
        return *this;
    }
    OpDef& optionalInput(std::string name)
    {
        m_inputs.push_back({std::move(name), PortKind::Optional});
        return *this;
    }
    OpDef& dynamicInput(std::string name)
    {
        m_inputs.push_back({std::move(name), PortKind::Dynamic});
        return *this;
    }
    OpDef& output(std::string name)
    {
        m_outputs.push_back({std::move(name), PortKind::Required});
        return *this;
    }
    OpDef& dynamicOutput(std::string name)
    {
        m_outputs.push_back({std::move(name), PortKind::Dynamic});
        return *this;
    }
    OpDef& attr(std::string name, AttrValue defaultValue)
    {
        m_attrs.push_back({std::move(name), std::move(defaultValue)});
        return *this;
    }
    OpDef& requiredAttr(std::string name)
    {
        m_attrs.push_back({std::move(name), {}});
        return *this;
    }
    OpDef& unit(Unit value)
    {
        m_unit = value;
        return *this;
    }
    OpDef& fusionClass(FusionClass value)
    {
        m_fusionClass = value;
        return *this;
    }
    OpDef& formats(FormatSupport value)
    {
        m_formats = value;
        return *this;
    }
    /// Output `out` may be written over input `in` when bytes and type agree (an element-wise operator's first input).
    OpDef& mayRunInPlace(int out = 0, int in = 0)
    {
        m_inPlace.emplace_back(out, in);
        return *this;
    }
    /// The output is the input's memory under another shape: no task.
    OpDef& isView()
    {
        m_isView = true;
        return *this;
    }
    /// Takes private storage formats as they are (TransData); all other kernels see ND.
    OpDef& seesStorage()
    {
        m_seesStorage = true;
        return *this;
    }
    /// Two runs on the same inputs may differ (random), or it has a state: never folded, never merged.
    OpDef& isStateful()
    {
        m_isStateful = true;
        return *this;
    }
    /// GE has a host kernel for it, so that common-subexpression elimination may merge it (pipeline facts, D4).
    OpDef& hasHostKernel()
    {
        m_hasHostKernel = true;
        return *this;
    }
    OpDef& infer(InferFunction function)
    {
        m_infer = std::move(function);
        return *this;
    }
    OpDef& cost(CostFunction function)
    {
        m_cost = std::move(function);
        return *this;
    }
    OpDef& kernel(KernelFunction function)
    {
        m_kernel = std::move(function);
        return *this;
    }

    const std::string& type() const { return m_type; }
    const std::string& docText() const { return m_doc; }
    /// How it rounds and accumulates, as a sentence; empty where nothing is computed by itself (control, inputs) or where
    /// docText says it.
    std::string_view arithmeticText() const;
    Arithmetic arithmeticOf() const; ///< with ByClass resolved where the class tells
    const std::string& sourceText() const { return m_source; }
    const std::vector<Port>& inputs() const { return m_inputs; }
    const std::vector<Port>& outputs() const { return m_outputs; }
    const std::vector<AttrSpec>& attrs() const { return m_attrs; }
    Unit unitOf() const { return m_unit; }
    FusionClass fusionClassOf() const { return m_fusionClass; }
    FormatSupport formatSupport() const { return m_formats; }
    const std::vector<std::pair<int, int>>& inPlacePairs() const { return m_inPlace; }
    bool view() const { return m_isView; }
    bool storageKernel() const { return m_seesStorage; }
    bool stateful() const { return m_isStateful; }
    bool hostKernel() const { return m_hasHostKernel; }
    const InferFunction& inferFunction() const { return m_infer; }
    const CostFunction& costFunction() const { return m_cost; }
    const KernelFunction& kernelFunction() const { return m_kernel; }

    /// Argument name of data input slot i of a node with `count` slots: dynamic ports number theirs ("x0", "x1").
    std::string inputName(int i, int count) const;
    std::string outputName(int i, int count) const;

private:
    std::string m_type, m_doc, m_source;
    std::vector<Port> m_inputs, m_outputs;
    std::vector<AttrSpec> m_attrs;
    Unit m_unit = Unit::Vector;
    FusionClass m_fusionClass = FusionClass::Opaque;
    FormatSupport m_formats = FormatSupport::NdOnly;
    Arithmetic m_arithmetic = Arithmetic::ByClass;
    std::vector<std::pair<int, int>> m_inPlace;
    bool m_isView = false, m_seesStorage = false, m_isStateful = false, m_hasHostKernel = false;
    InferFunction m_infer;
    CostFunction m_cost;
    KernelFunction m_kernel;
};

} // namespace gelens
