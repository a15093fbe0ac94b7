#include "app/gui/command_line.h"

#include "app/core/option_arguments.h"
#include "app/core/preferences.h"
#include "app/gui/card_tools.h"
#include "app/gui/main_window.h"
#include "engine/session/text_diff.h"
#include "viewers/models/words.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include <cstdio>
#include <string_view>

namespace gelens {

namespace {

QStringList textForms()
{
    QStringList forms;
    for (const DumpTextForm form : {DumpTextForm::GeOnnx, DumpTextForm::GeProto, DumpTextForm::Readable})
        forms += words::text(dumpTextFormName(form));
    return forms;
}

/// Options of the window itself; those of a run are optionArguments().
void addWindowOptions(QCommandLineParser& parser)
{
    const auto add = [&](const char* name, const QString& value, const QString& text) {
        parser.addOption({QLatin1String(name), text, value});
    };
    const auto say = [&](const char* name, const char* value, const char* text) {
        add(name, QLatin1String(value), QString::fromUtf8(text));
    };
    say("soc", "NAME", "chip to compile for");
    say("step", "N|NAME|last", "step to show");
    add("view", QStringLiteral("NAME"),
        QStringLiteral("view to bring to the front: %1").arg(MainWindow::viewNames().join(QLatin1Char(' '))));
    say("language", "zh_CN|en", "language of the window");
    say("theme", "light|dark", "colours of the window");
    say("compare-step", "N", "step that the shown one is compared with");
    say("node", "NAME", "node to select");
    say("cards", "N", "split each model by its repeated blocks over so many cards");
    say("card", "K", "show this one of the cards of the last file, counted from 0");
    say("what-if", "OPTIONS",
        "run the last file with these options too, put over the others (--plain: over the defaults)");
    say("against", "OPTIONS", "the same, and show it beside the run");
    say("beside", "FOLDER", "show the run of the last file beside GE's dumps");
    say("original", "FILE", "the model that the last file, an OM, was compiled from");
    say("read-as", "KIND", "read the last file as this kind, whatever its content tells");
    add("draw", QStringLiteral("KEY=WORD"),
        QStringLiteral("how the graph is drawn: %1").arg(drawingKeys().join(QLatin1Char(' '))));
    say("open-block", "KEY", "block of the graph that is open (*: all, nothing: none)");
    say("text-before", "FILE", "dump that the text diff compares with --text-after");
    say("text-after", "FILE", "dump that the text diff compares with --text-before");
    add("text-form", textForms().join(QLatin1Char('|')), QStringLiteral("form in which the text diff compares steps"));
    say("log", "FILE", "log of ATC or GE for the log decoder");
    say("size", "WxH", "size of the window");
    say("screenshot", "OUT.png", "draw the window into a file and exit");
    parser.addOption(
        {QStringLiteral("plain"), QStringLiteral("options that are not given are as shipped, not as in the settings")});
    parser.addOption({QStringLiteral("print-state"), QStringLiteral("print as JSON what is shown, and exit")});
    for (const OptionArgument& argument : optionArguments()) say(argument.name, argument.value, argument.text);
}

void readRun(const QCommandLineParser& parser, GuiOptions& options)
{
    std::map<QString, QStringList> given;
    for (const OptionArgument& argument : optionArguments())
        if (const QString name = QLatin1String(argument.name); parser.isSet(name)) given[name] = parser.values(name);
    const CompileOptions base = parser.isSet(QStringLiteral("plain")) ? CompileOptions() : preferredOptions();
    if (auto compile = optionsFromArguments(given, base); compile.ok())
        options.compile = *compile;
    else
        options.error = QString::fromStdString(compile.error().message());
    for (const char* name : {"what-if", "against"})
        for (const QString& text : parser.values(QLatin1String(name))) {
            const qsizetype at = text.startsWith(QStringLiteral("--")) ? -2 : text.indexOf(QStringLiteral(": --"));
            if (const auto read = optionsFromText(text.mid(at + 2), options.compile); !read.ok())
                options.error = QStringLiteral("--%1 %2: %3")
                                    .arg(QLatin1String(name), text, QString::fromStdString(read.error().message()));
            options.runs.push_back({text, name == std::string_view("against")});
        }
}

void readCards(const QCommandLineParser& parser, GuiOptions& options)
{
    bool isNumber = false;
    if (const QString cards = QStringLiteral("cards"); parser.isSet(cards)) {
        options.cards = parser.value(cards).toInt(&isNumber);
        if (!isNumber || options.cards < 1 || options.cards > CardTools::mostCards)
            options.error = QStringLiteral("--cards %1: expected a number from 1 to %2")
                                .arg(parser.value(cards))
                                .arg(CardTools::mostCards);
    }
    if (const QString card = QStringLiteral("card"); parser.isSet(card)) {
        options.card = parser.value(card).toInt(&isNumber);
        if (!isNumber || options.card < 0 || options.card >= options.cards || options.cards < 2)
            options.error =
                QStringLiteral("--card %1: expected a number below that of --cards").arg(parser.value(card));
    }
}

/// How the graph is drawn, and what the text diff and the log decoder read.
void readDrawing(const QCommandLineParser& parser, GuiOptions& options)
{
    if (parser.isSet(QStringLiteral("plain"))) options.drawing.emplace();
    for (const QString& text : parser.values(QStringLiteral("draw"))) {
        const qsizetype sign = text.indexOf(QLatin1Char('='));
        const QString key = text.left(sign), word = sign < 0 ? QString() : text.mid(sign + 1);
        if (const QString problem = drawingProblem(key, word); !problem.isEmpty())
            options.error = QStringLiteral("--draw %1").arg(problem);
        if (!options.drawing) options.drawing.emplace();
        (*options.drawing)[key] = word;
    }
    if (const QString block = QStringLiteral("open-block"); parser.isSet(block)) {
        options.openBlocks = parser.values(block);
        options.openBlocks->removeAll(QString());
    }
    options.textBefore = parser.value(QStringLiteral("text-before"));
    options.textAfter = parser.value(QStringLiteral("text-after"));
    if (options.textBefore.isEmpty() != options.textAfter.isEmpty())
        options.error = QStringLiteral("--text-%1: given without the other one")
                            .arg(QLatin1String(options.textAfter.isEmpty() ? "before" : "after"));
    options.textForm = parser.value(QStringLiteral("text-form"));
    if (!options.textForm.isEmpty() && !textForms().contains(options.textForm))
        options.error =
            QStringLiteral("--text-form %1: known are %2").arg(options.textForm, textForms().join(QLatin1Char(' ')));
    options.log = parser.value(QStringLiteral("log"));
}

void readWindow(const QCommandLineParser& parser, GuiOptions& options)
{
    options.view = parser.value(QStringLiteral("view"));
    if (!parser.isSet(QStringLiteral("view"))) // what is to be read is to be seen
        options.view = !options.log.isEmpty()          ? QStringLiteral("decoder")
                       : !options.textBefore.isEmpty() ? QStringLiteral("textdiff")
                                                       : QString();
    options.language = parser.value(QStringLiteral("language"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    options.printsState = parser.isSet(QStringLiteral("print-state"));
    if (parser.isSet(QStringLiteral("view")) && !MainWindow::viewNames().contains(options.view))
        options.error =
            QStringLiteral("--view %1: known are %2").arg(options.view, MainWindow::viewNames().join(QLatin1Char(' ')));
    if (!options.theme.isEmpty() && options.theme != QStringLiteral("light") && options.theme != QStringLiteral("dark"))
        options.error = QStringLiteral("--theme %1: light or dark").arg(options.theme);
    if (!options.language.isEmpty() && options.language != QStringLiteral("en") &&
        options.language != QStringLiteral("zh_CN"))
        options.error = QStringLiteral("--language %1: en or zh_CN").arg(options.language);
    if (!parser.isSet(QStringLiteral("size"))) return;
    static const QRegularExpression form(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const auto match = form.match(parser.value(QStringLiteral("size")));
    if (match.hasMatch())
        options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    else
        options.error = QStringLiteral("--size %1: expected WIDTHxHEIGHT").arg(parser.value(QStringLiteral("size")));
}

} // namespace

GuiOptions parseGuiOptions(const QStringList& arguments)
{
    GuiOptions options;
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("GE Lens: see inside CANN's graph compiler"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("models or folders of dumps to open"),
                                 QStringLiteral("[FILE|FOLDER…]"));
    addWindowOptions(parser);
    if (!parser.parse(arguments)) {
        options.error = parser.errorText();
        return options;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        options.isDone = true;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::fputs("gelens " GELENS_VERSION "\n", stdout);
        options.isDone = true;
    }
    options.files = parser.positionalArguments();
    options.soc = parser.value(QStringLiteral("soc"));
    options.step = parser.value(QStringLiteral("step"));
    options.compareStep = parser.value(QStringLiteral("compare-step"));
    options.node = parser.value(QStringLiteral("node"));
    options.besides = parser.values(QStringLiteral("beside"));
    options.original = parser.value(QStringLiteral("original"));
    options.readAs = parser.value(QStringLiteral("read-as"));
    readRun(parser, options);
    readCards(parser, options);
    readDrawing(parser, options);
    readWindow(parser, options);
    return options;
}

} // namespace gelens
