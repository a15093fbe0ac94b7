#include "engine/ops/op_def.h"

#include <algorithm>

namespace gelens
{
namespace
{

/// With one dynamic port, the slots before it belong to the ports before, those at the end to the ports after it, and
/// the dynamic port has what is left. Several dynamic ports cannot be told apart by count: the first takes all.
std::string portName(const std::vector<Port>& ports, int i, int count)
{
    const auto dynamic =
        std::find_if(ports.begin(), ports.end(), [](const Port& port) { return port.kind == PortKind::Dynamic; });
    const auto before = static_cast<int>(dynamic - ports.begin());
    if (i < before)
        return ports[static_cast<std::size_t>(i)].name;
    if (dynamic == ports.end())
        return "__arg" + std::to_string(i); // more slots than the definition knows
    const auto after = static_cast<int>(ports.end() - dynamic) - 1;
    const int repeated = std::max(0, count - before - after);
    if (i < before + repeated)
        return dynamic->name + std::to_string(i - before);
    return ports[static_cast<std::size_t>(std::min<int>(i - repeated + 1, static_cast<int>(ports.size()) - 1))].name;
}

} // namespace

std::string OpDef::inputName(int i, int count) const { return portName(m_inputs, i, count); }

std::string OpDef::outputName(int i, int count) const { return portName(m_outputs, i, count); }

} // namespace gelens
