#pragma once
// A tensor under the dims that its reader states.

#include "engine/graph/tensor.h"
#include "engine/ops/tensor_view.h"

namespace gelens {

/// A kernel reads the bytes under its own descriptor's dims: that is what stands in for a Reshape that optimisation
/// stage 1 has taken out, or autofusion has taken in. Storage layouts and other numbers of elements stay as they come.
inline void readAs(TensorView& view, const TensorDesc& desc)
{
    const Shape& read = desc.originShape;
    if (view.data == nullptr || isPrivateFormat(view.format.primary) || isPrivateFormat(desc.format.primary) ||
        !read.isStatic() || !view.shape.isStatic() || read == view.shape)
        return;
    if (read.elementCount() == view.shape.elementCount()) view.shape = view.originShape = read;
}

} // namespace gelens
