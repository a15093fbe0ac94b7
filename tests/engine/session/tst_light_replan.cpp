// An OM of a model with open shapes: the lightweight path plans memory for the shapes it is given, and compiles nothing.

#include "engine/formats/om/om_writer.h"
#include "engine/memory/validator.h"
#include "engine/session/session.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

using namespace gelens;

namespace {

std::shared_ptr<const Run> runOf(const std::string& path, const CompileOptions& options = {})
{
    auto session = Session::open(path, options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run(options);
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    if ((*run)->failed) qFatal("%s", (*run)->error->message().c_str());
    return *run;
}

} // namespace

class TestLightReplan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyMemoryIsPlannedAgain_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("inputs");
        QTest::newRow("crnn_gru") << QStringLiteral("crnn_gru") << QStringList{QStringLiteral("x=1,1,16,32")};
        QTest::newRow("bert_opset11") << QStringLiteral("bert_opset11")
                                      << QStringList{QStringLiteral("input_ids=1,8"),
                                                     QStringLiteral("attention_mask=1,8"),
                                                     QStringLiteral("token_type_ids=1,8")};
    }

    void onlyMemoryIsPlannedAgain()
    {
        QFETCH(QString, model);
        QFETCH(QStringList, inputs);
        const std::string source = std::string(GELENS_CORPUS_DIR) + "/onnx/gen/" + model.toStdString() + "/model.onnx";
        if (!std::filesystem::exists(source)) QSKIP("the corpus is absent");
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("open.om")).toStdString();
        const auto full = runOf(source);
        QVERIFY(writeOm({*full->graphAt(full->lastStep()), full->plan, full->tasks, full->soc.name, full->sourceFormat},
                        path)
                    .ok());

        CompileOptions options;
        for (const QString& input : inputs) {
            std::vector<std::int64_t> dims;
            for (const QString& dim : input.section(QLatin1Char('='), 1).split(QLatin1Char(',')))
                dims.push_back(dim.toLongLong());
            options.inputShapes[input.section(QLatin1Char('='), 0, 0).toStdString()] = dims;
        }
        const auto light = runOf(path, options);
        QCOMPARE(light->mode, std::string("light"));
        for (const Step& step : light->steps) QVERIFY2(step.stage != Stage::Compile, step.pass.c_str());
        // The graph stays; what was open has a shape now, and a place.
        QCOMPARE(light->graphAt(light->lastStep())->nodeCount(), full->graphAt(full->lastStep())->nodeCount());
        QVERIFY(light->plan.isComplete);
        QVERIFY(validatePlan(light->plan).empty());
        QVERIFY(light->plan.totals.featureMapPeak > full->plan.totals.featureMapPeak);
        QCOMPARE(light->tasks.kernelTaskCount(), full->tasks.kernelTaskCount());
        QVERIFY(light->timeline.totalUs > 0);
    }
};

QTEST_GUILESS_MAIN(TestLightReplan)
#include "tst_light_replan.moc"
