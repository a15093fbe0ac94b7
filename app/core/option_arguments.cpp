#include "app/core/option_arguments.h"

#include "engine/session/what_if.h"

#include <QRegularExpression>

#include <algorithm>

namespace gelens {
namespace {

Error bad(const QString& name, const QString& value, const char* wanted)
{
    return Error::invalid(QStringLiteral("--%1 %2: %3").arg(name, value, QLatin1String(wanted)).toStdString());
}

template <typename Value, typename Name>
bool choose(const QString& text, Value last, Name nameOf, Value& value)
{
    const auto named = valueNamed(text, last, nameOf);
    value = named.value_or(value);
    return named.has_value();
}

/// NAME=VALUE, split at the last sign: names of inputs and nodes may hold others.
bool splitPair(const QString& text, std::string& name, QString& value)
{
    const qsizetype at = text.lastIndexOf(QLatin1Char('='));
    if (at <= 0 || at + 1 == text.size()) return false;
    name = text.left(at).toStdString();
    value = text.mid(at + 1);
    return true;
}

Status readOne(const QString& name, const QString& value, CompileOptions& options)
{
    const auto is = [&](const char* known) { return name == QLatin1String(known); };
    if (is("soc-file")) options.socFile = value.toStdString();
    if (is("fusion-switch")) options.fusionSwitchFile = value.toStdString();
    if (is("autofuse")) options.autofuseFlags = value.toStdString();
    if (is("rules")) options.ruleFolders.push_back(value.toStdString());
    if (is("skip-pass")) options.skippedPasses.push_back(value.toStdString());
    if (is("rule-on")) options.ruleSwitches[value.toStdString()] = true;
    if (is("rule-off")) options.ruleSwitches[value.toStdString()] = false;
    if (is("mode") && !choose(value, CompileMode::Light, modeName, options.mode))
        return bad(name, value, "auto, full or light");
    if (is("precision") && !choose(value, PrecisionMode::AllowMixPrecision, precisionName, options.precision))
        return bad(name, value, "must_keep_origin_dtype, force_fp16, allow_fp32_to_fp16 or allow_mix_precision");
    if (is("memory-policy") && !choose(value, MemoryPolicy::Optimal, memoryPolicyName, options.memoryPolicy))
        return bad(name, value, "best, ge, simple, greedy or optimal");
    bool ok = true;
    for (const auto& [buffer, field] : bufferFields)
        if (is(buffer)) {
            options.buffers.*field = value.toLongLong(&ok);
            if (!ok || options.buffers.*field <= 0) return bad(name, value, "expected a number of bytes");
        }
    if (is("time-limit")) {
        options.timeLimitSeconds = value.toDouble(&ok);
        if (!ok || options.timeLimitSeconds < 0) return bad(name, value, "expected seconds");
    }
    if (is("seed")) {
        options.seed = value.toULongLong(&ok);
        if (!ok) return bad(name, value, "expected a number");
    }
    std::string subject;
    QString content;
    if (is("stream-label")) {
        if (!splitPair(value, subject, content)) return bad(name, value, "expected NODE=LABEL");
        options.streamLabels[subject] = content.toStdString();
    }
    if (is("super-kernel")) {
        if (!splitPair(value, subject, content)) return bad(name, value, "expected NODES=SCOPE");
        options.superKernelScopes[subject] = content.toStdString();
    }
    if (is("set")) {
        if (!splitPair(value, subject, content)) return bad(name, value, "expected NAME=1,3,224,224");
        std::vector<std::int64_t> dims;
        for (const QString& part : content.split(QLatin1Char(','))) {
            dims.push_back(part.trimmed().toLongLong(&ok));
            if (!ok || dims.back() < 0) return bad(name, value, "expected NAME=1,3,224,224");
        }
        options.inputShapes[subject] = std::move(dims);
    }
    return Status::success();
}

} // namespace

const std::vector<OptionArgument>& optionArguments()
{
    static const std::vector<OptionArgument> arguments{
        {"soc-file", "FILE", "a platform ini file instead of a built-in SoC"},
        {"mode", "auto|full|light", "how the model is compiled"},
        {"precision", "MODE", "precision mode of the run"},
        {"memory-policy", "POLICY", "best, ge, simple, greedy or optimal"},
        {"l1", "BYTES", "size of L1 in place of the chip's own"},
        {"ub", "BYTES", "size of UB"},
        {"l0a", "BYTES", "size of L0A"},
        {"l0b", "BYTES", "size of L0B"},
        {"l0c", "BYTES", "size of L0C"},
        {"l2", "BYTES", "size of L2"},
        {"rules", "FOLDER", "folder with more fusion rules"},
        {"rule-on", "RULE", "switch a fusion rule on"},
        {"rule-off", "RULE", "switch a fusion rule off"},
        {"skip-pass", "PASS", "leave a pass out, by GE pass name or rule id"},
        {"fusion-switch", "FILE", "CANN's fusion_switch.cfg"},
        {"autofuse", "FLAGS", "GE's AUTOFUSE_FLAGS: --enable_autofuse=true;--autofuse_enable_pass=reduce,concat…"},
        {"set", "NAME=DIMS", "shape of an input"},
        {"stream-label", "NODE=LABEL", "the node runs on the stream of that label"},
        {"super-kernel", "NODES=SCOPE", "compiled operators of these names (* for any letters) share one launch"},
        {"time-limit", "SECONDS", "for planners that search"},
        {"seed", "NUMBER", "seed of generated inputs"},
        {"parallel-streams", "", "streams by label, engine and independence"},
        {"verify", "", "compute before and after each step and compare"}};
    return arguments;
}

Result<CompileOptions> optionsFromArguments(const std::map<QString, QStringList>& values, CompileOptions options)
{
    for (const auto& [name, given] : values) {
        if (name == QLatin1String("parallel-streams")) options.parallelStreams = true;
        if (name == QLatin1String("verify")) options.verify = true;
        for (const QString& value : given) GELENS_TRY(readOne(name, value, options));
    }
    return options;
}

Result<CompileOptions> optionsFromText(const QString& text, const CompileOptions& base)
{
    const QStringList words = shellWords(text);
    CompileOptions options = words.contains(QStringLiteral("--plain")) ? CompileOptions() : base;
    std::map<QString, QStringList> given;
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == QStringLiteral("--plain")) continue;
        const qsizetype sign = words[i].indexOf(QLatin1Char('='));
        const QString name = words[i].mid(2, sign < 0 ? -1 : sign - 2);
        const auto& known = optionArguments();
        const auto found = std::find_if(known.begin(), known.end(), [&](const OptionArgument& argument) {
            return name == QLatin1String(argument.name);
        });
        const bool isSoc = name == QStringLiteral("soc");
        if (!words[i].startsWith(QStringLiteral("--")) || (!isSoc && found == known.end()))
            return Error::invalid(QStringLiteral("%1: no option of a run").arg(words[i]).toStdString());
        QString value;
        if (isSoc || *found->value != 0) {
            if (sign < 0 && i + 1 == words.size())
                return Error::invalid(QStringLiteral("%1: its value is missing").arg(words[i]).toStdString());
            value = sign < 0 ? words[++i] : words[i].mid(sign + 1);
        }
        if (isSoc)
            options.soc = value.toStdString();
        else
            given[name] += value;
    }
    return optionsFromArguments(given, std::move(options));
}

QStringList shellWords(const QString& line)
{
    QStringList words;
    QString word;
    bool isWord = false;
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else if (c == QLatin1Char('\\') && quote == QLatin1Char('"') && i + 1 < line.size())
                word += line[++i];
            else
                word += c;
        } else if (c == QLatin1Char('\'') || c == QLatin1Char('"')) {
            quote = c;
            isWord = true;
        } else if (c == QLatin1Char('\\') && i + 1 < line.size()) {
            word += line[++i];
            isWord = true;
        } else if (c.isSpace()) {
            if (isWord) words += word;
            word.clear();
            isWord = false;
        } else {
            word += c;
            isWord = true;
        }
    }
    if (isWord) words += word;
    return words;
}

QString shellWord(const QString& text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(text).hasMatch()) return text;
    return QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

} // namespace gelens
