#include "viewers/textdiff/dump_pane.h"

#include "viewers/common/palette.h"
#include "viewers/models/words.h"

#include <QFontDatabase>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>

namespace gelens {
namespace {

constexpr std::size_t pieceLimit = 60'000; ///< characters in a pane
constexpr int lineLimit = 4000;            ///< characters of a line that are coloured

/// Keys, texts and numbers of protobuf text; names behind '%' in listings.
class DumpSyntax : public QSyntaxHighlighter {
public:
    DumpSyntax(QTextDocument* document, const QWidget* widget) : QSyntaxHighlighter(document), m_widget(widget) {}

protected:
    void highlightBlock(const QString& line) override
    {
        const Palette palette = Palette::of(m_widget->palette());
        const int end = std::min<int>(static_cast<int>(line.size()), lineLimit);
        for (int at = 0; at < end;) {
            const QChar c = line[at];
            int next = at + 1;
            if (c == QLatin1Char('"')) {
                while (next < end && line[next] != QLatin1Char('"')) next += line[next] == QLatin1Char('\\') ? 2 : 1;
                next = std::min(next + 1, end);
                setFormat(at, next - at, palette.category("text"));
            } else if (c.isDigit() || (c == QLatin1Char('-') && next < end && line[next].isDigit())) {
                while (next < end && (line[next].isDigit() || line[next] == QLatin1Char('.'))) ++next;
                setFormat(at, next - at, palette.accent());
            } else if (c.isLetter() || c == QLatin1Char('_') || c == QLatin1Char('%')) {
                while (next < end && (line[next].isLetterOrNumber() || line[next] == QLatin1Char('_') ||
                                      line[next] == QLatin1Char('/') || line[next] == QLatin1Char('.')))
                    ++next;
                if (next < end && line[next] == QLatin1Char(':')) setFormat(at, next - at, palette.mutedText());
            }
            at = next;
        }
    }

private:
    const QWidget* m_widget;
};

} // namespace

DumpPane::DumpPane(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    new DumpSyntax(document(), this);
}

void DumpPane::setNothing(const QString& sentence)
{
    clear();
    setPlaceholderText(sentence);
}

void DumpPane::setPiece(std::string_view text, TextSpan node, TextSpan marked, ChangeKind kind)
{
    node.end = std::min(node.end, text.size());
    if (node.isEmpty()) return setNothing({});
    if (node.end - node.begin > pieceLimit) {
        // Around what is marked, from the start of a line.
        const std::size_t middle = marked.isEmpty() ? node.begin : marked.begin;
        node.begin = std::max(node.begin, middle > pieceLimit / 2 ? middle - pieceLimit / 2 : 0);
        node.end = std::min(node.end, node.begin + pieceLimit);
    }
    setPlainText(words::text(text.substr(node.begin, node.end - node.begin)));
    const auto lineOf = [&](std::size_t at) {
        const std::string_view part = text.substr(node.begin, std::clamp(at, node.begin, node.end) - node.begin);
        return static_cast<int>(std::count(part.begin(), part.end(), '\n'));
    };
    if (!marked.isEmpty())
        mark(lineOf(marked.begin), std::max(lineOf(marked.end - 1), lineOf(marked.begin)), kind);
    else if (kind != ChangeKind::Changed)
        mark(0, blockCount() - 1, kind);
    else
        setExtraSelections({});
}

void DumpPane::mark(int firstLine, int lastLine, ChangeKind kind)
{
    QColor colour = Palette::of(palette()).change(kind);
    colour.setAlpha(60);
    QList<QTextEdit::ExtraSelection> marks;
    constexpr int most = 2000;
    for (int line = firstLine; line <= std::min(lastLine, firstLine + most); ++line) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(document()->findBlockByNumber(line));
        selection.format.setBackground(colour);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks += selection;
    }
    setExtraSelections(marks);
    QTextCursor cursor(document()->findBlockByNumber(firstLine));
    setTextCursor(cursor);
    centerCursor();
}

} // namespace gelens
