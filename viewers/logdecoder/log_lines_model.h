#pragma once
// The lines of a decoded log; below a line what its codes mean, whom it names, and our own explanation.

#include "engine/session/log_decoder.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct LogLineItem {
    enum class Kind { Line, Code, Mention, Verdict } kind = Kind::Line;
    int line = -1;
    int part = -1; ///< index of the code, mention or verdict
};

class LogLinesModel : public TreeModel<LogLineItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::LogLinesModel)
public:
    enum Column { Text, Level, Module, Place, Number, ColumnCount };
    using TreeModel::TreeModel;
    /// The rows of a log; made on any thread.
    static Tree treeOf(const DecodedLog& log);
    /// The run keeps alive what the verdicts point to.
    void setLog(std::shared_ptr<const DecodedLog> log, std::shared_ptr<const Run> run, Tree tree);
    const FusionVerdict* verdictOf(const QModelIndex& index) const;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    QVariant lineCell(const LogLine& line, int column, int role) const;

    std::shared_ptr<const DecodedLog> m_log;
    std::shared_ptr<const Run> m_run;
};

} // namespace gelens
