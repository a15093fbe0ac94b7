#pragma once
// What a person wrote about nodes, by model file and node name.

#include <QObject>
#include <QString>

#include <map>

namespace gelens {

class NodeNotes : public QObject {
    Q_OBJECT
public:
    using Notes = std::map<QString, QString>; ///< node name → text
    using QObject::QObject;

    QString note(const QString& model, const QString& node) const
    {
        const auto notes = m_notes.find(model);
        if (notes == m_notes.end()) return {};
        const auto found = notes->second.find(node);
        return found == notes->second.end() ? QString() : found->second;
    }
    const Notes& notesOf(const QString& model) const
    {
        static const Notes none;
        const auto notes = m_notes.find(model);
        return notes == m_notes.end() ? none : notes->second;
    }
    /// An empty text takes the note away.
    void setNote(const QString& model, const QString& node, const QString& text)
    {
        if (note(model, node) == text) return;
        if (text.isEmpty())
            m_notes[model].erase(node);
        else
            m_notes[model][node] = text;
        Q_EMIT changed();
    }
    void setNotes(const QString& model, Notes notes)
    {
        m_notes[model] = std::move(notes);
        Q_EMIT changed();
    }

Q_SIGNALS:
    void changed();

private:
    std::map<QString, Notes> m_notes;
};

} // namespace gelens
