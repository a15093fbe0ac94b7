#include "app/gui/help_tools.h"

#include "app/gui/main_window.h"
#include "app/gui/preference_tools.h"
#include "app/gui/settings_dialog.h"
#include "app/gui/tour.h"
#include "viewers/graph/graph_view.h"
#include "viewers/welcome/welcome_view.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

namespace gelens {

HelpTools::HelpTools(MainWindow* window) : QObject(window), m_window(window) {}

void HelpTools::createActions()
{
    const auto add = [this](const char* name, const QKeySequence& keys, const std::function<void()>& run) {
        m_window->addAction(QString::fromLatin1(name), keys, run);
    };
    add("settings", QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] { openSettings(false); });
    add("shortcuts", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_K), [this] { openSettings(true); });
    add("tour", QKeySequence(Qt::Key_F1), [this] { startTour(); });
}

void HelpTools::fillMenus(QMenu* tools, QMenu* help)
{
    tools->addSeparator();
    tools->addAction(m_window->action(QStringLiteral("settings")));
    help->insertAction(help->actions().isEmpty() ? nullptr : help->actions().first(),
                       m_window->action(QStringLiteral("tour")));
    help->insertAction(m_window->action(QStringLiteral("about")), m_window->action(QStringLiteral("shortcuts")));
}

void HelpTools::retranslate()
{
    m_window->setActionText("settings", tr("Settings…"),
                            tr("Language, what new models and the graph begin with, and shortcuts"));
    m_window->setActionText("shortcuts", tr("Shortcuts…"), tr("See and change the shortcut of every command"));
    m_window->setActionText("tour", tr("Tour"), tr("See the panels in two minutes"));
}

void HelpTools::openSettings(bool onShortcuts)
{
    SettingsDialog::Choices choices;
    choices.language = m_window->m_settings.language();
    choices.theme = m_window->m_settings.theme();
    choices.soc = m_window->m_settings.soc();
    choices.setLanguage = [window = m_window](const QString& language) { window->setLanguage(language); };
    choices.setTheme = [window = m_window](const QString& theme) { window->setTheme(theme); };
    choices.setSoc = [window = m_window](const QString& soc) {
        window->m_settings.setSoc(soc);
        window->setSoc(soc);
    };
    choices.preferenceChanged = [window = m_window](Preference id) { window->preferenceTools()->apply(id); };
    auto* dialog = new SettingsDialog(std::move(choices), m_window->commands(), m_window);
    if (onShortcuts) dialog->showShortcuts();
    dialog->show();
}

Tour* HelpTools::tour() const { return m_window->findChild<Tour*>(QStringLiteral("tour")); }

void HelpTools::startTour()
{
    if (Tour* running = tour()) running->close();
    // Something has to be there to be shown.
    if (m_window->hub()->current() == nullptr) {
        const QString sample = WelcomeView::samplesFolder() + QStringLiteral("/tiny-llama.onnx");
        if (QFileInfo::exists(sample)) m_window->openFile(sample);
    }
    const auto panel = [window = m_window](const char* name) {
        return [window, name]() -> QWidget* {
            window->showView(QLatin1String(name));
            return window->view(QLatin1String(name));
        };
    };
    std::vector<TourStop> stops{
        {tr("Pipeline"),
         tr("Every pass of the compile, in the order in which GE runs them, with what it changed. A double click goes to a pass; a click into "
            "the left margin sets a breakpoint."),
         panel("pipeline")},
        {tr("Steps"),
         tr("The whole run at a glance: one bar for each step, high where much was edited. Click, drag, or use F9 and F10."),
         panel("strip")},
        {tr("Graph"),
         tr("The graph before and after the step. + is new, − is gone, ~ has changed. Repeated layers are folded; Enter opens a block."),
         panel("graph")},
        {tr("Inspector"),
         tr("Everything about what is selected: tensors, attributes, each edit of its history, where it came from and what it became. All of it "
            "leads on by a click."),
         panel("inspector")},
        {tr("Unfused chains"),
         tr("Why was this not fused? The rule's pattern beside the real nodes, what it needs and what there is, and buttons that try a remedy."),
         panel("unfused")},
        {tr("Memory"),
         tr("Who lives where in device memory, and when; what the peak is made of, and how far it is from the lower bound."),
         panel("memory")},
        {tr("Timeline"),
         tr("When each task runs on the simulated device. Times are estimates of a published cost model."),
         panel("timeline")},
        {tr("What-if"),
         tr("Another chip, larger buffers, other rules or shapes: compile again beside the run and read the differences."),
         panel("whatif")},
        {tr("All commands"),
         tr("Ctrl+Shift+P finds every command by its name. Have a good time with your model."),
         {}}};
    new Tour(std::move(stops), m_window);
}

} // namespace gelens
