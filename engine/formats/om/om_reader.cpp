#include "engine/formats/om/om_reader.h"

#include "engine/formats/ge_document_internal.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/om/om_breakdown.h"
#include "engine/formats/om/om_container.h"
#include "engine/formats/om/om_finish.h"
#include "engine/formats/om/om_names.h"
#include "engine/formats/om/om_ops.h"
#include "engine/formats/om/om_plan.h"
#include "engine/formats/om/om_tasks.h"
#include "engine/graph/graph_editor.h"

#include "formats/proto/flow_model.pb.h"
#include "formats/proto/ge_ir.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace gelens {
namespace {

using namespace om;

constexpr int maxNesting = 4; ///< OM files inside OM files
constexpr std::uint32_t kernelMagic = 0x5D776EFD;

class Reader {
public:
    Reader(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::filesystem::path folder,
           const ReadOptions& options, int nesting)
        : m_bytes(bytes), m_owner(std::move(owner)), m_folder(std::move(folder)), m_options(options), m_nesting(nesting)
    {
    }

    Result<ModelDocument> read()
    {
        GELENS_ASSIGN(m_container, readContainer(m_bytes));
        if (m_container.details.modelType == BundleModel) return readBundle();
        for (std::size_t i = 0; i < m_container.models.size(); ++i) {
            if (m_options.stop.stop_requested()) return Error::cancelled();
            GELENS_TRY(readModel(i));
        }
        return finish();
    }

private:
    OmDetails& details() { return m_container.details; }
    void warn(std::string id, std::string text)
    {
        m_container.messages.push_back({Severity::Warning, std::move(id), std::move(text), {}, {}});
    }
    std::span<const std::byte> bytesOf(const OmPartition& partition) const
    {
        return m_bytes.subspan(static_cast<std::size_t>(partition.offset), static_cast<std::size_t>(partition.size));
    }
    OmPartition* find(std::size_t model, std::uint32_t type)
    {
        return const_cast<OmPartition*>(m_container.find(model, type));
    }
    void markDamaged(OmPartition& partition, std::int64_t byte, const std::string& why)
    {
        partition.verdict = fmt::format("damaged at byte {}: {}", byte, why);
        warn("om.damaged-partition", fmt::format("partition {} is damaged at byte {}: {}", partition.name, byte, why));
    }

    static Error noProtobuf(const OmPartition& definition)
    {
        return Error::invalid(fmt::format("partition {} (byte {}, {} bytes) is no protobuf message", definition.name,
                                          definition.offset, definition.size));
    }

    Status readModel(std::size_t index)
    {
        OmPartition* const definition = find(index, ModelDefPart);
        if (!definition)
            return Error::invalid(index == 0 ? std::string("no MODEL_DEF partition: there is no graph inside")
                                             : fmt::format("model {} has no MODEL_DEF partition", index));
        reportRepeats(index);
        auto model = ModelDefParts::of(wireText(bytesOf(*definition)), m_options.maxNodes);
        if (!model) return noProtobuf(*definition);
        if (static_cast<std::int64_t>(model->graphs.size()) > m_options.maxNodes)
            return Error::limit(fmt::format("more than {} graphs", m_options.maxNodes));
        definition->verdict = "read";
        NameDictionary names = NameDictionary::takeFrom(model->rest);
        details().models.emplace_back().graphs = static_cast<int>(model->graphs.size());
        GELENS_TRY(index == 0 ? readFirst(*definition, *model, names) : keepOther(*definition, index, *model, names));
        if (index == 0) m_names = std::move(names);
        describeModel(index, model->rest);
        readKernels(index, KernelPart);
        readKernels(index, AiCpuKernelPart);
        readTaskPartition(index);
        if (index == 0) readSubmodels();
        return Status::success();
    }

    void reportRepeats(std::size_t index)
    {
        int count = 0;
        for (const std::size_t i : m_container.models[index].partitions)
            count += details().partitions[i].type == ModelDefPart ? 1 : 0;
        if (count > 1)
            warn("om.duplicate-partition", fmt::format("{} MODEL_DEF partitions: the first one is shown", count));
    }

    Bytes weightsOf(std::size_t index)
    {
        OmPartition* const weights = find(index, WeightsPart);
        if (!weights) return {};
        weights->verdict = "read";
        const auto bytes = bytesOf(*weights);
        return Bytes::window(m_owner, bytes.data(), bytes.size());
    }

