#pragma once
// A piece of a dump with its syntax in colours and the lines that differ marked.

#include "engine/session/text_diff.h"

#include <QPlainTextEdit>

namespace gelens {

class DumpPane : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit DumpPane(QWidget* parent = nullptr);
    /// Shows one node's text; `marked` lies within it. Very long pieces are shown around the marked lines.
    void setPiece(std::string_view text, TextSpan node, TextSpan marked, ChangeKind kind);
    void setNothing(const QString& sentence);

private:
    void mark(int firstLine, int lastLine, ChangeKind kind);
};

} // namespace gelens
