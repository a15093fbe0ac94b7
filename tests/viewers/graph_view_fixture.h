#pragma once
// A graph view with a run in it, for tests that use it as a person does.

#include "tests/viewers/graph_models.h"
#include "viewers/graph/graph_view.h"

#include <QTest>

namespace gelens::testing {

struct Shown {
    std::shared_ptr<Run> run;
    GraphView view;

    explicit Shown(int layers, int step = 1) : run(makeRun(layers))
    {
        view.resize(1200, 800);
        view.show();
        view.setRun(run);
        view.setStep(StepId{step}, StepId{step - 1});
        wait();
    }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(view.isLayoutReady(), 15000); }
    NodeId node(const std::string& name, int step = 1) const { return run->graphAt(StepId{step})->findNode(name); }
    void settle()
    {
        QTest::qWait(10);
        wait();
    }
};

} // namespace gelens::testing