    Status readFirst(const OmPartition& definition, const ModelDefParts& model, const NameDictionary& names)
    {
        GeReadOptions options = geOptionsOf(m_options);
        options.weights = weightsOf(0);
        details().isSimulated = model.rest.attr().contains(madeByAttr);
        std::optional<Unfinisher> unfinisher;
        if (details().isSimulated) {
            StringList filled;
            if (const auto found = model.rest.attr().find(filledAttr); found != model.rest.attr().end())
                filled.assign(found->second.list().s().begin(), found->second.list().s().end());
            unfinisher.emplace(filled);
            options.lacksDefinitions = unfinisher->dropsDefinitions();
            options.keepsOpFields = !unfinisher->dropsDefinitions(); // they were derived like the definitions
            options.keepsEngines = !unfinisher->dropsEngines();
        }
        const NameDictionary noOuter;
        OpReader ops(names, noOuter, unfinisher ? Bytes() : options.weights, unfinisher);
        std::unordered_map<NodeId, ConstantPlace> constants;
        GeGraphBuilder builder(options);
        for (const std::string_view bytes : model.graphs) {
            const auto graph = GraphDefParts::of(bytes, m_options.maxNodes);
            if (!graph) return noProtobuf(definition);
            builder.beginGraph(graph->rest.name());
            std::vector<std::int64_t> ids; // tasks name operators by id; operators keep the order of the file
            ids.reserve(graph->ops.size());
            for (const std::string_view op : graph->ops) {
                auto read = ops.read(op);
                if (!read) return noProtobuf(definition);
                ids.push_back(read->message->id());
                GELENS_ASSIGN(const NodeId id, builder.addOp(*read->message, std::move(read->values)));
                if (read->place) constants.emplace(id, std::move(*read->place));
            }
            builder.endGraph(graph->rest);
            details().models[0].nodes += static_cast<int>(graph->ops.size());
            m_ids.emplace(graph->rest.name(), std::move(ids));
        }
        warnOfNames(ops);
        GELENS_ASSIGN(m_model, builder.finish());
        takeModelFields(model.rest, m_model);
        if (unfinisher)
            restoreNodes(m_model.graph, constants, options.weights, *unfinisher, m_folder, m_container.messages);
        if (const auto plan = m_model.attrs.find(planAttr); plan != m_model.attrs.end() && details().isSimulated) {
            readPlan(plan->second);
            m_model.attrs.erase(planAttr);
        }
        return Status::success();
    }

    void warnOfNames(const OpReader& ops)
    {
        if (ops.unknownNames() > 0)
            warn("om.unknown-names",
                 fmt::format("{} attribute names are not in the file's dictionary", ops.unknownNames()));
    }

    void readPlan(const AttrValue& value)
    {
        auto plan = planFromAttr(m_model.graph, value);
        if (!plan.ok()) {
            warn("om.bad-plan", plan.error().message() + "; addresses are taken from the operators");
            return;
        }
        GraphEditor editor(m_model.graph);
        const BlockLayout layout = BlockLayout::of(*plan);
        for (const NodeId id : plan->order) {
            Placement placement = m_model.graph.node(id).placement;
            setOffsets(m_model.graph.node(id), *plan, layout, placement);
            editor.setPlacement(id, std::move(placement));
        }
        details().plan = std::make_shared<const MemoryPlan>(std::move(*plan));
    }

    /// A further model holds one partitioned sub-graph of the first, with weights of its own.
    Status keepOther(const OmPartition& definition, std::size_t index, const ModelDefParts& model,
                     const NameDictionary& names)
    {
        const Bytes weights = weightsOf(index);
        for (const auto& [name, value] : model.rest.attr()) m_otherAttrs[index].emplace(name, attrFromDef(value));
        OpReader ops(names, m_names, weights, std::nullopt);
        for (const std::string_view bytes : model.graphs) {
            const auto graph = GraphDefParts::of(bytes, m_options.maxNodes);
            if (!graph) return noProtobuf(definition);
            details().models[index].nodes += static_cast<int>(graph->ops.size());
            const GraphId id = subgraphNamed(graph->rest.name());
            if (!id.isValid()) {
                warn("om.unknown-submodel",
                     fmt::format("model {} ('{}') is no sub-graph of the first one", index, graph->rest.name()));
                continue;
            }
            std::vector<std::int64_t> ids;
            std::unordered_map<std::string, Bytes> payloads;
            for (const std::string_view opBytes : graph->ops) {
                const auto op = ops.read(opBytes);
                if (!op) return noProtobuf(definition);
                ids.push_back(op->message->id());
                const auto found = op->values.attrs.find("value");
                const auto* const value =
                    found == op->values.attrs.end() ? nullptr : found->second.as<AttrValue::TensorPtr>();
                if (value && *value && !(*value)->data.isEmpty()) payloads.emplace(op->message->name(), (*value)->data);
            }
            m_ids[graph->rest.name()] = std::move(ids);
            fillConstants(id, payloads);
        }
        warnOfNames(ops);
        return Status::success();
    }

