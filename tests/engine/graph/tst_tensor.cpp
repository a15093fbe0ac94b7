// Element conversions, with results worked out by hand from the formats' definitions.

#include "engine/graph/graph_editor.h"
#include "engine/graph/tensor.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace gelens;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

std::vector<unsigned> bytesOf(const Tensor& tensor)
{
    std::vector<unsigned> bytes;
    for (const std::byte b : tensor.data.span()) bytes.push_back(std::to_integer<unsigned>(b));
    return bytes;
}

Tensor fromBytes(std::vector<unsigned> bytes, DataType dtype, Shape shape)
{
    std::vector<std::byte> data;
    for (const unsigned b : bytes) data.push_back(static_cast<std::byte>(b));
    Tensor tensor;
    tensor.desc = TensorDesc(dtype, std::move(shape));
    tensor.data = Bytes::owned(std::move(data));
    return tensor;
}

double decodeByte(DataType dtype, unsigned byte) { return fromBytes({byte}, dtype, Shape{}).asDoubles().value().at(0); }

unsigned encodeByte(DataType dtype, double value)
{
    return bytesOf(Tensor::fromDoubles(std::vector<double>{value}, Shape{}, dtype)).at(0);
}

std::uint16_t encodeHalf(double value)
{
    const auto bytes = bytesOf(Tensor::fromDoubles(std::vector<double>{value}, Shape{}, DataType::Float16));
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

} // namespace

