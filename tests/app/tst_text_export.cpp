// `gelens-cli export` of a graph as one of GE's own texts: read back, it is the graph of that step.
#include "engine/formats/model_file.h"
#include "engine/session/session.h"
#include "tests/app/cli_fixture.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace gelens;
using namespace gelens::test;

class TestTextExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readBackItIsTheStepsGraph_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("name");
        QTest::newRow("ge_onnx by its ending") << ""
                                               << "a.pbtxt";
        QTest::newRow("ge_proto by its ending") << ""
                                                << "a.txt";
        QTest::newRow("ge_onnx") << "ge_onnx"
                                 << "b.txt";
        QTest::newRow("readable") << "readable"
                                  << "c.txt";
    }

    void readBackItIsTheStepsGraph()
    {
        QFETCH(QString, format);
        QFETCH(QString, name);
        const std::string target = m_folder.filePath(name).toStdString();
        for (const char* step : {"0", "last"}) {
            std::vector<std::string> call{"export", m_model, "--step", step, "--to", target};
            if (!format.isEmpty()) call.insert(call.end(), {"--format", format.toStdString()});
            const Answer answer = cli(call);
            QVERIFY2(answer.status == 0, answer.err.c_str());
            auto session = Session::open(m_model, {});
            QVERIFY(session.ok());
            const auto run = (*session)->run({});
            QVERIFY(run.ok());
            const auto graph = (*run)->graphAt(*(*run)->findStep(step));
            const auto read = openModel(target);
            QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
            QCOMPARE(read->graph.allNodes().size(), graph->allNodes().size());
        }
    }

    void whatDoesNotFitIsRefused()
    {
        for (const auto& [options, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
                 {{"--format", "ge_onnx", "--to", m_folder.filePath("x.svg").toStdString()}, ".pbtxt or .txt"},
                 {{"--format", "readable", "--view", "memory", "--to", m_folder.filePath("x.svg").toStdString()},
                  "--view graph"},
                 {{"--to", m_folder.filePath("x.bmp").toStdString()}, ".pbtxt"}}) {
            std::vector<std::string> call{"export", m_model};
            call.insert(call.end(), options.begin(), options.end());
            const Answer answer = cli(call);
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.find(said) != std::string::npos, answer.err.c_str());
        }
    }

private:
    QTemporaryDir m_folder;
    std::string m_model = GELENS_SAMPLES_DIR "/small-resnet.onnx";
};

QTEST_GUILESS_MAIN(TestTextExport)
#include "tst_text_export.moc"
