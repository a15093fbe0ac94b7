#include "engine/schedule/kernel_cache.h"

#include "engine/schedule/super_kernels.h"

#include <fmt/format.h>

namespace gelens {

namespace {

/// What says how a kernel is launched, not what it computes.
bool isOfTheLaunch(const std::string& name)
{
    return name.empty() || name.front() == '_' || name == superKernelAttr || name == "supportSuperKernel";
}

void appendDesc(std::string& key, const TensorDesc& desc)
{
    key += dataTypeShortName(desc.dtype);
    key += ' ';
    key += desc.shape.text();
    key += ' ';
    key += desc.format.text();
    // The logical shape matters where storage is blocked: 17 and 31 columns fill the same two blocks.
    if (isPrivateFormat(desc.format.primary)) key += '=' + desc.originShape.text();
    key += ',';
}

} // namespace

std::string kernelKey(const Node& node, const Graph& graph)
{
    std::string key = node.type + '|';
    for (const InputSlot& slot : node.inputs) {
        if (slot.source.isValid())
            appendDesc(key, graph.outputDesc(slot.source));
        else
            key += "-,";
    }
    key += "->";
    for (const OutputSlot& slot : node.outputs) appendDesc(key, slot.desc);
    key += '|';
    for (const auto& [name, value] : node.attrs) {
        if (isOfTheLaunch(name)) continue;
        key += name + '=' + value.text(std::size_t{1} << 16) + ',';
    }
    return key;
}

std::string kernelName(const std::string& opType, const std::string& key)
{
    std::uint64_t hash = 14695981039346656037ull; // FNV-1a
    for (const char letter : key) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
    return fmt::format("{}_{:016x}", opType, hash);
}

KernelCache::Entry KernelCache::acquire(const std::string& key)
{
    const std::lock_guard lock(m_mutex);
    const auto [found, isNew] = m_handles.emplace(key, static_cast<int>(m_handles.size()));
    return {found->second, !isNew};
}

int KernelCache::size() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_handles.size());
}

} // namespace gelens
