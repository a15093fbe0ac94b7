#pragma once
// What an OM file is made of: where its bytes go, its partitions with what became of them, its models and kernels.

#include "engine/spec/om_details.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>
#include <QString>

#include <memory>

namespace gelens {

struct OmFileItem {
    QString name, says;
    std::int64_t bytes = -1; ///< -1: a row without a size
    double share = -1;       ///< of the file; -1 where the row is no part of it
    bool isHeading = false;
    bool isMuted = false;
};

class OmFileModel : public TreeModel<OmFileItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::OmFileModel)
public:
    enum Column { Part, Bytes, Share, Says, ColumnCount };
    using TreeModel::TreeModel;
    /// Null empties the list.
    void setFile(std::shared_ptr<const OmDetails> om);
    const std::shared_ptr<const OmDetails>& file() const { return m_om; }
    void retranslate() { setFile(m_om); }

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    void addSizes(Tree& tree, std::int64_t fileBytes) const;
    void addPartitions(Tree& tree, std::int64_t fileBytes) const;
    void addModels(Tree& tree) const;
    void addKernels(Tree& tree, std::int64_t fileBytes) const;

    std::shared_ptr<const OmDetails> m_om;
};

} // namespace gelens
