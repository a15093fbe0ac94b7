#pragma once
// Text of files and of the engine in a label: never rich text, always copyable.

#include <QLabel>

namespace gelens {

inline QLabel* plainLabel()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    return label;
}

} // namespace gelens
