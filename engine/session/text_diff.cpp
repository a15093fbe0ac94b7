#include "engine/session/text_diff.h"

#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/ge_readable_writer.h"
#include "engine/formats/mapped_file.h"
#include "engine/session/text_scan_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <unordered_map>

namespace gelens {
namespace {

using namespace textdiff;

constexpr std::size_t valueLimit = 400; ///< characters of a value that are kept

/// Lines of a field as one line: "ints: 1 ints: 3" → "[1, 3]"; a plain "key: value" → value.
std::string shortValue(std::string_view text)
{
    std::vector<std::pair<std::string_view, std::string_view>> parts; // key, value
    std::size_t at = 0;
    while (at < text.size() && parts.size() < 200) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(text.substr(at, end - at));
        at = end + 1;
        if (line.empty() || line == "}" || line.back() == '{') continue;
        const std::size_t colon = line.find(':');
        const std::string_view key = line.substr(0, std::min(colon, line.size()));
        if (key == "name" || key == "key" || key == "type" || key == "val_type") {
            if (parts.empty() && text.find('\n') >= text.size() - 1)
                parts.emplace_back(key, trimmed(line.substr(colon + 1)));
            continue;
        }
        parts.emplace_back(key, colon == std::string_view::npos ? line : trimmed(line.substr(colon + 1)));
    }
    std::string value;
    for (const auto& [key, part] : parts) value += (value.empty() ? "" : ", ") + std::string(part);
    const bool isList = parts.size() > 1;
    if (value.size() > valueLimit) {
        std::size_t cut = valueLimit;
        while (cut > 0 && (static_cast<unsigned char>(value[cut]) & 0xc0) == 0x80) --cut;
        value = value.substr(0, cut) + "…";
    }
    return isList ? "[" + value + "]" : value;
}

std::string fieldTitle(const Field& field)
{
    if (!field.name.empty()) return fmt::format("{} {}", field.group, field.name);
    return field.index == 0 ? std::string(field.group) : fmt::format("{}[{}]", field.group, field.index);
}

/// Texts that name other nodes: in a node that was renamed they say nothing of what it computes.
bool namesReaders(const Field& field)
{
    const std::string_view name = field.group == "attr" ? field.name : field.group;
    return name == "name" || name == "output" || name == "dst_name" || name == "dst_index" || name == "users" ||
           name == "_datadump_original_op_names";
}

bool namesSources(const Field& field)
{
    return field.group == "input" || field.group == "src_name" || (field.group == "attr" && field.name == "src_name");
}

/// New name → old name of the nodes that were renamed.
using Renames = std::unordered_map<std::string_view, std::string_view>;

/// A field's text with the old names in it: in "name", "name:0" and %name.
std::string withOldNames(std::string_view text, const Renames& renames)
{
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t start = text.find_first_of("\"%", at);
        if (start == std::string_view::npos) break;
        std::size_t begin = start + 1;
        while (begin < text.size() && text[begin] == '^') ++begin; // a control edge
        const std::size_t end =
            std::min(text.find_first_of(text[start] == '"' ? "\"\n" : " ,)]\n", begin), text.size());
        std::string_view name = text.substr(begin, end - begin);
        auto found = renames.find(name);
        if (const std::size_t colon = name.rfind(':'); found == renames.end() && colon != std::string_view::npos) {
            name = name.substr(0, colon);
            found = renames.find(name);
        }
        out += text.substr(at, begin - at);
        out += found == renames.end() ? name : found->second;
        at = begin + name.size();
        if (text[start] != '"') continue;
        out += text.substr(at, end + 1 - at); // what stands behind the name belongs to it, the closing sign too
        at = std::min(end + 1, text.size());
    }
    out += text.substr(std::min(at, text.size()));
    return out;
}

class Comparison {
public:
    Comparison(const ScannedText& before, const ScannedText& after) : m_before(before), m_after(after) {}

