#pragma once
// Painted squares of a scene at one zoom, so that panning repaints only what comes into view.

#include <QHash>
#include <QPixmap>
#include <QPoint>

namespace gelens {

class TileCache {
public:
    static constexpr int side = 256; ///< device-independent pixels

    /// A square of a larger picture, which several tiles may share: much that comes into view at once is painted at once.
    struct Tile {
        QPixmap picture;
        QPoint offset; ///< device-independent pixels
        quint64 used = 0;
    };

    void clear() { m_tiles.clear(); }
    bool contains(QPoint at) const { return m_tiles.contains(at); }
    /// The tile at a place of the grid, which must be there.
    const Tile& tile(QPoint at)
    {
        Tile& tile = m_tiles[at];
        tile.used = m_frame;
        return tile;
    }
    /// Hands over a picture of all tiles of a range of the grid.
    void insert(const QRect& tiles, const QPixmap& picture);
    /// Forgets the tiles that were not asked for since the last call, once there are many.
    void trim();

private:
    static constexpr int most = 160; ///< 40 MB at one device pixel for each pixel
    QHash<QPoint, Tile> m_tiles;
    quint64 m_frame = 1;
};

} // namespace gelens
