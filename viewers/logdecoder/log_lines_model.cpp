#include "viewers/logdecoder/log_lines_model.h"

#include "viewers/common/formatter.h"
#include "viewers/logdecoder/error_codes.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <utility>

namespace gelens {

using Kind = LogLineItem::Kind;

LogLinesModel::Tree LogLinesModel::treeOf(const DecodedLog& log)
{
    Tree tree;
    for (std::size_t i = 0; i < log.lines.size(); ++i) {
        const LogLine& line = log.lines[i];
        const int number = static_cast<int>(i);
        const int parent = tree.add(top, {Kind::Line, number, -1});
        for (std::size_t part = 0; part < line.codes.size(); ++part)
            tree.add(parent, {Kind::Code, number, static_cast<int>(part)});
        for (std::size_t part = 0; part < line.mentions.size(); ++part)
            tree.add(parent, {Kind::Mention, number, static_cast<int>(part)});
        for (std::size_t part = 0; part < line.verdicts.size(); ++part)
            tree.add(parent, {Kind::Verdict, number, static_cast<int>(part)});
    }
    return tree;
}

void LogLinesModel::setLog(std::shared_ptr<const DecodedLog> log, std::shared_ptr<const Run> run, Tree tree)
{
    const auto keepLog = std::exchange(m_log, std::move(log));
    const auto keepRun = std::exchange(m_run, std::move(run));
    setTree(std::move(tree));
}

const FusionVerdict* LogLinesModel::verdictOf(const QModelIndex& index) const
{
    if (!index.isValid() || item(index).kind != Kind::Verdict) return nullptr;
    const LogLineItem& content = item(index);
    return m_log->lines[static_cast<std::size_t>(content.line)].verdicts[static_cast<std::size_t>(content.part)];
}

QString LogLinesModel::title(int column) const
{
    switch (column) {
    case Text: return tr("Message");
    case Level: return tr("Level");
    case Module: return tr("Module");
    case Place: return tr("Place");
    case Number: return tr("Line");
    default: return {};
    }
}

QVariant LogLinesModel::lineCell(const LogLine& line, int column, int role) const
{
    if (role == SeverityRole && (column == Text || column == Level)) {
        if (line.level == LogLineLevel::Error) return static_cast<int>(Severity::Error);
        if (line.level == LogLineLevel::Warning) return static_cast<int>(Severity::Warning);
        return {};
    }
    if (role == MutedRole) return line.level == LogLineLevel::Debug || line.level == LogLineLevel::Info;
    if (role == SortRole && column == Number) return static_cast<qlonglong>(line.number);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case Text: return words::text(line.text);
    case Level:
        switch (line.level) {
        case LogLineLevel::Unknown: return QString();
        case LogLineLevel::Debug: return tr("debug");
        case LogLineLevel::Info: return tr("info");
        case LogLineLevel::Event: return tr("event");
        case LogLineLevel::Warning: return tr("warning");
        case LogLineLevel::Error: return tr("error");
        }
        return {};
    case Module: return words::text(line.module);
    case Place: return words::text(line.place);
    case Number: return format::count(static_cast<qint64>(line.number));
    default: return {};
    }
}

QVariant LogLinesModel::cell(int node, int column, int role) const
{
    const LogLineItem& content = item(node);
    if (content.line < 0 || !m_log) return {};
    const LogLine& line = m_log->lines[static_cast<std::size_t>(content.line)];
    if (content.kind == Kind::Line) return lineCell(line, column, role);
    const auto part = static_cast<std::size_t>(content.part);
    if (content.kind == Kind::Code) {
        if (role == Qt::DisplayRole && column == Text)
            return QStringLiteral("%1: %2").arg(words::text(line.codes[part]), errorCodeText(line.codes[part]));
        return {};
    }
    if (content.kind == Kind::Mention) {
        const LogMention& mention = line.mentions[part];
        if (role == LinkRole) return column == Text;
        if (role == NodeRole && mention.node.isValid()) return mention.node.value;
        if (role == StepRole) return mention.step.value;
        if (role != Qt::DisplayRole || column != Text) return {};
        const QString name = words::text(mention.name);
        if (mention.kind == LogMention::Kind::Node) return tr("node %1").arg(name);
        if (mention.kind == LogMention::Kind::Phase) return tr("phase %1 · step %2").arg(name).arg(mention.step.value);
        return mention.kind == LogMention::Kind::Pass ? tr("pass %1 · step %2").arg(name).arg(mention.step.value)
                                                      : tr("rule %1 · step %2").arg(name).arg(mention.step.value);
    }
    const FusionVerdict& verdict = *line.verdicts[part];
    if (role == VerdictRole && column == Text) return verdict.fused;
    if (role == LinkRole) return column == Text;
    if (role == StepRole) return verdict.step.value;
    if (role != Qt::DisplayRole || column != Text) return {};
    if (verdict.fused)
        return tr("here: fused by %1 into %2").arg(words::text(verdict.rule), words::text(verdict.intoName));
    const Check* headline = verdict.headline();
    return tr("here: %1 — %2. %3")
        .arg(words::text(verdict.rule), words::reason(verdict.reason),
             headline == nullptr ? QString() : words::sentence(headline->what));
}

} // namespace gelens
