// Hostile files of every format: a quick answer in one line, and no file opened outside of the model's own folder. The
// program's own open calls are watched by functions of the same name, which the dynamic linker finds first.

#include "engine/formats/model_file.h"

#include <QtTest>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace gelens;

namespace {

std::mutex watchLock;
bool isWatching = false;
std::vector<std::string> opened; // absolute, links followed

void note(int folder, const char* path)
{
    const std::scoped_lock lock(watchLock);
    if (!isWatching || !path) return;
    isWatching = false; // what follows opens nothing of interest
    std::error_code error;
    fs::path whole = path;
    if (whole.is_relative() && folder != AT_FDCWD)
        whole = fs::read_symlink("/proc/self/fd/" + std::to_string(folder), error) / whole;
    opened.push_back(fs::weakly_canonical(fs::absolute(whole), error).string());
    isWatching = true;
}

template <typename F>
F* real(const char* name)
{
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

mode_t modeOf(int flags, va_list list) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; }

} // namespace

#define WATCHED_OPEN(NAME)                                                                                             \
    extern "C" int NAME(const char* path, int flags, ...)                                                              \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        const mode_t mode = modeOf(flags, list);                                                                       \
        va_end(list);                                                                                                  \
        note(AT_FDCWD, path);                                                                                          \
        return real<int(const char*, int, mode_t)>(#NAME)(path, flags, mode);                                          \
    }
#define WATCHED_OPENAT(NAME)                                                                                           \
    extern "C" int NAME(int folder, const char* path, int flags, ...)                                                  \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        const mode_t mode = modeOf(flags, list);                                                                       \
        va_end(list);                                                                                                  \
        note(folder, path);                                                                                            \
        return real<int(int, const char*, int, mode_t)>(#NAME)(folder, path, flags, mode);                             \
    }
#define WATCHED_FOPEN(NAME)                                                                                            \
    extern "C" FILE* NAME(const char* path, const char* mode)                                                          \
    {                                                                                                                  \
        note(AT_FDCWD, path);                                                                                          \
        return real<FILE*(const char*, const char*)>(#NAME)(path, mode);                                               \
    }

WATCHED_OPEN(open)
WATCHED_OPEN(open64)
WATCHED_OPENAT(openat)
WATCHED_OPENAT(openat64)
WATCHED_FOPEN(fopen)
WATCHED_FOPEN(fopen64)

namespace {

/// What openModel opened, besides its answer.
struct Answer {
    Result<ModelDocument> document;
    std::vector<std::string> opened;
    double seconds = 0;
};

Answer answerOf(const fs::path& path)
{
    {
        const std::scoped_lock lock(watchLock);
        opened.clear();
        isWatching = true;
    }
    const auto start = std::chrono::steady_clock::now();
    Answer answer{openModel(path), {}, 0};
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::scoped_lock lock(watchLock);
    isWatching = false;
    answer.opened = opened;
    return answer;
}

bool isInside(const std::string& path, const fs::path& folder)
{
    return path == folder.string() || path.starts_with(folder.string() + "/");
}

void copyFile(const fs::path& from, const fs::path& to)
{
    fs::copy_file(from, to);
    fs::permissions(to, fs::perms::owner_all);
}

} // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_hostile = fs::path(GELENS_CORPUS_DIR) / "hostile";
        if (!fs::exists(m_hostile)) QSKIP("the corpus is absent");
        m_hostile = fs::canonical(m_hostile);
    }

    void theWatchSeesWhatIsOpened()
    {
        // Without that the other tests would pass for the wrong reason.
        const Answer answer = answerOf(m_hostile / "duplicate_node_names.onnx");
        QVERIFY(answer.document.ok());
        QVERIFY(!answer.opened.empty());
        {
            const std::scoped_lock lock(watchLock);
            opened.clear();
            isWatching = true;
        }
        std::ifstream("/etc/hostname");
        const std::scoped_lock lock(watchLock);
        isWatching = false;
        QVERIFY(opened == std::vector<std::string>{"/etc/hostname"});
    }

    void everyFileHasAnAnswer()
    {
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_hostile)) {
            const std::string suffix = entry.path().extension().string();
            if (suffix != ".onnx" && suffix != ".om" && suffix != ".pbtxt") continue;
            ++files;
            const Answer answer = answerOf(entry.path());
            const QByteArray name = QByteArray::fromStdString(entry.path().filename().string());
            QVERIFY2(answer.seconds < 5, name);
            for (const std::string& path : answer.opened)
                QVERIFY2(isInside(path, entry.path().parent_path()),
                         (name + " opened " + QByteArray::fromStdString(path)));
            if (answer.document.ok()) {
                QVERIFY2(answer.document->graph.findInconsistency().empty(), name);
                continue;
            }
            const std::string text = answer.document.error().message();
            QVERIFY2(!text.empty() && text.find('\n') == std::string::npos, name);
            QVERIFY2(text.find(entry.path().filename().string()) != std::string::npos, (name + ": " + text.c_str()));
        }
        QVERIFY(files > 60);
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        QVERIFY2(usage.ru_maxrss < 1 << 20, qPrintable(QString::number(usage.ru_maxrss))); // in KiB
    }

    void aCutDumpNamesItsPlace()
    {
        const Answer answer = answerOf(m_hostile / "ge_dump_cut.pbtxt");
        QVERIFY(!answer.document.ok());
        const std::string text = answer.document.error().message();
        QVERIFY2(text.find("line ") != std::string::npos && text.find("column ") != std::string::npos, text.c_str());
    }

    void aLinkOutOfTheFolderIsNotFollowed()
    {
        QTemporaryDir folder;
        const fs::path path = fs::canonical(folder.path().toStdString());
        copyFile(m_hostile / "ext" / "external_symlink_out.onnx", path / "model.onnx");
        fs::create_symlink("/etc/hostname", path / "link.bin");
        const Answer answer = answerOf(path / "model.onnx");
        QVERIFY(!answer.document.ok());
        QVERIFY2(answer.document.error().message().find("link.bin") != std::string::npos,
                 answer.document.error().message().c_str());
        for (const std::string& opened : answer.opened)
            QVERIFY2(isInside(opened, path) && opened != "/etc/hostname", opened.c_str());
    }

    void aPipeDoesNotBlock()
    {
        QTemporaryDir folder;
        const fs::path path = fs::canonical(folder.path().toStdString());
        copyFile(m_hostile / "external_missing.onnx", path / "model.onnx");
        QCOMPARE(mkfifo((path / "weights_not_here.bin").c_str(), 0600), 0);
        const Answer answer = answerOf(path / "model.onnx");
        QVERIFY(answer.seconds < 5);
        QVERIFY(!answer.document.ok());
        QVERIFY2(answer.document.error().message().find("weights_not_here.bin") != std::string::npos,
                 answer.document.error().message().c_str());
    }

private:
    fs::path m_hostile;
};

QTEST_GUILESS_MAIN(TestHostileFiles)
#include "tst_hostile_files.moc"
