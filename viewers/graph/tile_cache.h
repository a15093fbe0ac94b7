#pragma once
// Painted squares of a scene at one zoom, so that panning repaints only what comes into view.

#include <QHash>
#include <QPixmap>
#include <QPoint>

#include <functional>

namespace gelens {

class TileCache {
public:
    static constexpr int side = 256; ///< device-independent pixels

    void clear() { m_tiles.clear(); }
    /// The tile at a place of the grid; painted by `paint` when it is not there yet.
    const QPixmap& tile(QPoint at, const std::function<QPixmap()>& paint);
    /// Forgets the tiles that were not asked for since the last call, once there are many.
    void trim();

private:
    struct Tile {
        QPixmap pixmap;
        quint64 used = 0;
    };
    static constexpr int most = 160; ///< 40 MB at one device pixel for each pixel
    QHash<QPoint, Tile> m_tiles;
    quint64 m_frame = 1;
};

} // namespace gelens