    void fillConstants(GraphId graph, const std::unordered_map<std::string, Bytes>& payloads)
    {
        GraphEditor editor(m_model.graph);
        for (const NodeId id : m_model.graph.nodes(graph)) {
            const Tensor* const value = attrTensor(m_model.graph.node(id).attrs, "value");
            const auto found = payloads.find(m_model.graph.node(id).name);
            if (!value || !value->data.isEmpty() || found == payloads.end()) continue;
            Tensor filled = *value;
            filled.data = found->second;
            editor.setAttr(id, "value", AttrValue(std::move(filled)));
        }
    }

    GraphId subgraphNamed(const std::string& name) const
    {
        for (const GraphId id : m_model.graph.liveSubgraphs())
            if (m_model.graph.subgraph(id).name == name) return id;
        return GraphId{-1};
    }

    void describeModel(std::size_t index, const ge::proto::ModelDef& model)
    {
        OmModel& info = details().models[index];
        info.name = model.name();
        info.attrs = index == 0 ? m_model.attrs : std::move(m_otherAttrs[index]);
        info.attrs.erase("tasks"); // the TASK_INFO partition once more
        info.memoryBytes = attrInt(info.attrs, "memory_size");
        info.zeroCopyBytes = attrInt(info.attrs, "zero_copy_memory_size");
        info.weightBytes = attrInt(info.attrs, "weight_size");
        info.streams = attrInt(info.attrs, "stream_num");
        info.events = attrInt(info.attrs, "event_num");
        info.baseAddress = static_cast<std::uint64_t>(attrInt(info.attrs, "task_gen_base_addr"));
        info.weightAddress = static_cast<std::uint64_t>(attrInt(info.attrs, "task_gen_weight_addr"));
    }

    void readKernels(std::size_t index, std::uint32_t type)
    {
        OmPartition* const partition = find(index, type);
        if (!partition) return;
        partition->verdict = "read";
        const auto bytes = bytesOf(*partition);
        constexpr std::size_t itemHead = 12;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::int64_t shown = partition->offset + static_cast<std::int64_t>(at);
            if (bytes.size() - at < itemHead || numberAt<std::uint32_t>(bytes, at) != kernelMagic)
                return markDamaged(*partition, shown, "no kernel begins here");
            const std::uint64_t nameSize = numberAt<std::uint32_t>(bytes, at + 4),
                                binSize = numberAt<std::uint32_t>(bytes, at + 8);
            if (nameSize + binSize > bytes.size() - at - itemHead)
                return markDamaged(*partition, shown, "a kernel runs past the end of the partition");
            const auto* const name = reinterpret_cast<const char*>(bytes.data()) + at + itemHead;
            details().kernels.push_back({static_cast<int>(index), std::string(name, static_cast<std::size_t>(nameSize)),
                                         static_cast<std::int64_t>(binSize), type == AiCpuKernelPart});
            at += itemHead + static_cast<std::size_t>(nameSize + binSize);
        }
    }

    void readTaskPartition(std::size_t index)
    {
        OmPartition* const partition = find(index, TaskPart);
        if (!partition) return;
        TaskSizes sizes;
        auto tasks = readTasks(bytesOf(*partition), sizes);
        if (!tasks.ok()) return markDamaged(*partition, partition->offset, tasks.error().what);
        partition->verdict = "read";
        OmModel& info = details().models[index];
        info.tasks = std::move(*tasks);
        if (info.memoryBytes == 0) info.memoryBytes = sizes.memoryBytes;
        if (info.weightBytes == 0) info.weightBytes = sizes.weightBytes;
        nameNodes(index, info);
    }

