// Sessions: what the window holds, as JSON. The reading half is session_file.cpp.
#include "app/core/session_file_internal.h"
#include "engine/session/what_if.h"
#include "viewers/picture/chart_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace gelens {

using session::key;
using session::text;

namespace {

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

/// Beside or below the folder: relative, so that both can move together.
QString storedPath(const QString& path, const QString& folder)
{
    if (folder.isEmpty()) return path;
    const QString relative = QDir(folder).relativeFilePath(path);
    return relative.startsWith(QStringLiteral("..")) ? path : relative;
}

void placeToJson(const SessionContents::Place& place, QJsonObject& json)
{
    if (place.shown >= 0) json[key("step")] = place.shown;
    if (place.compared >= 0) json[key("compared_step")] = place.compared;
    if (!place.node.isEmpty()) json[key("node")] = place.node;
}

void viewToJson(const SessionContents::Model& model, QJsonObject& json)
{
    placeToJson(model, json);
    QJsonArray runs;
    for (const SessionContents::WhatIf& whatIf : model.whatIfs) {
        QJsonObject run{{key("name"), whatIf.name}, {key("options"), optionsToJson(whatIf.options)}};
        if (whatIf.isCompared) run[key("compared")] = true;
        placeToJson(whatIf.comparison, run);
        runs.append(run);
    }
    if (!runs.isEmpty()) json[key("runs")] = runs;
}

/// The text diff and the drawing.
void windowToJson(const SessionContents& contents, const QString& folder, QJsonObject& json)
{
    QJsonObject texts, drawing;
    if (!contents.textBefore.isEmpty()) {
        texts[key("before")] = storedPath(contents.textBefore, folder);
        texts[key("after")] = storedPath(contents.textAfter, folder);
    }
    if (!contents.textForm.isEmpty()) texts[key("form")] = contents.textForm;
    if (!texts.isEmpty()) json[key("text_diff")] = texts;
    if (contents.drawing) {
        for (const auto& [name, word] : *contents.drawing) drawing[name] = word;
        json[key("drawing")] = drawing;
    }
    if (contents.openBlocks) json[key("open_blocks")] = QJsonArray::fromStringList(*contents.openBlocks);
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
    QJsonObject all{{key("gelens_session"), session::fileVersion},
                    {key("models"), models},
                    {key("current"), contents.current},
                    {key("current_card"), contents.currentCard},
                    {key("current_beside"), contents.currentBeside},
                    {key("current_run"), contents.currentRun},
                    {key("view"), contents.view},
                    {key("breakpoints"), breakpoints},
                    {key("queries"), QJsonArray::fromStringList(contents.queries)}};
    if (!contents.log.isEmpty()) all[key("log")] = contents.log;
    windowToJson(contents, folder, all);
    return QJsonDocument(all).toJson(QJsonDocument::Indented);
}

Status writeSession(const SessionContents& contents, const QString& path)
{
    return writeText(sessionToJson(contents, QFileInfo(path).absolutePath()).toStdString(), path.toStdString());
}

} // namespace gelens
