#include "engine/ops/storage_shape.h"
#include "tests/support/kernel_test.h"

#include <QtTest>

#include <cstring>

using namespace gelens;
using namespace gelens::test;

namespace {

TensorFormat fractalZ(int groups)
{
    TensorFormat format(Format::FractalZ);
    format.group = static_cast<std::uint16_t>(groups);
    return format;
}

struct Example {
    const char* name;
    Shape origin;
    Format originFormat;
    DataType dtype;
    TensorFormat format;
    Shape storage;
};

const std::vector<Example>& examples()
{
    using enum DataType;
    static const std::vector<Example> list = {
        {"image fp16", {8, 3, 224, 224}, Format::NCHW, Float16, Format::NC1HWC0, {8, 1, 224, 224, 16}},
        {"feature map fp16", {1, 64, 56, 56}, Format::NCHW, Float16, Format::NC1HWC0, {1, 4, 56, 56, 16}},
        {"feature map int8", {1, 64, 56, 56}, Format::NCHW, Int8, Format::NC1HWC0, {1, 2, 56, 56, 32}},
        {"filter 7x7", {64, 3, 7, 7}, Format::NCHW, Float16, Format::FractalZ, {49, 4, 16, 16}},
        {"filter 1x1", {256, 64, 1, 1}, Format::NCHW, Float16, Format::FractalZ, {4, 16, 16, 16}},
        {"filter int8", {64, 64, 3, 3}, Format::NCHW, Int8, Format::FractalZ, {18, 4, 16, 32}},
        {"grouped filter", {64, 4, 3, 3}, Format::NCHW, Float16, fractalZ(8), {18, 2, 16, 16}},
        {"depthwise filter", {32, 1, 3, 3}, Format::NCHW, Float16, fractalZ(32), {18, 1, 16, 16}},
        {"matrix fp16", {35, 70}, Format::ND, Float16, Format::FractalNz, {5, 3, 16, 16}},
        {"matrix int8", {35, 70}, Format::ND, Int8, Format::FractalNz, {3, 3, 16, 32}},
        {"batched matrix", {2, 12, 128, 64}, Format::ND, Float16, Format::FractalNz, {2, 12, 4, 8, 16, 16}},
        {"large weight", {4096, 11008}, Format::ND, Float16, Format::FractalNz, {688, 256, 16, 16}},
        {"weight K x N", {70, 35}, Format::ND, Float16, Format::FractalZ, {5, 3, 16, 16}},
        {"volume", {2, 33, 4, 7, 7}, Format::NCDHW, Float16, Format::NDC1HWC0, {2, 4, 3, 7, 7, 16}},
    };
    return list;
}

/// Bytes 1, 2, 3 … so that zero only ever means padding.
std::vector<std::byte> pattern(std::int64_t bytes)
{
    std::vector<std::byte> data(static_cast<std::size_t>(bytes));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i % 251 + 1);
    return data;
}

} // namespace

