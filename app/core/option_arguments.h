#pragma once
// The options of a run on the window's command line, named as `gelens-cli compile` names them.

#include "engine/graph/result.h"
#include "engine/spec/compile_options.h"

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gelens {

struct OptionArgument {
    const char* name;  ///< without dashes
    const char* value; ///< empty: a flag
    const char* text;  ///< one line of help
};
const std::vector<OptionArgument>& optionArguments();

/// Values by name, as often as each was given, over those of `options`. Errors name the option.
Result<CompileOptions> optionsFromArguments(const std::map<QString, QStringList>& values, CompileOptions options = {});

/// Options written in one text, as `--against "--soc Ascend310P3 --l1 2097152"` has them, put over `base`; `--plain` puts
/// them over the defaults instead.
Result<CompileOptions> optionsFromText(const QString& text, const CompileOptions& base);

/// The words of a line as a POSIX shell takes them apart; what shellWord() wrote comes back.
QStringList shellWords(const QString& line);

/// The value of an enumeration that is called so; `last` is the one with the highest number.
template <typename Value, typename Name>
std::optional<Value> valueNamed(const QString& text, Value last, Name nameOf)
{
    const std::string name = text.toStdString();
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (name == nameOf(static_cast<Value>(i))) return static_cast<Value>(i);
    return std::nullopt;
}

/// One word of a POSIX shell: quoted where it has to be.
QString shellWord(const QString& text);

} // namespace gelens
