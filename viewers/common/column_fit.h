#pragma once
// Widths of a list's columns: what they hold decides, and where the list is narrow the long texts give way, not the figures.

#include <QObject>
#include <QTimer>

#include <vector>

class QTreeView;

namespace gelens {

class View;

/// Each column gets what its title and its rows in sight need. When that is more than the list has, the elastic columns
/// shrink down to their least width, the widest first; when it is less, long texts and then one column take the rest. A
/// column that the user drags ends it: from then on, and in the next session, the widths are the user's, until reset().
class ColumnFit : public QObject {
    Q_OBJECT
public:
    struct Elastic {
        int column;
        int least; ///< pixels; its text is cut below what it needs, never below this or its title
    };

    /// Owned by the view. `grown` takes what is left over; `mostOfText` bounds what an elastic column asks for.
    ColumnFit(QTreeView* view, std::vector<Elastic> elastic, int grown, int mostOfText = 420);

    bool isUsers() const { return m_isUsers; } ///< widths are what the user made them
    void reset();                              ///< widths by content again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watchModel();
    bool isSeen();
    void fit();
    QString key() const; ///< of the widths in the settings; empty where the list has no name
    void restore();
    void save() const;

    QTreeView* m_view;
    std::vector<Elastic> m_elastic;
    int m_grown;
    int m_mostOfText;
    bool m_isUsers = false; ///< the user has chosen widths
    bool m_isFitting = false;
    bool m_isRestored = false; ///< the settings have been asked
    bool m_isOwed = false;     ///< to be fitted as soon as the list is seen
    const View* m_owner = nullptr;
    QTimer m_soon, m_saveSoon;
};

} // namespace gelens
