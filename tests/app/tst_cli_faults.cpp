// What the command line says of rule folders, damaged dumps, names that command a terminal, and answers with no room.
#include "app/cli/safe_text.h"
#include "tests/app/cli_fixture.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gelens;
using namespace gelens::test;
namespace fs = std::filesystem;

namespace {

Answer ask(const std::vector<std::string>& arguments) { return test::cli(arguments); } // `cli` is a namespace here

std::string sample(const std::string& name) { return std::string(GELENS_SAMPLES_DIR) + "/" + name; }

/// While it lives no file of this process can grow: writes fail as on a full disk, wherever the test runs.
class NoRoom {
public:
    NoRoom()
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit none{0, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    ~NoRoom() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

std::string shown(const std::string& text)
{
    std::ostringstream target;
    {
        cli::SafeText safe(target.rdbuf());
        std::ostream stream(&safe);
        for (const char c : text) stream << c; // characters may come in pieces
    }
    return target.str();
}

} // namespace

class TestCliFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ruleFoldersMustHoldRules()
    {
        const std::string model = sample("attention-fits.onnx");
        const std::string empty = path("empty"), text = path("a.txt");
        fs::create_directory(empty);
        std::ofstream(text) << "rule";
        for (const std::string& rules : {path("absent"), empty, text}) {
            for (const std::vector<std::string>& command :
                 {std::vector<std::string>{"compile", model}, {"explain", model}, {"list", "rules"}}) {
                std::vector<std::string> arguments = command;
                arguments.insert(arguments.end(), {"--rules", rules});
                const Answer answer = ask(arguments);
                QVERIFY2(answer.isOneErrorLine(rules), answer.err.c_str());
            }
        }
    }

    void badRuleFileIsNamed()
    {
        const std::string folder = path("rules");
        fs::create_directory(folder);
        std::ofstream(folder + "/bad.textproto") << "\nrule { id: \"Broken\"\n";
        const Answer run = ask({"compile", sample("attention-fits.onnx"), "--rules", folder});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.says("warning: " + folder + "/bad.textproto:3:1: Expected identifier, got: the end of the text\n"),
                 run.out.c_str());
        QVERIFY(run.says("fused  FlashAttentionFusion"));
        const Answer list = ask({"list", "rules", "--rules", folder});
        QVERIFY2(list.isOneErrorLine(folder + "/bad.textproto:3:1: "), list.err.c_str());
        QVERIFY(list.says("FlashAttentionFusion"));
        QVERIFY(ask({"compile", sample("attention-fits.onnx")}).out.find("warning:") == std::string::npos);
    }

    void optionsThatSayNothing()
    {
        const std::string model = sample("attention-fits.onnx");
        std::ofstream(path("switch.cfg")).close();
        QVERIFY(ask({"compile", model, "--fusion-switch", path("switch.cfg")}).isOneErrorLine(path("switch.cfg")));
        for (const char* seconds : {"nan", "inf", "-1", "soon"}) {
            const Answer answer = ask({"compile", model, "--time-limit", seconds});
            QVERIFY2(answer.isOneErrorLine(std::string("--time-limit: ") + seconds + " is not a number of seconds"),
                     answer.err.c_str());
        }
        QCOMPARE(ask({"compile", model, "--time-limit", "0.5"}).status, 0);
    }

