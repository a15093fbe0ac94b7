#pragma once
// Lines of the engine's log.

#include "engine/graph/log.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>
#include <QString>
#include <QTime>

namespace gelens {

struct LogRow {
    QTime time;
    LogLevel level = LogLevel::Info;
    QString area, text;
};

class LogModel : public TableModel<LogRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::LogModel)
public:
    enum Column { Time, Level, Area, Text, ColumnCount };
    static constexpr int limit = 10000; ///< lines kept; the oldest go first
    using TableModel::TableModel;
    void addLine(LogRow row);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const LogRow& row, int column, int role) const override;
    static QString areaText(const QString& area);
};

} // namespace gelens