    Result<TextDiff> run(std::stop_token stop)
    {
        m_diff.nodesBefore = m_before.nodes.size();
        m_diff.nodesAfter = m_after.nodes.size();
        match();
        matchRenamed();
        compareOrder();
        std::size_t nextOld = 0;
        for (std::size_t i = 0; i < m_after.nodes.size(); ++i) {
            if (i % 1024 == 0 && stop.stop_requested()) return Error::cancelled();
            const ScannedNode& node = m_after.nodes[i];
            const std::int64_t old = m_partner[i];
            if (old < 0) {
                addWhole(ChangeKind::Added, m_after, node);
                continue;
            }
            compareNodes(m_before.nodes[static_cast<std::size_t>(old)], node);
            // What is gone is told behind the neighbour that it had.
            nextOld = std::max(nextOld, static_cast<std::size_t>(old) + 1);
            tellRemoved(static_cast<std::size_t>(old) + 1);
        }
        tellAllRemoved();
        summarise(TextSummary::Kind::Ids, m_ids, m_idNodes);
        summarise(TextSummary::Kind::Offsets, m_offsets, m_offsetNodes);
        summarise(TextSummary::Kind::NodeOrder, 0, m_movedNodes);
        summarise(TextSummary::Kind::FieldOrder, 0, m_reorderedNodes);
        return std::move(m_diff);
    }

private:
    static std::uint64_t nodeKey(const ScannedNode& node) { return hashOf(node.name) ^ mixed(node.graph); }

    void match()
    {
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> byName;
        byName.reserve(m_before.nodes.size() * 2);
        for (std::size_t i = m_before.nodes.size(); i-- > 0;)
            byName[nodeKey(m_before.nodes[i])].push_back(static_cast<std::uint32_t>(i));
        m_partner.assign(m_after.nodes.size(), -1);
        m_isTold.assign(m_before.nodes.size(), 0);
        for (std::size_t i = 0; i < m_after.nodes.size(); ++i) {
            const auto found = byName.find(nodeKey(m_after.nodes[i]));
            if (found == byName.end() || found->second.empty()) continue;
            m_partner[i] = found->second.back(); // several of one name: in their order
            m_isTold[found->second.back()] = 1;
            found->second.pop_back();
        }
    }

    /// What a node computes from what, its name and its readers aside. Old names stand for those of renamed nodes.
    std::uint64_t meaningOf(const ScannedText& text, const ScannedNode& node, bool isNew) const
    {
        std::uint64_t sum = mixed(hashOf(node.type) ^ node.graph);
        for (std::uint32_t i = 0; i < node.fieldCount; ++i) {
            const Field& field = text.fields[node.firstField + i];
            if (field.numbers != NumberClass::None || namesReaders(field)) continue;
            const bool isMapped = isNew && !m_renames.empty() && namesSources(field);
            sum += mixed(field.key ^ (isMapped ? hashOf(trimmed(withOldNames(text.of(field.span), m_renames)))
                                      : namesSources(field) ? hashOf(trimmed(text.of(field.span)))
                                                            : field.hash));
        }
        return sum;
    }

    /// Among nodes without a partner: the same type, fields and sources under another name. Sources come first in most
    /// texts, so that a renamed chain is found in one go; a second one finds the rest.
    void matchRenamed()
    {
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> old;
        for (std::size_t i = m_before.nodes.size(); i-- > 0;)
            if (m_isTold[i] == 0 && !m_before.nodes[i].name.empty())
                old[meaningOf(m_before, m_before.nodes[i], false)].push_back(static_cast<std::uint32_t>(i));
        bool isFound = !old.empty();
        for (int turn = 0; turn < 2 && isFound; ++turn) {
            isFound = false;
            for (std::size_t i = 0; i < m_after.nodes.size(); ++i) {
                const ScannedNode& node = m_after.nodes[i];
                if (m_partner[i] >= 0 || node.name.empty()) continue;
                const auto found = old.find(meaningOf(m_after, node, true));
                if (found == old.end() || found->second.empty()) continue;
                const std::uint32_t partner = found->second.back();
                found->second.pop_back();
                m_partner[i] = partner;
                m_isTold[partner] = 1;
                m_renames[node.name] = m_before.nodes[partner].name;
                isFound = true;
            }
        }
    }

