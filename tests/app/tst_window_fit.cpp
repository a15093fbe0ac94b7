// The window at 1280x800, the smallest that it is made for: titles, labels and buttons are whole, lists have rows.

#include "tests/app/window_fixture.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/palette.h"
#include "viewers/common/table_panel.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/memory/memory_view.h"
#include "viewers/models/models_model.h"
#include "viewers/models/statistics_model.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/explanation_card.h"
#include "viewers/unfused/pattern_picture.h"
#include "viewers/unfused/unfused_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyleOptionButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>

#include <cmath>

using namespace gelens;
using namespace gelens::test;

namespace {

/// Titles that do not fit their column although the user sees it, and columns that lie outside of their list.
QStringList cutTitles(QWidget* view)
{
    QStringList cut;
    for (QTreeView* list : view->findChildren<QTreeView*>()) {
        if (!list->isVisible() || list->isHeaderHidden()) continue;
        const QHeaderView* header = list->header();
        for (int column = 0; column < header->count(); ++column) {
            if (header->isSectionHidden(column)) continue;
            const QString title = list->model()->headerData(column, Qt::Horizontal).toString();
            const QString place = QStringLiteral("%1: \"%2\"").arg(list->accessibleName(), title);
            if (header->sectionViewportPosition(column) + header->sectionSize(column) > list->viewport()->width() + 1)
                cut += place + QStringLiteral(" lies outside");
            if (header->fontMetrics().horizontalAdvance(title) + 6 > header->sectionSize(column))
                cut += place + QStringLiteral(" is cut");
        }
    }
    return cut;
}

QStringList cutTexts(QWidget* view)
{
    QStringList cut;
    for (QLabel* label : view->findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty()) continue;
        if (qobject_cast<ElidedLabel*>(label) != nullptr) { // it cuts itself, but never its ellipsis
            if (label->fontMetrics().horizontalAdvance(label->text()) > label->contentsRect().width())
                cut += QStringLiteral("ellipsis of \"%1\"").arg(label->text());
            continue;
        }
        const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().width();
        if (needed > (label->wordWrap() ? label->height() : label->width()) + 1 &&
            label->visibleRegion().boundingRect() == label->rect())
            cut += QStringLiteral("label \"%1\"").arg(label->text());
    }
    for (QAbstractButton* button : view->findChildren<QAbstractButton*>())
        if (button->isVisible() && !button->text().isEmpty() && button->minimumSizeHint().width() > button->width() + 1)
            cut += QStringLiteral("button \"%1\"").arg(button->text());
    return cut;
}

/// What of a card's pattern cannot be read, or nothing.
QString cutInPattern(const ExplanationCard& card)
{
    const PatternPicture* picture = card.picture();
    if (card.horizontalScrollBar()->maximum() != 0) return card.visibleText();
    for (std::size_t i = 0; i < picture->pairs().size(); ++i) {
        const QRectF box = picture->realRect(static_cast<int>(i));
        QFont bold = picture->font();
        bold.setBold(true);
        const QString& type = picture->pairs()[i].type;
        const int needed = QFontMetrics(bold).horizontalAdvance(type) + 28; // margins and the unit's letter
        if (needed > box.width() && needed <= picture->width() - 8) return type;
        if (!picture->rect().contains(box.toRect())) return type;
    }
    return {};
}

int rowsInSight(const QTreeView* list)
{
    int rows = 0;
    for (QModelIndex at = list->model()->index(0, 0); at.isValid(); at = list->indexBelow(at))
        if (const QRect place = list->visualRect(at);
            place.isValid() && list->viewport()->rect().contains(place.adjusted(0, 0, -place.width() + 1, 0)))
            ++rows;
    return rows;
}

} // namespace

