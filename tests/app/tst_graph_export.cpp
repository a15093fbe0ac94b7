// Pictures of a graph: the window's file and the command line's are the same, byte for byte, in every form.

#include "engine/session/session.h"
#include "tests/app/cli_fixture.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

using namespace gelens;
using namespace gelens::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string sample(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

} // namespace

class GraphExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowAndCommandLine_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("step");
        for (const char* model : {"tiny-llama", "small-resnet"})
            for (const char* ending : {"svg", "dot", "png", "pdf"})
                for (const char* step : {"0", "last"})
                    QTest::addRow("%s %s %s", model, ending, step)
                        << QString::fromLatin1(model) << QString::fromLatin1(ending) << QString::fromLatin1(step);
    }

    void windowAndCommandLine()
    {
        QFETCH(QString, model);
        QFETCH(QString, ending);
        QFETCH(QString, step);
        QTemporaryDir folder;
        const QString fromCli = folder.filePath(QStringLiteral("cli.") + ending),
                      fromWindow = folder.filePath(QStringLiteral("window.") + ending);
        const std::string file = sample(qPrintable(model));
        const Answer answer = cli({"export", file, "--step", step.toStdString(), "--to", fromCli.toStdString()});
        QVERIFY2(answer.status == 0, answer.err.c_str());

        auto session = Session::open(file);
        QVERIFY(session.ok());
        auto run = (*session)->run({});
        QVERIFY(run.ok());
        const StepId shown = *(*run)->findStep(step.toStdString());
        GraphView view;
        view.resize(1200, 800);
        view.show();
        view.setRun(*run);
        view.setStep(shown, StepId{std::max(0, shown.value - 1)});
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 30000);
        view.nextChange(); // what is selected and where one looks changes nothing
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 30000);
        QString sentence;
        QVERIFY2(view.exportTo(fromWindow, &sentence), qPrintable(sentence));
        QVERIFY(contentOf(fromWindow).size() > 500);
        QVERIFY(contentOf(fromWindow) == contentOf(fromCli));
    }

    void partsOfADrawing()
    {
        auto session = Session::open(sample("tiny-llama"));
        QVERIFY(session.ok());
        auto run = (*session)->run({});
        QVERIFY(run.ok());
        GraphView view;
        view.resize(1000, 700);
        view.show();
        view.setRun(*run);
        view.setStep((*run)->lastStep(), StepId{0});
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 30000);
        QTemporaryDir folder;
        QString error;
        const auto texts = [&](GraphView::ExportScope scope) {
            const QString path = folder.filePath(QStringLiteral("part.svg"));
            return view.exportTo(path, &error, scope) ? contentOf(path).count("<text") : qsizetype(-1);
        };
        const qsizetype whole = texts(GraphView::ExportScope::Drawing), seen = texts(GraphView::ExportScope::View);
        QVERIFY2(whole > seen && seen > 0, qPrintable(QStringLiteral("%1 %2").arg(whole).arg(seen)));
        QCOMPARE(texts(GraphView::ExportScope::Selection), qsizetype(-1)); // nothing is selected
        QVERIFY(!error.isEmpty());
        view.nextChange();
        QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 30000);
        const qsizetype chosen = texts(GraphView::ExportScope::Selection);
        QVERIFY2(chosen > 0 && chosen < seen, qPrintable(QString::number(chosen)));
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("part.svg"))).count("class=\"t\""),
                 qsizetype(1)); // one card, and its legend
        for (const char* ending : {"png", "pdf", "dot"}) {
            const QString path = folder.filePath(QStringLiteral("chosen.") + QLatin1String(ending));
            QVERIFY2(view.exportTo(path, &error, GraphView::ExportScope::Selection), qPrintable(error));
        }
        const QImage image(folder.filePath(QStringLiteral("chosen.png")));
        QVERIFY(!image.isNull() && image.width() < 1400);
        QVERIFY(contentOf(folder.filePath(QStringLiteral("chosen.pdf"))).startsWith("%PDF-"));
    }

    /// Text stays text, in every picture that can hold it.
    void textIsText()
    {
        QTemporaryDir folder;
        const QString svg = folder.filePath(QStringLiteral("g.svg")), pdf = folder.filePath(QStringLiteral("g.pdf"));
        QCOMPARE(cli({"export", sample("attention-fits"), "--fold", "none", "--to", svg.toStdString()}).status, 0);
        QCOMPARE(cli({"export", sample("attention-fits"), "--fold", "none", "--to", pdf.toStdString()}).status, 0);
        QVERIFY(contentOf(svg).contains(">FlashAttentionScore</text>"));
        QVERIFY(QSvgRenderer(svg).isValid());
        QVERIFY(contentOf(pdf).contains("/Font")); // glyphs of a font, not outlines
    }

    /// The graph as data: every node with its edges and tensors, at any step.
    void jsonHoldsTheGraph()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("g.json"));
        QCOMPARE(cli({"export", sample("attention-fits"), "--to", file.toStdString()}).status, 0);
        const QJsonObject whole = QJsonDocument::fromJson(contentOf(file)).object();
        const QJsonArray nodes = whole[QStringLiteral("graphs")].toArray().first()[QStringLiteral("nodes")].toArray();
        QSet<QString> names;
        for (const QJsonValue& node : nodes) names.insert(node[QStringLiteral("name")].toString());
        QCOMPARE(names.size(), nodes.size());
        int fused = 0;
        for (const QJsonValue& node : nodes) {
            fused += node[QStringLiteral("type")].toString() == QStringLiteral("FlashAttentionScore");
            for (const QJsonValue& input : node[QStringLiteral("inputs")].toArray()) {
                const QString from = input[QStringLiteral("from")].toString();
                if (from.isEmpty()) continue; // an optional input
                QVERIFY2(names.contains(from.left(from.lastIndexOf(QLatin1Char(':')))), qPrintable(from));
                QVERIFY(input[QStringLiteral("shape")].isArray() &&
                        !input[QStringLiteral("dtype")].toString().isEmpty());
            }
        }
        QCOMPARE(fused, 1);
        QVERIFY(!whole[QStringLiteral("outputs")].toArray().isEmpty());
    }

    void refusals()
    {
        QVERIFY(cli({"export", sample("tiny-llama"), "--to", "/tmp/x.gif"}).isOneErrorLine(".png"));
        QVERIFY(cli({"export", sample("tiny-llama"), "--format", "ge_onnx", "--to", "/tmp/x.json"})
                    .isOneErrorLine(".pbtxt"));
        QVERIFY(cli({"export", sample("tiny-llama"), "--to", "/nowhere/x.png"}).isOneErrorLine("/nowhere/x.png"));
    }
};

QTEST_MAIN(GraphExportTest)
#include "tst_graph_export.moc"
