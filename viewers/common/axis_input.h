#pragma once
// What wheel and keys do to an axis, the same in every painted timeline.

#include "viewers/common/time_axis.h"

#include <QString>

class QHelpEvent;
class QWheelEvent;
class QWidget;

namespace gelens {

/// Turns of the wheel; some systems make a horizontal one of it while Alt or Shift is held.
double wheelNotches(const QWheelEvent& event);
/// The wheel zooms around `pixel` (of the axis), with Shift it moves.
void turnAxis(TimeAxis& axis, const QWheelEvent& event, double pixel);
/// W, S, + and - zoom, A and D move, Home shows all. False for any other key.
bool pressAxis(TimeAxis& axis, int key);
/// A tool tip of plain text: names with angle brackets are not taken for rich text. Empty text hides it.
void showPlainToolTip(const QHelpEvent& help, QWidget* owner, const QString& text);

} // namespace gelens