    /// Whether two fields differ by the names of renamed nodes alone.
    bool isSameBarNames(const Field& before, const Field& after) const
    {
        return !m_renames.empty() && after.group != "name" &&
               trimmed(m_before.of(before.span)) == trimmed(withOldNames(m_after.of(after.span), m_renames));
    }

    /// Nodes outside the longest run that keeps its order: those are the ones that were moved.
    void compareOrder()
    {
        std::vector<std::int64_t> ends; // smallest last partner of a rising run of each length
        std::size_t matched = 0;
        for (const std::int64_t partner : m_partner) {
            if (partner < 0) continue;
            ++matched;
            const auto at = std::lower_bound(ends.begin(), ends.end(), partner);
            if (at == ends.end())
                ends.push_back(partner);
            else
                *at = partner;
        }
        m_movedNodes = static_cast<std::int64_t>(matched - ends.size());
    }

    void addWhole(ChangeKind kind, const ScannedText& text, const ScannedNode& node)
    {
        TextChange change;
        change.kind = kind;
        change.node = node.name;
        change.type = node.type;
        (kind == ChangeKind::Added ? change.afterNode : change.beforeNode) = node.span;
        (kind == ChangeKind::Added ? change.after : change.before) = node.type;
        (void)text;
        m_diff.changes.push_back(std::move(change));
    }

    void tellRemoved(std::size_t from)
    {
        for (std::size_t i = from; i < m_before.nodes.size() && m_isTold[i] == 0; ++i) {
            m_isTold[i] = 1;
            addWhole(ChangeKind::Removed, m_before, m_before.nodes[i]);
        }
    }

    void tellAllRemoved()
    {
        for (std::size_t i = 0; i < m_before.nodes.size(); ++i)
            if (m_isTold[i] == 0) addWhole(ChangeKind::Removed, m_before, m_before.nodes[i]);
    }

    void compareNodes(const ScannedNode& before, const ScannedNode& after)
    {
        const std::size_t known = m_diff.changes.size();
        if (m_after.form == DumpTextForm::Readable && before.name != after.name) { // a listing has no field of it
            TextChange change = changeOf(before, after, "name");
            change.before = before.name;
            change.after = after.name;
            m_diff.changes.push_back(std::move(change));
        }
        if (before.content != after.content) compareFields(before, after);
        compareNumbers(before, after);
        if (before.sequence != after.sequence && hasOtherOrder(before, after)) ++m_reorderedNodes;
        if (m_diff.changes.size() == known) ++m_diff.equalNodes;
    }

    bool hasOtherOrder(const ScannedNode& before, const ScannedNode& after) const
    {
        // Fields that both have, in each one's order.
        std::unordered_map<std::uint64_t, int> place;
        for (std::uint32_t i = 0; i < before.fieldCount; ++i)
            place[m_before.fields[before.firstField + i].key] = static_cast<int>(i);
        int last = -1;
        for (std::uint32_t i = 0; i < after.fieldCount; ++i) {
            const auto found = place.find(m_after.fields[after.firstField + i].key);
            if (found == place.end()) continue;
            if (found->second < last) return true;
            last = found->second;
        }
        return false;
    }

    TextChange changeOf(const ScannedNode& before, const ScannedNode& after, std::string field) const
    {
        TextChange change;
        change.node = after.name;
        change.type = after.type.empty() ? before.type : after.type;
        change.field = std::move(field);
        change.beforeNode = before.span;
        change.afterNode = after.span;
        return change;
    }

