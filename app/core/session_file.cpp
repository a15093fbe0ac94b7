#include "app/core/option_arguments.h"
#include "app/core/session_file_internal.h"
#include "engine/session/what_if.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace gelens {

using session::key;
using session::text;

namespace {

constexpr qsizetype mostCards = 256;
constexpr qsizetype mostBesides = 256;
constexpr qint64 sizeLimit = 64 << 20; ///< no session of a person comes near it

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
    Status readPlace(const QJsonObject& json, const QString& place, SessionContents::Place& where) const;
    Status readView(const QJsonObject& json, const QString& place, SessionContents::Model& model) const;
    Status readModel(const QJsonObject& json, const QString& place, const QString& folder,
                     SessionContents::Model& model) const;
    Status readNotes(const QJsonValue& json, const QString& place, std::map<QString, QString>& notes) const;
    Status readPath(const QJsonObject& json, const char* name, const QString& place, const QString& folder,
                    QString& path) const;
    Status readBreakpoint(const QJsonObject& json, const QString& place, Breakpoint& breakpoint) const;
    Status readTextDiff(const QJsonObject& all, const QString& folder, SessionContents& contents) const;
    Status readDrawing(const QJsonObject& all, SessionContents& contents) const;

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

Status Reader::readPlace(const QJsonObject& json, const QString& place, SessionContents::Place& where) const
{
    GELENS_TRY(readInt(json, "step", place, where.shown));
    GELENS_TRY(readInt(json, "compared_step", place, where.compared));
    return readText(json, "node", place, where.node);
}

/// Where its user was, and the runs that were kept.
Status Reader::readView(const QJsonObject& json, const QString& place, SessionContents::Model& model) const
{
    GELENS_TRY(readPlace(json, place, model));
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
        GELENS_TRY(readPlace(run, at, whatIf.comparison));
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

Status Reader::readTextDiff(const QJsonObject& all, const QString& folder, SessionContents& contents) const
{
    QJsonObject json;
    const QString place = QStringLiteral("text_diff.");
    GELENS_TRY(readObject(all, "text_diff", {}, json));
    GELENS_TRY(readPath(json, "before", place, folder, contents.textBefore));
    GELENS_TRY(readPath(json, "after", place, folder, contents.textAfter));
    if (contents.textBefore.isEmpty() != contents.textAfter.isEmpty()) return fail(place.chopped(1), "a pair of files");
    return readText(json, "form", place, contents.textForm);
}

Status Reader::readDrawing(const QJsonObject& all, SessionContents& contents) const
{
    if (all.contains(key("drawing"))) {
        QJsonObject json;
        GELENS_TRY(readObject(all, "drawing", {}, json));
        DrawingWords& words = contents.drawing.emplace();
        for (auto word = json.begin(); word != json.end(); ++word) {
            if (!drawingKeys().contains(word.key())) continue; // of a version that knows more
            if (!word->isString() || !drawingProblem(word.key(), word->toString()).isEmpty())
                return fail(QStringLiteral("drawing.") + word.key(), "one of the known names");
            words[word.key()] = word->toString();
        }
    }
    if (all.contains(key("open_blocks"))) GELENS_TRY(readTexts(all, "open_blocks", {}, contents.openBlocks.emplace()));
    return Status::success();
}

} // namespace

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
    if (version.toInt() > session::fileVersion)
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
    GELENS_TRY(reader.readTextDiff(all, folder, contents));
    GELENS_TRY(reader.readDrawing(all, contents));
    return contents;
}

Result<SessionContents> readSession(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return Error::io(file.errorString().toStdString(), path.toStdString());
    if (file.size() > sizeLimit) return Error::limit("too large for a session", path.toStdString());
    return sessionFromJson(file.readAll(), path, QFileInfo(path).absolutePath());
}

} // namespace gelens
