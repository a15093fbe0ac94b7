// Pictures of the graph view on the samples and of odd graphs. Those of the samples are written where GELENS_PICTURES
// says, for eyes; the test itself checks what can be checked without them: no two boxes overlap, and text is drawn.

#include "engine/report/graph_svg.h"
#include "engine/session/session.h"
#include "tests/viewers/drawing_checks.h"
#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QFileInfo>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>

#include <cmath>

using namespace gelens;
using namespace gelens::testing;

class GraphRenderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("isDark");
        for (const char* name : {"tiny-llama", "llama-7b", "small-resnet"})
            for (const bool isDark : {false, true})
                QTest::addRow("%s %s", name, isDark ? "dark" : "light") << QString::fromLatin1(name) << isDark;
    }

    void samples()
    {
        QFETCH(QString, model);
        QFETCH(bool, isDark);
        const QString path = QStringLiteral(GELENS_SAMPLES_DIR "/") + model + QStringLiteral(".onnx");
        if (!QFileInfo::exists(path)) QSKIP("the samples are not built");
        auto session = Session::open(path.toStdString());
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message().c_str());
        auto run = (*session)->run({});
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        QApplication::setPalette(Palette::of(isDark ? Theme::Dark : Theme::Light).widgetPalette());
        GraphView view;
        view.resize(1500, 900);
        view.show();
        QSignalSpy ready(&view, &GraphView::layoutReady);
        view.setRun(*run);
        // The step that added most while taking away more: a fusion.
        int best = (*run)->stepCount() - 1, most = 0;
        for (int s = 1; s < (*run)->stepCount(); ++s) {
            const auto touched = (*run)->touched(StepId{s - 1}, StepId{s});
            const int score = static_cast<int>(std::min(touched.added.size(), touched.removed.size()));
            if (score > most) {
                most = score;
                best = s;
            }
        }
        view.setStep(StepId{best}, StepId{best - 1});
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 20000);
        QTest::qWait(50);
        const QString folder = qEnvironmentVariable("GELENS_PICTURES");
        const auto picture = [&](const char* name) {
            if (folder.isEmpty()) return;
            view.grab().save(QStringLiteral("%1/%2-%3-%4.png")
                                 .arg(folder, model, QLatin1String(isDark ? "dark" : "light"), QLatin1String(name)));
        };
        picture("1start");
        QVERIFY(!view.visibleText().isEmpty());
        QCOMPARE(overlaps(view.afterCanvas()->scene()->drawing), 0);
        const GraphDrawing& drawing = view.afterCanvas()->scene()->drawing;
        QSvgRenderer svg(QByteArray::fromStdString(graphToSvg(drawing, isDark)));
        QVERIFY(svg.isValid());
        if (!folder.isEmpty()) {
            QImage image(svg.defaultSize().scaled(1400, 40000, Qt::KeepAspectRatio), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            svg.render(&painter);
            painter.end();
            image.copy(0, 0, 1400, 1000)
                .save(QStringLiteral("%1/%2-%3-svg.png").arg(folder, model, QLatin1String(isDark ? "dark" : "light")));
        }
        view.nextChange();
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 20000);
        QTest::qWait(50);
        picture("2change");
        QCOMPARE(overlaps(view.beforeCanvas()->scene()->drawing), 0);
        view.setMode(GraphMode::Overlay);
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 20000);
        QTest::qWait(50);
        picture("3overlay");
        view.setMode(GraphMode::Single);
        view.openAll();
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 20000);
        QTest::qWait(50);
        picture("4open");
        QCOMPARE(overlaps(view.afterCanvas()->scene()->drawing), 0);
        view.fitAll();
        QTest::qWait(20);
        picture("5fit");
    }

    /// In a canvas too narrow for the whole breadth, too.
    void theFirstViewCutsNoCardAtItsLeft()
    {
        const QString path = QStringLiteral(GELENS_SAMPLES_DIR "/llama-7b.onnx");
        if (!QFileInfo::exists(path)) QSKIP("the samples are not built");
        auto session = Session::open(path.toStdString());
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message().c_str());
        auto run = (*session)->run({});
        QVERIFY2(run.ok(), run.ok() ? "" : run.error().message().c_str());
        LayoutEngine engine;
        for (const StepId step : {StepId{0}, (*run)->lastStep()})
            for (const int width : {300, 332, 380, 440, 520, 620}) {
                GraphCanvas canvas;
                canvas.resize(width, 330);
                canvas.setScene(buildDefaultScene((*run)->graphAt(step), engine));
                canvas.showStart();
                int seen = 0;
                for (const std::int32_t box : canvas.boxesInView(1000)) {
                    const QRectF rect = canvas.boxRect(box);
                    const auto where = QStringLiteral("step %1, %2 pixels: %3").arg(step.value).arg(width);
                    QVERIFY2(rect.left() >= 0 || rect.right() <= 0, qPrintable(where.arg(rect.left())));
                    seen += rect.right() <= width;
                }
                QVERIFY2(seen > 2, qPrintable(QString::number(seen)));
            }
    }

    void oddGraphsAreDrawn_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < oddGraphs().size(); ++i) QTest::newRow(oddGraphs()[i].name) << static_cast<int>(i);
    }

    void oddGraphsAreDrawn()
    {
        QFETCH(int, kind);
        GraphMaker make;
        oddGraphs()[static_cast<std::size_t>(kind)].build(make);
        LayoutEngine engine;
        GraphCanvas canvas;
        canvas.resize(900, 700);
        canvas.setMessage(QStringLiteral("no nodes"));
        canvas.setScene(buildDefaultScene(make.graph, engine));
        const auto ink = [&] { // pixels that are not background
            QImage image(canvas.size(), QImage::Format_RGB32);
            canvas.render(&image);
            const QRgb paper = Palette::of(canvas.palette()).canvas().rgb();
            int count = 0;
            for (int y = 60; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) != paper;
            return count;
        };
        canvas.showStart();
        QVERIFY(ink() > 50);
        if (make.graph->nodeCount() == 0) {
            QVERIFY(canvas.visibleTexts().contains(QStringLiteral("no nodes")));
            return;
        }
        QVERIFY(!canvas.visibleTexts().isEmpty());
        canvas.fitAll();
        QVERIFY(ink() > 20);
        const DrawnBox& last = canvas.scene()->drawing.boxes.back();
        canvas.setView({last.centreX(), last.centreY()}, 1);
        QVERIFY(ink() > 50);
        if (kind == 1) QVERIFY(canvas.visibleTexts().join(QLatin1Char('\n')).contains(QStringLiteral("很长的名字")));
    }
};

QTEST_MAIN(GraphRenderTest)
#include "tst_graph_render.moc"
