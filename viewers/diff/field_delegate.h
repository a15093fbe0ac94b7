#pragma once
// Paints a field before and after: tinted, with its sign, and with the part that differs set off.

#include "viewers/common/meaning_delegate.h"

namespace gelens {

class FieldDelegate : public MeaningDelegate {
    Q_OBJECT
public:
    using MeaningDelegate::MeaningDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where two texts differ: the range of `text` that is left without the common beginning and end.
    static std::pair<int, int> differingRange(const QString& text, const QString& other);
    struct Shown {
        QString text;
        int start = 0, length = 0; ///< of the part that differs, within it
    };
    /// What a cell shows of a text that may be too wide for it: the part that differs is in sight, and where something is
    /// left out an ellipsis stands.
    static Shown shownPart(const QString& text, int start, int length, int width, const QFont& font);
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// The first column of the list of changes in the colour of its sign.
class ChangeDelegate : public MeaningDelegate {
    Q_OBJECT
public:
    using MeaningDelegate::MeaningDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace gelens
