// `gelens-cli run`: values in, values out, and one line for each thing that can be wrong with them.
#include "engine/formats/onnx/value_file.h"
#include "engine/npu/compare.h"
#include "tests/app/cli_fixture.h"

#include <QtTest>

#include <algorithm>
#include <fstream>

using namespace gelens;
using namespace gelens::test;

namespace {

HostTensor zeros(DataType dtype, const Shape& shape) { return HostTensor::zeros(dtype, shape); }

} // namespace

class TestCliRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_input = file("image.pb");
        HostTensor image = zeros(DataType::Float, m_shape);
        float* const values = reinterpret_cast<float*>(image.bytes->data());
        for (std::int64_t i = 0; i < *m_shape.elementCount(); ++i) values[i] = static_cast<float>(i % 17) / 17 - 0.5f;
        QVERIFY(writeValueFile(m_input, "input", image).ok());
    }

    void compiledAndOriginalAgree()
    {
        const Answer compiled = cli({"run", m_model, "--input", "0=" + m_input, "--output-dir", file("compiled")});
        QVERIFY2(compiled.status == 0, compiled.err.c_str());
        QVERIFY(compiled.out.starts_with("output_0.pb"));
        const Answer original =
            cli({"run", m_model, "--input", "0=" + m_input, "--output-dir", file("original"), "--original"});
        QVERIFY2(original.status == 0, original.err.c_str());
        const auto a = readValueFile(file("original") + "/output_0.pb", ValueFileKind::Tensor);
        const auto b = readValueFile(file("compiled") + "/output_0.pb", ValueFileKind::Tensor);
        QVERIFY(a.ok() && b.ok());
        QVERIFY(a->value.shape.elementCount().value_or(0) > 1);
        QVERIFY(compareTensors(a->value, b->value, "y").holds());
    }

    void oneLineForEachMistake_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("said");
        QVERIFY(writeValueFile(file("small.pb"), "x", zeros(DataType::Float, Shape{1, 3, 2, 2})).ok());
        QVERIFY(writeValueFile(file("flat.pb"), "x", zeros(DataType::Float, Shape{12})).ok());
        QVERIFY(writeValueFile(file("whole.pb"), "x", zeros(DataType::Int32, m_shape)).ok());
        std::ofstream(file("text.pb")) << "this is no tensor";
        const auto at = [&](const char* name) { return "0=" + QString::fromStdString(file(name)); };
        QTest::newRow("missing") << QString() << QStringLiteral("is not given");
        QTest::newRow("shape") << at("small.pb") << QStringLiteral("the model wants");
        QTest::newRow("rank") << at("flat.pb") << QStringLiteral("the model wants");
        QTest::newRow("type") << at("whole.pb") << QStringLiteral("is int32");
        QTest::newRow("not a tensor") << at("text.pb") << QStringLiteral("not a TensorProto");
        QTest::newRow("no file") << at("absent.pb") << QStringLiteral("absent.pb");
        QTest::newRow("a folder") << at(".") << QStringLiteral("cannot read");
        QTest::newRow("unknown name") << QStringLiteral("nobody=x.pb")
                                      << QStringLiteral("the model has no input 'nobody'; it has ");
        QTest::newRow("unknown position") << QStringLiteral("7=x.pb") << QStringLiteral("the model has no input '7'");
        QTest::newRow("no file named") << QStringLiteral("0=") << QStringLiteral("expected K=FILE.pb");
        QTest::newRow("no key") << QStringLiteral("=x.pb") << QStringLiteral("expected K=FILE.pb");
    }

    void oneLineForEachMistake()
    {
        QFETCH(QString, input);
        QFETCH(QString, said);
        std::vector<std::string> arguments{"run", m_model, "--output-dir", file("out")};
        if (!input.isEmpty()) arguments.insert(arguments.end(), {"--input", input.toStdString()});
        for (const bool isOriginal : {false, true}) {
            if (isOriginal) arguments.push_back("--original");
            const Answer answer = cli(arguments);
            QCOMPARE(answer.status, 2);
            QVERIFY(answer.out.empty());
            QVERIFY2(answer.err.starts_with("gelens-cli: error: "), answer.err.c_str());
            QCOMPARE(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
            QVERIFY2(answer.err.find(said.toStdString()) != std::string::npos, answer.err.c_str());
            QVERIFY(!std::filesystem::exists(file("out")));
        }
    }

    void twiceIsOneTooMany()
    {
        const Answer answer = cli(
            {"run", m_model, "--input", "0=" + m_input, "--input", "image=" + m_input, "--output-dir", file("out")});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.find("is given twice") != std::string::npos, answer.err.c_str());
    }

    void outputFolderMustBeOne()
    {
        const Answer answer = cli({"run", m_model, "--input", "0=" + m_input, "--output-dir", m_input});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.find("cannot make the folder") != std::string::npos, answer.err.c_str());
    }

private:
    std::string file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    QTemporaryDir m_folder;
    const std::string m_model = std::string(GELENS_SAMPLES_DIR) + "/small-resnet.onnx";
    std::string m_input;
    Shape m_shape{1, 3, 32, 32};
};

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
