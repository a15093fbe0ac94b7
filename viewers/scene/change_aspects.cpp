#include "viewers/scene/change_aspects.h"

#include <string_view>

namespace gelens {
namespace {

ChangeAspect aspectOf(std::string_view field)
{
    if (field.starts_with("attr ")) return ChangeAspect::Attribute;
    if (field.ends_with(".dtype")) return ChangeAspect::DataType;
    if (field.ends_with(".format") || field.ends_with(".origin_format")) return ChangeAspect::Format;
    if (field.ends_with(".shape") || field.ends_with(".origin_shape")) return ChangeAspect::Shape;
    if (field == "type") return ChangeAspect::Type;
    if (field == "name") return ChangeAspect::Name;
    if (field.starts_with("input[") || field == "control") return ChangeAspect::Wiring;
    return ChangeAspect::Placement;
}

} // namespace

std::uint8_t changeAspects(const std::vector<FieldChange>& fields)
{
    unsigned bits = 0;
    for (const FieldChange& field : fields) bits |= 1u << static_cast<unsigned>(aspectOf(field.field));
    return static_cast<std::uint8_t>(bits);
}

} // namespace gelens
