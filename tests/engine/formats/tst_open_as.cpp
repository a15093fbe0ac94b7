// What a file may be, and opening it as what a person says it is.

#include "engine/formats/model_file.h"
#include "engine/formats/open_as.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <set>

using namespace gelens;

namespace {

std::vector<std::string_view> kindsOf(const std::string& content)
{
    return plausibleKinds(std::as_bytes(std::span(content.data(), content.size())));
}

std::string write(const QTemporaryDir& folder, const char* name, const std::string& content)
{
    const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

const std::string sureProto = "graph {\n  name: \"g\"\n  op {\n    name: \"x\"\n    type: \"Data\"\n  }\n}\n";
const std::string sureOnnx =
    "ir_version: 6\ngraph {\n  node {\n    output: \"x:0\"\n    name: \"x\"\n    op_type: \"ge:Data\"\n  }\n}\n";
/// A name and nothing that decides.
const std::string vague = "name: \"g\"\n";

} // namespace

class TestOpenAs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void contentDecidesWhereItCan()
    {
        using Kinds = std::vector<std::string_view>;
        QCOMPARE(kindsOf(sureProto), Kinds{"ge_proto"});
        QCOMPARE(kindsOf(sureOnnx), Kinds{"ge_onnx"});
        QCOMPARE(kindsOf("graph(\"g\"):\n"), Kinds{"ge_readable"});
        QCOMPARE(kindsOf("\x08\x07\x12\x02me"), Kinds{"onnx"});
        QVERIFY(kindsOf("PK\x03\x04 an archive").empty());
        QVERIFY(kindsOf(vague).size() > 1); // truly ambiguous
        QCOMPARE(kindsOf(vague).front(), std::string_view("ge_proto"));
    }

    /// Models of CANN's world that are none of what is read are called by their name.
    void relativesAreNamed()
    {
        QTemporaryDir folder;
        const auto errorOf = [&](const std::string& content) {
            const auto document = openModel(write(folder, "model.om", content));
            return document.ok() ? std::string() : document.error().message();
        };
        const std::string member = std::string("PK\x03\x04", 4) + std::string(26, '\0');
        const std::string om2 = member + "manifest.json{}" + std::string(2'000'000, 'x') +
                                "PK\x01\x02 manifest.json PK\x01\x02 data/model_0/model_meta.json PK\x05\x06";
        QVERIFY2(errorOf(om2).find("an OM2 model") != std::string::npos, errorOf(om2).c_str());
        const std::string zip = member + "manifest.json{}PK\x01\x02 manifest.json PK\x05\x06";
        QVERIFY2(errorOf(zip).ends_with("a ZIP archive"), errorOf(zip).c_str());
        QVERIFY2(errorOf("PICO and more").find("SVP") != std::string::npos, errorOf("PICO and more").c_str());
        QVERIFY(kindsOf(om2).empty());
    }

    void eachKindOpensAsItself()
    {
        QTemporaryDir folder;
        const std::string proto = write(folder, "a", sureProto), onnx = write(folder, "b", sureOnnx);
        const auto first = openModelAs(proto, "ge_proto");
        QVERIFY2(first.ok(), first.ok() ? "" : first.error().message().c_str());
        QCOMPARE(first->graph.nodeCount(), 1);
        QCOMPARE(first->path, proto);
        const auto second = openModelAs(onnx, "ge_onnx");
        QVERIFY2(second.ok(), second.ok() ? "" : second.error().message().c_str());
        QCOMPARE(second->graph.nodeCount(), 1);
        std::set<std::string_view> ids;
        for (const ReaderKind& kind : readerKinds()) {
            QVERIFY(ids.insert(kind.id).second && !kind.name.empty());
            (void)openModelAs(proto, kind.id); // wrong or right: an answer, no harm
        }
        QCOMPARE(plausibleKinds(std::filesystem::path(proto)), std::vector<std::string_view>{"ge_proto"});
    }

    void wrongChoicesSayWhatIsWrong()
    {
        QTemporaryDir folder;
        const std::string proto = write(folder, "a", sureProto);
        for (const char* kind : {"onnx", "om", "air"}) {
            const auto document = openModelAs(proto, kind);
            QVERIFY2(!document.ok(), kind);
            QVERIFY(document.error().message().find(proto) != std::string::npos);
        }
        const auto unknown = openModelAs(proto, "caffe");
        QVERIFY(!unknown.ok());
        QVERIFY(unknown.error().message().find("ge_readable") != std::string::npos); // the known ones are listed
        QVERIFY(!openModelAs(proto + "none", "ge_proto").ok());
    }
};

QTEST_GUILESS_MAIN(TestOpenAs)
#include "tst_open_as.moc"
