// ONNX's own node tests, as the distribution packs them: the judge of every kernel, and of every pass behind them.
#include "tests/engine/session/check_table.h"

using namespace gelens;
using namespace gelens::test;

class TestOnnxNodeCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodeTestsPass()
    {
        const std::string root = "/usr/share/libonnx-testdata/data/node";
        if (!std::filesystem::is_directory(root)) QSKIP("libonnx-testdata is not installed");
        const CheckedFolders checked =
            checkAgainstTable(root, GELENS_SOURCE_DIR "/tests/data/onnx_node_exclusions.md", 250);
        QVERIFY(checked.faults.empty());
        if (!qEnvironmentVariableIsSet("GELENS_TEST_ALL")) return;
        QVERIFY(checked.share() >= 0.92);
        QVERIFY(checked.shareInScope() >= 0.98);
    }
};

QTEST_GUILESS_MAIN(TestOnnxNodeCheck)
#include "tst_onnx_node_check.moc"
