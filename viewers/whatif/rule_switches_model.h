#pragma once
// Every fusion rule with a box of three states: on, off, or as it stands by default.

#include "engine/session/catalog.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <map>
#include <string>

namespace gelens {

struct RuleSwitchRow {
    std::string rule, summary, gePass;
    Qt::CheckState state = Qt::PartiallyChecked;
};

class RuleSwitchesModel : public TableModel<RuleSwitchRow> {
    Q_OBJECT
public:
    enum Column { Rule, Summary, ColumnCount };
    using TableModel::TableModel;

    /// The rules of the built-in folder and of others.
    void load(const std::vector<std::string>& folders);
    void setSwitches(const std::map<std::string, bool>& switches);
    std::map<std::string, bool> switches() const;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void switched();

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const RuleSwitchRow& row, int column, int role) const override;
};

} // namespace gelens
