#include "app/core/session_file.h"

#include "app/core/option_arguments.h"
#include "engine/session/what_if.h"
#include "viewers/picture/chart_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace gelens {
namespace {

/// 2: notes by card, originals, dumps beside a run, comparisons, the log.
constexpr int fileVersion = 2;
constexpr qsizetype mostCards = 256;
constexpr qsizetype mostBesides = 256;
constexpr qint64 sizeLimit = 64 << 20; ///< no session of a person comes near it

QString key(const char* name) { return QLatin1String(name); }
QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

/// 64-bit numbers do not fit into JSON's doubles; they are written as text.
QJsonValue number(std::int64_t value) { return QString::number(value); }

QJsonArray listOf(const std::vector<std::string>& texts)
{
    QJsonArray list;
    for (const std::string& each : texts) list.append(text(each));
    return list;
}

QJsonObject optionsToJson(const CompileOptions& options)
{
    QJsonObject json{{key("soc"), text(options.soc)},
                     {key("mode"), text(modeName(options.mode))},
                     {key("precision"), text(precisionName(options.precision))},
                     {key("memory_policy"), text(memoryPolicyName(options.memoryPolicy))}};
    if (!options.socFile.empty()) json[key("soc_file")] = text(options.socFile);
    if (!options.fusionSwitchFile.empty()) json[key("fusion_switch_file")] = text(options.fusionSwitchFile);
    if (!options.autofuseFlags.empty()) json[key("autofuse_flags")] = text(options.autofuseFlags);
    if (!options.ruleFolders.empty()) json[key("rule_folders")] = listOf(options.ruleFolders);
    if (!options.skippedPasses.empty()) json[key("skipped_passes")] = listOf(options.skippedPasses);
    QJsonObject rules, shapes, buffers, labels, superKernels;
    for (const auto& [rule, isOn] : options.ruleSwitches) rules[text(rule)] = isOn;
    for (const auto& [input, dims] : options.inputShapes) {
        QJsonArray list;
        for (const std::int64_t dim : dims) list.append(number(dim));
        shapes[text(input)] = list;
    }
    for (const auto& [name, field] : bufferFields)
        if (options.buffers.*field > 0) buffers[key(name)] = number(options.buffers.*field);
    for (const auto& [node, label] : options.streamLabels) labels[text(node)] = text(label);
    for (const auto& [nodes, scope] : options.superKernelScopes) superKernels[text(nodes)] = text(scope);
    for (const auto& [name, object] :
         {std::pair("rules", rules), std::pair("input_shapes", shapes), std::pair("buffers", buffers),
          std::pair("stream_labels", labels), std::pair("super_kernels", superKernels)})
        if (!object.isEmpty()) json[key(name)] = object;
    if (options.timeLimitSeconds > 0) json[key("time_limit_seconds")] = options.timeLimitSeconds;
    if (options.parallelStreams) json[key("parallel_streams")] = true;
    if (options.cards != 1) json[key("cards")] = options.cards;
    json[key("seed")] = QString::number(options.seed);
    return json;
}

/// Reads with a path for error sentences: "models[0].options.soc".
class Reader {
public:
    explicit Reader(QString where) : m_where(std::move(where)) {}

    Status fail(const QString& place, const char* wanted) const
    {
        return Error::invalid(QStringLiteral("%1 is not %2").arg(place, QLatin1String(wanted)).toStdString(),
                              m_where.toStdString());
    }

