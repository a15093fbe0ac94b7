// A log of ATC and GE, in English and in Chinese, read in the real window: what its codes mean, whom its lines name, and why
// something was not fused; every link leads there.

#include "app/gui/session_keeper.h"
#include "tests/app/window_fixture.h"
#include "tests/app/window_rows.h"
#include "viewers/common/list_export.h"
#include "viewers/common/table_panel.h"
#include "viewers/logdecoder/error_codes.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/words.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/unfused_view.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QToolButton>
#include <QTreeView>

using namespace gelens;
using namespace gelens::test;

namespace {

/// Lines in the shape that CANN's tools give them. %1: node, %2: pass, %3: rule, %4: node that the rule was refused on.
const char* const englishLog =
    "ATC start working now, please wait for a moment.\n"
    "ATC run failed, Please check the detail log, Try 'atc --help' for more information\n"
    "E13010: [PID: 812] 2024-05-06-10:11:12.123.456 No plugin takes the operator type [MyGelu].\n"
    "        Possible Cause: the custom operator package is not installed.\n"
    "        TraceBack (most recent call last):\n"
    "[ERROR] GE(812,atc.bin):2024-05-06-10:11:12.123.789 [infershape_pass.cc:118]812 InferShapeAndType: ErrorNo: "
    "1343242270(Prepare Graph infershape failed) [COMP][PRE_OPT][Call][InferShapeAndType] for node:%1(MatMul) failed\n"
    "[WARNING] GE(812,atc.bin):2024-05-06-10:11:12.130.001 [graph_lint.cc:44]812 Check: W18888 odd control edge\n"
    "[EVENT] GE(812,atc.bin):2024-05-06-10:11:12.140.001 [pass_manager.cc:60]812 Run: %2 took 31 us\n"
    "[INFO] GE(812,atc.bin):2024-05-06-10:11:12.150.001 [dump.cc:7]812 Dump: "
    "/tmp/ge_graph/pid_812_deviceid_0/ge_onnx_00000031_graph_0_PreRunAfterOptimizeSubgraph.pbtxt\n"
    "[INFO] FE(812,atc.bin):2024-05-06-10:11:12.160.001 [fusion.cc:90]812 Fuse: %3 not fused at '%4'.\n"
    "[INFO] GE(812,atc.bin):2024-05-06-10:11:12.170.001 [autofuse.cc:31]812 CanFuse: can not fuse, reason NF1003\n";

const char* const chineseLog =
    "ATC开始运行，请稍候。\n"
    "ATC运行失败，请查看详细日志。\n"
    "E13010：[PID：812] 没有插件支持算子类型[MyGelu]。\n"
    "        可能原因：未安装自定义算子包。\n"
    "        TraceBack (most recent call last):\n"
    "[ERROR] GE(812,atc.bin):2024-05-06-10:11:12.123.789 [infershape_pass.cc:118]812 InferShapeAndType: "
    "节点%1推导shape失败，错误码1343242270\n"
    "[WARNING] GE(812,atc.bin):2024-05-06-10:11:12.130.001 [graph_lint.cc:44]812 Check: W18888，控制边异常\n"
    "[EVENT] GE(812,atc.bin):2024-05-06-10:11:12.140.001 [pass_manager.cc:60]812 Run: 执行%2，耗时31 us\n"
    "[INFO] GE(812,atc.bin):2024-05-06-10:11:12.150.001 [dump.cc:7]812 Dump: 已写入"
    "/tmp/ge_graph/pid_812_deviceid_0/ge_onnx_00000031_graph_0_PreRunAfterOptimizeSubgraph.pbtxt\n"
    "[INFO] FE(812,atc.bin):2024-05-06-10:11:12.160.001 [fusion.cc:90]812 Fuse: %3在节点“%4”处未融合。\n"
    "[INFO] GE(812,atc.bin):2024-05-06-10:11:12.170.001 [autofuse.cc:31]812 CanFuse: 不能融合，原因NF1003\n";

enum Line {
    FailureLine = 2,
    NodeLine = 5,
    LintLine = 6,
    PassLine = 7,
    DumpLine = 8,
    FusionLine = 9,
    AutofusionLine = 10,
    LineCount
};

bool isChinese(const QString& text)
{
    static const QRegularExpression han(QStringLiteral("\\p{Han}"));
    return text.contains(han);
}

} // namespace

class TestLogWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { m_window.reset(); }

    void everyLineLeadsOn_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("way");
        const QString english = QString::fromUtf8(englishLog), chinese = QString::fromUtf8(chineseLog);
        QTest::newRow("English window, English log, typed")
            << QStringLiteral("en") << english << QStringLiteral("type");
        QTest::newRow("English window, Chinese log, pasted")
            << QStringLiteral("en") << chinese << QStringLiteral("paste");
        QTest::newRow("Chinese window, Chinese log, opened")
            << QStringLiteral("zh_CN") << chinese << QStringLiteral("open");
        QTest::newRow("Chinese window, English log, dropped")
            << QStringLiteral("zh_CN") << english << QStringLiteral("drop");
    }
    void everyLineLeadsOn()
    {
        QFETCH(QString, language);
        QFETCH(QString, log);
        QFETCH(QString, way);
        open(language);
        read(log.arg(words::text(m_run->nameOf(m_node)), QString::fromStdString(m_run->step(m_pass).pass),
                     QString::fromStdString(m_refused->rule), words::text(m_run->nameOf(m_refused->nodes.front()))),
             way);
        const QAbstractItemModel& rows = *m_view->panel()->view()->model();
        QCOMPARE(rows.rowCount(), static_cast<int>(LineCount));
        const bool isInChinese = language == QLatin1String("zh_CN");
        QCOMPARE(isChinese(rows.headerData(0, Qt::Horizontal).toString()), isInChinese);

        // Codes, in the language of the window whatever that of the log.
        for (const auto& [line, code] :
             {std::pair(FailureLine, "E13010"), std::pair(LintLine, "W18888"), std::pair(AutofusionLine, "NF1003")}) {
            const QModelIndex below = findLine(rows, QLatin1String(code), rows.index(line, 0));
            QVERIFY2(below.isValid(), code);
            QCOMPARE(below.data().toString(), QStringLiteral("%1: %2").arg(QLatin1String(code), errorCodeText(code)));
            QVERIFY(isKnownErrorCode(code));
            QCOMPARE(isChinese(errorCodeText(code)), isInChinese);
        }
        QVERIFY2(m_view->summary().contains(QStringLiteral("E13010, W18888, NF1003")), qPrintable(m_view->summary()));

        // A node: selected by a click.
        m_window->hub()->select({});
        click(rows.index(0, 0, rows.index(NodeLine, 0)));
        QTRY_COMPARE(m_window->hub()->selection().node, m_node);
        // A pass and a dumped phase: gone to.
        click(rows.index(0, 0, rows.index(PassLine, 0)));
        QTRY_COMPARE(m_window->hub()->shownStep(), m_pass);
        click(rows.index(0, 0, rows.index(DumpLine, 0)));
        QTRY_COMPARE(m_window->hub()->shownStep(), *m_run->findStep("PreRunAfterOptimizeSubgraph"));

        // Why it was not fused: our own explanation stands below the line, and a click shows the chain.
        const QModelIndex verdict = verdictBelow(rows.index(FusionLine, 0));
        QVERIFY(verdict.isValid());
        QVERIFY2(verdict.data().toString().contains(words::reason(m_refused->reason)),
                 qPrintable(verdict.data().toString()));
        QCOMPARE(isChinese(verdict.data().toString()), isInChinese);
        QCOMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("decoder"));
        click(verdict);
        QTRY_COMPARE(m_window->hub()->shownStep(), m_refused->step);
        QTRY_COMPARE(m_window->sessionKeeper()->frontView(), QStringLiteral("unfused"));
        auto* unfused = viewOf<UnfusedView>(*m_window, "unfused");
        const int chain = m_window->hub()->selection().chain;
        QVERIFY(chain >= 0);
        QTRY_VERIFY(unfused->chainList()->currentIndex().isValid());
        const auto* chains = static_cast<const ChainsModel*>(unfused->chainList()->currentIndex().model());
        QTRY_COMPARE(chains->item(unfused->chainList()->currentIndex()).chain, chain);
        const auto& links = m_run->chains[static_cast<std::size_t>(chain)].links;
        QVERIFY(std::any_of(links.begin(), links.end(), [&](const ChainLink& link) {
            return std::any_of(link.tried.begin(), link.tried.end(),
                               [&](const FusionVerdict& tried) { return tried.rule == m_refused->rule; });
        }));
        picture(*m_window, isInChinese ? "log_zh" : "log_en");
    }

    /// The texts are translated when the language changes, not only when a log is read.
    void theLanguageChangesUnderIt()
    {
        open(QStringLiteral("en"));
        read(QStringLiteral("E19999: Inner Error!\n"), QStringLiteral("type"));
        const QAbstractItemModel& rows = *m_view->panel()->view()->model();
        QVERIFY(!isChinese(rows.index(0, 0, rows.index(0, 0)).data().toString()));
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(isChinese(rows.index(0, 0, rows.index(0, 0)).data().toString()));
        QTRY_VERIFY(isChinese(m_view->summary()));
    }

    void everyCodeIsTranslated()
    {
        for (int code = 1001; code <= 1051; ++code) {
            const std::string name = "NF" + std::to_string(code);
            applyLanguage(QStringLiteral("en"));
            const QString english = errorCodeText(name);
            QVERIFY2(isKnownErrorCode(name) && !english.isEmpty() && !isChinese(english), name.c_str());
            applyLanguage(QStringLiteral("zh_CN"));
            QVERIFY2(isChinese(errorCodeText(name)), name.c_str());
        }
        QVERIFY(!isKnownErrorCode("NF1052"));
        QVERIFY(!errorCodeText("NF1052").isEmpty()); // its family
    }

    void theListIsCopiedAndExported()
    {
        open(QStringLiteral("en"));
        read(QStringLiteral("E19999: Inner Error!\nplain line\n"), QStringLiteral("type"));
        QTreeView* list = m_view->panel()->view();
        list->setFocus();
        QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("plain line")));
        QVERIFY(QApplication::clipboard()->text().contains(errorCodeText("E19999")));
        const QString path = m_folder.filePath(QStringLiteral("log.csv"));
        QVERIFY(m_view->panel()->exportTo(path));
        QTRY_VERIFY(!m_view->panel()->exporting()->isRunning());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(file.readAll()).contains(errorCodeText("E19999")));
    }

    void aFileThatCannotBeReadIsSaid()
    {
        open(QStringLiteral("en"));
        QVERIFY(m_view->openFile(m_folder.filePath(QStringLiteral("no.log"))).contains(QStringLiteral("no.log")));
    }

