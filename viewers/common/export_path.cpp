#include "viewers/common/export_path.h"

#include <QFileDialog>
#include <QFileInfo>

namespace gelens {

QString askForExportPath(QWidget* parent, const QString& title, const QString& name, const QString& kind,
                         std::span<const FileKind> kinds, const QString& more)
{
    QStringList filters;
    QString proposed;
    for (const auto& [ending, filter] : kinds) {
        filters += QLatin1String(filter);
        if (kind == QLatin1String(ending)) proposed = filters.last();
    }
    if (!more.isEmpty()) filters += more;
    const QString path = QFileDialog::getSaveFileName(parent, title, name + QLatin1Char('.') + kind,
                                                      filters.join(QStringLiteral(";;")), &proposed);
    return path.isEmpty() || !QFileInfo(path).suffix().isEmpty() ? path : path + QLatin1Char('.') + kind;
}

} // namespace gelens
