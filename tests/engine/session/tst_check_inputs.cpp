// `check` on folders whose stored values are wrong: one line each, the file named, and never a crash.

#include "engine/formats/model_file.h"
#include "engine/formats/onnx/value_file.h"
#include "engine/npu/interpreter.h"
#include "engine/npu/random_inputs.h"
#include "engine/session/check.h"
#include "engine/session/execute.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace gelens;
namespace fs = std::filesystem;

class TestCheckInputs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const fs::path model = GELENS_SAMPLES_DIR "/small-resnet.onnx";
        auto document = openModel(model.string(), {});
        QVERIFY(document.ok());
        m_inputs = randomInputs(document->graph, 1);
        m_name = document->graph.node(dataNodes(document->graph).front()).name;
        const auto run = interpret(document->graph, m_inputs);
        QVERIFY(run.ok());
        m_output = run->outputs.front().value;
    }

    void whatIsRightPasses()
    {
        const CheckResult result = check([](const fs::path&) {});
        QVERIFY2(result.outcome == CheckOutcome::Passed, result.reason.c_str());
        QVERIFY(result.reason.empty());
    }

    void oneLineForEachMistake_data()
    {
        QTest::addColumn<QString>("mistake");
        QTest::addColumn<QString>("said");
        QTest::newRow("input missing") << QStringLiteral("no input") << QStringLiteral("input_0.pb: no such file");
        QTest::newRow("shape") << QStringLiteral("shape") << QStringLiteral("the model wants fp32");
        QTest::newRow("rank") << QStringLiteral("rank") << QStringLiteral("the model wants fp32");
        QTest::newRow("type") << QStringLiteral("type") << QStringLiteral("is int32");
        QTest::newRow("no tensor") << QStringLiteral("text") << QStringLiteral("not a TensorProto");
        QTest::newRow("no output") << QStringLiteral("no output") << QStringLiteral("no stored output");
        QTest::newRow("output of another shape")
            << QStringLiteral("output shape") << QStringLiteral("stored is fp32 [3]");
        QTest::newRow("output of another type") << QStringLiteral("output type") << QStringLiteral("stored is int32");
        QTest::newRow("output differs") << QStringLiteral("output value") << QStringLiteral("differs in");
    }
    void oneLineForEachMistake()
    {
        QFETCH(QString, mistake);
        QFETCH(QString, said);
        const auto input = [&](const fs::path& set) { return (set / "input_0.pb").string(); };
        const auto output = [&](const fs::path& set) { return (set / "output_0.pb").string(); };
        const CheckResult result = check([&](const fs::path& set) {
            const Shape& shape = m_inputs.at(m_name).shape;
            std::vector<std::int64_t> dims = shape.dims();
            if (mistake == QStringLiteral("no input")) fs::remove(input(set));
            if (mistake == QStringLiteral("shape")) ++dims.back();
            if (mistake == QStringLiteral("rank")) dims.push_back(1);
            if (dims != shape.dims()) write(input(set), HostTensor::zeros(DataType::Float, Shape(std::move(dims))));
            if (mistake == QStringLiteral("type")) write(input(set), HostTensor::zeros(DataType::Int32, shape));
            if (mistake == QStringLiteral("text")) std::ofstream(input(set)) << "this is no tensor";
            if (mistake == QStringLiteral("no output")) fs::remove(output(set));
            if (mistake == QStringLiteral("output shape"))
                write(output(set), HostTensor::zeros(DataType::Float, Shape{3}));
            if (mistake == QStringLiteral("output type"))
                write(output(set), HostTensor::zeros(DataType::Int32, m_output.shape));
            if (mistake == QStringLiteral("output value"))
                write(output(set), HostTensor::zeros(DataType::Float, m_output.shape));
        });
        QCOMPARE(int(result.outcome), int(CheckOutcome::Failed));
        QVERIFY2(result.reason.find(said.toStdString()) != std::string::npos, result.reason.c_str());
        QVERIFY2(result.reason.find('\n') == std::string::npos, result.reason.c_str());
    }

    void inputsCountAgainstTheMemoryOfARun()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("input.pb")).toStdString();
        write(path, m_inputs.at(m_name));
        const auto document = openModel(GELENS_SAMPLES_DIR "/small-resnet.onnx", {});
        QVERIFY(document.ok());
        const std::int64_t bytes = storageBytes(m_inputs.at(m_name).dtype, m_inputs.at(m_name).shape).value();
        QVERIFY(readModelInputs(document->graph, {{"0", path}}).ok());
        QVERIFY(readModelInputs(document->graph, {{"0", path}}, bytes).ok());
        const auto refused = readModelInputs(document->graph, {{"0", path}}, bytes - 1);
        QVERIFY(!refused.ok());
        const std::string said = refused.error().message();
        QVERIFY2(said.find("the inputs take " + std::to_string(bytes) + " bytes with this one") != std::string::npos &&
                     said.find(path) != std::string::npos,
                 said.c_str());
    }

private:
    static void write(const std::string& path, const HostTensor& value)
    {
        QVERIFY(writeValueFile(path, "v", value).ok());
    }

    /// A folder with the model and one right data set, after `change`.
    template <typename Change>
    CheckResult check(Change change)
    {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), set = root / "test_data_set_0";
        fs::create_directory(set);
        fs::copy_file(GELENS_SAMPLES_DIR "/small-resnet.onnx", root / "model.onnx");
        write((set / "input_0.pb").string(), m_inputs.at(m_name));
        write((set / "output_0.pb").string(), m_output);
        change(set);
        return checkFolder(root, {});
    }

    std::map<std::string, HostTensor> m_inputs;
    std::string m_name;
    HostTensor m_output;
};

QTEST_GUILESS_MAIN(TestCheckInputs)
#include "tst_check_inputs.moc"
