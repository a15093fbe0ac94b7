#include "engine/session/cards.h"

#include "engine/graph/graph_editor.h"
#include "engine/passes/pipeline.h"
#include "engine/session/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gelens {
namespace {

/// Builds the graph of one card.
class PartBuilder {
public:
    PartBuilder(const Graph& whole, const std::string& name, const std::vector<int>& cardOf, int card)
        : m_whole(whole), m_cardOf(cardOf), m_card(card), m_graph(name)
    {
    }

    CardPart build(const std::vector<NodeId>& nodes)
    {
        {
            GraphEditor edit(m_graph, m_scratch);
            m_edit = &edit;
            // Model inputs keep their order; tensors of other cards follow in the order in which they are read.
            for (const NodeId id : nodes)
                for (const InputSlot& slot : m_whole.node(id).inputs) import(slot.source);
            for (const NodeId id : nodes) copyNode(m_whole.node(id));
            for (const NodeId id : nodes)
                for (const NodeId before : m_whole.node(id).controlInputs)
                    if (const auto found = m_copies.find(before); found != m_copies.end())
                        edit.connectControl(found->second, m_copies.at(id));
            makeOutputs(nodes);
            numberInputs();
        }
        m_part.graph = std::make_shared<Graph>(std::move(m_graph));
        return std::move(m_part);
    }

private:
    bool isHere(NodeId id) const { return m_cardOf[static_cast<std::size_t>(id.value)] == m_card; }

    /// Makes sure that a source which this card does not compute is there: a constant or a model input as it is, a tensor
    /// of an earlier card as an input of this one.
    void import(OutputRef source)
    {
        if (!source.isValid() || m_outputs.contains(source)) return;
        const Node& node = m_whole.node(source.node);
        if (isBoundaryType(node.type)) {
            copyNode(node);
            if (node.type == "Data") m_modelInputs.push_back(m_outputs.at(source).node);
        } else if (!isHere(source.node)) {
            const TensorDesc& desc = m_whole.outputDesc(source);
            std::string name = node.outputCount() > 1 ? fmt::format("{}:{}", node.name, source.index) : node.name;
            const NodeId data = m_edit->addNode(
                {.name = std::move(name),
                 .type = "Data",
                 .inputs = {{"x", desc}},
                 .outputs = {{"y", desc}},
                 .attrs = {{"index", std::int64_t{0}}, {"data_type", static_cast<std::int64_t>(desc.dtype)}}});
            m_outputs[source] = {data, 0};
            m_handedOver.push_back(data);
        }
    }

    void copyNode(const Node& node)
    {
        NodeSpec spec;
        spec.name = node.name;
        spec.type = node.type;
        spec.attrs = node.attrs;
        spec.isOpaque = node.isOpaque;
        for (const InputSlot& slot : node.inputs) spec.inputs.emplace_back(slot.name, slot.desc);
        for (const OutputSlot& slot : node.outputs) spec.outputs.emplace_back(slot.name, slot.desc);
        const NodeId copy = m_edit->addNode(std::move(spec));
        m_copies[node.id] = copy;
        for (int i = 0; i < node.inputCount(); ++i)
            if (const auto found = m_outputs.find(node.source(i)); found != m_outputs.end())
                m_edit->connect(found->second, {copy, i});
        for (int i = 0; i < node.outputCount(); ++i) m_outputs[node.output(i)] = {copy, i};
    }

    /// What the model gives, and what later cards read.
    void makeOutputs(const std::vector<NodeId>& nodes)
    {
        std::vector<OutputRef> wanted;
        m_whole.forEachNode(rootGraph, [&](const Node& node) {
            if (node.type != "NetOutput") return;
            for (const InputSlot& slot : node.inputs)
                if (slot.source.isValid() && isHere(slot.source.node)) wanted.push_back(slot.source);
        });
        for (const NodeId id : nodes) {
            const Node& node = m_whole.node(id);
            for (int i = 0; i < node.outputCount(); ++i) {
                const auto& readers = m_whole.consumers(node.output(i));
                const bool leaves = std::any_of(readers.begin(), readers.end(), [&](const InputRef& reader) {
                    return m_whole.node(reader.node).type != "NetOutput" && !isHere(reader.node);
                });
                if (leaves && std::find(wanted.begin(), wanted.end(), node.output(i)) == wanted.end())
                    wanted.push_back(node.output(i));
            }
        }
        NodeSpec spec;
        spec.name = "Node_Output";
        spec.type = "NetOutput";
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const TensorDesc& desc = m_whole.outputDesc(wanted[i]);
            spec.inputs.emplace_back("x" + std::to_string(i), desc);
            spec.outputs.emplace_back("y" + std::to_string(i), desc);
            m_part.outputs.push_back(fmt::format("{}:{}", m_whole.node(wanted[i].node).name, wanted[i].index));
        }
        const NodeId netOutput = m_edit->addNode(std::move(spec));
        std::vector<OutputRef> outputs;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            outputs.push_back(m_outputs.at(wanted[i]));
            m_edit->connect(outputs.back(), {netOutput, static_cast<std::int32_t>(i)});
        }
        m_edit->setGraphOutputs(rootGraph, std::move(outputs));
    }

    void numberInputs()
    {
        m_modelInputs.insert(m_modelInputs.end(), m_handedOver.begin(), m_handedOver.end());
        for (std::size_t i = 0; i < m_modelInputs.size(); ++i) {
            m_edit->setAttr(m_modelInputs[i], "index", static_cast<std::int64_t>(i));
            m_part.inputs.push_back(m_graph.node(m_modelInputs[i]).name);
        }
    }

    const Graph& m_whole;
    const std::vector<int>& m_cardOf;
    int m_card;
    Graph m_graph;
    Journal m_scratch;
    GraphEditor* m_edit = nullptr;
    std::map<OutputRef, OutputRef> m_outputs; ///< of the whole graph → of the part
    std::map<NodeId, NodeId> m_copies;
    std::vector<NodeId> m_modelInputs, m_handedOver;
    CardPart m_part;
};

} // namespace

