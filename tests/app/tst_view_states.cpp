// No view is ever blank: without a model, while one loads, after one failed, and with a run that has nothing for the view,
// each says in a sentence what the matter is and in another what to do next.

#include "engine/graph/graph.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_view.h"

#include <QLabel>
#include <QPlainTextEdit>

using namespace gelens;
using namespace gelens::test;

namespace {

/// A model of which nothing is left to tell: no operators, no plan, no tasks.
std::shared_ptr<const Run> emptyRun()
{
    auto run = std::make_shared<Run>();
    run->modelName = "empty";
    run->soc.name = "Ascend910B1";
    run->mode = "full";
    Step step;
    step.id = StepId{0};
    step.pass = "aclmdlLoadFromFile";
    run->steps.push_back(step);
    run->setGraph(std::make_shared<Graph>(), std::make_shared<Journal>());
    return run;
}

bool isSentence(const QString& text)
{
    const QString said = text.trimmed();
    return said.size() > 4 && (said.endsWith(QLatin1Char('.')) || said.endsWith(QStringLiteral("…")) ||
                               said.endsWith(QStringLiteral("。")));
}

} // namespace

class TestViewStates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_window = freshWindow(); }
    void cleanup() { m_window.reset(); }

    void withoutAModel_data() { addViews(); }
    void withoutAModel() { check({}); }

    void whileOneLoads_data() { addViews(); }
    void whileOneLoads()
    {
        m_window->hub()->addModel(sample("llama-7b"), {});
        check(QStringLiteral("compiled"));
    }

    void afterOneFailed_data() { addViews(); }
    void afterOneFailed()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("broken.onnx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no protobuf at all");
        file.close();
        const int id = m_window->openFile(file.fileName());
        QVERIFY(waitFor([&] { return m_window->hub()->find(id) == nullptr && !m_window->isBusy(); }, 10000));
        check(QStringLiteral("Choose another file"));
    }

    void withNothingToTell_data() { addViews(); }
    void withNothingToTell()
    {
        const int id = m_window->hub()->addModel(QStringLiteral("empty.onnx"), {});
        m_window->hub()->setRun(id, emptyRun());
        check({});
    }

private:
    static void addViews()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("language");
        for (const QString& name : MainWindow::viewNames())
            if (name != QLatin1String("welcome"))
                for (const char* language : {"en", "zh_CN"})
                    QTest::addRow("%s, %s", qPrintable(name), language) << name << QString::fromLatin1(language);
    }

    /// Fails for a view that shows an empty list or an empty page without a word; `word` is to be among the words (English).
    void check(const QString& word)
    {
        QFETCH(QString, name);
        QFETCH(QString, language);
        applyLanguage(language);
        m_window->showView(name);
        View* const view = m_window->view(name);
        if (name == QLatin1String("graph") && !view->isVisible()) return; // the welcome page is in its place
        QVERIFY(waitFor([&] { return view->isVisible() && !view->hasPendingChanges(); }, 5000));
        QTest::qWait(150);
        QStringList pages, blank;
        for (const StatePage* page : view->findChildren<StatePage*>())
            if (page->isVisible()) pages += page->text();
        for (const TablePanel* list : view->findChildren<TablePanel*>()) {
            if (!list->isVisible() || list->view()->model() == nullptr || list->view()->model()->rowCount() > 0)
                continue;
            if (list->placeholder().isEmpty()) blank += list->name();
        }
        QVERIFY2(blank.isEmpty(), qPrintable(QStringLiteral("empty without a word: ") + blank.join(QLatin1Char(' '))));
        for (const QString& page : pages) {
            const QStringList lines = page.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
            QVERIFY2(lines.size() >= 2, qPrintable(QStringLiteral("no word of what to do: ") + page));
            for (const QString& line : lines) // what a reader says of a file begins with its name
                QVERIFY2(isSentence(line) || line.contains(QLatin1String("broken.onnx")), qPrintable(line));
            if (language == QLatin1String("zh_CN"))
                QVERIFY2(std::any_of(page.begin(), page.end(), [](QChar c) { return c.unicode() >= 0x4e00; }),
                         qPrintable(page));
        }
        if (!word.isEmpty() && language == QLatin1String("en") && !pages.isEmpty() && name != QLatin1String("log") &&
            name != QLatin1String("models") && name != QLatin1String("breakpoints") && name != QLatin1String("whatif"))
            QVERIFY2(pages.join(QLatin1Char('\n')).contains(word), qPrintable(pages.join(QLatin1Char('\n'))));
        picture(*m_window, qPrintable(QString::fromLatin1(QTest::currentTestFunction()) + QLatin1Char('-') + name +
                                      QLatin1Char('-') + language));
    }

    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestViewStates)
#include "tst_view_states.moc"