    Status readText(const QJsonObject& from, const char* name, const QString& place, QString& value) const
    {
        const QJsonValue found = from.value(key(name));
        if (found.isUndefined()) return Status::success();
        if (!found.isString()) return fail(place + key(name), "a text");
        value = found.toString();
        return Status::success();
    }
    Status readText(const QJsonObject& from, const char* name, const QString& place, std::string& value) const
    {
        QString read = text(value);
        GELENS_TRY(readText(from, name, place, read));
        value = read.toStdString();
        return Status::success();
    }
    Status readInt(const QJsonObject& from, const char* name, const QString& place, int& value) const
    {
        const QJsonValue found = from.value(key(name));
        if (found.isUndefined()) return Status::success();
        if (!found.isDouble()) return fail(place + key(name), "a number");
        value = found.toInt(value);
        return Status::success();
    }
    Status readFlag(const QJsonObject& from, const char* name, const QString& place, bool& value) const
    {
        const QJsonValue found = from.value(key(name));
        if (found.isUndefined()) return Status::success();
        if (!found.isBool()) return fail(place + key(name), "true or false");
        value = found.toBool();
        return Status::success();
    }
    Status readArray(const QJsonObject& from, const char* name, const QString& place, QJsonArray& value) const
    {
        const QJsonValue found = from.value(key(name));
        if (found.isUndefined()) return Status::success();
        if (!found.isArray()) return fail(place + key(name), "a list");
        value = found.toArray();
        return Status::success();
    }
    Status readObject(const QJsonObject& from, const char* name, const QString& place, QJsonObject& value) const
    {
        const QJsonValue found = from.value(key(name));
        if (found.isUndefined()) return Status::success();
        if (!found.isObject()) return fail(place + key(name), "an object");
        value = found.toObject();
        return Status::success();
    }
    Status readTexts(const QJsonObject& from, const char* name, const QString& place, QStringList& value) const
    {
        QJsonArray list;
        GELENS_TRY(readArray(from, name, place, list));
        for (const QJsonValue& each : list) {
            if (!each.isString()) return fail(place + key(name), "a list of texts");
            value += each.toString();
        }
        return Status::success();
    }
    Status readBig(const QJsonValue& from, const QString& place, std::int64_t& value) const
    {
        bool ok = from.isString();
        const qlonglong read = ok ? from.toString().toLongLong(&ok) : 0;
        if (!ok) return fail(place, "a whole number in quotes");
        value = read;
        return Status::success();
    }
    template <typename Value, typename Name>
    Status readChoice(const QJsonObject& from, const char* name, const QString& place, Value last, Name nameOf,
                      Value& value) const
    {
        QString read;
        GELENS_TRY(readText(from, name, place, read));
        if (read.isEmpty()) return Status::success();
        const auto named = valueNamed(read, last, nameOf);
        if (!named) return fail(place + key(name), "one of the known names");
        value = *named;
        return Status::success();
    }

    Status readOptions(const QJsonObject& json, const QString& place, CompileOptions& options) const;
    Status readView(const QJsonObject& json, const QString& place, SessionContents::Model& model) const;
    Status readModel(const QJsonObject& json, const QString& place, const QString& folder,
                     SessionContents::Model& model) const;
    Status readNotes(const QJsonValue& json, const QString& place, std::map<QString, QString>& notes) const;
    Status readPath(const QJsonObject& json, const char* name, const QString& place, const QString& folder,
                    QString& path) const;
    Status readBreakpoint(const QJsonObject& json, const QString& place, Breakpoint& breakpoint) const;

private:
    QString m_where;
};

Status Reader::readOptions(const QJsonObject& json, const QString& place, CompileOptions& options) const
{
    GELENS_TRY(readText(json, "soc", place, options.soc));
    GELENS_TRY(readText(json, "soc_file", place, options.socFile));
    GELENS_TRY(readText(json, "fusion_switch_file", place, options.fusionSwitchFile));
    GELENS_TRY(readText(json, "autofuse_flags", place, options.autofuseFlags));
    GELENS_TRY(readChoice(json, "mode", place, CompileMode::Light, modeName, options.mode));
    GELENS_TRY(
        readChoice(json, "precision", place, PrecisionMode::AllowMixPrecision, precisionName, options.precision));
    GELENS_TRY(readChoice(json, "memory_policy", place, MemoryPolicy::Optimal, memoryPolicyName, options.memoryPolicy));
    QStringList folders;
    GELENS_TRY(readTexts(json, "rule_folders", place, folders));
    for (const QString& folder : folders) options.ruleFolders.push_back(folder.toStdString());
    QStringList skipped;
    GELENS_TRY(readTexts(json, "skipped_passes", place, skipped));
    for (const QString& pass : skipped) options.skippedPasses.push_back(pass.toStdString());
    QJsonObject rules, shapes, buffers, labels, superKernels;
    GELENS_TRY(readObject(json, "rules", place, rules));
    GELENS_TRY(readObject(json, "input_shapes", place, shapes));
    GELENS_TRY(readObject(json, "buffers", place, buffers));
    GELENS_TRY(readObject(json, "stream_labels", place, labels));
    GELENS_TRY(readObject(json, "super_kernels", place, superKernels));
    for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
        if (!rule->isBool()) return fail(place + QStringLiteral("rules.") + rule.key(), "true or false");
        options.ruleSwitches[rule.key().toStdString()] = rule->toBool();
    }
    for (auto shape = shapes.begin(); shape != shapes.end(); ++shape) {
        const QString at = place + QStringLiteral("input_shapes.") + shape.key();
        if (!shape->isArray()) return fail(at, "a list");
        std::vector<std::int64_t>& dims = options.inputShapes[shape.key().toStdString()];
        for (const QJsonValue& dim : shape->toArray()) {
            dims.push_back(0);
            GELENS_TRY(readBig(dim, at, dims.back()));
        }
    }
    for (const auto& [name, field] : bufferFields)
        if (buffers.contains(key(name))) {
            GELENS_TRY(readBig(buffers.value(key(name)), place + QStringLiteral("buffers.") + key(name),
                               options.buffers.*field));
        }
    for (auto label = labels.begin(); label != labels.end(); ++label) {
        if (!label->isString()) return fail(place + QStringLiteral("stream_labels.") + label.key(), "a text");
        options.streamLabels[label.key().toStdString()] = label->toString().toStdString();
    }
    for (auto scope = superKernels.begin(); scope != superKernels.end(); ++scope) {
        if (!scope->isString()) return fail(place + QStringLiteral("super_kernels.") + scope.key(), "a text");
        options.superKernelScopes[scope.key().toStdString()] = scope->toString().toStdString();
    }
    options.timeLimitSeconds = json.value(key("time_limit_seconds")).toDouble();
    GELENS_TRY(readFlag(json, "parallel_streams", place, options.parallelStreams));
    GELENS_TRY(readInt(json, "cards", place, options.cards));
    std::int64_t seed = 1;
    if (json.contains(key("seed"))) GELENS_TRY(readBig(json.value(key("seed")), place + key("seed"), seed));
    options.seed = static_cast<std::uint64_t>(seed);
    return Status::success();
}

