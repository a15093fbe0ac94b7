#pragma once
// Puts a report into the lines of the inspector.

#include "viewers/inspector/node_report.h"
#include "viewers/models/property_model.h"

namespace gelens {

/// One selected node: sections general, tensors, attributes, history, came from, became, verdicts, memory and task.
/// Several: what they share and where they differ. None: the model. Texts are in the language of the moment.
PropertyModel::Tree inspectorRows(const SelectionReport& report);

} // namespace gelens