Result<std::vector<CardPart>> splitOverCards(const Graph& graph, int cards)
{
    if (cards < 1) return Error::invalid(fmt::format("{} cards: at least one is needed", cards), graph.name());
    const BlockStack stack = findBlocks(graph);
    const int blocks = static_cast<int>(stack.blocks.size());
    if (blocks == 0)
        return Error::invalid("no repeated blocks were found, so the model cannot be split over cards", graph.name());
    if (blocks < cards)
        return Error::invalid(fmt::format("{} cards cannot share {} blocks", cards, blocks), graph.name());
    if (graph.liveSubgraphs().size() > 1)
        return Error::unsupported("a model with sub-graphs cannot be split over cards", graph.name());
    std::vector<std::vector<NodeId>> nodes(static_cast<std::size_t>(cards));
    std::vector<CardPart> parts(nodes.size());
    nodes.front() = stack.before;
    int next = 0;
    for (std::size_t card = 0; card < nodes.size(); ++card) {
        parts[card].firstBlock = next;
        parts[card].blocks = blocks / cards + (static_cast<int>(card) < blocks % cards ? 1 : 0);
        for (const int end = next + parts[card].blocks; next < end; ++next) {
            const auto& block = stack.blocks[static_cast<std::size_t>(next)];
            nodes[card].insert(nodes[card].end(), block.begin(), block.end());
        }
    }
    nodes.back().insert(nodes.back().end(), stack.behind.begin(), stack.behind.end());
    std::vector<int> cardOf(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (std::size_t card = 0; card < nodes.size(); ++card)
        for (const NodeId id : nodes[card]) cardOf[static_cast<std::size_t>(id.value)] = static_cast<int>(card);
    for (std::size_t card = 0; card < nodes.size(); ++card) {
        CardPart part = PartBuilder(graph, fmt::format("{}_card{}", graph.name(), card), cardOf, static_cast<int>(card))
                            .build(nodes[card]);
        part.firstBlock = parts[card].firstBlock;
        part.blocks = parts[card].blocks;
        parts[card] = std::move(part);
    }
    return parts;
}

namespace {

/// The graph as read, with the shapes that the tensors between cards need.
Result<std::shared_ptr<const Graph>> withShapes(const Session& session, const CompileOptions& options,
                                                std::stop_token stop)
{
    GELENS_ASSIGN(const SocSpec soc, loadSoc(options));
    Graph graph = *session.importedGraph();
    Journal journal;
    GraphEditor edit(graph, journal);
    const RuleSet rules;
    const FusionSwitch switches;
    KernelCache kernels;
    PassContext context{soc, options, rules, switches, kernels, stop, {}, {}, {}, {}, {}, {}};
    context.isGeGraph = session.info().isGeGraph();
    std::vector<Step> steps(1);
    GELENS_TRY(runPipeline({netOutputPass(), firstInferFormatPass(), inferShapePass()}, edit, context, steps, {}));
    return std::make_shared<const Graph>(std::move(graph));
}

} // namespace

Result<std::vector<CardSession>> openCards(const Session& session, const CompileOptions& options, std::stop_token stop)
{
    if (session.info().carriesPlan)
        return Error::invalid(
            "the file carries a compiled plan, its original graph is gone: it cannot be split over cards",
            session.info().path);
    GELENS_ASSIGN(const auto whole, withShapes(session, options, stop));
    auto parts = splitOverCards(*whole, options.cards);
    if (!parts.ok()) {
        Error error = parts.error();
        error.where = session.info().path;
        return error;
    }
    CompileOptions each = options;
    each.cards = 1;
    std::vector<CardSession> cards;
    for (const CardPart& part : *parts) {
        ModelInfo info = session.info();
        info.name = fmt::format("{}-card{}", session.info().name, cards.size());
        cards.push_back({Session::ofGraph(part.graph, std::move(info), each), part.blocks});
    }
    return cards;
}

Result<Fleet> compileCards(Session& session, const FleetOptions& options)
{
    GELENS_ASSIGN(const auto cards, openCards(session, options.compile, options.stop));
    std::vector<FleetJob> jobs;
    for (const CardSession& card : cards) {
        FleetJob job;
        job.path = session.info().path;
        job.blocks = card.blocks;
        job.open = [session = card.session]() -> Result<std::shared_ptr<Session>> { return session; };
        jobs.push_back(std::move(job));
    }
    FleetOptions each = options;
    each.compile.cards = 1;
    return compileJobs(jobs, each);
}

} // namespace gelens