Status Reader::readModel(const QJsonObject& json, const QString& place, const QString& folder,
                         SessionContents::Model& model) const
{
    GELENS_TRY(readPath(json, "path", place, folder, model.path));
    if (model.path.isEmpty()) return fail(place + key("path"), "the path of a file");
    GELENS_TRY(readPath(json, "original", place, folder, model.original));
    GELENS_TRY(readText(json, "read_as", place, model.readAs));
    QJsonObject options;
    QJsonArray cards, besides;
    GELENS_TRY(readObject(json, "options", place, options));
    GELENS_TRY(readOptions(options, place + QStringLiteral("options."), model.options));
    GELENS_TRY(readView(json, place, model));
    GELENS_TRY(readArray(json, "cards", place, cards));
    for (qsizetype i = 0; i < std::min<qsizetype>(cards.size(), mostCards); ++i) {
        model.cards.emplace_back();
        const QString at = QStringLiteral("%1cards[%2].").arg(place).arg(i);
        GELENS_TRY(readView(cards[i].toObject(), at, model.cards.back()));
    }
    GELENS_TRY(readArray(json, "beside_dumps", place, besides));
    for (qsizetype i = 0; i < std::min<qsizetype>(besides.size(), mostBesides); ++i) {
        const QString at = QStringLiteral("%1beside_dumps[%2].").arg(place).arg(i);
        SessionContents::Model& beside = model.besides.emplace_back();
        GELENS_TRY(readPath(besides[i].toObject(), "path", at, folder, beside.path));
        if (beside.path.isEmpty()) return fail(at + key("path"), "the path of a folder");
        GELENS_TRY(readView(besides[i].toObject(), at, beside));
    }
    QJsonObject cardNotes;
    GELENS_TRY(readObject(json, "card_notes", place, cardNotes));
    for (auto card = cardNotes.begin(); card != cardNotes.end(); ++card) {
        bool isNumber = false;
        const int number = card.key().toInt(&isNumber);
        if (!isNumber || number < 0 || number >= mostCards || !card->isObject())
            return fail(place + QStringLiteral("card_notes.") + card.key(), "the notes of a card");
        GELENS_TRY(readNotes(*card, place + QStringLiteral("card_notes.%1.").arg(number), model.cardNotes[number]));
    }
    return readNotes(json.value(key("notes")), place + QStringLiteral("notes."), model.notes);
}

Status Reader::readPath(const QJsonObject& json, const char* name, const QString& place, const QString& folder,
                        QString& path) const
{
    GELENS_TRY(readText(json, name, place, path));
    if (!path.isEmpty() && QFileInfo(path).isRelative() && !folder.isEmpty())
        path = QDir::cleanPath(QDir(folder).filePath(path));
    return Status::success();
}

