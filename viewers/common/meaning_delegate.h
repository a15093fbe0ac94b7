#pragma once
// Turns the roles of `viewers/models/roles.h` into colours, signs, bars and fonts.

#include <QStyledItemDelegate>

class QTreeView;

namespace gelens {

class MeaningDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit MeaningDelegate(QTreeView* view);
    /// Long texts take several lines, up to `lines`. Off (1) keeps rows equally high.
    void setLines(int lines) { m_lines = lines; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Shows the whole text of a cell that is cut off and has no tool tip of its own.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void paintBars(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    int textWidth(const QModelIndex& index) const;
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const;

    QTreeView* m_view;
    int m_lines = 1;
};

} // namespace gelens