    void nameNodes(std::size_t index, OmModel& info)
    {
        const GraphId graph = index == 0 ? rootGraph : subgraphNamed(info.name);
        if (!graph.isValid()) return;
        const auto ids = m_ids.find(m_model.graph.subgraph(graph).name);
        const std::vector<NodeId> nodes = m_model.graph.nodes(graph);
        if (ids == m_ids.end() || ids->second.size() != nodes.size()) return;
        std::unordered_map<std::int64_t, NodeId> byId;
        for (std::size_t i = 0; i < nodes.size(); ++i) byId.emplace(ids->second[i], nodes[i]);
        for (OmTask& task : info.tasks)
            if (const auto found = byId.find(task.opIndex); task.opIndex >= 0 && found != byId.end())
                task.node = found->second;
    }

    /// The models of a flow model: each is an OM file of its own and is listed with all that is in it.
    void readSubmodels()
    {
        const std::vector<std::size_t> indices = m_container.models[0].partitions;
        for (const std::size_t i : indices) {
            OmPartition& partition = details().partitions[i];
            if (partition.type == FlowModelPart) {
                ge::flow_model::proto::FlowModelDef flow;
                if (flow.ParseFromArray(
                        bytesOf(partition).data(),
                        static_cast<int>(std::min<std::int64_t>(partition.size, std::numeric_limits<int>::max()))))
                    partition.verdict = fmt::format("read: {} sub-models", flow.submodel_name_size());
                else
                    markDamaged(partition, partition.offset, "no protobuf message");
            }
            if (partition.type == FlowSubmodelPart && partition.size <= std::numeric_limits<int>::max())
                readSubmodel(i);
        }
    }

    void readSubmodel(std::size_t partitionIndex)
    {
        OmPartition& partition = details().partitions[partitionIndex];
        ge::flow_model::proto::SubmodelDef submodel;
        if (!submodel.ParseFromArray(bytesOf(partition).data(), static_cast<int>(partition.size)))
            return markDamaged(partition, partition.offset, "no protobuf message");
        const std::string title = fmt::format("'{}' ({})", submodel.model_name(), submodel.model_type());
        const auto data = std::make_shared<const std::string>(std::move(*submodel.mutable_om_data()));
        if (data->empty() || m_nesting >= maxNesting) {
            partition.verdict = "listed only: sub-model " + title;
            return;
        }
        auto inner = Reader(std::as_bytes(std::span(*data)), data, {}, m_options, m_nesting + 1).read();
        if (!inner.ok())
            return markDamaged(partition, partition.offset, "sub-model " + title + ": " + inner.error().what);
        const int graphNodes = inner->graph.nodeCount();
        std::size_t tasks = 0;
        for (const OmModel& model : inner->om->models) tasks += model.tasks.size();
        partition.verdict = fmt::format("read: sub-model {}, an OM file of {} bytes, {} nodes, {} tasks", title,
                                        data->size(), graphNodes, tasks);
    }

    Result<ModelDocument> readBundle()
    {
        ModelDocument shown;
        bool hasOne = false;
        for (OmPartition& partition : details().partitions) {
            if (partition.type != BundleModelPart || partition.verdict.starts_with("damaged")) continue;
            if (m_nesting >= maxNesting) return Error::limit("OM files are nested too deep");
            auto inner = Reader(bytesOf(partition), m_owner, m_folder, m_options, m_nesting + 1).read();
            if (!inner.ok()) {
                markDamaged(partition, partition.offset, inner.error().what);
                continue;
            }
            partition.verdict = fmt::format("read: an OM file, {} nodes", inner->graph.nodeCount());
            if (!hasOne) shown = std::move(*inner);
            hasOne = true;
        }
        if (!hasOne) return Error::invalid("no readable model in the bundle");
        OmDetails merged = *shown.om;
        merged.partitions = details().partitions;
        merged.modelType = details().modelType;
        merged.modelTypeName = details().modelTypeName;
        shown.om = std::make_shared<const OmDetails>(std::move(merged));
        shown.messages.insert(shown.messages.end(), m_container.messages.begin(), m_container.messages.end());
        shown.fileBytes = static_cast<std::int64_t>(m_bytes.size());
        return shown;
    }

