#pragma once
// Which reads find their data in L2: by the bytes that passed since the data was last used.

#include "engine/spec/task_list.h"

#include <cstdint>
#include <map>

namespace gelens {

/// Whole tensors, by address. The distance is counted in bytes of traffic (least recently used, roughly).
class L2Model {
public:
    explicit L2Model(double capacityBytes) : m_capacity(capacityBytes) {}

    bool holds(const DeviceAddress& address) const
    {
        if (address.region == DeviceAddress::Region::Weight) return false;
        auto found = m_entries.upper_bound(key(address));
        if (found == m_entries.begin()) return false;
        --found;
        if (found->first.first != static_cast<int>(address.region) || found->second.end <= address.offset) return false;
        return m_traffic - found->second.lastUse + static_cast<double>(address.bytes) <= m_capacity;
    }

    void touch(const DeviceAddress& address)
    {
        m_traffic += static_cast<double>(address.bytes);
        if (address.region == DeviceAddress::Region::Weight || address.region == DeviceAddress::Region::Null) return;
        m_entries[key(address)] = {address.offset + address.bytes, m_traffic};
    }

private:
    using Key = std::pair<int, std::int64_t>;
    struct Entry {
        std::int64_t end;
        double lastUse;
    };
    static Key key(const DeviceAddress& address) { return {static_cast<int>(address.region), address.offset}; }

    double m_capacity;
    double m_traffic = 0;
    std::map<Key, Entry> m_entries;
};

} // namespace gelens
