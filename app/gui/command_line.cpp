#include "app/gui/command_line.h"

#include "app/core/option_arguments.h"
#include "app/core/preferences.h"
#include "app/gui/card_tools.h"
#include "app/gui/main_window.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include <cstdio>
#include <string_view>

namespace gelens {

GuiOptions parseGuiOptions(const QStringList& arguments)
{
    GuiOptions options;
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("GE Lens: see inside CANN's graph compiler"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("models or folders of dumps to open"),
                                 QStringLiteral("[FILE|FOLDER…]"));
    const auto add = [&](const char* name, const char* value, const char* text) {
        parser.addOption({QLatin1String(name), QLatin1String(text), QLatin1String(value)});
    };
    add("soc", "NAME", "chip to compile for");
    add("step", "N|NAME|last", "step to show");
    add("view", "NAME", "view to bring to the front");
    add("language", "zh_CN|en", "language of the window");
    add("theme", "light|dark", "colours of the window");
    add("compare-step", "N", "step that the shown one is compared with");
    add("node", "NAME", "node to select");
    add("cards", "N", "split each model by its repeated blocks over so many cards");
    add("card", "K", "show this one of the cards of the last file, counted from 0");
    add("what-if", "OPTIONS",
        "run the last file with these options too, put over the others (--plain: over the defaults)");
    add("against", "OPTIONS", "the same, and show it beside the run");
    add("beside", "FOLDER", "show the run of the last file beside GE's dumps");
    add("original", "FILE", "the model that the last file, an OM, was compiled from");
    add("read-as", "KIND", "read the last file as this kind, whatever its content tells");
    add("size", "WxH", "size of the window");
    add("screenshot", "OUT.png", "draw the window into a file and exit");
    parser.addOption(
        {QStringLiteral("plain"), QStringLiteral("options that are not given are as shipped, not as in the settings")});
    parser.addOption({QStringLiteral("print-state"), QStringLiteral("print as JSON what is shown, and exit")});
    for (const OptionArgument& argument : optionArguments()) add(argument.name, argument.value, argument.text);
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
    std::map<QString, QStringList> given;
    for (const OptionArgument& argument : optionArguments())
        if (const QString name = QLatin1String(argument.name); parser.isSet(name)) given[name] = parser.values(name);
    const CompileOptions base = parser.isSet(QStringLiteral("plain")) ? CompileOptions() : preferredOptions();
    if (auto compile = optionsFromArguments(given, base); compile.ok())
        options.compile = *compile;
    else
        options.error = QString::fromStdString(compile.error().message());
    options.soc = parser.value(QStringLiteral("soc"));
    options.step = parser.value(QStringLiteral("step"));
    if (const QString cards = QStringLiteral("cards"); parser.isSet(cards)) {
        bool isNumber = false;
        options.cards = parser.value(cards).toInt(&isNumber);
        if (!isNumber || options.cards < 1 || options.cards > CardTools::mostCards)
            options.error = QStringLiteral("--cards %1: expected a number from 1 to %2")
                                .arg(parser.value(cards))
                                .arg(CardTools::mostCards);
    }
    options.compareStep = parser.value(QStringLiteral("compare-step"));
    options.node = parser.value(QStringLiteral("node"));
    options.besides = parser.values(QStringLiteral("beside"));
    options.original = parser.value(QStringLiteral("original"));
    options.readAs = parser.value(QStringLiteral("read-as"));
    options.printsState = parser.isSet(QStringLiteral("print-state"));
    for (const char* name : {"what-if", "against"})
        for (const QString& text : parser.values(QLatin1String(name))) {
            const qsizetype at = text.startsWith(QStringLiteral("--")) ? -2 : text.indexOf(QStringLiteral(": --"));
            if (const auto read = optionsFromText(text.mid(at + 2), options.compile); !read.ok())
                options.error = QStringLiteral("--%1 %2: %3")
                                    .arg(QLatin1String(name), text, QString::fromStdString(read.error().message()));
            options.runs.push_back({text, name == std::string_view("against")});
        }
    if (const QString card = QStringLiteral("card"); parser.isSet(card)) {
        bool isNumber = false;
        options.card = parser.value(card).toInt(&isNumber);
        if (!isNumber || options.card < 0 || options.card >= options.cards || options.cards < 2)
            options.error =
                QStringLiteral("--card %1: expected a number below that of --cards").arg(parser.value(card));
    }
    options.view = parser.value(QStringLiteral("view"));
    options.language = parser.value(QStringLiteral("language"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    if (!options.view.isEmpty() && !MainWindow::viewNames().contains(options.view))
        options.error =
            QStringLiteral("--view %1: known are %2").arg(options.view, MainWindow::viewNames().join(QLatin1Char(' ')));
    if (!options.theme.isEmpty() && options.theme != QStringLiteral("light") && options.theme != QStringLiteral("dark"))
        options.error = QStringLiteral("--theme %1: light or dark").arg(options.theme);
    if (!options.language.isEmpty() && options.language != QStringLiteral("en") &&
        options.language != QStringLiteral("zh_CN"))
        options.error = QStringLiteral("--language %1: en or zh_CN").arg(options.language);
    if (parser.isSet(QStringLiteral("size"))) {
        static const QRegularExpression form(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
        const auto match = form.match(parser.value(QStringLiteral("size")));
        if (match.hasMatch())
            options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
        else
            options.error =
                QStringLiteral("--size %1: expected WIDTHxHEIGHT").arg(parser.value(QStringLiteral("size")));
    }
    return options;
}

} // namespace gelens
