#pragma once
// Runs of the samples, compiled once for a test program.

#include "engine/session/session.h"

#include <QAbstractItemModel>
#include <QDebug>
#include <QLocale>
#include <QString>

#include <map>
#include <memory>
#include <string>

namespace gelens::testing {

/// Null when the sample cannot be opened or run; the error is printed.
inline std::shared_ptr<const Run> sampleRun(const std::string& name, const std::string& soc = "Ascend910B1")
{
    static std::map<std::string, std::shared_ptr<const Run>> runs;
    std::shared_ptr<const Run>& known = runs[name + "@" + soc];
    if (known) return known;
    CompileOptions options;
    options.soc = soc;
    auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx", options);
    if (!session) {
        qWarning("%s", session.error().message().c_str());
        return nullptr;
    }
    auto run = (*session)->run(options);
    if (!run) {
        qWarning("%s", run.error().message().c_str());
        return nullptr;
    }
    return known = *run;
}

/// Numbers are written as in English, whatever the machine speaks.
inline void useEnglish() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

/// First index below `parent`, depth first, whose row shows this text in a column.
inline QModelIndex findRow(const QAbstractItemModel& model, int column, const QString& text,
                           const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (index.siblingAtColumn(column).data().toString() == text) return index;
        if (const QModelIndex below = findRow(model, column, text, index); below.isValid()) return below;
    }
    return {};
}

} // namespace gelens::testing