Status Reader::readNotes(const QJsonValue& json, const QString& place, std::map<QString, QString>& notes) const
{
    if (json.isUndefined()) return Status::success();
    if (!json.isObject()) return fail(place.chopped(1), "an object");
    const QJsonObject found = json.toObject();
    for (auto note = found.begin(); note != found.end(); ++note) {
        if (!note->isString()) return fail(place + note.key(), "a text");
        notes[note.key()] = note->toString();
    }
    return Status::success();
}

/// Where its user was, and the runs that were kept.
Status Reader::readView(const QJsonObject& json, const QString& place, SessionContents::Model& model) const
{
    GELENS_TRY(readInt(json, "step", place, model.shown));
    GELENS_TRY(readInt(json, "compared_step", place, model.compared));
    GELENS_TRY(readText(json, "node", place, model.node));
    QJsonArray whatIfs;
    GELENS_TRY(readArray(json, "runs", place, whatIfs));
    for (qsizetype i = 0; i < whatIfs.size(); ++i) {
        const QString at = QStringLiteral("%1runs[%2].").arg(place).arg(i);
        const QJsonObject run = whatIfs[i].toObject();
        SessionContents::WhatIf whatIf;
        QJsonObject runOptions;
        GELENS_TRY(readText(run, "name", at, whatIf.name));
        GELENS_TRY(readObject(run, "options", at, runOptions));
        GELENS_TRY(readOptions(runOptions, at + QStringLiteral("options."), whatIf.options));
        GELENS_TRY(readFlag(run, "compared", at, whatIf.isCompared));
        model.whatIfs.push_back(std::move(whatIf));
    }
    return Status::success();
}

Status Reader::readBreakpoint(const QJsonObject& json, const QString& place, Breakpoint& breakpoint) const
{
    QString kind;
    GELENS_TRY(readText(json, "kind", place, kind));
    const auto known = breakpointKindFromName(kind.toStdString());
    if (!known) return fail(place + QStringLiteral("kind"), "a kind of breakpoint");
    breakpoint.kind = *known;
    GELENS_TRY(readText(json, "pattern", place, breakpoint.pattern));
    GELENS_TRY(readText(json, "condition", place, breakpoint.condition));
    return readFlag(json, "enabled", place, breakpoint.isEnabled);
}

/// Beside or below the folder: relative, so that both can move together.
QString storedPath(const QString& path, const QString& folder)
{
    if (folder.isEmpty()) return path;
    const QString relative = QDir(folder).relativeFilePath(path);
    return relative.startsWith(QStringLiteral("..")) ? path : relative;
}

void viewToJson(const SessionContents::Model& model, QJsonObject& json)
{
    if (model.shown >= 0) json[key("step")] = model.shown;
    if (model.compared >= 0) json[key("compared_step")] = model.compared;
    if (!model.node.isEmpty()) json[key("node")] = model.node;
    QJsonArray runs;
    for (const SessionContents::WhatIf& whatIf : model.whatIfs) {
        QJsonObject run{{key("name"), whatIf.name}, {key("options"), optionsToJson(whatIf.options)}};
        if (whatIf.isCompared) run[key("compared")] = true;
        runs.append(run);
    }
    if (!runs.isEmpty()) json[key("runs")] = runs;
}

QJsonObject notesToJson(const std::map<QString, QString>& notes)
{
    QJsonObject json;
    for (const auto& [node, note] : notes) json[node] = note;
    return json;
}

} // namespace

