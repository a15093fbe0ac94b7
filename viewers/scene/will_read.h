#pragma once
// Memory that lies anywhere is waited for: who knows what comes next asks for it early.

namespace gelens {

/// Asks for memory that is read a little later: it comes while something else is worked on. Changes nothing else.
inline void willRead([[maybe_unused]] const void* address)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#endif
}

} // namespace gelens