    void refusedBeforeTheRun()
    {
        const std::string model = sample("attention-fits.onnx"), bad = path("expect.json");
        std::ofstream(bad) << "[";
        const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
            {{"--expect-fusions", path("absent.json")}, path("absent.json")},
            {{"--expect-fusions", bad}, bad},
            {{"--against", "--soc Nope"}, "unknown SoC 'Nope'"},
            {{"--against", "--moon"}, "--moon"},
            {{"--l1", "-3"}, "--l1: -3 is not a whole number of bytes, 1 or more"}};
        for (const auto& [options, said] : mistakes) {
            std::vector<std::string> arguments{"compile", model};
            arguments.insert(arguments.end(), options.begin(), options.end());
            const Answer answer = ask(arguments);
            QVERIFY2(answer.isOneErrorLine(said), answer.err.c_str());
            QVERIFY2(answer.out.empty(), answer.out.c_str());
        }
        QVERIFY(ask({"check", model}).isOneErrorLine(model + ": this is a file"));
        QVERIFY(ask({"check", path("absent")}).isOneErrorLine("no such folder"));
    }

    void answersWithoutRoom()
    {
        for (const std::vector<std::string>& arguments : {std::vector<std::string>{"list", "rules"},
                                                          {"info", sample("small-resnet.onnx")},
                                                          {"compile", sample("attention-fits.onnx"), "--json"}}) {
            std::ofstream full(path("answer.txt"));
            std::ostringstream err;
            const NoRoom noRoom;
            QCOMPARE(cliTo(arguments, full, err), 2);
            QCOMPARE(err.str(), std::string("gelens-cli: error: standard output: cannot write all of the answer\n"));
        }
    }

    void dumpsWithoutRoom()
    {
        const std::vector<std::string> arguments{"compile", sample("attention-fits.onnx"), "--dump-dir", path("dumps")};
        {
            const NoRoom noRoom;
            const Answer answer = ask(arguments);
            QVERIFY2(answer.isOneErrorLine(path("dumps") +
                                           "/ge_proto_00000000_graph_0_PreRunBegin.txt: cannot write the dump"),
                     answer.err.c_str());
            QVERIFY2(answer.out.empty(), answer.out.c_str());
        }
        QCOMPARE(ask(arguments).status, 0);
    }

    void picturesWithoutRoom_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("name");
        for (const char* view : {"graph", "timeline"})
            for (const char* name : {"full.png", "full.pdf", "full.svg"})
                QTest::addRow("%s %s", view, name) << QString::fromLatin1(view) << QString::fromLatin1(name);
    }

    void picturesWithoutRoom()
    {
        QFETCH(QString, view);
        QFETCH(QString, name);
        const std::string target = m_folder.filePath(name).toStdString();
        const std::vector<std::string> arguments{
            "export", sample("attention-fits.onnx"), "--view", view.toStdString(), "--to", target};
        {
            const NoRoom noRoom;
            const Answer answer = ask(arguments);
            QVERIFY2(answer.isOneErrorLine(target), (answer.out + answer.err).c_str());
        }
        QCOMPARE(ask(arguments).status, 0);
        QVERIFY(fs::file_size(target) > 500);
    }

    void pipesStayPipes()
    {
        for (const char* name : {"pipe.png", "pipe.pdf", "pipe.svg"}) {
            const std::string pipe = path(name);
            QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
            const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
            QVERIFY(reader >= 0 && ::fcntl(reader, F_SETPIPE_SZ, 1 << 20) >= 0); // holds the whole picture
            QCOMPARE(ask({"export", sample("attention-fits.onnx"), "--to", pipe}).status, 0);
            QVERIFY(fs::is_fifo(pipe));
            char head[4] = {};
            QCOMPARE(::read(reader, head, sizeof head), ssize_t{4});
            ::close(reader);
        }
    }

    void damagedDumpsSaySo()
    {
        for (const std::string& kind : {std::string("ge_onnx"), std::string("ge_proto")}) {
            std::string whole;
            for (const auto& entry : fs::directory_iterator(sample("small-resnet-dumps")))
                if (entry.path().filename().string().starts_with(kind) &&
                    (whole.empty() || entry.path().string() < whole))
                    whole = entry.path().string();
            if (whole.empty()) continue; // the samples need not have both forms
            std::string text(5000, ' ');
            std::ifstream(whole).read(text.data(), 5000);
            const std::string cut = path((kind + fs::path(whole).extension().string()).c_str());
            std::ofstream(cut) << text;
            for (const char* command : {"compile", "explain", "models", "memplan"}) {
                const Answer answer = ask({command, cut});
                QVERIFY2((answer.out + answer.err).find("the file is damaged: the text ends inside") !=
                             std::string::npos,
                         command);
                QVERIFY2(answer.status != 0 || answer.says("warning: " + cut + ": the file is damaged"),
                         answer.out.c_str());
            }
            m_damagedKinds++;
        }
        QVERIFY(m_damagedKinds > 0);
    }

    void namesDoNotCommandTheTerminal()
    {
        QCOMPARE(shown("a\x1b[31m\x07\x7f\tb\n"), std::string("a\\x1b[31m\\x07\\x7f\tb\n"));
        QCOMPARE(shown("\xC2\x9B"
                       "31m"),
                 std::string("\\x9b31m"));
        QCOMPARE(shown("\xE2\x80\xAE|\xE2\x80\xAA|\xE2\x81\xA6|\xE2\x81\xA9"),
                 std::string("\\u202e|\\u202a|\\u2066|\\u2069"));
        QCOMPARE(shown("\x9B|\xE2\x80"), std::string("\\x9b|\\xe2\\x80")); // no UTF-8, cut short
        const std::string fine = "层–→é😀 \xE2\x80\xA9\xE2\x81\xAA";
        QCOMPARE(shown(fine), fine);
        const Answer answer = ask({"info", "/no/\x1b[2J"});
        QVERIFY(answer.err.find('\x1b') == std::string::npos);
        const std::string json = ask({"info", sample("small-resnet.onnx"), "--json"}).out;
        QVERIFY(nlohmann::json::accept(json));
    }

    void aCapacityThatNoPlanReachesIsAnsweredAtOnce()
    {
        std::string csv = "id,lower,upper,size\n";
        for (int i = 0; i < 2000; ++i)
            csv += "b" + std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(i + 1 + i * 7 % 60) + "," +
                   std::to_string(512 * (1 + i * 37 % 4096)) + "\n";
        std::ofstream(path("hard.csv")) << csv;
        QElapsedTimer timer;
        timer.start();
        const Answer answer = ask({"memplan", path("hard.csv"), "--capacity", "1"}); // searched without end before
        QCOMPARE(answer.status, 1);
        QVERIFY(answer.says("does NOT fit"));
        QVERIFY(timer.elapsed() < 60000);
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    QTemporaryDir m_folder;
    int m_damagedKinds = 0;
};

QTEST_MAIN(TestCliFaults) // pictures are painted
#include "tst_cli_faults.moc"
