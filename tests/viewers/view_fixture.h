#pragma once
// Runs of the samples for tests of single views, made once for each program.

#include "tests/viewers/sample_runs.h"
#include "viewers/common/view.h"

#include <QTest>

#include <memory>

namespace gelens::test {

inline std::shared_ptr<const Run> runOfSample(const std::string& name, const std::string& soc = "Ascend910B1")
{
    const auto run = gelens::testing::sampleRun(name, soc);
    if (!run) qFatal("%s is needed", name.c_str());
    return run;
}

/// Shows a view with a run and lets it take everything in.
inline void showView(View& view, std::shared_ptr<const Run> run, int width = 900, int height = 400)
{
    view.resize(width, height);
    view.setRun(std::move(run));
    view.show();
    QCoreApplication::processEvents();
}

} // namespace gelens::test
