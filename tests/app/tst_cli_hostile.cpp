// Every hostile file gets the answer of its EXPECT.md from the command line: a bad one is refused in one line that names
// it, an odd one is shown and compiled or refused, all within seconds.

#include "engine/formats/model_file.h"
#include "engine/formats/onnx/value_file.h"
#include "tests/app/cli_fixture.h"

#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <fstream>

using namespace gelens::test;
namespace fs = std::filesystem;

namespace {

/// Cells of a row "| a | b |", without the blanks around them.
std::vector<std::string> cellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '|');) {
        const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
    }
    return cells;
}

} // namespace

class TestCliHostile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const fs::path source = fs::path(GELENS_CORPUS_DIR) / "hostile";
        if (!fs::exists(source)) QSKIP("the corpus is absent");
        m_folder = fs::path(m_dir.path().toStdString()) / "hostile";
        fs::copy(source, m_folder, fs::copy_options::recursive);
        for (const fs::path& folder : {m_folder, m_folder / "ext"}) fs::permissions(folder, fs::perms::owner_all);
        fs::create_symlink("/etc/hostname", m_folder / "ext" / "link.bin");
    }

    void everyFileIsAnswered()
    {
        std::ifstream in(m_folder / "EXPECT.md");
        int errors = 0, others = 0;
        for (std::string line; std::getline(in, line);) {
            const auto cells = cellsOf(line);
            if (cells.size() < 5 || fs::path(cells[1]).extension().empty()) continue;
            const std::string path = (m_folder / cells[1]).string();
            const std::clock_t start = std::clock(); // by the processor's time, which other work does not change
            const Answer seen = cli({"info", path}), compiled = cli({"compile", path, "--verify"});
            QVERIFY2(std::clock() - start < 10 * CLOCKS_PER_SEC, cells[1].c_str()); // 5 s each
            for (const Answer& answer : {seen, compiled})
                QVERIFY2(answer.status == 0 || answer.isOneErrorLine(path), (path + ": " + answer.err).c_str());
            if (cells[3] == "error") {
                ++errors; // by whoever opens it, and in the same words
                QVERIFY2(seen.status == 2 && compiled.status == 2, (path + ": " + cells[4]).c_str());
                QCOMPARE(seen.err, compiled.err);
            } else {
                ++others;
                const bool isBounded = cells[3].find("bounds") != std::string::npos;
                QVERIFY2(seen.status == 0 || isBounded, (path + ": " + seen.err).c_str());
            }
        }
        QVERIFY(errors > 50 && others > 15);
    }

    /// A model whose operators do not fit each other is no good input, and is shown all the same.
    void anUnsoundModelIsShownAndRefused()
    {
        const std::string path = (m_folder / "conv_stride_zero.onnx").string();
        const Answer seen = cli({"info", path, "--json"});
        QVERIFY2(seen.isOneErrorLine("stride 0"), seen.err.c_str());
        QCOMPARE(seen.json()["histogram"]["Conv2D"], 1);
        // Beside the file that works it is how such a fault is found: a diff compares what both say.
        QCOMPARE(cli({"diff", path, path}).status, 0);
    }

    /// What comes to light only while nodes are computed names the file and the node.
    void faultsOfARunNameTheFile_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("named");
        QTest::newRow("an operator nobody knows") << "unknown_op.onnx"
                                                  << "node 'f'";
        QTest::newRow("values that are not there") << "external_missing.onnx"
                                                   << "weights are absent";
        QTest::newRow("a loop without end") << "loop_forever.onnx"
                                            << "node 'l'";
        QTest::newRow("a result of 4 TiB") << "bomb_constantofshape.onnx"
                                           << "node 'k'";
    }
    void faultsOfARunNameTheFile()
    {
        QFETCH(QString, file);
        QFETCH(QString, named);
        const std::string path = (m_folder / file.toStdString()).string();
        const std::string out = (m_folder / "out").string();
        std::vector<std::string> call{"run", path, "--output-dir", out};
        const auto document = gelens::openModel(path);
        QVERIFY(document.ok());
        document->graph.forEachNode(gelens::rootGraph, [&](const gelens::Node& data) {
            if (data.type != "Data") return;
            const auto value = gelens::HostTensor::zeros(data.outputs[0].desc.dtype, data.outputs[0].desc.shape);
            const std::string values = (m_folder / (data.name + ".pb")).string();
            QVERIFY(gelens::writeValueFile(values, data.name, value).ok());
            call.insert(call.end(), {"--input", data.name + "=" + values});
        });
        for (const bool isOriginal : {false, true}) {
            if (isOriginal) call.push_back("--original");
            const Answer answer = cli(call);
            QVERIFY2(answer.isOneErrorLine(path) && answer.err.find(named.toStdString()) != std::string::npos,
                     answer.err.c_str());
        }
    }

    void aPipeBesideTheModelDoesNotBlock()
    {
        QCOMPARE(mkfifo((m_folder / "weights_not_here.bin").c_str(), 0600), 0);
        const std::string path = (m_folder / "external_missing.onnx").string();
        QVERIFY(cli({"info", path}).isOneErrorLine("weights_not_here.bin"));
        fs::remove(m_folder / "weights_not_here.bin");
    }

private:
    QTemporaryDir m_dir;
    fs::path m_folder;
};

QTEST_MAIN(TestCliHostile)
#include "tst_cli_hostile.moc"