    void compareFields(const ScannedNode& before, const ScannedNode& after)
    {
        std::unordered_map<std::uint64_t, const Field*> old;
        for (std::uint32_t i = 0; i < before.fieldCount; ++i) {
            const Field& field = m_before.fields[before.firstField + i];
            old[field.key] = &field;
        }
        for (std::uint32_t i = 0; i < after.fieldCount; ++i) {
            const Field& field = m_after.fields[after.firstField + i];
            const auto found = old.find(field.key);
            const Field* partner = found == old.end() ? nullptr : found->second;
            if (found != old.end()) old.erase(found);
            if (field.numbers != NumberClass::None || (partner != nullptr && partner->hash == field.hash)) continue;
            if (partner != nullptr && isSameBarNames(*partner, field)) continue;
            if (partner == nullptr) {
                TextChange change = changeOf(before, after, fieldTitle(field));
                change.after = shortValue(m_after.of(field.span));
                change.afterField = field.span;
                change.kind = ChangeKind::Added;
                m_diff.changes.push_back(std::move(change));
            } else if (field.isBlock && partner->isBlock && field.name.empty()) {
                compareBlocks(before, after, *partner, field);
            } else if (std::string from = shortValue(m_before.of(partner->span)),
                       to = shortValue(m_after.of(field.span));
                       from != to || trimmed(m_before.of(partner->span)) != trimmed(m_after.of(field.span))) {
                TextChange change = changeOf(before, after, fieldTitle(field));
                change.before = std::move(from);
                change.after = std::move(to);
                change.beforeField = partner->span;
                change.afterField = field.span;
                m_diff.changes.push_back(std::move(change));
            }
        }
        for (std::uint32_t i = 0; i < before.fieldCount && !old.empty(); ++i) {
            const Field& field = m_before.fields[before.firstField + i];
            if (!old.contains(field.key) || field.numbers != NumberClass::None) continue;
            TextChange change = changeOf(before, after, fieldTitle(field));
            change.before = shortValue(m_before.of(field.span));
            change.beforeField = field.span;
            change.kind = ChangeKind::Removed;
            m_diff.changes.push_back(std::move(change));
        }
    }

    void compareBlocks(const ScannedNode& before, const ScannedNode& after, const Field& oldBlock,
                       const Field& newBlock)
    {
        std::map<std::string, Leaf> old;
        for (Leaf& leaf : leavesOf(m_before, oldBlock)) {
            std::string path = leaf.path;
            old.emplace(std::move(path), std::move(leaf));
        }
        bool isMoved = false;
        const auto tell = [&](const Leaf* from, const Leaf* to) {
            if ((from != nullptr ? from : to)->numbers != NumberClass::None) {
                ++m_offsets;
                isMoved = true;
                return;
            }
            TextChange change =
                changeOf(before, after, fieldTitle(newBlock) + "." + (to != nullptr ? to->path : from->path));
            change.kind = from == nullptr ? ChangeKind::Added
                          : to == nullptr ? ChangeKind::Removed
                                          : ChangeKind::Changed;
            if (from != nullptr) {
                change.before = shortValue(from->value);
                change.beforeField = from->span;
            }
            if (to != nullptr) {
                change.after = shortValue(to->value);
                change.afterField = to->span;
            }
            m_diff.changes.push_back(std::move(change));
        };
        for (const Leaf& leaf : leavesOf(m_after, newBlock)) {
            const auto found = old.find(leaf.path);
            if (found == old.end())
                tell(nullptr, &leaf);
            else if (trimmed(found->second.value) != trimmed(leaf.value))
                tell(&found->second, &leaf);
            if (found != old.end()) old.erase(found);
        }
        for (const auto& [path, leaf] : old) tell(&leaf, nullptr);
        if (isMoved) ++m_offsetNodes;
    }

