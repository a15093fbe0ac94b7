#pragma once
// Any model, or a choice of its rows, as text.

#include <QAbstractItemModel>
#include <QByteArray>
#include <QDeadlineTimer>
#include <QString>
#include <QStringList>

#include <vector>

namespace gelens {

/// What a cell says in a file where that differs from the window, for instance with the unit that raw numbers lack.
inline constexpr int ExportTextRole = Qt::UserRole + 101;

/// Whether a row stands above another in an unfolded list; both of one model.
bool isListedBefore(QModelIndex a, QModelIndex b);
/// Display texts with tabs between them, one line for each index (its row); children are indented by two spaces.
QString rowsAsText(const QModelIndexList& rows);

enum class ListForm {
    /// RFC 4180: every row in the model's order, trees in depth-first order with a leading "level" column. Numbers are
    /// raw, with a point, and their unit stands in the header.
    Csv,
    /// A list with one object for each row, named by column titles; numbers are numbers, the children of a tree's row are
    /// its "rows".
    Json
};

/// A model as UTF-8, put together piece by piece: a model is read on its own thread, and a window must not wait for
/// a hundred thousand rows. Rows may be added behind the last one meanwhile; any other change asks for a new one.
class ListText {
public:
    ListText(const QAbstractItemModel& model, ListForm form);
    /// Goes on, at least by one row, until the time is over. True when the text is whole.
    bool advance(const QDeadlineTimer& until);
    int rowsDone() const { return m_levels.front().next; } ///< of the first level
    const QByteArray& text() const { return m_text; }

private:
    struct Level {
        QModelIndex parent;
        int next = 0;
    };
    void begin(bool hasLevels);
    bool step();
    void finish();
    void writeCsv(const QModelIndex& row);
    void writeJson(const QModelIndex& row, bool hasChildren);

    const QAbstractItemModel& m_model;
    ListForm m_form;
    QStringList m_titles;
    QByteArray m_text;
    std::vector<Level> m_levels; ///< never empty: the first level stays
    bool m_hasLevels = false;    ///< CSV: a row has children
    bool m_isWhole = false;
};

QString modelAsCsv(const QAbstractItemModel& model);
QByteArray modelAsJson(const QAbstractItemModel& model);

} // namespace gelens
