#include "engine/formats/onnx/parser_formats.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gelens::onnx_import {
namespace {

/// Slots of one operator that carry an image (or a filter) in channels-first order. Output 0 always does.
struct ImageSlots {
    std::string_view type;
    int firstInput;
    int inputs;
};

constexpr std::array<ImageSlots, 5> imageSlots{{
    {"Conv2D", 0, 2},
    {"Conv2DTranspose", 1, 2}, // behind the output size
    {"MaxPoolV3", 0, 1},
    {"AvgPoolV2", 0, 1},
    {"BatchMatMulV2", 0, 0}, // its result alone, whatever its rank
}};

TensorDesc withOrder(TensorDesc desc, Format order)
{
    desc.format = desc.originFormat = order;
    return desc;
}

} // namespace

void stateParserFormats(GraphEditor& edit, NodeId id)
{
    const std::string& type = edit.node(id).type;
    const auto slots =
        std::find_if(imageSlots.begin(), imageSlots.end(), [&](const ImageSlots& s) { return s.type == type; });
    if (slots == imageSlots.end() || edit.node(id).isOpaque) return;
    // GE's parser knows NCHW alone; a channels-last operator of another domain has its filter as ONNX has it all the same.
    const Format images = attrString(edit.node(id).attrs, "data_format") == "NHWC" ? Format::NHWC : Format::NCHW;
    for (int i = slots->firstInput; i < slots->firstInput + slots->inputs && i < edit.node(id).inputCount(); ++i)
        if (edit.node(id).hasInput(i))
            edit.setInputDesc({id, i}, withOrder(edit.node(id).inputs[static_cast<std::size_t>(i)].desc,
                                                 i == slots->firstInput ? images : Format::NCHW));
    if (edit.node(id).outputCount() > 0) edit.setOutputDesc({id, 0}, withOrder(edit.node(id).outputs[0].desc, images));
}

} // namespace gelens::onnx_import
