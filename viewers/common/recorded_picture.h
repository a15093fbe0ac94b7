#pragma once
// What a widget paints, kept so that it can be written to a file on another thread.

#include "engine/graph/result.h"

#include <QColor>
#include <QPicture>
#include <QSize>

#include <string>

class QTreeView;
class QWidget;

namespace gelens {

struct RecordedPicture {
    QPicture picture;
    QSize size;    ///< device-independent pixels
    QColor ground; ///< behind what is painted
};

/// All that the widget shows, children included, also what a scroll area around it hides. GUI thread only.
RecordedPicture recordWidget(QWidget& widget);
/// The header and every unfolded row, those out of sight too; of very long lists the first ones, and a line that says how
/// many more there are. GUI thread only.
RecordedPicture recordList(QTreeView& list);

/// The file's ending chooses: .svg and .pdf with real text, or .png with two pixels for each of the widget's (fewer where a
/// side would be longer than most programs open). Any thread.
Status writeRecorded(const RecordedPicture& recorded, const std::string& path);

} // namespace gelens
