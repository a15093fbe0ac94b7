#include "engine/formats/onnx/import_op.h"

#include "engine/formats/onnx/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace gelens::onnx_import {
namespace {

std::string key(std::string_view domain, std::string_view opType)
{
    std::string text(domain == "ai.onnx" ? std::string_view() : domain);
    text += ':';
    text += opType;
    return text;
}

} // namespace

Error ImportContext::error(const std::string& text) const
{
    return Error::invalid(fmt::format("node '{}' ({}): {}", cleanText(onnx().name), cleanText(onnx().opType), text));
}

const ImportTable& ImportTable::instance()
{
    static const ImportTable table = [] {
        ImportTable made;
        importArithmetic(made);
        importMovement(made);
        importCube(made);
        importSequence(made);
        importQuantRecurrent(made);
        importContrib(made);
        return made;
    }();
    return table;
}

const ImportFunction* ImportTable::find(std::string_view domain, std::string_view opType) const
{
    const auto entry = m_functions.find(key(domain, opType));
    return entry == m_functions.end() ? nullptr : &entry->second;
}

void ImportTable::add(std::string_view opType, ImportFunction function, std::string_view domain)
{
    const bool isNew = m_functions.emplace(key(domain, opType), std::move(function)).second;
    GELENS_ASSERT(isNew);
}

std::vector<std::string> ImportTable::names() const
{
    std::vector<std::string> result;
    result.reserve(m_functions.size());
    for (const auto& [name, function] : m_functions) result.push_back(name);
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace gelens::onnx_import