QByteArray sessionToJson(const SessionContents& contents, const QString& folder)
{
    QJsonArray models, breakpoints;
    for (const SessionContents::Model& model : contents.models) {
        QJsonObject json{{key("path"), storedPath(model.path, folder)}, {key("options"), optionsToJson(model.options)}};
        if (!model.readAs.isEmpty()) json[key("read_as")] = model.readAs;
        if (!model.original.isEmpty()) json[key("original")] = storedPath(model.original, folder);
        viewToJson(model, json);
        QJsonArray cards;
        for (const SessionContents::Model& card : model.cards) {
            QJsonObject view;
            viewToJson(card, view);
            cards.append(view);
        }
        if (!cards.isEmpty()) json[key("cards")] = cards;
        if (!model.notes.empty()) json[key("notes")] = notesToJson(model.notes);
        QJsonObject cardNotes;
        for (const auto& [card, notes] : model.cardNotes)
            if (!notes.empty()) cardNotes[QString::number(card)] = notesToJson(notes);
        if (!cardNotes.isEmpty()) json[key("card_notes")] = cardNotes;
        QJsonArray besides;
        for (const SessionContents::Model& beside : model.besides) {
            QJsonObject view{{key("path"), storedPath(beside.path, folder)}};
            viewToJson(beside, view);
            besides.append(view);
        }
        if (!besides.isEmpty()) json[key("beside_dumps")] = besides;
        models.append(json);
    }
    for (const Breakpoint& breakpoint : contents.breakpoints) {
        QJsonObject json{{key("kind"), text(breakpointKindName(breakpoint.kind))},
                         {key("pattern"), text(breakpoint.pattern)},
                         {key("enabled"), breakpoint.isEnabled}};
        if (!breakpoint.condition.empty()) json[key("condition")] = text(breakpoint.condition);
        breakpoints.append(json);
    }
    QJsonObject all{{key("gelens_session"), fileVersion},
                    {key("models"), models},
                    {key("current"), contents.current},
                    {key("current_card"), contents.currentCard},
                    {key("current_beside"), contents.currentBeside},
                    {key("current_run"), contents.currentRun},
                    {key("view"), contents.view},
                    {key("breakpoints"), breakpoints},
                    {key("queries"), QJsonArray::fromStringList(contents.queries)}};
    if (!contents.log.isEmpty()) all[key("log")] = contents.log;
    return QJsonDocument(all).toJson(QJsonDocument::Indented);
}

Result<SessionContents> sessionFromJson(const QByteArray& bytes, const QString& where, const QString& folder)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &problem);
    if (problem.error != QJsonParseError::NoError)
        return Error::invalid(
            QStringLiteral("no JSON at byte %1: %2").arg(problem.offset).arg(problem.errorString()).toStdString(),
            where.toStdString());
    const QJsonObject all = document.object();
    const QJsonValue version = all.value(key("gelens_session"));
    if (!version.isDouble()) return Error::invalid("no session of GE Lens", where.toStdString());
    if (version.toInt() > fileVersion)
        return Error::unsupported("written by a newer version of GE Lens", where.toStdString());
    const Reader reader(where);
    SessionContents contents;
    QJsonArray models, breakpoints;
    GELENS_TRY(reader.readArray(all, "models", {}, models));
    for (qsizetype i = 0; i < models.size(); ++i) {
        contents.models.emplace_back();
        GELENS_TRY(reader.readModel(models[i].toObject(), QStringLiteral("models[%1].").arg(i), folder,
                                    contents.models.back()));
    }
    // The first version kept notes by file: those of cards stand among the model's.
    if (version.toInt() < 2)
        for (SessionContents::Model& model : contents.models)
            model.areNotesOfCardsToo = !model.cards.empty() && !model.notes.empty();
    GELENS_TRY(reader.readArray(all, "breakpoints", {}, breakpoints));
    for (qsizetype i = 0; i < breakpoints.size(); ++i) {
        contents.breakpoints.emplace_back();
        GELENS_TRY(reader.readBreakpoint(breakpoints[i].toObject(), QStringLiteral("breakpoints[%1].").arg(i),
                                         contents.breakpoints.back()));
    }
    GELENS_TRY(reader.readInt(all, "current", {}, contents.current));
    GELENS_TRY(reader.readInt(all, "current_card", {}, contents.currentCard));
    GELENS_TRY(reader.readInt(all, "current_beside", {}, contents.currentBeside));
    GELENS_TRY(reader.readInt(all, "current_run", {}, contents.currentRun));
    GELENS_TRY(reader.readText(all, "log", {}, contents.log));
    GELENS_TRY(reader.readText(all, "view", {}, contents.view));
    GELENS_TRY(reader.readTexts(all, "queries", {}, contents.queries));
    return contents;
}

Status writeSession(const SessionContents& contents, const QString& path)
{
    return writeText(sessionToJson(contents, QFileInfo(path).absolutePath()).toStdString(), path.toStdString());
}

Result<SessionContents> readSession(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return Error::io(file.errorString().toStdString(), path.toStdString());
    if (file.size() > sizeLimit) return Error::limit("too large for a session", path.toStdString());
    return sessionFromJson(file.readAll(), path, QFileInfo(path).absolutePath());
}

} // namespace gelens
