#include "viewers/common/recorded_picture.h"

#include "viewers/common/formatter.h"
#include "viewers/picture/chart_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHeaderView>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTreeView>

#include <algorithm>

namespace gelens {
namespace {

constexpr int mostRows = 2000;       ///< of a list in a picture; the rest is for CSV and JSON
constexpr int widestColumn = 700;    ///< pixels
constexpr double longestSide = 16e3; ///< pixels of a PNG that common programs open

void paint(const RecordedPicture& recorded, QPaintDevice& device, double scale)
{
    QPainter painter(&device);
    painter.scale(scale, scale);
    painter.fillRect(QRect(QPoint(0, 0), recorded.size), recorded.ground);
    QPicture picture(recorded.picture); // playing moves its read position
    picture.play(&painter);
}

/// A picture has no tool tips and no columns to drag: texts are whole in it, very long ones aside.
void widenColumns(QTreeView& whole)
{
    QHeaderView* header = whole.header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column)) continue;
        const int shown = header->sectionSize(column);
        whole.resizeColumnToContents(column);
        header->resizeSection(column, std::max(shown, std::min(header->sectionSize(column), widestColumn)));
    }
}

/// Opens what is open in the list. Returns how many rows there are then.
int unfoldLike(const QTreeView& list, QTreeView& whole)
{
    int rows = 0;
    for (QModelIndex index = list.model()->index(0, 0); index.isValid() && rows < mostRows;
         index = list.indexBelow(index)) {
        ++rows;
        if (list.isExpanded(index)) whole.setExpanded(index, true);
        if (list.isFirstColumnSpanned(index.row(), index.parent()))
            whole.setFirstColumnSpanned(index.row(), index.parent(), true);
    }
    return rows;
}

int rowsBelow(const QTreeView& list, QModelIndex index)
{
    int rows = 0;
    while ((index = list.indexBelow(index)).isValid()) ++rows;
    return rows;
}

} // namespace

RecordedPicture recordWidget(QWidget& widget)
{
    RecordedPicture recorded;
    recorded.size = widget.size();
    recorded.ground = widget.palette().color(QPalette::Window);
    QPainter painter(&recorded.picture);
    widget.render(&painter, {}, {}, QWidget::DrawChildren);
    return recorded;
}

RecordedPicture recordList(QTreeView& list)
{
    QTreeView whole;
    whole.setPalette(list.palette());
    whole.setFont(list.font());
    whole.setFrameShape(QFrame::NoFrame);
    whole.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    whole.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    whole.setAlternatingRowColors(list.alternatingRowColors());
    whole.setUniformRowHeights(list.uniformRowHeights());
    whole.setWordWrap(list.wordWrap());
    whole.setRootIsDecorated(list.rootIsDecorated());
    whole.setIndentation(list.indentation());
    whole.setSelectionMode(QAbstractItemView::NoSelection); // a mark of the moment, not part of the list
    whole.setFocusPolicy(Qt::NoFocus);
    whole.setItemDelegate(list.itemDelegate());
    whole.setModel(list.model());
    whole.setTreePosition(list.treePosition());
    whole.setHeaderHidden(list.isHeaderHidden());
    whole.header()->restoreState(list.header()->saveState());
    const int rows = unfoldLike(list, whole);
    whole.resize(list.viewport()->width(), std::max(list.height(), 400));
    whole.ensurePolished();
    whole.scrollToTop(); // lays the rows out
    if (!list.wordWrap()) widenColumns(whole);
    const int width = std::max(whole.header()->length(), list.viewport()->width());
    int height = list.isHeaderHidden() ? 0 : list.header()->height();
    QModelIndex last;
    for (int row = 0; row < rows; ++row) {
        last = row == 0 ? whole.model()->index(0, 0) : whole.indexBelow(last);
        height += whole.visualRect(last).height();
    }
    const int more = last.isValid() ? rowsBelow(list, last) : 0;
    whole.resize(width, std::max(height, 1));
    RecordedPicture recorded = recordWidget(whole);
    recorded.ground = list.palette().color(QPalette::Base);
    if (more == 0) return recorded;
    const int line = list.fontMetrics().height() + 8;
    RecordedPicture longer{QPicture(), recorded.size + QSize(0, line), recorded.ground};
    QPainter painter(&longer.picture);
    recorded.picture.play(&painter);
    painter.setFont(list.font());
    painter.setPen(list.palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(4, recorded.size.height(), width - 8, line), Qt::AlignLeft | Qt::AlignVCenter,
                     QCoreApplication::translate("gelens::RecordedPicture", "%1 more rows; CSV and JSON have them all.")
                         .arg(format::count(more)));
    return longer;
}

Status writeRecorded(const RecordedPicture& recorded, const std::string& path)
{
    const QString ending = QFileInfo(QString::fromStdString(path)).suffix().toLower();
    if (recorded.size.isEmpty()) return Error::unsupported("there is nothing to be seen", path);
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    // Every device counts as the screen did, so that a text takes the room it was measured for.
    const int dpi = recorded.picture.logicalDpiX();
    const QSizeF size(recorded.size);
    if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setResolution(dpi);
        generator.setSize(recorded.size);
        generator.setViewBox(QRect(QPoint(0, 0), recorded.size));
        paint(recorded, generator, 1);
    } else if (ending == QLatin1String("pdf")) {
        QPdfWriter writer(&file);
        writer.setResolution(dpi);
        writer.setPageMargins({});
        writer.setPageSize(QPageSize(size * 72 / dpi, QPageSize::Point, {}, QPageSize::ExactMatch));
        paint(recorded, writer, 1);
    } else if (ending == QLatin1String("png")) {
        const double scale = std::min(2.0, longestSide / std::max(size.width(), size.height()));
        QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
        image.setDotsPerMeterX(static_cast<int>(dpi / 0.0254 + 0.5));
        image.setDotsPerMeterY(image.dotsPerMeterX());
        image.fill(recorded.ground);
        paint(recorded, image, scale);
        if (!image.save(&file, "PNG")) return Error::io("the picture could not be written", path);
    } else {
        return Error::unsupported("a picture is written as .svg, .png or .pdf", path);
    }
    return writeText(bytes.toStdString(), path);
}

} // namespace gelens
