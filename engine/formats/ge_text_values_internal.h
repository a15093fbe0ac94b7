#pragma once
// Attribute values and descriptors straight from ge_proto text, without a message in between. What is rare or not as
// plain as GE prints it goes through the tolerant reader. Private to this folder, for .cpp files only.

#include "engine/formats/ge_desc_text_internal.h"
#include "engine/formats/ge_ir_internal.h"
#include "engine/formats/text_scan_internal.h"

#include <optional>

namespace gelens {

/// `key: "…"` at the beginning of an attribute, as it stands in the text.
std::optional<std::string_view> readAttrKey(TextScan& scan);
/// The rest of an attribute behind its key, the closing '}' included. A value that nobody can read comes as its text, in
/// bytes. False where the attribute does not end, or has a second key.
bool readAttrValue(TextScan& scan, AttrValue& out);
/// The same for an attribute of an operator, where GE's own indentation is known.
bool readOpAttrValue(TextScan& scan, AttrValue& out);

/// Skips the rest of an attribute behind its key. False for anything but one value: a second key is the one that counts.
inline bool skipAttrValue(TextScan& scan)
{
    if (scan.isNext('}')) // GE leaves the value of an empty list out
        return scan.sign('}');
    return scan.word() == "value" && scan.sign('{') && scan.skipMessage() && scan.sign('}');
}
bool readBool(TextScan& scan, bool& out); ///< "true" or "false"

// Attributes of a known kind, from behind the key up to the closing '}'; false when the text says anything else.
bool readTextAttr(TextScan& scan, std::string& out);
bool readNumberAttr(TextScan& scan, std::int64_t& out);
bool readBoolAttr(TextScan& scan, bool& out);
/// A list of texts or of numbers: the one that is not null.
/// `places` is told where the numbers of an origin shape stand.
bool readListAttr(TextScan& scan, StringList* texts, IntList* numbers, NumberRuns* places = nullptr);

/// The value of a data type's or a format's text; a dump has few different ones, so the last ones are remembered.
DataType cachedProtoType(std::string_view protoName); ///< "DT_FLOAT16" of ge_proto
DataType cachedApiType(std::string_view apiName);     ///< "DT_FLOAT16" of ge_onnx
TensorFormat cachedFormat(std::string_view text);

} // namespace gelens
