#include "viewers/graph/tile_cache.h"

namespace gelens {

const QPixmap& TileCache::tile(QPoint at, const std::function<QPixmap()>& paint)
{
    Tile& tile = m_tiles[at];
    if (tile.pixmap.isNull()) tile.pixmap = paint();
    tile.used = m_frame;
    return tile.pixmap;
}

void TileCache::trim()
{
    if (m_tiles.size() > most) m_tiles.removeIf([this](const auto& entry) { return entry.value().used != m_frame; });
    ++m_frame;
}

} // namespace gelens
