#pragma once
// The two lists of the diff view: nodes that changed, and their fields before and after.

#include "viewers/diff/diff_content.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct ChangeItem {
    int change = -1; ///< index in the diff; -1 for the title of a group
    int group = -1;
};

/// Groups (several nodes became one) with their nodes below, then the other nodes.
class ChangesModel : public TreeModel<ChangeItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::ChangesModel)
public:
    enum Column { Kind, Type, Name, Fields, ColumnCount };
    using TreeModel::TreeModel;
    void setContent(std::shared_ptr<const DiffContent> content);
    QModelIndex indexOfChange(int change) const;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    QVariant groupCell(const ChangeItem& row, int column, int role) const;

    std::shared_ptr<const DiffContent> m_content;
    std::vector<int> m_rowOfChange;
};

struct FieldItem {
    int change = -1;
    FieldChange field;      ///< of a field's row
    bool isHeading = false; ///< the node's own row
    int folded = 0;         ///< "… n fields unchanged"; -1 once unfolded
    bool isEqual = false;   ///< an unfolded field
};

enum FieldRole { ChangeKindRole = FirstFreeRole, OtherTextRole };

/// Node after node its fields, before beside after; equal ones are folded to a count.
class FieldsModel : public TreeModel<FieldItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::FieldsModel)
public:
    enum Column { Field, Before, After, ColumnCount };
    using TreeModel::TreeModel;
    void setContent(std::shared_ptr<const DiffContent> content);
    QModelIndex indexOfChange(int change) const;
    /// Adds the equal fields below a "… n fields unchanged" row. False when the row is none.
    bool unfold(const QModelIndex& index);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    std::shared_ptr<const DiffContent> m_content;
    std::vector<int> m_rowOfChange;
    std::vector<std::uint8_t> m_isUnfolded; ///< by change
};

QString kindWord(ChangeKind kind); ///< "added"

} // namespace gelens
