#include "viewers/whatif/rule_switches_model.h"

#include "viewers/models/summaries.h"
#include "viewers/models/words.h"

namespace gelens {

void RuleSwitchesModel::load(const std::vector<std::string>& folders)
{
    std::vector<Message> messages;
    Rows rows;
    for (const CatalogEntry& entry : listRules(folders, messages)) {
        RuleSwitchRow row{entry.id, entry.summary, {}, Qt::PartiallyChecked};
        for (const auto& [name, text] : entry.details)
            if (name == "ge_pass") row.gePass = text;
        rows.push_back(std::move(row));
    }
    setRows(std::move(rows));
}

void RuleSwitchesModel::setSwitches(const std::map<std::string, bool>& switches)
{
    Rows changed = rows();
    for (RuleSwitchRow& row : changed) {
        const auto found = switches.find(row.rule);
        row.state = found == switches.end() ? Qt::PartiallyChecked : found->second ? Qt::Checked : Qt::Unchecked;
    }
    setRows(std::move(changed));
}

std::map<std::string, bool> RuleSwitchesModel::switches() const
{
    std::map<std::string, bool> switches;
    for (const RuleSwitchRow& row : rows())
        if (row.state != Qt::PartiallyChecked) switches[row.rule] = row.state == Qt::Checked;
    return switches;
}

Qt::ItemFlags RuleSwitchesModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = TableModel::flags(index);
    if (index.isValid() && index.column() == Rule) flags |= Qt::ItemIsUserCheckable | Qt::ItemIsUserTristate;
    return flags;
}

bool RuleSwitchesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid()) return false;
    RuleSwitchRow changed = row(index.row());
    changed.state = static_cast<Qt::CheckState>(value.toInt());
    setRow(index.row(), std::move(changed));
    Q_EMIT switched();
    return true;
}

QString RuleSwitchesModel::title(int column) const { return column == Rule ? tr("Rule") : tr("What it does"); }

QVariant RuleSwitchesModel::cell(const RuleSwitchRow& row, int column, int role) const
{
    if (role == Qt::CheckStateRole && column == Rule) return row.state;
    if (role == Qt::DisplayRole) return column == Rule ? words::text(row.rule) : words::summary(row.summary);
    if (role == FilterRole) return words::text(row.gePass);
    if (role == Qt::ToolTipRole && column == Rule) {
        const QString state = row.state == Qt::Checked     ? tr("switched on")
                              : row.state == Qt::Unchecked ? tr("switched off")
                                                           : tr("as it stands by default");
        return tr("%1: %2").arg(words::text(row.rule), state);
    }
    if (role == MutedRole) return row.state == Qt::Unchecked;
    return {};
}

} // namespace gelens