private:
    void open(const QString& language)
    {
        m_window = freshWindow();
        applyLanguage(language);
        QVERIFY(openAndWait(*m_window, sample("unit-conflict")));
        m_run = m_window->hub()->run();
        m_view = viewOf<LogDecoderView>(*m_window, "decoder");
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        const auto last = m_run->graphAt(m_run->lastStep());
        m_node = {};
        last->forEachNode(rootGraph, [&](const Node& node) {
            if (!m_node.isValid() && node.type != "Data" && node.type != "Const" && node.name.size() > 3)
                m_node = node.id;
        });
        QVERIFY(m_node.isValid());
        m_refused = nullptr;
        for (const Step& step : m_run->steps) {
            if (step.hasChanged() && step.pass.size() > 8 && step.id.value > 0) m_pass = step.id;
            for (const FusionVerdict& verdict : step.verdicts)
                if (m_refused == nullptr && !verdict.fused && !verdict.nodes.empty() && verdict.rule.size() > 5 &&
                    last->findNode(m_run->nameOf(verdict.nodes.front())).isValid() && isOfChain(verdict))
                    m_refused = &verdict;
        }
        QVERIFY(m_refused != nullptr);
        // The first of that name is the one that is meant.
        for (const Step& step : m_run->steps)
            if (step.pass == m_run->step(m_pass).pass) {
                m_pass = step.id;
                break;
            }
    }
    bool isOfChain(const FusionVerdict& verdict) const
    {
        return std::any_of(m_run->chains.begin(), m_run->chains.end(), [&](const Chain& chain) {
            return std::find(chain.nodes.begin(), chain.nodes.end(), verdict.nodes.front()) != chain.nodes.end() &&
                   std::any_of(chain.links.begin(), chain.links.end(), [&](const ChainLink& link) {
                       return std::any_of(link.tried.begin(), link.tried.end(),
                                          [&](const FusionVerdict& tried) { return tried.rule == verdict.rule; });
                   });
        });
    }

    void read(const QString& log, const QString& way)
    {
        const auto button = [this](const char* text) {
            QToolButton* found = nullptr;
            for (QToolButton* each : m_view->findChildren<QToolButton*>())
                if (each->text() == QCoreApplication::translate("gelens::LogDecoderView", text)) found = each;
            return found;
        };
        if (way == QLatin1String("type")) {
            m_view->input()->setPlainText(log);
            QTest::mouseClick(m_view->decodeButton(), Qt::LeftButton);
        } else if (way == QLatin1String("paste")) {
            QApplication::clipboard()->setText(log);
            QVERIFY(button("Paste") != nullptr);
            QTest::mouseClick(button("Paste"), Qt::LeftButton);
        } else {
            const QString path = m_folder.filePath(QStringLiteral("plog-812_20240506.log"));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            QVERIFY(file.write(log.toUtf8()) > 0);
            file.close();
            if (way == QLatin1String("open")) {
                QCOMPARE(m_view->openFile(path), QString());
            } else { // on the page of the text, as it stands there at first
                QMimeData data;
                data.setUrls({QUrl::fromLocalFile(path)});
                QVERIFY(dropOn(m_view->input()->viewport(), data));
            }
            QCOMPARE(m_view->file(), path);
        }
        QVERIFY(waitFor([&] { return m_view->isReady() && m_view->panel()->isVisible(); }, 10000));
        QCOMPARE(QString::fromStdString(m_view->text()), log);
    }

    void click(const QModelIndex& row)
    {
        QVERIFY(row.isValid());
        QVERIFY(m_window->showView(QStringLiteral("decoder")));
        clickRow(m_view->panel()->view(), row);
    }
    /// The row with a verdict; nodes and rules that the line names stand before it.
    static QModelIndex verdictBelow(const QModelIndex& line)
    {
        const QAbstractItemModel* rows = line.model();
        for (int row = 0; row < rows->rowCount(line); ++row)
            if (const QModelIndex index = rows->index(row, 0, line); index.data(VerdictRole).isValid()) return index;
        return {};
    }

    WindowSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    std::shared_ptr<const Run> m_run;
    LogDecoderView* m_view = nullptr;
    NodeId m_node;
    StepId m_pass{-1};
    const FusionVerdict* m_refused = nullptr;
};

QTEST_MAIN(TestLogWindow)
#include "tst_log_window.moc"