class TestFormats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workedExamples_data()
    {
        QTest::addColumn<int>("which");
        for (std::size_t i = 0; i < examples().size(); ++i) QTest::newRow(examples()[i].name) << static_cast<int>(i);
    }
    void workedExamples()
    {
        QFETCH(int, which);
        const Example& e = examples()[static_cast<std::size_t>(which)];
        const auto shape = storageShape(e.format, e.origin, e.originFormat, e.dtype);
        QVERIFY2(shape.ok(), shape.ok() ? "" : shape.error().message().c_str());
        QCOMPARE(QString::fromStdString(shape->text()), QString::fromStdString(e.storage.text()));
    }

    void bytesOfTheExamples()
    {
        const auto bytes = [](const Example& e) {
            return storageBytes(e.dtype, *storageShape(e.format, e.origin, e.originFormat, e.dtype)).value();
        };
        QCOMPARE(bytes(examples()[0]), 12845056);
        QCOMPARE(bytes(examples()[3]), 100352);
        QCOMPARE(bytes(examples()[6]), 18432);
        QCOMPARE(bytes(examples()[7]), 9216);
        QCOMPARE(bytes(examples()[8]), 7680);
        QCOMPARE(bytes(examples()[9]), 4608);
    }

    void roundTrip_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("rank");
        const auto add = [](Format format, int groups, int rank) {
            QTest::addRow("%s groups %d rank %d", std::string(formatName(format)).c_str(), groups, rank)
                << static_cast<int>(format) << groups << rank;
        };
        for (Format format : {Format::NC1HWC0, Format::FractalZ, Format::C1HWNCoC0, Format::FractalNz, Format::NHWC,
                              Format::HWCN, Format::FractalNzC04})
            add(format, 0, 4);
        add(Format::FractalZ, 3, 4);
        add(Format::NC1HWC0C04, 0, -4);
        add(Format::FractalZC04, 0, -4);
        add(Format::NDC1HWC0, 0, 5);
        add(Format::FractalZ3d, 0, 5);
        add(Format::NDHWC, 0, 5);
        add(Format::FractalZ, 0, 2);
        add(Format::FractalNz, 0, 2);
        add(Format::FractalNz, 0, 1);
        add(Format::FractalNz, 0, 3);
    }
    void roundTrip()
    {
        QFETCH(int, format);
        QFETCH(int, groups);
        QFETCH(int, rank);
        TensorFormat private_(static_cast<Format>(format));
        private_.group = static_cast<std::uint16_t>(groups);
        const Shape shape = rank == 5    ? Shape{3, 17, 2, 5, 7}
                            : rank == 4  ? Shape{21, 19, 5, 3}
                            : rank == -4 ? Shape{21, 3, 5, 7}
                            : rank == 3  ? Shape{2, 33, 35}
                            : rank == 2  ? Shape{35, 70}
                                         : Shape{37};
        const Format origin = rank == 5 ? Format::NCDHW : std::abs(rank) == 4 ? Format::NCHW : Format::ND;
        for (const DataType type : {DataType::Int8, DataType::Float16, DataType::Float, DataType::Int64,
                                    DataType::Complex128, DataType::Int4}) {
            const auto storage = storageShape(private_, shape, origin, type);
            QVERIFY2(storage.ok(), storage.ok() ? "" : storage.error().message().c_str());
            std::vector<std::byte> data = pattern(storageBytes(type, shape).value());
            if (type == DataType::Int4) data.back() &= std::byte(15); // the last nibble of an odd count is unused
            std::vector<std::byte> stored(static_cast<std::size_t>(storageBytes(type, *storage).value()),
                                          std::byte(0xff));
            const Status there = convertStorage(data.data(), origin, stored.data(), private_, shape, origin, type);
            QVERIFY2(there.ok(), there.ok() ? "" : there.error().message().c_str());
            std::vector<std::byte> back(data.size(), std::byte(0xff));
            QVERIFY(convertStorage(stored.data(), private_, back.data(), origin, shape, origin, type).ok());
            QCOMPARE(back == data, true);
            if (type != DataType::Int8) continue;
            // Nothing is lost, and all the rest is zero.
            const auto filled =
                std::count_if(stored.begin(), stored.end(), [](std::byte b) { return b != std::byte(0); });
            QCOMPARE(static_cast<std::size_t>(filled), data.size());
        }
    }

    /// Single elements against the addressing formulae, written out once more.
    void addresses()
    {
        const auto offsets = [](TensorFormat format, const Shape& shape, Format origin) {
            std::vector<std::int64_t> list;
            StorageMap::make(format, shape, origin, DataType::Float16)->forEachOffset([&](std::int64_t o) {
                list.push_back(o);
            });
            return list;
        };
        const auto five = offsets(Format::NC1HWC0, {2, 33, 5, 7}, Format::NCHW);
        const auto filter = offsets(Format::FractalZ, {21, 33, 5, 7}, Format::NCHW);
        const auto nz = offsets(Format::FractalNz, {35, 70}, Format::ND);
        for (int n : {0, 1})
            for (int c : {0, 15, 16, 32})
                for (int h : {0, 4})
                    for (int w : {0, 6}) {
                        const auto at = static_cast<std::size_t>(((n * 33 + c) * 5 + h) * 7 + w);
                        QCOMPARE(five[at], (((n * 3 + c / 16) * 5 + h) * 7 + w) * 16 + c % 16);
                        QCOMPARE(filter[at], ((((c / 16) * 5 + h) * 7 + w) * 2 + n / 16) * 256 + n % 16 * 16 + c % 16);
                    }
        for (int m : {0, 15, 16, 34})
            for (int n : {0, 15, 16, 69})
                QCOMPARE(nz[static_cast<std::size_t>(m * 70 + n)],
                         ((n / 16) * 3 + m / 16) * 256 + m % 16 * 16 + n % 16);
    }

    void transDataMovesBothWays()
    {
        std::vector<double> all;
        for (int i = 1; i <= 2 * 17 * 3 * 2; ++i) all.push_back(i);
        const HostTensor x = tensor({2, 17, 3, 2}, all, DataType::Float16);
        const HostTensor stored = run1("TransData", {x}, {{"src_format", "NCHW"}, {"dst_format", "NC1HWC0"}});
        QCOMPARE(stored.shape, (Shape{2, 2, 3, 2, 16}));
        const auto got = values(stored);
        QCOMPARE(got[0], 1.0);
        QCOMPARE(got[1], 7.0);          // the next channel
        QCOMPARE(got[6 * 16 + 1], 0.0); // channel 17 is padding
        // The way back needs the logical shape, which the padded one does not tell.
        const OpDef* const def = OpRegistry::instance().find("TransData");
        AttrMap attrs{{"src_format", "NC1HWC0"}, {"dst_format", "NCHW"}};
        TensorView view = stored.view();
        view.format = Format::NC1HWC0;
        view.originShape = x.shape;
        view.originFormat = Format::NCHW;
        HostTensor back;
        KernelContext context("op", "TransData", attrs, {view}, {DataType::Float16},
                              [&](int, DataType type, const Shape& shape) -> Result<std::byte*> {
                                  back = HostTensor::zeros(type, shape);
                                  return back.bytes->data();
                              });
        QVERIFY(def->kernelFunction()(context).ok());
        QCOMPARE(back.shape, x.shape);
        QCOMPARE(values(back), all);
        QVERIFY(def->storageKernel());
    }

    void transDataRoundTripsEveryFormat_data() { roundTrip_data(); }
    /// The operator itself, there and back, with sizes that no block divides.
    void transDataRoundTripsEveryFormat()
    {
        QFETCH(int, format);
        QFETCH(int, groups);
        QFETCH(int, rank);
        const Shape shape = rank == 5    ? Shape{3, 17, 2, 5, 7}
                            : rank == 4  ? Shape{21, 19, 5, 3}
                            : rank == -4 ? Shape{21, 3, 5, 7}
                            : rank == 3  ? Shape{2, 33, 35}
                            : rank == 2  ? Shape{35, 70}
                                         : Shape{37};
        const Format origin = rank == 5 ? Format::NCDHW : std::abs(rank) == 4 ? Format::NCHW : Format::ND;
        const auto target = static_cast<Format>(format);
        const OpDef* const def = OpRegistry::instance().find("TransData");
        const auto move = [&](const HostTensor& value, Format from, Format to) {
            AttrMap attrs{{"src_format", std::string(formatName(from))},
                          {"dst_format", std::string(formatName(to))},
                          {"groups", std::max(groups, 1)}};
            TensorView view = value.view();
            view.format = from;
            view.format.group = static_cast<std::uint16_t>(from == origin ? 0 : groups);
            // A plain tensor means what is stored; only a private one needs to be told.
            view.originShape = isPrivateFormat(from) ? shape : value.shape;
            view.originFormat = isPrivateFormat(from) ? origin : from;
            HostTensor moved;
            KernelContext context("op", "TransData", attrs, {view}, {value.dtype},
                                  [&](int, DataType type, const Shape& stored) -> Result<std::byte*> {
                                      moved = HostTensor::zeros(type, stored);
                                      return moved.bytes->data();
                                  });
            const Status status = def->kernelFunction()(context);
            if (!status.ok()) qFatal("%s", status.error().message().c_str());
            return moved;
        };
        for (const DataType type : {DataType::Float16, DataType::Float, DataType::Int8}) {
            std::vector<double> numbers;
            for (std::int64_t i = 0; i < *shape.elementCount(); ++i)
                numbers.push_back(static_cast<double>(i % 113 + 1));
            const HostTensor x = tensor(shape, numbers, type);
            const HostTensor stored = move(x, origin, target);
            QVERIFY(*stored.shape.elementCount() >= *shape.elementCount());
            const HostTensor back = move(stored, target, origin);
            QCOMPARE(back.shape, shape);
            QCOMPARE(values(back), numbers);
        }
    }

    /// A format that names other axes than the tensor has is refused, or moves nothing; it never reads beyond.
    void transDataOfAnOddRank()
    {
        const HostTensor x = tensor({1, 1, 1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(values(run1("TransData", {x}, {{"src_format", "NCHW"}, {"dst_format", "NCHW"}})), values(x));
        QVERIFY(!runError("TransData", {x}, {{"src_format", "NCHW"}, {"dst_format", "NHWC"}}).empty());
        QVERIFY(!runError("TransData", {x}, {{"src_format", "NCHW"}, {"dst_format", "NC1HWC0"}}).empty());
    }

    void transDataInfersStorage()
    {
        TensorDesc desc(DataType::Float16, Shape{-1, 64, 56, 56}, Format::NCHW);
        desc.shape.setSymbol(0, "N");
        desc.originShape.setSymbol(0, "N");
        const auto y = infer("TransData", {desc}, {{"src_format", "NCHW"}, {"dst_format", "NC1HWC0"}});
        QVERIFY(y.ok());
        QCOMPARE(QString::fromStdString(y->front().shape.text()), QStringLiteral("[N, 4, 56, 56, 16]"));
        QCOMPARE(QString::fromStdString(y->front().originShape.text()), QStringLiteral("[N, 64, 56, 56]"));
        QCOMPARE(y->front().format.primary, Format::NC1HWC0);
        QCOMPARE(y->front().originFormat.primary, Format::NCHW);
        const auto back = infer("TransData", {y->front()}, {{"src_format", "NC1HWC0"}, {"dst_format", "NCHW"}});
        QVERIFY(back.ok());
        QCOMPARE(QString::fromStdString(back->front().shape.text()), QStringLiteral("[N, 64, 56, 56]"));
    }

    void refusals()
    {
        QVERIFY(!storageShape(Format::NC1HWC0, {3, 4, 5}, Format::NCHW, DataType::Float16).ok());
        QVERIFY(!storageShape(Format::NC1HWC0C04, {1, 5, 2, 2}, Format::NCHW, DataType::Float16).ok());
        QVERIFY(!storageShape(fractalZ(5), {64, 4, 3, 3}, Format::NCHW, DataType::Float16).ok());
        QVERIFY(!storageShape(Format::FractalNz, {}, Format::ND, DataType::Float16).ok());
        QVERIFY(
            !runError("TransData", {tensor({2, 2}, {1, 2, 3, 4})}, {{"src_format", "ND"}, {"dst_format", "NONSENSE"}})
                 .empty());
    }
};

QTEST_GUILESS_MAIN(TestFormats)
#include "tst_formats.moc"
