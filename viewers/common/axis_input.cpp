#include "viewers/common/axis_input.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace gelens {

double wheelNotches(const QWheelEvent& event)
{
    const QPoint turned = event.angleDelta();
    return (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
}

void turnAxis(TimeAxis& axis, const QWheelEvent& event, double pixel)
{
    const double notches = wheelNotches(event);
    if (event.modifiers().testFlag(Qt::ShiftModifier))
        axis.pan(-0.1 * notches);
    else
        axis.zoom(std::pow(1.25, notches), pixel);
}

bool pressAxis(TimeAxis& axis, int key)
{
    constexpr double step = 1.5, move = 0.2;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: axis.zoom(step, axis.length() / 2); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: axis.zoom(1 / step, axis.length() / 2); return true;
    case Qt::Key_A: axis.pan(-move); return true;
    case Qt::Key_D: axis.pan(move); return true;
    case Qt::Key_Home: axis.fit(); return true;
    default: return false;
    }
}

void showPlainToolTip(const QHelpEvent& help, QWidget* owner, const QString& text)
{
    if (text.isEmpty()) return QToolTip::hideText();
    QString escaped = text.toHtmlEscaped();
    QToolTip::showText(help.globalPos(),
                       QStringLiteral("<qt>%1</qt>").arg(escaped.replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
                       owner);
}

} // namespace gelens
