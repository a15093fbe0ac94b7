#pragma once
// Every role of every model. Models say what a value means; delegates turn meaning into colours, signs and fonts.

#include <Qt>

namespace gelens {

enum Role {
    SortRole = Qt::UserRole + 1, ///< raw value to sort and export: a number or a text; the display text when absent
    FilterRole,                  ///< text that a filter line searches beside what is displayed
    NodeRole,                    ///< int: NodeId value of the node that the row speaks of; absent when there is none
    StepRole,                    ///< int: StepId value; absent when there is none
    SeverityRole,                ///< int: Severity
    UnitRole,                    ///< int: Unit
    StageRole,                   ///< int: Stage
    MutedRole,                   ///< true: nothing happened here, or it is off
    CurrentRole,                 ///< true: this is what is shown now
    HeadingRole,                 ///< true: the row titles a group and has no values of its own
    LinkRole,                    ///< true: activating the cell leads somewhere
    VerdictRole,                 ///< bool: a check held or not
    BarsRole,                    ///< QPointF: two bars, before (x) and after (y), as fractions of the longest
    FirstFreeRole                ///< models with roles of their own start here
};

/// Role of horizontal headers: the unit of the raw values of a column, for exports ("ms", "B").
inline constexpr int UnitTextRole = Qt::UserRole + 100;

} // namespace gelens
