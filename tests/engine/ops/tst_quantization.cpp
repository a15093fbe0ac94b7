#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cmath>

using namespace gelens;
using namespace gelens::test;

#define AGREES(actual, ...)                                                                                            \
    do {                                                                                                               \
        const std::string text = difference(actual, __VA_ARGS__);                                                      \
        QVERIFY2(text.empty(), text.c_str());                                                                          \
    } while (false)

class TestQuantization : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantize()
    {
        const HostTensor scale = tensor({}, {2}), zero = intTensor({}, {128}, DataType::UInt8);
        const HostTensor y = run1("Quantize", {tensor({6}, {0, 2, 3, 5, 1000, -1000}), scale, zero});
        QCOMPARE(y.dtype, DataType::UInt8);
        QCOMPARE(ints(y), (std::vector<std::int64_t>{128, 129, 130, 130, 255, 0})); // halves go to even
        QCOMPARE(ints(run1("Quantize", {tensor({3}, {-300, 5, 300}), tensor({1}, {1})}, {{"dtype", "DT_INT8"}})),
                 (std::vector<std::int64_t>{-128, 5, 127}));
        QCOMPARE(ints(run1("Quantize", {tensor({3}, {-9, 3, 9}), tensor({}, {1})}, {{"dtype", "DT_INT4"}})),
                 (std::vector<std::int64_t>{-8, 3, 7}));
        QCOMPARE(
            ints(run1("Quantize", {tensor({3}, {-9, 3, 19}), tensor({}, {1}), intTensor({}, {1}, DataType::UInt4)})),
            (std::vector<std::int64_t>{0, 4, 15}));
    }

    void byAxisAndByBlock()
    {
        const HostTensor x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(ints(run1("Quantize", {x, tensor({3}, {1, 2, 3}), intTensor({3}, {0, 10, 20}, DataType::Int8)})),
                 (std::vector<std::int64_t>{1, 11, 21, 4, 12, 22}));
        QCOMPARE(
            ints(run1("Quantize", {x, tensor({2}, {1, 2}), intTensor({2}, {0, 10}, DataType::Int8)}, {{"axis", 0}})),
            (std::vector<std::int64_t>{1, 2, 3, 12, 12, 13}));
        const HostTensor wide = tensor({1, 4}, {2, 4, 6, 8}), blocks = tensor({1, 2}, {1, 2});
        QCOMPARE(ints(run1("Quantize", {wide, blocks, intTensor({1, 2}, {0, 5}, DataType::UInt8)},
                           {{"axis", 1}, {"block_size", 2}})),
                 (std::vector<std::int64_t>{2, 4, 8, 9}));
        QVERIFY(!runError("Quantize", {x, tensor({4}, {1, 2, 3, 4})}).empty());
        QVERIFY(!runError("Quantize", {wide, blocks}, {{"axis", 1}, {"block_size", 1}}).empty());
        QVERIFY(!runError("Quantize", {x, tensor({3}, {1, 2, 3})}, {{"axis", 7}}).empty());
        QVERIFY(!runError("Quantize", {x, tensor({}, {1})}, {{"dtype", "DT_FLOAT"}}).empty());
    }

    void smallFloats()
    {
        const HostTensor x = tensor({4}, {1, 448, 1000, -1000}), one = tensor({}, {1});
        AGREES(run1("Quantize", {x, one}, {{"dtype", "DT_FLOAT8_E4M3FN"}}), {1, 448, 448, -448}, 0, 0);
        const auto open = values(run1("Quantize", {x, one}, {{"dtype", "DT_FLOAT8_E4M3FN"}, {"saturate", 0}}));
        QVERIFY(std::isnan(open[2]) && std::isnan(open[3]) && open[1] == 448);
        AGREES(run1("DequantizeLinear", {tensor({2}, {1.5, -2}, DataType::Float8E5M2), tensor({}, {2})}), {3, -4}, 0,
               0);
    }

    void dequantize()
    {
        AGREES(run1("DequantizeLinear", {intTensor({3}, {0, 128, 255}, DataType::UInt8), tensor({}, {0.5}),
                                         intTensor({}, {128}, DataType::UInt8)}),
               {-64, 0, 63.5});
        AGREES(run1("DequantizeLinear", {intTensor({3}, {-8, 0, 7}, DataType::Int4), tensor({}, {2})}), {-16, 0, 14});
        AGREES(run1("DequantizeLinear", {intTensor({2}, {100000, -100000}, DataType::Int32), tensor({}, {0.5})}),
               {50000, -50000});
        const HostTensor half =
            run1("DequantizeLinear", {intTensor({1}, {3}, DataType::Int8), tensor({}, {0.5}, DataType::Float16)});
        QCOMPARE(half.dtype, DataType::Float16);
        AGREES(half, {1.5});
    }

    void dynamicRange()
    {
        const auto r = run("DynamicQuantizeLinear", {tensor({3}, {-1, 0, 2})}, {}, 3);
        QVERIFY(r.ok());
        AGREES(r->at(1), {3.0 / 255}, 1e-6);
        QCOMPARE(ints(r->at(2)), (std::vector<std::int64_t>{85}));
        QCOMPARE(ints(r->at(0)), (std::vector<std::int64_t>{0, 85, 255}));
        const auto zero = run("DynamicQuantizeLinear", {tensor({2}, {0, 0})}, {}, 3);
        QVERIFY(zero.ok());
        QCOMPARE(ints(zero->at(0)), (std::vector<std::int64_t>{0, 0}));
    }

    void integerProduct()
    {
        const HostTensor a = intTensor({2, 2}, {1, 2, 3, 4}, DataType::UInt8),
                         b = intTensor({2, 2}, {5, -6, 7, 8}, DataType::Int8);
        QCOMPARE(ints(run1("MatMulInteger", {a, b})), (std::vector<std::int64_t>{19, 10, 43, 14}));
        // A zero point for each row of a, one for each column of b.
        QCOMPARE(ints(run1("MatMulInteger",
                           {a, b, intTensor({2}, {1, 3}, DataType::UInt8), intTensor({2}, {5, 8}, DataType::Int8)})),
                 (std::vector<std::int64_t>{2, 0, 2, 0}));
        QVERIFY(!runError("MatMulInteger", {a, b, intTensor({3}, {1, 2, 3}, DataType::UInt8)}).empty());
        QVERIFY(!runError("MatMulInteger", {tensor({2, 2}, {1, 2, 3, 4}), b}).empty());
        const HostTensor y = run1("QLinearMatMul", {a, tensor({}, {0.5}), intTensor({}, {0}, DataType::UInt8), b,
                                                    tensor({}, {0.5}), intTensor({}, {0}, DataType::Int8),
                                                    tensor({}, {2}), intTensor({}, {10}, DataType::Int8)});
        QCOMPARE(y.dtype, DataType::Int8);
        QCOMPARE(ints(y), (std::vector<std::int64_t>{12, 11, 15, 12}));
    }

    void integerConvolution()
    {
        const AttrMap attrs{{"strides", IntList{1, 1}}, {"pads", IntList{1, 0, 1, 0}}, {"data_format", "NCHW"}};
        const HostTensor x = intTensor({1, 1, 2, 2}, {3, 4, 5, 6}, DataType::UInt8),
                         w = intTensor({1, 1, 2, 2}, {1, 1, 1, 1}, DataType::UInt8);
        // Padding stands for the zero point, so it adds nothing.
        QCOMPARE(ints(run1("ConvInteger", {x, w, intTensor({}, {1}, DataType::UInt8)}, attrs)),
                 (std::vector<std::int64_t>{2, 5, 6, 14}));
        const HostTensor y = run1("QLinearConv",
                                  {x, tensor({}, {0.5}), intTensor({}, {1}, DataType::UInt8), w, tensor({1}, {2}),
                                   intTensor({1}, {0}, DataType::UInt8), tensor({}, {1}),
                                   intTensor({}, {100}, DataType::UInt8), intTensor({1}, {7}, DataType::Int32)},
                                  attrs);
        QCOMPARE(ints(y), (std::vector<std::int64_t>{109, 112, 113, 121}));
        QVERIFY(!runError("ConvInteger", {x, w}, {{"strides", IntList{0, 1}}, {"pads", IntList{0, 0, 0, 0}}}).empty());
    }

    void fewBits()
    {
        // K = 4 in blocks of 2: [N = 1, 2 blocks, 1 byte], low bits first.
        const HostTensor b = intTensor({1, 2, 1}, {0x9a, 0x78}, DataType::UInt8), scales = tensor({2}, {1, 10}),
                         a = tensor({1, 4}, {1, 1, 1, 1});
        const AttrMap attrs{{"K", 4}, {"N", 1}, {"bits", 4}, {"block_size", 2}};
        AGREES(run1("MatMulNBits", {a, b, scales}, attrs), {2 + 1 + (0 - 1) * 10.0});
        AGREES(run1("MatMulNBits", {a, b, scales, intTensor({1}, {0x08}, DataType::UInt8)}, attrs),
               {2 + 1 + (8 + 7) * 10.0});
        QVERIFY(!runError("MatMulNBits", {a, intTensor({1, 1, 1}, {0}, DataType::UInt8), scales}, attrs).empty());
        QVERIFY(!runError("MatMulNBits", {a, b, scales}, {{"K", 4}, {"N", 1}, {"bits", 3}, {"block_size", 2}}).empty());
    }

    void cannOperators()
    {
        QCOMPARE(ints(run1("AscendQuant", {tensor({3}, {1, 2.5, 100})}, {{"scale", 2.0f}, {"offset", 1.0f}})),
                 (std::vector<std::int64_t>{3, 6, 127}));
        QCOMPARE(ints(run1("AscendQuant", {tensor({1}, {1.9})},
                           {{"scale", 1.0f}, {"offset", 0.0f}, {"round_mode", "Floor"}})),
                 (std::vector<std::int64_t>{1}));
        QCOMPARE(ints(run1("AscendQuantV2", {tensor({1, 2}, {1, 2}), tensor({2}, {10, 20}), tensor({2}, {0, 1})})),
                 (std::vector<std::int64_t>{10, 41}));
        AGREES(run1("AscendDequant", {intTensor({1, 2}, {100, -100}, DataType::Int32), tensor({2}, {0.5, 0.25})},
                    {{"relu_flag", true}}),
               {50, 0});
        AGREES(run1("AscendAntiQuant", {intTensor({2}, {4, -4}, DataType::Int8)}, {{"scale", 0.5f}, {"offset", 2.0f}}),
               {3, -1});
        const auto r = run("DynamicQuant", {tensor({2, 2}, {1, -2, 0, 0})}, {}, 2);
        QVERIFY(r.ok());
        QCOMPARE(ints(r->at(0)), (std::vector<std::int64_t>{64, -127, 0, 0}));
        AGREES(r->at(1), {2.0 / 127, 0}, 1e-6);
        QVERIFY(!runError("AscendQuant", {tensor({1}, {1})},
                          {{"scale", 1.0f}, {"offset", 0.0f}, {"round_mode", "Sideways"}})
                     .empty());
    }
};

QTEST_GUILESS_MAIN(TestQuantization)
#include "tst_quantization.moc"
