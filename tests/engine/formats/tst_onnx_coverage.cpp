// How much of ONNX the reader knows, counted from its table.

#include "engine/formats/onnx/import_op.h"

#include <QTest>

#include <set>

using namespace gelens;
using onnx_import::ImportTable;

class TestOnnxCoverage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void atLeast170StandardOperators()
    {
        int standard = 0, others = 0;
        for (const std::string& name : ImportTable::instance().names()) ++(name.front() == ':' ? standard : others);
        qInfo("%d operators of the standard domain, %d of others", standard, others);
        QVERIFY(standard >= 170);
        QVERIFY(others >= 10);
    }

    void everyFamilyIsThere_data()
    {
        QTest::addColumn<QString>("types");
        QTest::newRow("arithmetic") << QStringLiteral(
            "Add Sub Mul Div Pow Mod Sqrt Exp Log Erf Sin Cos Tan Abs Neg Floor Ceil Round Sign Reciprocal Max Min Sum Mean");
        QTest::newRow("logic") << QStringLiteral(
            "And Or Xor Not Equal Greater GreaterOrEqual Less LessOrEqual BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitShift Where IsNaN IsInf");
        QTest::newRow("reduction") << QStringLiteral(
            "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin CumSum");
        QTest::newRow("norms") << QStringLiteral(
            "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization RMSNormalization LRN LpNormalization MeanVarianceNormalization");
        QTest::newRow("activations") << QStringLiteral(
            "Relu LeakyRelu PRelu Sigmoid HardSigmoid Tanh Elu Selu Celu Gelu Swish HardSwish Mish Softplus Softsign Softmax LogSoftmax Hardmax ThresholdedRelu Clip Shrink");
        QTest::newRow("cube") << QStringLiteral(
            "Conv ConvTranspose ConvInteger DeformConv MatMul MatMulInteger Gemm Einsum Det Attention RotaryEmbedding");
        QTest::newRow("pooling") << QStringLiteral(
            "MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool MaxUnpool MaxRoiPool");
        QTest::newRow("movement") << QStringLiteral(
            "Reshape Transpose Concat Split Slice Pad Tile Expand Squeeze Unsqueeze Flatten Identity Shape Size DepthToSpace SpaceToDepth ReverseSequence CenterCropPad Col2Im");
        QTest::newRow("gather") << QStringLiteral(
            "Gather GatherElements GatherND ScatterElements ScatterND OneHot TopK NonZero Unique Compress");
        QTest::newRow("image") << QStringLiteral("Resize Upsample GridSample RoiAlign NonMaxSuppression AffineGrid");
        QTest::newRow("quantisation") << QStringLiteral(
            "Cast CastLike QuantizeLinear DequantizeLinear DynamicQuantizeLinear QLinearConv QLinearMatMul");
        QTest::newRow("recurrent") << QStringLiteral("RNN LSTM GRU If Loop Scan");
        QTest::newRow("sequences") << QStringLiteral(
            "SequenceConstruct SequenceEmpty SequenceInsert SequenceErase SequenceAt SequenceLength SplitToSequence ConcatFromSequence SequenceMap Optional");
        QTest::newRow("random") << QStringLiteral(
            "RandomNormal RandomNormalLike RandomUniform RandomUniformLike Bernoulli Multinomial Dropout");
        QTest::newRow("makers") << QStringLiteral(
            "Range EyeLike ConstantOfShape Trilu HannWindow HammingWindow BlackmanWindow MelWeightMatrix DFT STFT");
    }
    void everyFamilyIsThere()
    {
        QFETCH(QString, types);
        for (const QString& type : types.split(QLatin1Char(' ')))
            QVERIFY2(ImportTable::instance().find("", type.toStdString()) != nullptr, qPrintable(type));
    }

    void customDomainsOfExporters()
    {
        for (const char* const type :
             {"Attention", "MultiHeadAttention", "GroupQueryAttention", "SkipLayerNormalization",
              "EmbedLayerNormalization", "FastGelu", "BiasGelu", "RotaryEmbedding"})
            QVERIFY2(ImportTable::instance().find("com.microsoft", type) != nullptr, type);
        QVERIFY(ImportTable::instance().find("com.example", "Nobody") == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestOnnxCoverage)
#include "tst_onnx_coverage.moc"