    /// A constant is used with the shape that its output states, so it must hold that many bytes.
    void dropShortConstants()
    {
        std::optional<GraphEditor> editor; // few files need one
        for (const NodeId id : m_model.graph.allNodes()) {
            const Node& node = m_model.graph.node(id);
            const Tensor* const value = isConstantType(node.type) ? attrTensor(node.attrs, "value") : nullptr;
            if (!value || value->data.isEmpty() || node.outputs.empty()) continue;
            const TensorDesc& desc = node.outputs[0].desc;
            const auto stated = storageBytes(desc.dtype, desc.shape);
            if (!stated || *stated <= static_cast<std::int64_t>(value->data.size())) continue;
            Tensor bare = *value;
            bare.data = {};
            warn("om.short-constant",
                 fmt::format("constant '{}' has {} bytes, its shape needs {}: its values are left out", node.name,
                             value->data.size(), *stated));
            if (!editor) editor.emplace(m_model.graph);
            editor->setAttr(id, "value", AttrValue(std::move(bare)));
        }
    }

    bool hasUnknownShapes() const
    {
        bool found = false;
        m_model.graph.forEachNode(rootGraph, [&](const Node& node) {
            for (const OutputSlot& slot : node.outputs)
                found = found || (slot.desc.dtype != DataType::Undefined && !slot.desc.shape.isStatic());
        });
        return found;
    }

    void judgePlan()
    {
        OmDetails& all = details();
        std::size_t tasks = 0;
        for (const OmModel& model : all.models) tasks += model.tasks.size();
        const OmModel& first = all.models.front();
        if (tasks == 0) {
            all.planReason = find(0, TaskPart) ? "its task list is empty" : "it has no task list: only a graph";
        } else if (all.isDynamic || all.models.size() > 1) {
            all.carriesPlan = true;
            all.planReason =
                fmt::format("it holds {} tasks in {} models; memory is planned at run time", tasks, all.models.size());
        } else if (first.streams < 1 || (first.memoryBytes <= 0 && !all.plan)) {
            all.planReason = "it has tasks, but neither streams nor memory are assigned";
        } else {
            all.carriesPlan = true;
            all.planReason = fmt::format("it holds {} tasks on {} stream{} and {} bytes of planned memory{}", tasks,
                                         first.streams, first.streams == 1 ? "" : "s", first.memoryBytes,
                                         hasUnknownShapes() ? "; some shapes are only known at run time" : "");
        }
    }

    Result<ModelDocument> finish()
    {
        dropShortConstants();
        GELENS_TRY(applyInputShapes(m_model.graph, m_options));
        if (!m_options.inputShapes.empty()) details().plan = nullptr; // made for other shapes
        judgePlan();
        details().breakdown = breakdownOf(m_model.graph, details(), static_cast<std::int64_t>(m_bytes.size()));
        m_model.messages.insert(m_model.messages.begin(), m_container.messages.begin(), m_container.messages.end());
        const std::string maker = attrString(details().models.front().attrs, "atc_version");
        ModelDocument document = documentOf(std::move(m_model), "OM", m_bytes.size());
        if (details().isSimulated)
            document.producer = madeBy;
        else if (!maker.empty())
            document.producer = "ATC " + maker;
        document.om = std::make_shared<const OmDetails>(std::move(m_container.details));
        return document;
    }

    std::span<const std::byte> m_bytes;
    std::shared_ptr<const void> m_owner;
    std::filesystem::path m_folder;
    const ReadOptions& m_options;
    int m_nesting;
    Container m_container;
    NameDictionary m_names; ///< of the first model
    GeModel m_model;
    std::unordered_map<std::string, std::vector<std::int64_t>> m_ids; ///< graph → operator ids in order
    std::unordered_map<std::size_t, AttrMap> m_otherAttrs;
};

} // namespace

bool isOm(std::span<const std::byte> bytes) { return looksLikeOm(bytes) || looksLikeBundle(bytes); }

Result<ModelDocument> readOmBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                  const std::filesystem::path& folder, const ReadOptions& options)
{
    return Reader(bytes, std::move(owner), folder, options, 0).read();
}

Result<ModelDocument> readOm(const std::filesystem::path& path, const ReadOptions& options)
{
    GELENS_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    auto document = readOmBytes(file->bytes(), file, folder, options);
    if (!document.ok()) {
        Error error = document.error();
        if (!error.where.empty()) error.what = error.where + ": " + error.what;
        error.where = path.string();
        return error;
    }
    document->path = path.string();
    return document;
}

} // namespace gelens
