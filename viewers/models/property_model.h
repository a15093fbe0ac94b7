#pragma once
// Named values in sections: what the inspector lists.

#include "viewers/models/tree_model.h"

#include <QCoreApplication>
#include <QString>

#include <optional>

namespace gelens {

/// One line. With neither value nor links it is a heading for the lines below it.
struct PropertyItem {
    QString name, value;
    QString toolTip;
    int node = -1;               ///< activating leads to this node
    int step = -1;               ///< … or to this step
    int task = -1;               ///< … to this task
    int buffer = -1;             ///< … to this block of memory
    int refusal = -1;            ///< … to the explanation of this one of the verdicts
    std::optional<bool> verdict; ///< a check that held or did not
    bool isHeading = false;
    bool isMuted = false;
    QString key; ///< stable name of a heading, so that its fold state survives another language
};

class PropertyModel : public TreeModel<PropertyItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::PropertyModel)
public:
    enum Column { Name, Value, ColumnCount };
    enum PlaceRole { TaskRole = FirstFreeRole, BufferRole, RefusalRole };
    using TreeModel::TreeModel;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;
};

} // namespace gelens
