#pragma once
// Dump folders for tests: made by our own run, or GE's own from the corpus, unpacked.

#include "engine/session/dump_run.h"
#include "engine/session/dump_writer.h"
#include "engine/session/session.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gelens::test {

namespace fs = std::filesystem;

inline std::string samplePath(const char* name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name + ".onnx"; }

inline void writeText(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

inline std::string textOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Compiles a model and dumps every phase in all formats into `folder`.
inline std::shared_ptr<const Run> runWithDumps(const std::string& model, const std::string& folder)
{
    qputenv("DUMP_GRAPH_LEVEL", "1");
    auto writer = makeDumpWriter(folder);
    qunsetenv("DUMP_GRAPH_LEVEL");
    if (!writer.ok()) qFatal("%s", writer.error().message().c_str());
    auto session = Session::open(model);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    auto run = (*session)->run({}, writer->get());
    if (!run.ok()) qFatal("%s", run.error().message().c_str());
    return *run;
}

inline std::shared_ptr<const SnapshotRun> openScanned(const std::string& folder)
{
    const auto dumps = openDumpRun(folder);
    if (!dumps.ok()) qFatal("%s", dumps.error().message().c_str());
    const Status status = (*dumps)->scan();
    if (!status.ok()) qFatal("%s", status.error().message().c_str());
    return (*dumps)->refreshed();
}

/// Copies a folder of the corpus; packed dumps are unpacked, for the program reads plain ones.
inline bool unpackFolder(const QString& from, const QString& to)
{
    for (const QString& name : QDir(from).entryList(QDir::Files)) {
        const QString source = from + QLatin1Char('/') + name;
        if (!name.endsWith(QLatin1String(".gz"))) {
            QFile::copy(source, to + QLatin1Char('/') + name);
            continue;
        }
        QProcess unpack;
        unpack.setStandardOutputFile(to + QLatin1Char('/') + name.chopped(3));
        unpack.start(QStringLiteral("gzip"), {QStringLiteral("-dc"), source});
        if (!unpack.waitForFinished() || unpack.exitCode() != 0) return false;
    }
    return true;
}

inline QString corpusFolder(const char* name)
{
    return QStringLiteral(GELENS_CORPUS_DIR "/ge-oracle/") + QLatin1String(name);
}

/// `small` graph text with nodes a → b → c of types that a test can change.
inline std::string chainText(const std::string& middleType = "Relu", bool hasTail = true,
                             const std::string& middleName = "mid")
{
    const std::string desc =
        "{\n      name: \"y\"\n      dtype: DT_FLOAT\n      layout: \"ND\"\n      shape {\n        dim: 2\n        dim: 3\n      }\n    }\n";
    std::string text =
        "graph {\n  name: \"g\"\n  op {\n    name: \"x\"\n    type: \"Data\"\n    output_desc " + desc + "  }\n";
    text += "  op {\n    name: \"" + middleName + "\"\n    type: \"" + middleType +
            "\"\n    input: \"x:0\"\n    input_desc " + desc + "    output_desc " + desc + "  }\n";
    if (hasTail)
        text += "  op {\n    name: \"tail\"\n    type: \"Sigmoid\"\n    input: \"" + middleName +
                ":0\"\n    input_desc " + desc + "    output_desc " + desc + "  }\n";
    return text + "}\n";
}

} // namespace gelens::test
