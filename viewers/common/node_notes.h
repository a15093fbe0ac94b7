#pragma once
// What a person wrote about nodes, by model (file, or card of one) and node name.

#include "engine/session/run.h"

#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QString>

#include <map>

namespace gelens {

/// Under which a card of a model has its notes; the model itself has them under its absolute path.
inline QString cardNotesKey(const QString& path, int card) { return path + QStringLiteral("\ncard%1").arg(card); }

/// Of the model or the card that a run belongs to: cards come from the file of the whole, and are told by their name.
inline QString notesKey(const Run& run)
{
    const QString path = QFileInfo(QString::fromStdString(run.modelPath)).absoluteFilePath();
    const QString name = QString::fromStdString(run.modelName), stem = QFileInfo(path).completeBaseName();
    static const QRegularExpression card(QStringLiteral("^-card(\\d{1,6})$"));
    const auto match = card.match(name.startsWith(stem) ? name.mid(stem.size()) : QString());
    return match.hasMatch() ? cardNotesKey(path, match.captured(1).toInt()) : path;
}

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
    /// Cards of a model that have notes, by number.
    std::map<int, Notes> cardsOf(const QString& path) const
    {
        std::map<int, Notes> cards;
        const QString start = path + QStringLiteral("\ncard");
        for (auto at = m_notes.lower_bound(start); at != m_notes.end() && at->first.startsWith(start); ++at)
            if (!at->second.empty()) cards[at->first.mid(start.size()).toInt()] = at->second;
        return cards;
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
