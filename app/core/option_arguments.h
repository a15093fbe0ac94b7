#pragma once
// The options of a run on the window's command line, named as `gelens-cli compile` names them.

#include "engine/graph/result.h"
#include "engine/spec/compile_options.h"

#include <QString>
#include <QStringList>

#include <map>
#include <vector>

namespace gelens {

struct OptionArgument {
    const char* name;  ///< without dashes
    const char* value; ///< empty: a flag
    const char* text;  ///< one line of help
};
const std::vector<OptionArgument>& optionArguments();

/// Values by name, as often as each was given. Errors name the option.
Result<CompileOptions> optionsFromArguments(const std::map<QString, QStringList>& values);

/// One word of a POSIX shell: quoted where it has to be.
QString shellWord(const QString& text);

} // namespace gelens
