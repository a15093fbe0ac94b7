#include "viewers/graph/tile_cache.h"

namespace gelens {

void TileCache::insert(const QRect& tiles, const QPixmap& picture)
{
    for (int y = tiles.top(); y <= tiles.bottom(); ++y)
        for (int x = tiles.left(); x <= tiles.right(); ++x)
            m_tiles[{x, y}] = {picture, QPoint(x - tiles.left(), y - tiles.top()) * side, m_frame};
}

void TileCache::trim()
{
    if (m_tiles.size() > most) m_tiles.removeIf([this](const auto& entry) { return entry.value().used != m_frame; });
    ++m_frame;
}

} // namespace gelens
