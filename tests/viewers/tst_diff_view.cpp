// What changed between two steps: lists, fields, moving from change to change.

#include "tests/viewers/graph_models.h"
#include "tests/viewers/sample_runs.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_content.h"
#include "viewers/diff/diff_models.h"
#include "viewers/diff/diff_view.h"
#include "viewers/diff/field_delegate.h"
#include "viewers/models/roles.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <set>

using namespace gelens;
using namespace gelens::testing;

namespace {

struct Shown {
    std::shared_ptr<const Run> run;
    DiffView view;
    int step = 0;

    explicit Shown(std::shared_ptr<const Run> which, const std::string& pass) : run(std::move(which))
    {
        view.resize(1400, 420);
        view.show();
        view.setRun(run);
        for (const Step& candidate : run->steps)
            if (candidate.pass == pass && candidate.hasChanged()) step = candidate.id.value;
        go(step, step - 1);
    }
    void go(int shown, int compared)
    {
        view.setStep(StepId{shown}, StepId{compared});
        QTest::qWait(1);
        QTRY_VERIFY(view.isReady() && view.content()->after == StepId{shown} &&
                    view.content()->before == StepId{compared});
    }
    const QAbstractItemModel* changes() const { return view.changeList()->view()->model(); }
    const QAbstractItemModel* fields() const { return view.fieldList()->view()->model(); }
    QModelIndex heading(const QString& name) const
    {
        for (int row = 0; row < fields()->rowCount(); ++row)
            for (const int column : {FieldsModel::Before, FieldsModel::After})
                if (fields()->index(row, column).data().toString().endsWith(QStringLiteral("'%1'").arg(name)))
                    return fields()->index(row, 0);
        return {};
    }
};

} // namespace

class DiffViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useEnglish(); }

    void statesSayWhatToDo()
    {
        DiffView view;
        view.show();
        QTest::qWait(10);
        QVERIFY(view.stateText().contains(QStringLiteral("Ctrl+O")));
        view.setRun(sampleRun("tiny-llama"));
        QTRY_VERIFY(view.stateText().contains(QStringLiteral("compared with itself")));
        view.setStep(StepId{1}, StepId{0});
        if (!sampleRun("tiny-llama")->steps[1].hasChanged())
            QTRY_VERIFY(view.stateText().contains(QStringLiteral("Nothing changed from step 0 to step 1")));
    }

    void namesOfFieldsHaveTheRoomThereIs()
    {
        DiffView view;
        view.resize(1200, 300);
        view.show();
        QTest::qWait(1);
        QHeaderView* header = view.fieldList()->view()->header();
        const int least = header->sectionSize(FieldsModel::Field);
        view.resize(2500, 300);
        QTRY_VERIFY(header->sectionSize(FieldsModel::Field) >= least + 60);
        header->resizeSection(FieldsModel::Field, 111); // by hand: it stays
        view.resize(1600, 300);
        QTest::qWait(1);
        QCOMPARE(header->sectionSize(FieldsModel::Field), 111);
    }

    void nodesThatBecameOneStandTogether()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        QAbstractItemModelTester changesTester(s.view.changeList()->view()->model());
        QAbstractItemModelTester fieldsTester(s.view.fieldList()->view()->model());
        const GraphDiff diff = s.run->diff(StepId{s.step - 1}, StepId{s.step});
        QVERIFY(!diff.groups.empty());
        int groups = 0, nodes = 0;
        for (int row = 0; row < s.changes()->rowCount(); ++row) {
            const QModelIndex index = s.changes()->index(row, 0);
            const int below = s.changes()->rowCount(index);
            if (below == 0) {
                ++nodes;
                continue;
            }
            QCOMPARE(index.data().toString(), QStringLiteral("3 → 1"));
            QCOMPARE(below, 4); // three that went, one that came
            nodes += below;
            ++groups;
        }
        QCOMPARE(groups, static_cast<int>(diff.groups.size()));
        QCOMPARE(nodes, static_cast<int>(diff.changes.size()));
        QVERIFY(s.view.summary().contains(
            QStringLiteral("nodes +%1 −%2 ~%3").arg(diff.added).arg(diff.removed).arg(diff.changed)));
    }

    void fieldsStandBesideEachOther()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        const GraphDiff diff = s.run->diff(StepId{s.step - 1}, StepId{s.step});
        int seen = 0;
        for (const NodeChange& change : diff.changes) {
            if (change.kind != ChangeKind::Changed) continue;
            const QModelIndex heading = s.heading(QString::fromStdString(change.name));
            QVERIFY(heading.isValid());
            for (const FieldChange& field : change.fields) {
                const QModelIndex row =
                    findRow(*s.fields(), FieldsModel::Field, QString::fromStdString(field.field), heading);
                QVERIFY(row.isValid());
                QCOMPARE(row.siblingAtColumn(FieldsModel::Before).data().toString(),
                         QString::fromStdString(field.before));
                QCOMPARE(row.siblingAtColumn(FieldsModel::After).data().toString(),
                         QString::fromStdString(field.after));
                ++seen;
            }
            QVERIFY(s.view.fieldList()->view()->isExpanded(heading));
        }
        QVERIFY(seen > 0);
        const QModelIndex last = s.fields()->index(s.fields()->rowCount() - 1, 0);
        QVERIFY(last.data().toString().startsWith(QStringLiteral("… nodes unchanged: ")));
    }

    void equalFieldsUnfold()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        QModelIndex folded;
        for (int row = 0; row < s.fields()->rowCount() && !folded.isValid(); ++row) {
            const QModelIndex heading = s.fields()->index(row, 0);
            const QModelIndex end = s.fields()->index(s.fields()->rowCount(heading) - 1, 0, heading);
            if (end.data().toString().startsWith(QStringLiteral("… fields unchanged: "))) folded = end;
        }
        QVERIFY(folded.isValid());
        const int count = folded.data().toString().section(QLatin1Char(' '), -1).toInt();
        QTreeView* list = s.view.fieldList()->view();
        list->scrollTo(folded);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(folded).center());
        QVERIFY(count > 0);
        QCOMPARE(s.fields()->rowCount(folded), count);
        QVERIFY(list->isExpanded(folded));
        const QModelIndex equal = s.fields()->index(0, 0, folded);
        QCOMPARE(equal.siblingAtColumn(FieldsModel::Before).data(), equal.siblingAtColumn(FieldsModel::After).data());
    }

    void keysGoFromChangeToChange()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        s.view.changeList()->view()->setFocus();
        QVERIFY(s.view.changeList()->view()->hasFocus());
        const int changes = static_cast<int>(s.view.content()->diff.changes.size());
        for (int i = 0; i < changes + 3; ++i) QTest::keyClick(s.view.changeList()->view(), Qt::Key_N);
        QCOMPARE(chosen.count(), changes);
        std::set<int> nodes;
        for (const auto& request : chosen) nodes.insert(qvariant_cast<Selection>(request.first()).node.value);
        QCOMPARE(static_cast<int>(nodes.size()), changes);
        QTest::keyClick(s.view.changeList()->view(), Qt::Key_P);
        QCOMPARE(chosen.count(), changes + 1);
        QCOMPARE(qvariant_cast<Selection>(chosen.last().first()),
                 qvariant_cast<Selection>(chosen[changes - 2].first()));
        // In the filter line they are letters.
        s.view.changeList()->filterLine()->setFocus();
        QTest::keyClicks(s.view.changeList()->filterLine(), QStringLiteral("np"));
        QCOMPARE(s.view.changeList()->filterLine()->text(), QStringLiteral("np"));
        QCOMPARE(chosen.count(), changes + 1);
    }

    void listsFollowEachOtherAndTheSelection()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        const NodeChange& change = s.view.content()->diff.changes.back();
        s.view.setSelection(
            Selection::ofNode(s.view.content()->nodeOf(static_cast<int>(s.view.content()->diff.changes.size()) - 1)));
        const QString name = QString::fromStdString(change.name);
        QTRY_COMPARE(s.view.changeList()->currentIndex().siblingAtColumn(ChangesModel::Name).data().toString(), name);
        QCOMPARE(s.view.fieldList()->currentIndex().data(NodeRole).toInt(),
                 s.view.content()->nodeOf(static_cast<int>(s.view.content()->diff.changes.size()) - 1).value);
        QSignalSpy chosen(&s.view, &View::selectionRequested);
        QTreeView* list = s.view.fieldList()->view();
        const QModelIndex first = s.fields()->index(0, 0);
        list->scrollTo(first);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(s.view.changeList()->currentIndex().data(NodeRole), first.data(NodeRole));
    }

    void oneFilterForBothLists()
    {
        Shown s(sampleRun("tiny-llama"), "SwiGluDecomposedFusion");
        const int all = s.fields()->rowCount();
        s.view.changeList()->filterLine()->setText(QStringLiteral("layers.1"));
        QVERIFY(s.fields()->rowCount() < all);
        QVERIFY(s.fields()->rowCount() > 0);
        QVERIFY(s.changes()->rowCount() > 0);
        QVERIFY(s.view.changeList()->csv().contains(QStringLiteral("layers.1")));
    }

    void theNewestStepWins()
    {
        Shown s(sampleRun("llama-7b"), "InferShapePass");
        for (int step = 1; step < s.run->stepCount(); ++step) s.view.setStep(StepId{step}, StepId{step - 1});
        s.view.setStep(StepId{s.step}, StepId{0});
        QTest::qWait(1);
        QTRY_VERIFY(s.view.isReady() && s.view.content()->after == StepId{s.step} &&
                    s.view.content()->before == StepId{0});
        QTest::qWait(50);
        QCOMPARE(s.view.content()->after, StepId{s.step});
    }

    void aThousandChangesAreThereAtOnce()
    {
        const auto run = sampleRun("llama-7b");
        QElapsedTimer timer;
        timer.start();
        Shown s(run, "InferShapePass");
        qInfo("%d changes shown after %lld ms", static_cast<int>(s.view.content()->diff.changes.size()),
              static_cast<long long>(timer.elapsed()));
        QVERIFY(s.view.content()->diff.changes.size() > 1000);
        QVERIFY(timer.elapsed() < 5000); // a hang, not a benchmark
    }

    void theDifferingPartIsSetOff()
    {
        using Range = std::pair<int, int>;
        QCOMPARE(FieldDelegate::differingRange(QStringLiteral("/a/Mul:0"), QStringLiteral("/a/Add:0")), Range(3, 3));
        QCOMPARE(FieldDelegate::differingRange(QStringLiteral("aa"), QStringLiteral("aaa")), Range(2, 0));
        QCOMPARE(FieldDelegate::differingRange(QStringLiteral("x"), QString()), Range(0, 1));
    }

    /// A text that is too wide ends in an ellipsis where something is left out, never in half a letter.
    void whatIsLeftOutIsMarked()
    {
        const QFont font = QApplication::font();
        QFont bold = font;
        bold.setBold(true);
        const QString name = QStringLiteral("/model/layers.17/self_attention/projection/MatMul_output_0:0");
        const QString part = QStringLiteral("projection");
        const auto start = static_cast<int>(name.indexOf(part)), length = static_cast<int>(part.size());
        const auto whole = FieldDelegate::shownPart(name, start, length, 2000, font);
        QCOMPARE(whole.text, name);
        QCOMPARE(whole.start, start);
        for (int width = QFontMetrics(bold).horizontalAdvance(part) * 2; width < 400; width += 7) {
            const auto shown = FieldDelegate::shownPart(name, start, length, width, font);
            QCOMPARE(shown.text.mid(shown.start, shown.length), part);
            const QFontMetrics metrics(font);
            const int taken = metrics.horizontalAdvance(shown.text.left(shown.start)) +
                              QFontMetrics(bold).horizontalAdvance(part) +
                              metrics.horizontalAdvance(shown.text.mid(shown.start + shown.length));
            QVERIFY2(taken <= width, qPrintable(shown.text));
            QString inner = shown.text;
            QCOMPARE(inner.startsWith(QStringLiteral("…")), !name.startsWith(inner.left(3)));
            QCOMPARE(inner.endsWith(QStringLiteral("…")), !name.endsWith(inner.right(3)));
            QVERIFY(name.contains(inner.remove(QStringLiteral("…"))));
        }
        const auto front = FieldDelegate::shownPart(name, 0, 0, 100, font);
        QVERIFY(front.text.startsWith(QStringLiteral("/model")) && front.text.endsWith(QStringLiteral("…")));
    }
};

QTEST_MAIN(DiffViewTest)
#include "tst_diff_view.moc"
