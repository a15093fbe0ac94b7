#pragma once
// Descriptors straight from ge_proto text, and a memory of those read last. Private to this folder, for .cpp files only.

#include "engine/formats/ge_ir_internal.h"
#include "engine/formats/text_memo_internal.h"

namespace gelens {

/// What the numbers of a descriptor's text are that NumberRuns tells of.
enum DescNumber { ShapeNumbers, OriginShapeNumbers, SizeNumber };

/// A TensorDescriptor from behind its '{' up to its '}'. Attributes beyond the facts go to `attrs`; without one they are
/// skipped and `hasMore` tells that there are some.
bool readDescFacts(TextScan& scan, DescFacts& facts, AttrMap::Map* attrs, bool& hasMore, NumberRuns& numbers);

/// A descriptor as it was read.
struct ReadDesc {
    TensorDesc desc; ///< of a slot; its attributes are not yet among `attrs`
    AttrMap::Map attrs;
    bool hasMore = false;
};

/// Reads descriptors of one kind, with or without their attributes; what it read last it knows again, numbers aside.
class DescTextReader {
public:
    explicit DescTextReader(bool withAttrs) : m_withAttrs(withAttrs) {}
    /// The descriptor that begins at the scan; false where the tolerant reader has to do it.
    bool read(TextScan& scan, ReadDesc& out);

private:
    struct Known {
        DescFacts facts; ///< without the numbers that differ
        AttrMap::Map attrs;
        bool hasMore = false;
    };
    bool m_withAttrs;
    TextMemo<Known> m_memo;
};

} // namespace gelens
