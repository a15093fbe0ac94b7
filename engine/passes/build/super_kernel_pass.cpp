// Joins compiled kernels of one user scope into one launch. Runs when streams and addresses are known, as GE's does.
#include "engine/graph/pattern.h"
#include "engine/npu/node_runner.h"
#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"
#include "engine/schedule/super_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gelens {
namespace {

enum class ScopeCheck { None, Bypass, Abort };

/// `strict-scope-check` of options written "a=x:b=y"; the other options are the kernel compiler's. Errors: another
/// value.
Result<ScopeCheck> scopeCheckOf(const Node& node)
{
    const std::string options = attrString(node.attrs, superKernelOptionsAttr);
    ScopeCheck check = ScopeCheck::None;
    for (std::string_view rest = options; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view option = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = option.find('=');
        if (option.substr(0, equals) != "strict-scope-check" || equals == std::string_view::npos) continue;
        const std::string_view value = option.substr(equals + 1);
        if (value != "bypass" && value != "abort")
            return Error::invalid(fmt::format("strict-scope-check is '{}'; it takes bypass or abort", value),
                                  nodePlace(node));
        check = value == "abort" ? ScopeCheck::Abort : ScopeCheck::Bypass;
    }
    return check;
}

/// Why a kernel cannot be part of a super kernel; empty when it can. Kernels of AI cores count as AscendC ones (A)
/// unless the compiler said otherwise.
std::string whyUnsupported(const Node& node)
{
    if (attrBool(node.attrs, "_hccl")) return {};
    if (attrInt(node.attrs, "local_memory_size") > 0) return "it is a SIMT kernel (local_memory_size)";
    const Unit unit = unitOf(node);
    const bool isAiCore = unit == Unit::Cube || unit == Unit::Vector || unit == Unit::Mix;
    if (!isAiCore) return fmt::format("it is no kernel of the AI cores but of: {}", unitName(unit));
    if (attrInt(node.attrs, "supportSuperKernel", 1) != 1)
        return "its kernel is not an AscendC one (supportSuperKernel)";
    return {};
}

/// What runs nothing on a stream, so that it neither joins nor parts kernels. A Reshape does part them: GE sees an
/// operator.
bool isPassedOver(const Node& node)
{
    return isConstantType(node.type) || node.type == "Data" || node.type == "Variable";
}

/// Operators of one scope, by their place in the execution order.
struct Scope {
    std::vector<int> members;                          ///< ascending
    std::map<std::int64_t, std::pair<int, int>> range; ///< by stream: first and last member
    std::map<std::int64_t, std::vector<int>> dropped;  ///< by stream: operators of the scope that cannot be part of it
    ScopeCheck check = ScopeCheck::None;
};

class SuperKernelPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_edit = &edit;
        m_context = &context;
        m_report = {};
        m_scopes.clear();
        m_running.clear();
        applyOptions();
        const bool isMarked = std::any_of(context.order.begin(), context.order.end(), [&](NodeId id) {
            return edit.node(id).attrs.contains(superKernelScopeAttr) || edit.node(id).attrs.contains(superKernelAttr);
        });
        if (!isMarked) return std::move(m_report);
        std::map<NodeId, std::string> joined;
        if (context.plan.isComplete) {
            GELENS_TRY(gather());
            GELENS_TRY(splitScopes());
            joined = join();
        } else {
            say(Severity::Warning, "unknown-shapes",
                "super kernels are for graphs whose shapes are all known; scopes have no effect here", {});
        }
        for (const NodeId id : context.order) mark(id, joined);
        return std::move(m_report);
    }

