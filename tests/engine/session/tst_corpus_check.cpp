// The corpus of models with reference outputs, before and after compiling.
#include "tests/engine/session/check_table.h"

using namespace gelens;
using namespace gelens::test;

class TestCorpusCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsAgreeWithTheirReferences()
    {
        const std::string root = std::string(GELENS_CORPUS_DIR) + "/onnx";
        if (!std::filesystem::is_directory(root)) QSKIP("the corpus is not there");
        const CheckedFolders checked =
            checkAgainstTable(root, GELENS_SOURCE_DIR "/tests/data/onnx_corpus_exclusions.md", 250);
        QVERIFY(checked.faults.empty());
        if (!qEnvironmentVariableIsSet("GELENS_TEST_ALL")) return;
        QVERIFY(checked.total >= 1037);
        QVERIFY(checked.share() >= 0.95);
    }
};

QTEST_GUILESS_MAIN(TestCorpusCheck)
#include "tst_corpus_check.moc"
