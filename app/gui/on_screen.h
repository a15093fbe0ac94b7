#pragma once
// Whether a person sees a widget.

#include <QWidget>

namespace gelens {

/// Some of it can be seen: a panel behind another one is visible for Qt, and stands outside of the window.
inline bool isOnScreen(const QWidget& widget)
{
    if (!widget.isVisible()) return false;
    QRect seen = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow() && at->parentWidget() != nullptr; at = at->parentWidget())
        seen = seen.translated(at->pos()) & at->parentWidget()->rect();
    return !seen.isEmpty();
}

} // namespace gelens
