#include "viewers/models/log_model.h"

#include "engine/spec/step.h"
#include "viewers/models/sentence.h"

namespace gelens {
namespace {

Severity severityOf(LogLevel level)
{
    if (level == LogLevel::Error) return Severity::Error;
    return level == LogLevel::Warning ? Severity::Warning : Severity::Info;
}

} // namespace

QString LogModel::areaText(const QString& area)
{
    if (area == QLatin1String("parse")) return tr("parsing");
    if (area == QLatin1String("compile")) return tr("compilation");
    if (area == QLatin1String("open")) return tr("opening");
    if (area == QLatin1String("what-if")) return tr("what-if");
    return area;
}

void LogModel::addLine(LogRow row)
{
    if (rowCount() >= limit) removeFirst(limit / 10);
    append({std::move(row)});
}

QString LogModel::title(int column) const
{
    switch (column) {
    case Time: return tr("Time");
    case Level: return tr("Level");
    case Area: return tr("Part");
    case Text: return tr("Message");
    default: return {};
    }
}

QVariant LogModel::cell(const LogRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole) {
        if (column == Time) return row.time.toString(QStringLiteral("HH:mm:ss.zzz"));
        if (column == Area) return areaText(row.area);
        if (column == Text) return words::sentence(row.text.toStdString());
        switch (row.level) {
        case LogLevel::Debug: return tr("debug");
        case LogLevel::Info: return tr("info");
        case LogLevel::Warning: return tr("warning");
        case LogLevel::Error: return tr("error");
        }
    }
    if (role == SortRole && column == Level) return static_cast<int>(row.level);
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == SeverityRole && column == Level) return static_cast<int>(severityOf(row.level));
    if (role == MutedRole) return row.level == LogLevel::Debug;
    return {};
}

} // namespace gelens