class TestTensor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void floatToHalf_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("bits");
        const auto row = [](const char* name, double value, int bits) {
            QTest::newRow(name) << static_cast<float>(value) << bits;
        };
        row("one", 1, 0x3c00);
        row("minus two", -2, 0xc000);
        row("minus zero", -0.0, 0x8000);
        row("largest", 65504, 0x7bff);
        row("just below the tie at the top", 65519.996, 0x7bff);
        row("tie at the top", 65520, 0x7c00);
        row("infinity", -infinity, 0xfc00);
        row("smallest subnormal", 0x1p-24, 0x0001);
        row("half of it: tie to zero", 0x1p-25, 0x0000);
        row("a little more than half of it", 0x1.0002p-25, 0x0001);
        row("one and a half of it: tie to two", 0x1.8p-24, 0x0002);
        row("two and a half of it: tie to two", 0x1.4p-23, 0x0002);
        row("far below", 1e-30, 0x0000);
        row("float subnormal", -1e-40, 0x8000);
        row("smallest normal", 0x1p-14, 0x0400);
        row("largest subnormal", 0x1p-14 - 0x1p-24, 0x03ff);
        row("tie that carries into the normals", 0x1p-14 - 0x1p-25, 0x0400);
        row("tie down to even", 1 + 0x1p-11, 0x3c00);
        row("tie up to even", 1 + 0x1.8p-10, 0x3c02);
        row("above the tie", 1 + 0x1p-11 + 0x1p-20, 0x3c01);
        row("carry into the exponent", 2 - 0x1p-12, 0x4000);
    }
    void floatToHalf()
    {
        QFETCH(const float, value);
        QFETCH(const int, bits);
        QCOMPARE(static_cast<int>(gelens::floatToHalf(value)), bits);
    }

    void halfRoundTrips()
    {
        for (unsigned bits = 0; bits < 0x10000; ++bits) {
            const float value = halfToFloat(static_cast<std::uint16_t>(bits));
            const std::uint16_t back = gelens::floatToHalf(value);
            if (std::isnan(value))
                QVERIFY((back & 0x7c00) == 0x7c00 && (back & 0x3ff) != 0);
            else
                QCOMPARE(static_cast<unsigned>(back), bits);
        }
        QCOMPARE(halfToFloat(0x3555), 0.333251953125f); // (1 + 341/1024) / 4
        QCOMPARE(halfToFloat(0x0003), 3 * 0x1p-24f);
        QVERIFY(std::signbit(halfToFloat(0x8000)));
    }

    void halfIsNearestOfNeighbours()
    {
        // Every float between two neighbouring halves goes to the nearer one: checked at the quarter points.
        for (unsigned bits = 0; bits < 0x7bff; ++bits) {
            const double low = halfToFloat(static_cast<std::uint16_t>(bits));
            const double high = halfToFloat(static_cast<std::uint16_t>(bits + 1));
            QCOMPARE(static_cast<unsigned>(gelens::floatToHalf(static_cast<float>(low + (high - low) / 4))), bits);
            QCOMPARE(static_cast<unsigned>(gelens::floatToHalf(static_cast<float>(low + (high - low) * 3 / 4))),
                     bits + 1);
            QCOMPARE(static_cast<unsigned>(gelens::floatToHalf(static_cast<float>(low + (high - low) / 2))),
                     bits % 2 == 0 ? bits : bits + 1);
        }
    }

    void nanStaysNan()
    {
        const float quiet = std::bit_cast<float>(0xffc12345u);
        QCOMPARE(gelens::floatToHalf(quiet), std::uint16_t{0xfe09}); // payload's upper ten bits
        const float signalling = std::bit_cast<float>(0x7f800001u);  // all its payload is cut away
        QCOMPARE(gelens::floatToHalf(signalling), std::uint16_t{0x7e00});
        QCOMPARE(floatToBFloat16(signalling), std::uint16_t{0x7fc0});
        QVERIFY(std::isnan(halfToFloat(0x7c01)));
        QVERIFY(std::isnan(bFloat16ToFloat(0xff81)));
    }

    void bFloat16()
    {
        QCOMPARE(floatToBFloat16(1.0f), std::uint16_t{0x3f80});
        QCOMPARE(floatToBFloat16(1 + 0x1p-8f), std::uint16_t{0x3f80});   // tie to even
        QCOMPARE(floatToBFloat16(1 + 0x1.8p-7f), std::uint16_t{0x3f82}); // tie to even, up
        QCOMPARE(floatToBFloat16(1 + 0x1.01p-8f), std::uint16_t{0x3f81});
        QCOMPARE(floatToBFloat16(std::numeric_limits<float>::max()), std::uint16_t{0x7f80});
        QCOMPARE(floatToBFloat16(-std::numeric_limits<float>::infinity()), std::uint16_t{0xff80});
        QCOMPARE(floatToBFloat16(std::bit_cast<float>(0x00018000u)), std::uint16_t{2}); // subnormal tie: 1.5 → 2
        QCOMPARE(floatToBFloat16(std::bit_cast<float>(0x80000001u)), std::uint16_t{0x8000});
        for (unsigned bits = 0; bits < 0x10000; ++bits) {
            const float value = bFloat16ToFloat(static_cast<std::uint16_t>(bits));
            if (!std::isnan(value)) QCOMPARE(static_cast<unsigned>(floatToBFloat16(value)), bits);
        }
    }

    void doublesAreRoundedOnce()
    {
        // As a float this is the tie 1 + 2^-11, which would then go down to 1.
        QCOMPARE(encodeHalf(1 + 0x1p-11 + 0x1p-40), std::uint16_t{0x3c01});
        QCOMPARE(encodeHalf(1 + 0x1p-11 - 0x1p-40), std::uint16_t{0x3c00});
        QCOMPARE(encodeHalf(-(1 + 0x1.8p-10 - 0x1p-40)), std::uint16_t{0xbc01});
        QCOMPARE(encodeHalf(0x1p-25 + 0x1p-60), std::uint16_t{0x0001});
        QCOMPARE(encodeHalf(0x1p-25), std::uint16_t{0x0000});
        QCOMPARE(encodeHalf(1e300), std::uint16_t{0x7c00});
        QCOMPARE(encodeHalf(65519.99999999), std::uint16_t{0x7bff});
        QCOMPARE(encodeHalf(-1e-300), std::uint16_t{0x8000});
        const auto bytes =
            bytesOf(Tensor::fromDoubles(std::vector<double>{1 + 0x1p-8 + 0x1p-40}, Shape{}, DataType::BFloat16));
        QCOMPARE(bytes, (std::vector<unsigned>{0x81, 0x3f}));
    }

    void smallFloats_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<unsigned>("bits");
        QTest::addColumn<double>("value");
        const auto row = [](DataType dtype, unsigned bits, double value) {
            QTest::addRow("%s 0x%02x", std::string(dataTypeShortName(dtype)).c_str(), bits)
                << static_cast<int>(dtype) << bits << value;
        };
        row(DataType::Float8E4M3FN, 0x38, 1);
        row(DataType::Float8E4M3FN, 0x7e, 448);
        row(DataType::Float8E4M3FN, 0xfe, -448);
        row(DataType::Float8E4M3FN, 0x01, 0x1p-9);
        row(DataType::Float8E4M3FN, 0x08, 0x1p-6);
        row(DataType::Float8E4M3FN, 0x7f, notANumber);
        row(DataType::Float8E4M3FNUZ, 0x40, 1);
        row(DataType::Float8E4M3FNUZ, 0x7f, 240);
        row(DataType::Float8E4M3FNUZ, 0x01, 0x1p-10);
        row(DataType::Float8E4M3FNUZ, 0x80, notANumber);
        row(DataType::Float8E5M2, 0x3c, 1);
        row(DataType::Float8E5M2, 0x7b, 57344);
        row(DataType::Float8E5M2, 0x01, 0x1p-16);
        row(DataType::Float8E5M2, 0x7c, infinity);
        row(DataType::Float8E5M2, 0xfc, -infinity);
        row(DataType::Float8E5M2, 0x7d, notANumber);
        row(DataType::Float8E5M2FNUZ, 0x40, 1);
        row(DataType::Float8E5M2FNUZ, 0x7f, 57344);
        row(DataType::Float8E5M2FNUZ, 0x01, 0x1p-17);
        row(DataType::Float8E5M2FNUZ, 0x80, notANumber);
        row(DataType::Float8E8M0, 127, 1);
        row(DataType::Float8E8M0, 0, 0x1p-127);
        row(DataType::Float8E8M0, 255, notANumber);
        row(DataType::HiFloat8, 0x08, 1);     // no exponent bits: 2^0 × 1.0
        row(DataType::HiFloat8, 0x0c, 1.5);   // 2^0 × (1 + 4/8)
        row(DataType::HiFloat8, 0x10, 2);     // one exponent bit, its sign: 2^1
        row(DataType::HiFloat8, 0x18, 0.5);   // 2^-1
        row(DataType::HiFloat8, 0x20, 4);     // two exponent bits: 2^2
        row(DataType::HiFloat8, 0x28, 8);     // 2^3
        row(DataType::HiFloat8, 0x6e, 32768); // the largest: 2^15
        row(DataType::HiFloat8, 0x6f, infinity);
        row(DataType::HiFloat8, 0x01, 0x1p-22); // the smallest
        row(DataType::HiFloat8, 0x80, notANumber);
    }
    void smallFloats()
    {
        QFETCH(const int, dtype);
        QFETCH(const unsigned, bits);
        QFETCH(const double, value);
        const auto type = static_cast<DataType>(dtype);
        const double decoded = decodeByte(type, bits);
        if (std::isnan(value)) {
            QVERIFY(std::isnan(decoded));
            QVERIFY(std::isnan(decodeByte(type, encodeByte(type, value))));
            return;
        }
        QCOMPARE(decoded, value);
        QCOMPARE(encodeByte(type, value), bits);
    }

    void smallFloatsRound()
    {
        QCOMPARE(encodeByte(DataType::Float8E4M3FN, 1.0625), 0x38u); // tie between 1 and 1.125
        QCOMPARE(encodeByte(DataType::Float8E4M3FN, 1.1875), 0x3au); // tie between 1.125 and 1.25
        QCOMPARE(encodeByte(DataType::Float8E4M3FN, 1000), 0x7eu);   // saturates
        QCOMPARE(encodeByte(DataType::Float8E4M3FN, -infinity), 0xfeu);
        QCOMPARE(encodeByte(DataType::Float8E5M2, 60000), 0x7bu);
        QCOMPARE(encodeByte(DataType::Float8E4M3FN, -0.0), 0x80u);
        QCOMPARE(encodeByte(DataType::Float8E4M3FNUZ, -0.0), 0x00u); // 0x80 is NaN there
        QCOMPARE(encodeByte(DataType::Float8E4M3FNUZ, -1e-9), 0x00u);
        QCOMPARE(encodeByte(DataType::Float8E8M0, 3), 128u); // between 2 and 4: even code
        for (const DataType type : {DataType::Float8E4M3FN, DataType::Float8E4M3FNUZ, DataType::Float8E5M2,
                                    DataType::Float8E5M2FNUZ, DataType::Float8E8M0, DataType::HiFloat8}) {
            for (unsigned bits = 0; bits < 256; ++bits) {
                const double value = decodeByte(type, bits);
                if (std::isnan(value)) continue;
                QCOMPARE(encodeByte(type, value), bits);
            }
        }
    }

    void packsSubByteTypes()
    {
        const Tensor int4 = Tensor::fromInts({1, -2, 7, -8, 3}, Shape{5}, DataType::Int4);
        QCOMPARE(bytesOf(int4), (std::vector<unsigned>{0xe1, 0x87, 0x03}));
        QCOMPARE(int4.asInts().value(), (std::vector<std::int64_t>{1, -2, 7, -8, 3}));
        const Tensor uint4 = Tensor::fromInts({1, 14, 7, 8, 3}, Shape{5}, DataType::UInt4);
        QCOMPARE(bytesOf(uint4), (std::vector<unsigned>{0xe1, 0x87, 0x03}));
        QCOMPARE(uint4.asDoubles().value(), (std::vector<double>{1, 14, 7, 8, 3}));
        const Tensor int2 = Tensor::fromInts({1, -1, -2, 0, 1}, Shape{5}, DataType::Int2);
        QCOMPARE(bytesOf(int2), (std::vector<unsigned>{0x2d, 0x01}));
        QCOMPARE(int2.asInts().value(), (std::vector<std::int64_t>{1, -1, -2, 0, 1}));
        const Tensor bits = Tensor::fromInts({1, 0, 1, 1}, Shape{4}, DataType::UInt1);
        QCOMPARE(bytesOf(bits), (std::vector<unsigned>{0x0d}));
        const Tensor fp4 = fromBytes({0x10, 0x32, 0x54, 0x76, 0xf8}, DataType::Float4E2M1, Shape{10});
        QCOMPARE(fp4.asDoubles().value(), (std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -6}));
        const Tensor clamped =
            Tensor::fromDoubles(std::vector<double>{100, -100, 2.5, notANumber}, Shape{4}, DataType::Int4);
        QCOMPARE(clamped.asInts().value(), (std::vector<std::int64_t>{7, -8, 2, 0}));
    }

    void convertsIntegers()
    {
        const std::vector<std::int64_t> values{-128, -1, 0, 127};
        for (const DataType type : {DataType::Int8, DataType::Int16, DataType::Int32, DataType::Int64}) {
            QCOMPARE(Tensor::fromInts(values, Shape{2, 2}, type).asInts().value(), values);
            QCOMPARE(Tensor::fromInts(values, Shape{2, 2}, type).asDoubles().value(),
                     (std::vector<double>{-128, -1, 0, 127}));
        }
        QCOMPARE(bytesOf(Tensor::fromInts({0x01020304}, Shape{}, DataType::Int32)),
                 (std::vector<unsigned>{4, 3, 2, 1}));
        QCOMPARE(Tensor::fromInts({-1}, Shape{}, DataType::UInt16).asInts().value().at(0), std::int64_t{65535});
        const Tensor huge = Tensor::fromInts({-1}, Shape{}, DataType::UInt64);
        QVERIFY(!huge.asInts()); // 2^64 - 1 is no int64
        QCOMPARE(huge.asDoubles().value().at(0), 0x1p64);
        const Tensor flags = fromBytes({0, 1, 2}, DataType::Bool, Shape{3});
        QCOMPARE(flags.asInts().value(), (std::vector<std::int64_t>{0, 1, 1}));
        const Tensor rounded =
            Tensor::fromDoubles(std::vector<double>{2.5, 3.5, -2.5, 1e30, notANumber}, Shape{5}, DataType::Int32);
        QCOMPARE(rounded.asInts().value(), (std::vector<std::int64_t>{2, 4, -2, 2147483647, 0}));
        QCOMPARE(Tensor::fromInts({3}, Shape{}, DataType::Float16).asDoubles().value().at(0), 3.0);
        QVERIFY(!Tensor::fromInts({3}, Shape{}, DataType::Float16).asInts()); // not an integer type
    }

    void knowsWhetherItIsPresent()
    {
        Tensor tensor = Tensor::fromInts({1, 2, 3}, Shape{3});
        QVERIFY(tensor.isPresent());
        QVERIFY(!tensor.asInts(2)); // over the limit
        QVERIFY(tensor.asInts(3));
        tensor.desc.setShape(Shape{4}); // declares more than there is
        QVERIFY(!tensor.isPresent());
        QVERIFY(!tensor.asInts());
        QVERIFY(!tensor.asDoubles());
        tensor.desc.setShape(Shape{-1});
        QVERIFY(!tensor.isPresent());
        Tensor empty = Tensor::fromInts({}, Shape{0});
        QVERIFY(empty.isPresent());
        QCOMPARE(empty.asInts().value().size(), std::size_t{0});
        Tensor text;
        text.desc = TensorDesc(DataType::String, Shape{2});
        text.strings = {"a", "b"};
        QVERIFY(text.isPresent());
        QVERIFY(!text.asInts());
        text.strings.pop_back();
        QVERIFY(!text.isPresent());
    }

    void comparesByValue()
    {
        const Tensor a = Tensor::fromInts({1, 2}, Shape{2});
        QVERIFY(a == Tensor::fromInts({1, 2}, Shape{2}));
        QVERIFY(!(a == Tensor::fromInts({1, 3}, Shape{2})));
        QVERIFY(!(a == Tensor::fromInts({1, 2}, Shape{1, 2})));
        Tensor away;
        away.desc = a.desc;
        away.external = ExternalData{"weights.bin", 0, 16};
        Tensor elsewhere = away;
        QVERIFY(away == elsewhere);
        elsewhere.external->offset = 16;
        QVERIFY(!(away == elsewhere));
    }

    void piecesThatAreOneStretchAreOnePlace()
    {
        const ExternalPiece first{{"w.bin", 64, 48}, 6, 0, 6}, second{{"w.bin", 112, 16}, 2, 0, 2};
        Tensor joined;
        joined.desc = TensorDesc(DataType::Float, Shape{8, 2});
        joined.setExternal({first, second}, 0); // along the first axis they follow each other in the file
        QVERIFY(joined.external && *joined.external == (ExternalData{"w.bin", 64, 64}));
        QVERIFY(joined.externalPieces.empty());
        const auto whole = joined.piecesAlong(0);
        QVERIFY(whole && whole->size() == 1 && whole->front().extent == 8 && whole->front().count == 8);

        Tensor columns = joined;
        columns.desc.setShape(Shape{2, 8});
        columns.setExternal({first, second}, 1); // rows of both take turns: no one stretch
        QVERIFY(!columns.external);
        QCOMPARE(columns.externalPieces.size(), std::size_t{2});
        QVERIFY(columns.piecesAlong(1) == columns.externalPieces);
        QVERIFY(!columns.piecesAlong(0));
    }

    /// The same pieces along another axis are another value, for a fingerprint too.
    void piecesAlongAnotherAxisDiffer()
    {
        Tensor one;
        one.desc = TensorDesc(DataType::Float, Shape{1, 4, 4});
        one.externalPieces = {{{"a.bin", 0, 32}, 2, 0, 2}, {{"b.bin", 0, 32}, 2, 0, 2}};
        one.externalAxis = 1;
        Tensor other = one;
        other.externalAxis = 2;
        QVERIFY(!(one == other));
        const auto print = [](const Tensor& value) {
            Graph graph("g");
            GraphEditor editor(graph);
            editor.addConstant("c", value);
            return graph.fingerprint();
        };
        QCOMPARE(print(one), print(Tensor(one)));
        QVERIFY(print(one) != print(other));
    }

    void windowsKeepTheirOwner()
    {
        auto owner = std::make_shared<std::vector<std::byte>>(64, std::byte{7});
        const std::weak_ptr<std::vector<std::byte>> watch = owner;
        Bytes window = Bytes::window(owner, owner->data() + 8, 16);
        owner.reset();
        QVERIFY(!watch.expired());
        QCOMPARE(window.size(), std::size_t{16});
        QVERIFY(window.span()[15] == std::byte{7});
        window = Bytes();
        QVERIFY(watch.expired());
    }
};

QTEST_GUILESS_MAIN(TestTensor)
#include "tst_tensor.moc"
