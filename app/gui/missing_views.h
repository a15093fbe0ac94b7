#pragma once
#include "viewers/common/view.h"
namespace gelens {
#if !__has_include("viewers/graph/graph_view.h")
class GraphView : public View { public: using View::View; bool isLayoutReady() const { return true; } void fitAll() {} void fitSelection() {} void exportGraph() {} void nextChange() {} void previousChange() {} void layoutReady() {} };
#endif
#if !__has_include("viewers/unfused/unfused_view.h")
class UnfusedView : public View { public: using View::View; };
#endif
#if !__has_include("viewers/diff/diff_view.h")
class DiffView : public View { public: using View::View; };
#endif
#if !__has_include("viewers/memory/memory_view.h")
class MemoryView : public View { public: using View::View; };
#endif
#if !__has_include("viewers/timeline/timeline_view.h")
class TimelineView : public View { public: using View::View; };
#endif
}
