#include "app/gui/view_command.h"

#include "app/core/option_arguments.h"
#include "app/gui/debug_tools.h"
#include "app/gui/graph_drawing.h"
#include "app/gui/main_window.h"
#include "app/gui/session_keeper.h"
#include "engine/session/snapshot_run.h"
#include "engine/session/what_if.h"
#include "viewers/common/elided_label.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/words.h"
#include "viewers/textdiff/text_diff_view.h"

#include <QComboBox>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStatusBar>
#include <QTreeView>

namespace gelens {
namespace {

QString option(const char* name) { return QStringLiteral("--") + QLatin1String(name); }

/// The options of a run as words. Files are named from anywhere.
QStringList wordsOf(const CompileOptions& options)
{
    QStringList words;
    for (const std::string& argument : argumentsOf(options)) words += words::text(argument);
    for (qsizetype i = 0; i + 1 < words.size(); ++i)
        for (const char* file : {"soc-file", "rules", "fusion-switch"})
            if (words[i] == option(file)) words[i + 1] = QFileInfo(words[i + 1]).absoluteFilePath();
    if (options.socFile.empty() && !words.contains(option("soc")))
        words += {option("soc"), words::text(options.soc)}; // without it: the person's own
    return words;
}

QString shellLine(const QStringList& words)
{
    QStringList quoted;
    for (const QString& word : words) quoted += shellWord(word);
    return quoted.join(QLatin1Char(' '));
}

/// Of a run that was kept, over the options of the run that it stands beside.
QString runText(const KeptRun& kept, const CompileOptions& base)
{
    QString text = shellLine(wordsOf(kept.options));
    const auto read = optionsFromText(text, base);
    if (!read.ok() || *read != kept.options) text = option("plain") + QLatin1Char(' ') + text;
    return QStringLiteral("%1: %2").arg(kept.name, text);
}

/// "NAME: --l1 2097152" or options alone.
Result<SessionContents::WhatIf> runFromText(const QString& text, const CompileOptions& base)
{
    SessionContents::WhatIf run;
    QString options = text;
    if (const qsizetype at = text.indexOf(QStringLiteral(": --")); !text.startsWith(QStringLiteral("--")) && at > 0) {
        run.name = text.left(at);
        options = text.mid(at + 2);
    }
    GELENS_ASSIGN(run.options, optionsFromText(options, base));
    if (run.name.isEmpty()) run.name = options;
    return run;
}

struct Shown {
    const OpenModel* model;    ///< in front
    const OpenModel* file;     ///< the one that a file was opened for
    const OpenModel* compiled; ///< the file's or its card's; what other runs were made of
    int card = -1;
    DebugTools::Comparison comparison;
};

Shown shownIn(MainWindow& window)
{
    const Hub* hub = window.hub();
    Shown shown{hub->current(), nullptr, nullptr, -1, {}};
    shown.comparison = window.debugTools()->comparisonOf(shown.model->id);
    int id = shown.model->id;
    if (shown.comparison.model >= 0) id = shown.comparison.model;
    if (const int base = window.jobs()->besideOf(id); base >= 0) id = base;
    shown.compiled = shown.file = hub->find(id);
    for (const OpenModel& model : hub->models()) {
        const auto cards = window.jobs()->cardModelsOf(model.id);
        for (std::size_t card = 0; card < cards.size(); ++card)
            if (cards[card] == id) {
                shown.file = &model;
                shown.card = static_cast<int>(card);
            }
    }
    return shown;
}

/// A fresh run is shown whole, the result beside the model as read; `--step` alone shows what its pass changed.
void addSteps(const OpenModel& model, QStringList& line)
{
    const Run& run = *model.run;
    const bool isFresh =
        run.sourceOf(StepId{0}) == nullptr && model.shown == run.lastStep() && model.compared.value == 0;
    if (isFresh) return;
    line += {option("step"), QString::number(model.shown.value)};
    if (model.compared != run.baseOf(model.shown))
        line += {option("compare-step"), QString::number(model.compared.value)};
}

/// Over a drawing as shipped: `--plain` asks for that.
void addDrawing(const GraphView& graph, QStringList& line)
{
    for (const auto& [key, word] : drawingOf(graph)) line += {option("draw"), key + QLatin1Char('=') + word};
    const auto open = openBlocksOf(graph);
    if (!open) return;
    if (open->isEmpty()) line += {option("open-block"), QString()};
    for (const QString& key : *open) line += {option("open-block"), key};
}

/// What the panel in front reads beside the model.
void addTexts(MainWindow& window, const QString& view, QStringList& line)
{
    if (view == QStringLiteral("decoder")) {
        const auto* decoder = static_cast<LogDecoderView*>(window.view(view));
        if (!decoder->file().isEmpty()) line += {option("log"), QFileInfo(decoder->file()).absoluteFilePath()};
    }
    if (view != QStringLiteral("textdiff")) return;
    const auto* texts = static_cast<TextDiffView*>(window.view(view));
    if (texts->forms()->currentIndex() > 0) line += {option("text-form"), texts->forms()->currentText()};
    if (!texts->beforeFile().isEmpty())
        line += {option("text-before"), QFileInfo(texts->beforeFile()).absoluteFilePath(), option("text-after"),
                 QFileInfo(texts->afterFile()).absoluteFilePath()};
}

/// Words of the drawing, blocks that the person opened or folded, and how many boxes stand in each canvas.
QJsonObject drawingState(const GraphView& graph)
{
    QJsonObject state;
    for (const auto& [key, word] : drawingOf(graph)) state[key] = word;
    if (const auto open = openBlocksOf(graph)) state[QStringLiteral("open_blocks")] = QJsonArray::fromStringList(*open);
    const auto boxes = [](const GraphCanvas* canvas) {
        return canvas->scene() ? static_cast<int>(canvas->scene()->drawing.boxes.size()) : 0;
    };
    state[QStringLiteral("boxes")] = boxes(graph.afterCanvas());
    state[QStringLiteral("boxes_before")] = boxes(graph.beforeCanvas());
    return state;
}

} // namespace

QString commandLineOf(MainWindow& window)
{
    if (window.hub()->current() == nullptr) return {};
    const Shown shown = shownIn(window);
    if (shown.file == nullptr) return {};
    QStringList line{QStringLiteral("gelens"), QFileInfo(shown.file->path).absoluteFilePath()};
    const bool isFolder = QFileInfo(shown.file->path).isDir();
    line += option("plain");
    if (!isFolder) line += wordsOf(shown.card >= 0 ? shown.compiled->options : shown.file->options);
    if (!shown.file->readAs.isEmpty()) line += {option("read-as"), shown.file->readAs};
    if (!shown.file->original.isEmpty())
        line += {option("original"), QFileInfo(shown.file->original).absoluteFilePath()};
    if (shown.card >= 0)
        line += {option("cards"), QString::number(window.jobs()->cardsOf(shown.compiled->id)), option("card"),
                 QString::number(shown.card)};
    const QString view = window.sessionKeeper()->frontView();
    const bool areRunsInSight = view == QStringLiteral("whatif") || view == QStringLiteral("statistics");
    for (const KeptRun& kept : window.debugTools()->whatIfs()->runsOf(shown.compiled->id)) {
        const bool isCompared = kept.id == shown.comparison.kept && shown.comparison.model >= 0;
        if (isCompared || areRunsInSight)
            line += {option(isCompared ? "against" : "what-if"), runText(kept, shown.compiled->options)};
    }
    if (window.jobs()->besideOf(shown.model->id) >= 0)
        line += {option("beside"), QFileInfo(shown.model->path).absoluteFilePath()};
    if (shown.model->run) {
        addSteps(*shown.model, line);
        if (const NodeId node = shown.model->selection.node; node.isValid())
            line += {option("node"), words::text(shown.model->run->nameOf(node))};
    }
    addDrawing(*window.graphView(), line);
    if (!view.isEmpty()) line += {option("view"), view};
    addTexts(window, view, line);
    return shellLine(line);
}

QByteArray stateOf(MainWindow& window)
{
    QJsonObject state;
    const auto put = [&state](const char* name, const QJsonValue& value) { state[QLatin1String(name)] = value; };
    QJsonArray models, runs;
    for (const OpenModel& model : window.hub()->models()) models.append(model.name);
    put("models", models);
    put("title", window.windowTitle());
    put("view", window.sessionKeeper()->frontView());
    if (const auto* summary = window.statusBar()->findChild<ElidedLabel*>()) put("summary", summary->fullText());
    const OpenModel* model = window.hub()->current();
    if (model != nullptr && model->run) {
        const Run& run = *model->run;
        put("model", words::text(run.modelPath));
        put("options", shellLine(wordsOf(run.options)));
        put("mode", words::text(run.mode));
        put("steps", run.stepCount());
        put("step", model->shown.value);
        put("compared_step", model->compared.value);
        put("pass", words::text(run.step(model->shown).pass));
        const auto fingerprint = [&run](StepId step) { return QString::number(run.graphAt(step)->fingerprint(), 16); };
        put("graph", fingerprint(model->shown));
        put("compared_graph", fingerprint(model->compared));
        if (model->selection.node.isValid()) put("node", words::text(run.nameOf(model->selection.node)));
        put("peak_bytes", static_cast<double>(run.statistics.memoryAfter));
        put("latency_us", run.statistics.latencyUs.after);
        for (const KeptRun& kept : window.debugTools()->whatIfs()->runsOf(shownIn(window).compiled->id))
            runs.append(QStringLiteral("%1: %2").arg(kept.name, shellLine(wordsOf(kept.options))));
        put("runs", runs);
        put("drawing", drawingState(*window.graphView()));
    }
    // What stands in the lists of the panel in front.
    QJsonArray lists;
    if (View* front = window.view(window.sessionKeeper()->frontView()))
        for (const QTreeView* list : front->findChildren<QTreeView*>()) {
            if (!list->isVisible()) continue;
            QJsonArray rows;
            for (int row = 0; row < std::min(list->model()->rowCount(), 3); ++row) {
                QStringList cells;
                for (int column = 0; column < list->model()->columnCount(); ++column)
                    cells += list->model()->index(row, column).data().toString();
                rows.append(cells.join(QStringLiteral(" | ")));
            }
            lists.append(
                QJsonObject{{QStringLiteral("rows"), list->model()->rowCount()}, {QStringLiteral("first"), rows}});
        }
    put("lists", lists);
    return QJsonDocument(state).toJson(QJsonDocument::Indented);
}

QString applyWindowOptions(MainWindow& window, const GuiOptions& options)
{
    if (options.drawing) applyDrawing(*window.graphView(), *options.drawing);
    auto* texts = static_cast<TextDiffView*>(window.view(QStringLiteral("textdiff")));
    if (!options.textForm.isEmpty()) texts->forms()->setCurrentIndex(texts->forms()->findText(options.textForm));
    for (const QString& file : {options.textBefore, options.textAfter})
        if (!file.isEmpty() && !QFileInfo(file).isFile()) return QStringLiteral("%1: no such file").arg(file);
    if (!options.textBefore.isEmpty()) texts->compareFiles(options.textBefore, options.textAfter);
    if (options.log.isEmpty()) return {};
    return static_cast<LogDecoderView*>(window.view(QStringLiteral("decoder")))->openFile(options.log);
}

std::optional<SessionContents> sessionOf(const GuiOptions& options, const QString& soc)
{
    const bool asks = options.card >= 0 || !options.readAs.isEmpty() || !options.original.isEmpty() ||
                      !options.besides.isEmpty() || !options.runs.empty();
    if (!asks || options.files.isEmpty()) return std::nullopt;
    SessionContents contents;
    contents.textForm = options.textForm; // a session sets it in any case
    SessionContents::Model model;
    model.path = QFileInfo(options.files.last()).absoluteFilePath();
    model.options = options.compile;
    model.options.soc = (options.soc.isEmpty() ? soc : options.soc).toStdString();
    model.readAs = options.readAs;
    model.original = options.original;
    for (const QString& folder : options.besides) model.besides.emplace_back().path = folder;
    std::vector<SessionContents::WhatIf> runs;
    for (const GuiOptions::Run& asked : options.runs) {
        auto run = runFromText(asked.text, model.options);
        if (!run.ok()) continue; // refused when the command line was read
        run->isCompared = asked.isCompared;
        if (asked.isCompared) contents.currentRun = static_cast<int>(runs.size());
        runs.push_back(std::move(*run));
    }
    if (options.cards > 1) model.cards.resize(static_cast<std::size_t>(options.cards));
    const bool isCard = options.card >= 0 && options.card < options.cards;
    (isCard ? model.cards[static_cast<std::size_t>(options.card)] : model).whatIfs = std::move(runs);
    contents.current = 0;
    if (isCard) contents.currentCard = options.card;
    if (!options.besides.isEmpty()) contents.currentBeside = static_cast<int>(options.besides.size()) - 1;
    contents.models.push_back(std::move(model));
    return contents;
}

} // namespace gelens