    /// Ids and offsets that a compile gives anew.
    void compareNumbers(const ScannedNode& before, const ScannedNode& after)
    {
        bool hasId = false, hasOffset = false;
        std::uint32_t at = 0;
        for (std::uint32_t i = 0; i < after.fieldCount; ++i) {
            const Field& field = m_after.fields[after.firstField + i];
            if (field.numbers == NumberClass::None) continue;
            // Mostly at the same place; else looked for.
            const Field* partner = nullptr;
            for (std::uint32_t tried = 0; tried < before.fieldCount && partner == nullptr; ++tried) {
                const Field& old = m_before.fields[before.firstField + (i + tried) % before.fieldCount];
                if (old.key == field.key) partner = &old;
            }
            if (partner != nullptr && partner->hash == field.hash) continue;
            ++at;
            (field.numbers == NumberClass::Id ? m_ids : m_offsets) += 1;
            (field.numbers == NumberClass::Id ? hasId : hasOffset) = true;
        }
        m_idNodes += hasId;
        m_offsetNodes += hasOffset;
    }

    void summarise(TextSummary::Kind kind, std::int64_t values, std::int64_t nodes)
    {
        if (nodes > 0) m_diff.summaries.push_back({kind, values, nodes});
    }

    const ScannedText& m_before;
    const ScannedText& m_after;
    std::vector<std::int64_t> m_partner; ///< new node → old node, -1: none
    Renames m_renames;
    std::vector<std::uint8_t> m_isTold; ///< old nodes that have a partner or were told as gone
    TextDiff m_diff;
    std::int64_t m_ids = 0, m_idNodes = 0, m_offsets = 0, m_offsetNodes = 0, m_movedNodes = 0, m_reorderedNodes = 0;
};

} // namespace

std::string_view dumpTextFormName(DumpTextForm form)
{
    switch (form) {
    case DumpTextForm::GeOnnx: return "ge_onnx";
    case DumpTextForm::GeProto: return "ge_proto";
    case DumpTextForm::Readable: return "readable";
    }
    return {};
}

std::shared_ptr<const DumpText> DumpText::of(std::string text, std::string title)
{
    auto dump = std::make_shared<DumpText>();
    dump->m_own = std::move(text);
    dump->m_text = dump->m_own;
    dump->m_title = std::move(title);
    return dump;
}

Result<std::shared_ptr<const DumpText>> DumpText::open(const std::string& path)
{
    GELENS_ASSIGN(auto file, MappedFile::open(path));
    auto dump = std::make_shared<DumpText>();
    dump->m_text = {reinterpret_cast<const char*>(file->bytes().data()), file->size()};
    dump->m_file = std::move(file);
    dump->m_title = path;
    return std::shared_ptr<const DumpText>(std::move(dump));
}

std::shared_ptr<const DumpText> DumpText::of(const Graph& graph, DumpTextForm form, std::string title)
{
    switch (form) {
    case DumpTextForm::GeOnnx: return of(geOnnxText(graph, DumpDetail::Full), std::move(title));
    case DumpTextForm::GeProto: return of(geProtoText(graph, DumpDetail::Full), std::move(title));
    case DumpTextForm::Readable: return of(geReadableText(graph), std::move(title));
    }
    return of(std::string(), std::move(title));
}

Result<TextDiff> diffTexts(const DumpText& before, const DumpText& after, std::stop_token stop)
{
    // Both sides at once: scanning is nearly all of the work.
    auto other = std::async(std::launch::async, [&] { return scan(before.text(), stop); });
    auto newText = scan(after.text(), stop);
    auto oldText = other.get();
    const auto placed = [](Error error, const DumpText& text) {
        if (error.where.empty() && !error.isCancelled()) error.where = text.title();
        return error;
    };
    if (!oldText.ok()) return placed(oldText.error(), before);
    if (!newText.ok()) return placed(newText.error(), after);
    if (oldText->form != newText->form)
        return Error::invalid(fmt::format("one text is {}, the other {}; only texts of one form can be compared",
                                          dumpTextFormName(oldText->form), dumpTextFormName(newText->form)));
    return Comparison(*oldText, *newText).run(stop);
}

} // namespace gelens
