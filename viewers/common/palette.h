#pragma once
// Colours by meaning, for light and dark, safe for colour-blind eyes (Okabe–Ito hues). Colour never carries meaning
// alone: a letter, a sign or a line style repeats it.

#include "engine/spec/fusion_verdict.h"
#include "engine/spec/graph_diff.h"
#include "engine/spec/step.h"
#include "engine/spec/timeline.h"
#include "engine/spec/unit.h"

#include <QColor>
#include <QPalette>

namespace gelens {

enum class Theme { Light, Dark };

class Palette {
public:
    static Palette of(Theme theme) { return Palette(theme); }
    /// The theme whose lightness the widget palette has.
    static Palette of(const QPalette& palette)
    {
        return Palette(palette.color(QPalette::Window).lightness() < 128 ? Theme::Dark : Theme::Light);
    }

    Theme theme() const { return m_theme; }
    bool isDark() const { return m_theme == Theme::Dark; }

    QColor canvas() const; ///< background of painted views
    QColor text() const;
    QColor mutedText() const;
    QColor line() const; ///< edges, grid lines
    QColor faintLine() const;
    QColor nodeFill() const;
    QColor accent() const; ///< selection
    QColor warning() const;
    QColor error() const;
    QColor good() const;

    QColor unit(Unit unit) const;         ///< header stripe of a node, bars of a timeline
    QColor change(ChangeKind kind) const; ///< added, removed, changed
    QColor stage(Stage stage) const;
    QColor reason(ReasonClass reasonClass) const;
    QColor bound(Bound bound) const;
    /// A stable colour for any text (operator class, dtype), from a set of distinguishable hues.
    QColor category(std::string_view text) const;

    /// The widget palette of this theme.
    QPalette widgetPalette() const;

private:
    explicit Palette(Theme theme) : m_theme(theme) {}
    QColor pick(const char* light, const char* dark) const { return QColor(QLatin1String(isDark() ? dark : light)); }
    Theme m_theme;
};

/// The sign that repeats a change's colour: "+", "−", "~".
QChar changeSign(ChangeKind kind);

} // namespace gelens
