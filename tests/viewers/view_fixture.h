#pragma once
// Runs of the samples for tests of single views, made once for each program.

#include "engine/session/session.h"
#include "viewers/common/view.h"

#include <QTest>

#include <map>
#include <memory>

namespace gelens::test {

inline std::shared_ptr<const Run> runOfSample(const std::string& name, const std::string& soc = "Ascend910B1")
{
    static std::map<std::string, std::shared_ptr<const Run>> runs;
    auto& run = runs[name + soc];
    if (run) return run;
    CompileOptions options;
    options.soc = soc;
    const auto session = Session::open(std::string(GELENS_SAMPLES_DIR "/") + name + ".onnx", options);
    if (!session.ok()) qFatal("%s", session.error().message().c_str());
    const auto made = (*session)->run(options);
    if (!made.ok()) qFatal("%s", made.error().message().c_str());
    return run = *made;
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
