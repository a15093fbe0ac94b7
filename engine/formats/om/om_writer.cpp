#include "engine/formats/om/om_writer.h"

#include "engine/formats/om/om_container.h"
#include "engine/formats/om/om_finish.h"
#include "engine/formats/om/om_plan.h"
#include "engine/formats/om/om_tasks.h"

#include "formats/proto/ge_ir.pb.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

namespace gelens {
namespace {

using namespace om;

constexpr const char* platform = "1.11.z.0"; // what ATC writes
constexpr std::uint32_t irVersion = 2;
/// Logical addresses that GE gives while tasks are generated; a loader moves them.
constexpr std::int64_t featureMapBase = 0x100000000;
constexpr std::int64_t variableBase = 0x800000000;

class Writer {
public:
    explicit Writer(const OmContent& content)
        : m_content(content), m_layout(BlockLayout::of(content.plan)), m_weights(layOutWeights(content.graph))
    {
    }

    Status write(const std::filesystem::path& path)
    {
        if (Status status = buildModel(); !status.ok()) {
            Error error = status.error();
            error.where = path.string();
            return error;
        }
        std::filesystem::path part = path;
        part += ".part";
        std::ofstream file(part, std::ios::binary | std::ios::trunc);
        writeContainer(file);
        file.close();
        std::error_code failure;
        if (file) std::filesystem::rename(part, path, failure);
        if (!file || failure) {
            std::error_code ignored;
            std::filesystem::remove(part, ignored);
            return Error::io("cannot write the file", path.string());
        }
        return Status::success();
    }

private:
    Status buildModel()
    {
        ge::proto::ModelDef model;
        const Graph bare = withoutPayloads(m_content.graph, m_weights);
        modelDefFromGraph(bare, {}, model);
        finishModelDef(m_content.graph, m_weights, model);
        model.set_name(m_content.graph.name());
        model.set_version(irVersion);
        model.set_custom_version(platform);
        GELENS_ASSIGN(const std::vector<OmTask> tasks, fileTasks(model.graph(0)));
        m_taskInfo = writeTasks(tasks, {m_layout.end, m_weights.totalBytes});
        addAttrs(tasks, model);
        if (model.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            return Error::limit("the model definition would be larger than 2 GiB");
        m_modelDef = modelDefBytes(model);
        return checkTexts(model);
    }

    /// Protobuf writes a name that is no UTF-8 and refuses to read it back: such a file would be lost.
    Status checkTexts(const ge::proto::ModelDef& model) const
    {
        google::protobuf::ArenaOptions options;
        options.max_block_size = std::size_t{1} << 20; // ten thousands of small messages and texts
        google::protobuf::Arena arena(options);
        if (google::protobuf::Arena::CreateMessage<ge::proto::ModelDef>(&arena)->ParseFromString(m_modelDef))
            return Status::success();
        int position = 0;
        for (const auto& graph : model.graph())
            for (const auto& op : graph.op()) {
                ++position;
                if (ge::proto::OpDef copy; !copy.ParseFromString(op.SerializeAsString()))
                    return Error::unsupported(
                        fmt::format("the file cannot be written: a name in operator {} of {}, or its "
                                    "own, is no UTF-8 text",
                                    position, m_content.graph.nodeCount()));
            }
        return Error::unsupported("the file cannot be written: a name in the graph is no UTF-8 text");
    }

    /// Words of an argument table: connected inputs, outputs, workspaces.
    std::vector<std::uint64_t> argumentsOf(const Task& task) const
    {
        std::vector<std::uint64_t> words;
        const auto add = [&](const DeviceAddress& address) {
            const std::int64_t offset =
                address.tensor.isValid() ? m_layout.offsetOf(m_content.plan, address.tensor) : address.offset;
            words.push_back(offset < 0 ? 0 : static_cast<std::uint64_t>(featureMapBase + offset));
        };
        for (const DeviceAddress& address : task.inputs) {
            const auto place =
                address.tensor.isValid() ? m_weights.places.find(constantOf(address.tensor)) : m_weights.places.end();
            if (address.region == DeviceAddress::Region::Null) continue;
            if (address.region != DeviceAddress::Region::Weight)
                add(address);
            else // a constant outside this file has no address before it is loaded
                words.push_back(place == m_weights.places.end()
                                    ? 0
                                    : static_cast<std::uint64_t>(featureMapBase + m_layout.end + place->second.first));
        }
        for (const DeviceAddress& address : task.outputs) add(address);
        for (const DeviceAddress& address : task.workspaces) add(address);
        return words;
    }

    /// The constant whose memory a tensor is; views of constants are members of its buffer.
    NodeId constantOf(OutputRef tensor) const
    {
        const MemoryBuffer* const buffer = m_content.plan.bufferOf(tensor);
        return buffer ? buffer->tensor.node : tensor.node;
    }

    /// Kernels name their operator by its number in the outermost graph.
    Result<std::vector<OmTask>> fileTasks(const ge::proto::GraphDef& root) const
    {
        std::map<NodeId, std::int64_t> ids;
        int position = 0;
        m_content.graph.forEachNode(rootGraph,
                                    [&](const Node& node) { ids.emplace(node.id, root.op(position++).id()); });
        std::vector<OmTask> tasks;
        for (const Task& task : m_content.tasks.tasks) {
            OmTask out;
            out.stream = task.stream;
            out.node = task.node;
            if (task.kind == TaskKind::EventRecord || task.kind == TaskKind::EventWait) {
                out.type = task.kind == TaskKind::EventRecord ? EventRecordTask : EventWaitTask;
                out.event = task.event;
            } else {
                out.type = KernelTask;
                out.kernelType = task.kind == TaskKind::AiCpuKernel ? AiCpuKernelType : TeKernel;
                const auto id = ids.find(task.node);
                if (id == ids.end()) return Error::unsupported(whyNoNumber(task));
                out.opIndex = id->second;
                out.blockDim = task.blockDim;
                if (task.kernel >= 0)
                    out.kernelName = m_content.tasks.kernels[static_cast<std::size_t>(task.kernel)].name;
                out.args = argumentsOf(task);
            }
            tasks.push_back(std::move(out));
        }
        OmTask end;
        end.type = ModelEndTask;
        tasks.push_back(std::move(end));
        return tasks;
    }

    std::string whyNoNumber(const Task& task) const
    {
        if (!task.node.isValid())
            return fmt::format("the file cannot be written: task {} ('{}') belongs to no operator", task.index,
                               task.name);
        const Graph& graph = m_content.graph;
        return fmt::format(
            "the file cannot be written: task {} is of operator '{}' in the sub-graph '{}', and only tasks of "
            "the outermost graph can be kept",
            task.index, graph.node(task.node).name, graph.subgraph(graph.node(task.node).graph).name);
    }

    void addAttrs(const std::vector<OmTask>& tasks, ge::proto::ModelDef& model) const
    {
        const MemoryPlan& plan = m_content.plan;
        StringList names;
        for (const Task& task : m_content.tasks.tasks) names.push_back(task.name);
        names.resize(tasks.size()); // the end of the model has no node
        StringList kernels;
        for (const Kernel& kernel : m_content.tasks.kernels) kernels.push_back(kernel.name);
        const auto set = [&](const char* name, AttrValue value) { setModelAttr(model, name, value); };
        set("memory_size", m_layout.end);
        set("zero_copy_memory_size", m_layout.end - plan.totals.featureMapPeak);
        set("weight_size", m_weights.totalBytes);
        set("p2p_memory_size", 0);
        set("stream_num", m_content.tasks.streamCount);
        set("event_num", m_content.tasks.eventCount);
        set("label_num", 0);
        set("task_gen_base_addr", featureMapBase);
        set("task_gen_weight_addr", featureMapBase + m_layout.end);
        set("task_gen_variable_addr", variableBase);
        set("task_index_op_name", std::move(names));
        set("om_info_list", IntList{m_weights.totalBytes, 0, 0, static_cast<std::int64_t>(m_taskInfo.size())});
        set("attr_model_out_nodes_name", outputNames());
        set("target_type", "MINI");
        set("soc_version", m_content.soc);
        set("framework_type", m_content.originalFormat);
        set(madeByAttr, madeBy);
        set(kernelNamesAttr, std::move(kernels));
        set(planAttr, planToAttr(m_content.graph, plan));
    }

    StringList outputNames() const
    {
        StringList names;
        m_content.graph.forEachNode(rootGraph, [&](const Node& node) {
            if (node.type != "NetOutput") return;
            for (const InputSlot& slot : node.inputs) {
                if (!slot.source.isValid()) continue;
                const std::string name = attrString(slot.desc.attrs, "_origin_output_name");
                names.push_back(
                    name.empty() ? fmt::format("{}:{}", m_content.graph.node(slot.source.node).name, slot.source.index)
                                 : name);
            }
        });
        return names;
    }

    struct Part {
        std::uint32_t type;
        std::uint64_t bytes;
    };

    /// Header and table. Below 4 GiB the 32-bit table, which every reader takes.
    static std::string headAndTable(const std::vector<Part>& parts, const std::string& name)
    {
        std::uint64_t data = 0;
        for (const Part& part : parts) data += part.bytes;
        const std::uint64_t narrow = 4 + 12 * parts.size() + data;
        const bool isWide = narrow > std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t length = isWide ? 8 + 24 * parts.size() + data : narrow;
        std::string out(headerBytes, '\0');
        const auto put = [&](std::size_t at, auto value) { std::memcpy(out.data() + at, &value, sizeof value); };
        put(0, magic);
        put(headSizeAt, static_cast<std::uint32_t>(headerBytes));
        put(versionAt, versionTwo);
        std::memcpy(out.data() + nameAt, name.data(), std::min(name.size(), nameBytes - 1));
        put(irVersionAt, irVersion);
        put(modelCountAt, std::uint32_t{1});
        std::memcpy(out.data() + platformAt, platform, std::strlen(platform));
        put(platformTypeAt, std::uint8_t{1});
        if (isWide)
            put(modelLengthAt, length);
        else
            put(lengthAt, static_cast<std::uint32_t>(length));
        const auto append = [&](auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
        append(static_cast<std::uint32_t>(parts.size()));
        if (isWide) append(std::uint32_t{0});
        std::uint64_t offset = 0;
        for (const Part& part : parts) {
            append(part.type);
            if (isWide) {
                append(std::uint32_t{0});
                append(offset);
                append(part.bytes);
            } else {
                append(static_cast<std::uint32_t>(offset));
                append(static_cast<std::uint32_t>(part.bytes));
            }
            offset += part.bytes;
        }
        return out;
    }

    void writeContainer(std::ofstream& file) const
    {
        std::vector<Part> parts{{ModelDefPart, m_modelDef.size()}};
        if (m_weights.totalBytes > 0) parts.push_back({WeightsPart, static_cast<std::uint64_t>(m_weights.totalBytes)});
        parts.push_back({TaskPart, m_taskInfo.size()});
        const auto write = [&](const void* data, std::size_t size) {
            file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
        };
        const std::string head = headAndTable(parts, m_content.graph.name());
        write(head.data(), head.size());
        write(m_modelDef.data(), m_modelDef.size());
        std::int64_t at = 0;
        const auto padTo = [&](std::int64_t offset) {
            static constexpr std::array<char, 1024> zeros{};
            for (; at < offset && file; at += std::min<std::int64_t>(offset - at, zeros.size()))
                write(zeros.data(), static_cast<std::size_t>(std::min<std::int64_t>(offset - at, zeros.size())));
        };
        for (const WeightLayout::Piece& piece : m_weights.pieces) {
            padTo(piece.offset);
            write(piece.bytes.data(), piece.bytes.size());
            at += static_cast<std::int64_t>(piece.bytes.size());
        }
        padTo(m_weights.totalBytes);
        write(m_taskInfo.data(), m_taskInfo.size());
    }

    const OmContent& m_content;
    BlockLayout m_layout;
    WeightLayout m_weights;
    std::string m_modelDef, m_taskInfo;
};

} // namespace

Status writeOm(const OmContent& content, const std::filesystem::path& path) { return Writer(content).write(path); }

} // namespace gelens