private:
    const Node& nodeAt(int place) const { return m_edit->node(m_context->order[static_cast<std::size_t>(place)]); }
    std::string label(int place) const { return fmt::format("'{}' ({})", nodeAt(place).name, nodeAt(place).type); }
    std::int64_t streamAt(int place) const
    {
        return m_context->streams
            .byNode[static_cast<std::size_t>(m_context->order[static_cast<std::size_t>(place)].value)];
    }

    void say(Severity severity, const char* what, std::string text, NodeId node)
    {
        m_report.messages.push_back(
            {severity, fmt::format("super-kernel.{}", what), std::move(text), "SuperKernelPass", node});
    }

    /// Scopes by name: a compiled operator is in one when its own name fits, or those of all operators it came from.
    void applyOptions()
    {
        if (m_context->options.superKernelScopes.empty()) return;
        for (const NodeId id : m_context->order) {
            const Node& node = m_edit->node(id);
            if (isPassedOver(node) || node.type == "NetOutput" || node.attrs.contains(superKernelScopeAttr)) continue;
            const StringList origins = originNames(node);
            for (const auto& [pattern, scope] : m_context->options.superKernelScopes) {
                // Clang 14 lets no lambda capture a structured binding, so it is named anew.
                const auto fits = [&wanted = pattern](const std::string& name) { return matchesPattern(wanted, name); };
                const bool allOrigins = !origins.empty() && std::all_of(origins.begin(), origins.end(), fits);
                if (!fits(node.name) && !allOrigins) continue;
                m_edit->setAttr(id, superKernelScopeAttr, AttrValue(scope));
                break;
            }
        }
    }

    Status gather()
    {
        std::map<std::string, std::pair<int, int>> dropped; // by scope: how many, and the first
        for (int place = 0; place < static_cast<int>(m_context->order.size()); ++place) {
            const Node& node = nodeAt(place);
            if (isPassedOver(node)) {
                m_edit->removeAttr(node.id, superKernelScopeAttr);
                continue;
            }
            m_running[streamAt(place)].push_back(place);
            const std::string name = attrString(node.attrs, superKernelScopeAttr);
            if (name.empty()) continue;
            GELENS_ASSIGN(const ScopeCheck check, scopeCheckOf(node));
            Scope& scope = m_scopes[name];
            if (check != ScopeCheck::None) scope.check = check;
            if (check == ScopeCheck::None && !whyUnsupported(node).empty()) {
                scope.dropped[streamAt(place)].push_back(place);
                ++dropped.try_emplace(name, 0, place).first->second.first;
                m_edit->removeAttr(node.id, superKernelScopeAttr);
                continue;
            }
            scope.members.push_back(place);
            const auto [range, isNew] = scope.range.try_emplace(streamAt(place), place, place);
            range->second.second = place;
        }
        for (const auto& [name, found] : dropped)
            say(Severity::Info, "unsupported",
                fmt::format("{} of the operators in super-kernel scope '{}' stay outside; the first is {}: {}",
                            found.first, name, label(found.second), whyUnsupported(nodeAt(found.second))),
                nodeAt(found.second).id);
        return Status::success();
    }

    /// The last operator of a stream below a place, or the first above it, strictly between two members; -1 = none.
    static int below(const std::vector<int>& stream, int place, int after)
    {
        const auto at = std::lower_bound(stream.begin(), stream.end(), place);
        return at == stream.begin() || *(at - 1) <= after ? -1 : *(at - 1);
    }
    static int above(const std::vector<int>& stream, int place, int before)
    {
        const auto at = std::upper_bound(stream.begin(), stream.end(), place);
        return at == stream.end() || *at >= before ? -1 : *at;
    }

    /// Places that part a scope: what stands between its members on their streams and is not of it. Of several in a row
    /// the first and the last are enough, for no member lies between them.
    std::set<int> cutsOf(const Scope& scope) const
    {
        std::set<int> cuts;
        for (const auto& [stream, places] : scope.dropped)
            if (scope.range.contains(stream)) cuts.insert(places.begin(), places.end());
        for (std::size_t i = 0; i < scope.members.size(); ++i) {
            if (!whyUnsupported(nodeAt(scope.members[i])).empty())
                cuts.insert(scope.members[i]); // kept by a strict check
            if (i == 0) continue;
            for (const auto& [stream, range] : scope.range) {
                const std::vector<int>& running = m_running.at(stream);
                const int first = std::max(scope.members[i - 1], range.first),
                          last = std::min(scope.members[i], range.second);
                for (const int cut : {above(running, first, last), below(running, last, first)})
                    if (cut >= 0) cuts.insert(cut);
            }
        }
        return cuts;
    }

    Status splitScopes()
    {
        std::map<std::string, Scope> whole;
        for (auto& [name, scope] : m_scopes) {
            if (scope.members.empty()) continue;
            const std::set<int> cuts = cutsOf(scope);
            if (cuts.empty()) {
                whole.emplace(name, std::move(scope));
                continue;
            }
            const int first = *cuts.begin();
            const std::string why = whyUnsupported(nodeAt(first));
            const std::string stands = fmt::format("{} stands in super-kernel scope '{}' and is not part of it{}",
                                                   label(first), name, why.empty() ? std::string() : ": " + why);
            if (scope.check == ScopeCheck::Abort)
                return Error::invalid(stands + " (strict-scope-check=abort)", nodePlace(nodeAt(first)));
            if (scope.check == ScopeCheck::Bypass) {
                say(Severity::Warning, "bypassed", stands + "; the scope is not joined (strict-scope-check=bypass)",
                    nodeAt(first).id);
                m_report.count("scopes bypassed");
                continue;
            }
            const int parts = split(name, scope, cuts, whole);
            say(Severity::Info, "split",
                fmt::format("{}; {} places part the scope into {} super kernels", stands, cuts.size(), parts),
                nodeAt(first).id);
            m_report.count("scopes split");
        }
        m_scopes = std::move(whole);
        return Status::success();
    }

    /// What lies between two neighbouring cuts becomes a scope of its own, with GE's name for it.
    int split(const std::string& name, const Scope& scope, const std::set<int>& cuts,
              std::map<std::string, Scope>& into)
    {
        std::set<std::pair<std::string, std::int64_t>> made; // one on each stream
        const int before = scope.members.front() - 1, behind = scope.members.back() + 1;
        for (const int place : scope.members) {
            if (cuts.contains(place)) continue;
            const auto next = cuts.upper_bound(place);
            const int begin = next == cuts.begin() ? before : *std::prev(next),
                      end = next == cuts.end() ? behind : *next;
            const std::string part = fmt::format("{}_split_{}_{}", name, begin, end);
            m_edit->setAttr(nodeAt(place).id, superKernelScopeAttr, AttrValue(part));
            into[part].members.push_back(place);
            made.emplace(part, streamAt(place));
        }
        return static_cast<int>(made.size());
    }

    /// One super kernel for each scope and stream.
    std::map<NodeId, std::string> join()
    {
        std::map<NodeId, std::string> joined;
        for (const auto& [name, scope] : m_scopes) {
            std::map<std::int64_t, std::vector<int>> byStream;
            for (const int place : scope.members) byStream[streamAt(place)].push_back(place);
            for (const auto& [stream, places] : byStream) {
                const std::string kernel =
                    fmt::format("sk_{}_start_{}_end_{}", name, nodeAt(places.front()).name, nodeAt(places.back()).name);
                for (const int place : places) joined.emplace(nodeAt(place).id, kernel);
                m_report.count("super kernels");
                m_report.count("operators joined", static_cast<std::int64_t>(places.size()));
            }
        }
        return joined;
    }

    /// What an earlier compile left in the file goes.
    void mark(NodeId id, const std::map<NodeId, std::string>& joined)
    {
        if (const auto found = joined.find(id); found != joined.end())
            m_edit->setAttr(id, superKernelAttr, AttrValue(found->second));
        else
            m_edit->removeAttr(id, superKernelAttr);
    }

    GraphEditor* m_edit = nullptr;
    PassContext* m_context = nullptr;
    PassReport m_report;
    std::map<std::string, Scope> m_scopes;
    std::map<std::int64_t, std::vector<int>> m_running; ///< by stream: places of operators, in order
};

} // namespace

PassEntry superKernelPass()
{
    return {.info = {.id = "SuperKernelPass",
                     .phase = "Build",
                     .summary = "Joins the kernels of one _super_kernel_scope on one stream into one launch; a foreign "
                                "operator parts it.",
                     .stage = Stage::Tasks,
                     .evidence = 'S'},
            .make = makePass<SuperKernelPass>};
}

} // namespace gelens