class TestWindowFit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        // Of that size from the start: docks share out what the first size gives them.
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        (void)QTest::qWaitForWindowActive(m_window.get());
        QVERIFY(openAndWait(*m_window, sample("llama-7b")));
    }
    void cleanupTestCase() { m_window.reset(); }

    void everythingIsWhole_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("view");
        for (const char* language : {"en", "zh_CN"})
            for (const char* view : {"inspector", "unfused", "diff", "memory", "timeline", "statistics", "models",
                                     "problems", "log", "whatif", "textdiff"})
                QTest::addRow("%s, %s", view, language) << QString::fromLatin1(language) << QString::fromLatin1(view);
    }
    void everythingIsWhole()
    {
        QFETCH(QString, language);
        QFETCH(QString, view);
        applyLanguage(language);
        m_window->showView(view);
        QWidget* shown = m_window->view(view);
        QVERIFY(waitFor([&] { return shown->isVisible() && !m_window->isBusy(); }, 5000));
        QTest::qWait(150);
        QCOMPARE(m_window->width(), 1280);
        QCOMPARE(m_window->height(), 800);
        QStringList cut; // widths settle after the first layout
        const auto isWhole = [&] { return (cut = cutTitles(shown) + cutTexts(shown)).isEmpty(); };
        QVERIFY2(waitFor(isWhole, 2000), qPrintable(cut.join(QLatin1Char('\n'))));
    }

    void listsHaveRows()
    {
        applyLanguage(QStringLiteral("en"));
        m_window->showView(QStringLiteral("memory"));
        auto* memory = static_cast<MemoryView*>(m_window->view(QStringLiteral("memory")));
        QVERIFY(waitFor(
            [&] { return memory->aliveList()->isVisible() && memory->aliveList()->view()->model()->rowCount() > 3; },
            5000));
        QTest::qWait(100);
        QVERIFY2(rowsInSight(memory->aliveList()->view()) >= 3,
                 qPrintable(QString::number(rowsInSight(memory->aliveList()->view()))));
        m_window->showView(QStringLiteral("statistics"));
        auto* statistics = static_cast<StatisticsView*>(m_window->view(QStringLiteral("statistics")));
        QVERIFY(waitFor([&] { return statistics->figures()->isVisible(); }, 5000));
        QTest::qWait(100);
        QCOMPARE(rowsInSight(statistics->figures()->view()), 5); // the whole reference table
        QVERIFY(rowsInSight(statistics->histogram()->view()) >= 6);
        // The bars are the point of the list of operators.
        QVERIFY(statistics->histogram()->view()->header()->sectionSize(HistogramModel::Bars) >= 60);
    }

    void stagesAreWhole_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void stagesAreWhole()
    {
        QFETCH(QString, language);
        applyLanguage(language);
        m_window->showView(QStringLiteral("pipeline"));
        auto* list = m_window->view(QStringLiteral("pipeline"))->findChild<QTreeView*>();
        QVERIFY(list != nullptr && waitFor([&] { return list->isVisible() && list->model()->rowCount() > 0; }, 5000));
        QTest::qWait(100);
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex stage = list->model()->index(row, 0);
            QFont bold = list->font();
            bold.setBold(true);
            QVERIFY2(QFontMetrics(bold).horizontalAdvance(stage.data().toString()) + 4 <=
                         list->visualRect(stage).width(),
                     qPrintable(stage.data().toString()));
        }
    }

    /// What a chain is made of is what one looks for; columns without a single figure leave it their room.
    void chainsAreReadable()
    {
        applyLanguage(QStringLiteral("en"));
        m_window->showView(QStringLiteral("unfused"));
        auto* view = static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused")));
        view->tabs()->setCurrentIndex(0);
        QTreeView* list = view->chainList()->view();
        QVERIFY(waitFor([&] { return list->isVisible(); }, 5000));
        QTest::qWait(100);
        QVERIFY2(list->columnWidth(ChainsModel::Nodes) >= 130,
                 qPrintable(QString::number(list->columnWidth(ChainsModel::Nodes))));
        for (const int column : {ChainsModel::Needs, ChainsModel::Has, ChainsModel::FitsWhen}) {
            bool isAny = false;
            for (int group = 0; group < list->model()->rowCount(); ++group) {
                const QModelIndex above = list->model()->index(group, 0);
                for (int row = 0; row < list->model()->rowCount(above); ++row) {
                    const QModelIndex chain = list->model()->index(row, 0, above);
                    isAny = isAny || !chain.siblingAtColumn(column).data().toString().isEmpty();
                    for (int link = 0; link < list->model()->rowCount(chain); ++link)
                        isAny = isAny || !list->model()->index(link, column, chain).data().toString().isEmpty();
                }
            }
            QCOMPARE(list->isColumnHidden(column), !isAny);
        }
    }

    /// The strip says which pass is shown before it says of which stage it is.
    void theShownPassIsNamed()
    {
        applyLanguage(QStringLiteral("en"));
        auto* strip = m_window->findChild<StepStrip*>();
        QVERIFY(strip != nullptr && strip->run());
        const QString pass = QString::fromStdString(strip->run()->step(strip->shownStep()).pass);
        const QFontMetrics metrics(strip->font());
        QVERIFY(strip->shownName(2000).endsWith(pass) && strip->shownName(2000).count(QStringLiteral(" › ")) == 2);
        QCOMPARE(strip->shownName(metrics.horizontalAdvance(pass) + 2), pass);
        QVERIFY(strip->shownName(60).contains(QStringLiteral("…")));
    }

    /// Names of passes are long; most are read whole.
    void mostPassesAreWhole()
    {
        applyLanguage(QStringLiteral("en"));
        auto* list = m_window->view(QStringLiteral("pipeline"))->findChild<QTreeView*>();
        list->expandAll();
        QTest::qWait(50);
        int passes = 0, whole = 0;
        for (QModelIndex at = list->model()->index(0, 0); at.isValid(); at = list->indexBelow(at)) {
            if (list->model()->hasChildren(at)) continue;
            ++passes;
            whole += list->fontMetrics().horizontalAdvance(at.data().toString()) + 8 <= list->visualRect(at).width();
        }
        QVERIFY2(passes > 15 && whole * 5 >= passes * 3, qPrintable(QStringLiteral("%1 of %2").arg(whole).arg(passes)));
    }

    /// In the dark a field and an empty box to tick have an outline that stands out from the window.
    void fieldsAreOutlinedInTheDark()
    {
        applyTheme(QStringLiteral("dark"));
        m_window->showView(QStringLiteral("models"));
        QTest::qWait(50);
        QWidget* pipeline = m_window->view(QStringLiteral("pipeline"));
        const auto contrastAt = [](QWidget* widget, QPoint edge) {
            const auto luminance = [](const QColor& colour) {
                const auto part = [](float c) {
                    return c <= 0.04045F ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
                };
                return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
            };
            const double line = luminance(widget->grab().toImage().pixelColor(edge)),
                         window = luminance(widget->palette().color(QPalette::Window));
            return (line + 0.05) / (window + 0.05);
        };
        auto* field = pipeline->findChild<QLineEdit*>();
        QVERIFY(field != nullptr && field->isVisible() && !field->hasFocus());
        QVERIFY(contrastAt(field, {field->width() / 2, 0}) >= 2.5);
        auto* box = static_cast<PipelineView*>(pipeline)->touchesSelection();
        QStyleOptionButton option;
        option.initFrom(box);
        const QRect tick = box->style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, box);
        QVERIFY(contrastAt(box, {tick.center().x(), tick.top()}) >= 2.5);
        applyTheme(QStringLiteral("light"));
    }

    /// The panel in front is told from the others by a line, in the dark as well.
    void theTabInFrontIsMarked()
    {
        for (const QString& theme : {QStringLiteral("dark"), QStringLiteral("light")}) {
            applyTheme(theme);
            m_window->showView(QStringLiteral("memory"));
            QTest::qWait(50);
            int bars = 0;
            for (QTabBar* bar : m_window->findChildren<QTabBar*>()) {
                if (!bar->isVisible() || bar->count() < 5) continue;
                ++bars;
                const QImage picture = bar->grab().toImage();
                const QRect front = bar->tabRect(bar->currentIndex()), other = bar->tabRect(0);
                const QRgb accent = Palette::of(bar->palette()).accent().rgb();
                const auto hasLine = [&](const QRect& tab) {
                    for (int y = tab.top(); y <= tab.bottom(); ++y)
                        if (picture.pixel(tab.center().x(), y) == accent) return true;
                    return false;
                };
                QVERIFY(hasLine(front) && !hasLine(other));
            }
            QVERIFY(bars > 0);
        }
    }

    /// Types in the boxes of an explanation are read whole wherever the card has room for one such box.
    void patternsAreWhole()
    {
        applyLanguage(QStringLiteral("en"));
        m_window->showView(QStringLiteral("unfused"));
        auto* view = static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused")));
        view->tabs()->setCurrentIndex(1);
        QAbstractItemModel* list = view->fusionList()->view()->model();
        QVERIFY(list->rowCount() > 5);
        std::size_t looked = 0;
        for (int row = 0; row < list->rowCount(); ++row) {
            view->fusionList()->view()->setCurrentIndex(list->index(row, 0));
            const PatternPicture* picture = view->card()->picture();
            if (!waitFor([&] { return picture->isVisible() && !picture->pairs().empty(); }, 2000)) continue;
            QString cut; // a card is laid out some events after it is filled
            const auto isWhole = [&] { return (cut = cutInPattern(*view->card())).isEmpty(); };
            QVERIFY2(waitFor(isWhole, 2000), qPrintable(cut));
            looked += picture->pairs().size();
        }
        QVERIFY(looked > 10);
        view->tabs()->setCurrentIndex(0);
        QTreeView* chains = view->chainList()->view();
        for (QModelIndex at = chains->model()->index(0, 0); at.isValid(); at = chains->indexBelow(at)) {
            chains->setCurrentIndex(at);
            QTest::qWait(10);
            QVERIFY2(view->card()->horizontalScrollBar()->maximum() == 0, qPrintable(view->card()->visibleText()));
        }
    }

    /// A problem, a breakpoint or a row of a list names a step and a node: both come at once, before the step is drawn.
    void whatIsChosenWithItsStepIsInSight()
    {
        Hub* hub = m_window->hub();
        GraphView* graph = m_window->graphView();
        hub->showStep(hub->run()->lastStep(), StepId{0});
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        const StepId step{40}, before{36};
        const NodeId node = hub->run()->graphAt(step)->findNode("/model/layers.0/mlp/gate_proj/MatMul");
        QVERIFY(node.isValid());
        hub->showStep(step, before);
        hub->select(Selection::ofNode(node));
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
        QTest::qWait(50);
        const GraphCanvas* canvas = graph->afterCanvas();
        QVERIFY(graph->shownStep() == step && canvas->currentBox() >= 0);
        QVERIFY(QRectF(canvas->rect()).intersects(canvas->boxRect(canvas->currentBox())));
        hub->select({});
        hub->showStep(hub->run()->lastStep(), StepId{0});
        QVERIFY(waitFor([&] { return !m_window->isBusy(); }));
    }

    /// A timeline whose tracks are not all in sight says how many more there are, and shows them on a click.
    void hiddenTracksAreCounted()
    {
        applyLanguage(QStringLiteral("en"));
        m_window->showView(QStringLiteral("timeline"));
        auto* canvas = static_cast<TimelineView*>(m_window->view(QStringLiteral("timeline")))->canvas();
        QVERIFY(waitFor([&] { return canvas->isVisible() && canvas->index() != nullptr; }, 5000));
        QTest::qWait(100);
        QScrollBar* bar = canvas->verticalScrollBar();
        QCOMPARE(bar->maximum() > 0, canvas->tracksHidden(true) > 0);
        m_window->resize(1280, 700);
        QVERIFY(waitFor([&] { return canvas->tracksHidden(true) > 0; }, 2000));
        QVERIFY(bar->isVisible());
        QVERIFY(canvas->viewport()->rect().contains(canvas->moreRect(true).toRect()));
        QVERIFY(canvas->moreRect(false).isEmpty());
        const int before = canvas->tracksHidden(true);
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->moreRect(true).center().toPoint());
        QVERIFY(canvas->tracksHidden(true) < before);
        QVERIFY(canvas->tracksHidden(false) > 0 && !canvas->moreRect(false).isEmpty());
        bar->setValue(0);
        m_window->resize(1280, 800);
    }

    void draggedColumnsStay()
    {
        m_window->showView(QStringLiteral("models"));
        auto* list = m_window->view(QStringLiteral("models"))->findChild<QTreeView*>();
        QVERIFY(list != nullptr && waitFor([&] { return list->isVisible(); }, 5000));
        QTest::qWait(100);
        QHeaderView* header = list->header();
        const int edge = header->sectionViewportPosition(ModelsModel::State);
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, QPoint(edge - 1, header->height() / 2));
        QTest::mouseMove(header->viewport(), QPoint(edge + 40, header->height() / 2));
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, QPoint(edge + 40, header->height() / 2));
        const int width = header->sectionSize(ModelsModel::Name);
        m_window->resize(1500, 800);
        QTest::qWait(100);
        m_window->resize(1280, 800);
        QTest::qWait(100);
        QCOMPARE(header->sectionSize(ModelsModel::Name), width);

        // The next window has them, too, until they are given up.
        QTest::qWait(300);
        MainWindow next;
        next.resize(1280, 800);
        next.show();
        QVERIFY(openAndWait(next, sample("attention-fits"))); // a list without rows gives its place to a sentence
        next.showView(QStringLiteral("models"));
        auto* again = next.view(QStringLiteral("models"))->findChild<QTreeView*>();
        QVERIFY(waitFor([&] { return again->header()->sectionSize(ModelsModel::Name) == width; }, 2000));
        auto* fit = again->findChild<ColumnFit*>();
        QVERIFY(fit->isUsers());
        next.action(QStringLiteral("reset_layout"))->trigger();
        QVERIFY(!fit->isUsers());
        next.showView(QStringLiteral("models")); // the layout as it began has another tab in front
        QVERIFY(waitFor([&] { return again->header()->sectionSize(ModelsModel::Name) != width; }, 2000));
    }

private:
    WindowSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestWindowFit)
#include "tst_window_fit.moc"
