#include "engine/ops/op_def.h"

#include <algorithm>

namespace gelens {
namespace {

/// With one dynamic port, the slots before it belong to the ports before, those at the end to the ports after it, and
/// the dynamic port has what is left. Several dynamic ports cannot be told apart by count: the first takes all.
std::string portName(const std::vector<Port>& ports, int i, int count)
{
    const auto dynamic =
        std::find_if(ports.begin(), ports.end(), [](const Port& port) { return port.kind == PortKind::Dynamic; });
    const auto before = static_cast<int>(dynamic - ports.begin());
    if (i < before) return ports[static_cast<std::size_t>(i)].name;
    if (dynamic == ports.end()) return "__arg" + std::to_string(i); // more slots than the definition knows
    const auto after = static_cast<int>(ports.end() - dynamic) - 1;
    const int repeated = std::max(0, count - before - after);
    if (i < before + repeated) return dynamic->name + std::to_string(i - before);
    return ports[static_cast<std::size_t>(std::min<int>(i - repeated + 1, static_cast<int>(ports.size()) - 1))].name;
}

} // namespace

std::string OpDef::inputName(int i, int count) const { return portName(m_inputs, i, count); }

std::string OpDef::outputName(int i, int count) const { return portName(m_outputs, i, count); }

Arithmetic OpDef::arithmeticOf() const
{
    if (m_arithmetic != Arithmetic::ByClass) return m_arithmetic;
    switch (m_fusionClass) {
    case FusionClass::ElementWise:
    case FusionClass::Broadcast: return Arithmetic::Elements;
    case FusionClass::View:
    case FusionClass::Transpose:
    case FusionClass::Concat:
    case FusionClass::Split:
    case FusionClass::Slice:
    case FusionClass::Gather: return Arithmetic::None;
    case FusionClass::Opaque: // control flow, memory and runtime tasks
        return m_unit == Unit::Vector || m_unit == Unit::AiCpu ? Arithmetic::ByClass : Arithmetic::None;
    default: return Arithmetic::ByClass;
    }
}

std::string_view OpDef::arithmeticText() const
{
    switch (arithmeticOf()) {
    case Arithmetic::ByClass:
    case Arithmetic::None: return {};
    case Arithmetic::Elements:
        return "Element by element: fp16 and bf16 in fp32 with one rounding on storage, other types in themselves.";
    case Arithmetic::Fp32: return "Computed in fp32, one rounding on storage.";
    case Arithmetic::SumsInFp64:
        return "Sums and products of many terms are kept in fp64 (hardware adds fp32 in trees), one rounding on storage; "
               "integers wrap.";
    case Arithmetic::SumsInFp32: return "Sums are kept in fp32 (fp64 for fp64), one rounding on storage.";
    case Arithmetic::RoundedSums: return "Each update rounds into the storage type, as updates in memory do.";
    case Arithmetic::Fp64: return "Computed in fp64, one rounding on storage.";
    }
    return {};
}

} // namespace gelens
