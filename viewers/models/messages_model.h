#pragma once
// Everything that a reader, a checker or a verifier found.

#include "engine/session/run.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct MessageRow {
    Message message;
    int step = -1; ///< where it was found; -1 when no step is meant
};

/// The findings of a run: its messages, the error it stopped with, and each output that a verification found different.
std::vector<MessageRow> messagesOf(const Run& run);

class MessagesModel : public TableModel<MessageRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::MessagesModel)
public:
    enum Column { SeverityColumn, Text, Where, Id, ColumnCount };
    using TableModel::TableModel;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const MessageRow& row, int column, int role) const override;
};

} // namespace gelens
