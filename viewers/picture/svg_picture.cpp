#include "viewers/picture/svg_picture.h"

#include "viewers/picture/text_painter.h"

#include <QFontMetricsF>
#include <QHash>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <algorithm>

namespace gelens {
namespace {

constexpr double tallestCard = 120; ///< pixels: a higher rectangle is a frame or a background, and may be cut

using Properties = QHash<QString, QString>;

void readProperties(const QString& text, Properties& into)
{
    for (const QString& each : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const qsizetype colon = each.indexOf(QLatin1Char(':'));
        if (colon > 0) into[each.left(colon).trimmed()] = each.mid(colon + 1).trimmed();
    }
}

/// ".t{font-size:13px;fill:#123456}": selectors without spaces, as our writer makes them, in their order.
std::vector<std::pair<QString, Properties>> readStyle(const QString& style)
{
    static const QRegularExpression rule(QStringLiteral("([^{}]+)\\{([^{}]*)\\}"));
    std::vector<std::pair<QString, Properties>> rules;
    for (auto match = rule.globalMatch(style); match.hasNext();) {
        const auto found = match.next();
        rules.emplace_back(found.captured(1).trimmed(), Properties());
        readProperties(found.captured(2), rules.back().second);
    }
    return rules;
}

Properties propertiesOf(const QXmlStreamAttributes& attributes,
                        const std::vector<std::pair<QString, Properties>>& rules)
{
    const QStringList classes = attributes.value(QLatin1String("class")).toString().split(QLatin1Char(' '));
    Properties all;
    for (const auto& [selector, properties] : rules)
        if (selector == QLatin1String("text") ||
            (selector.startsWith(QLatin1Char('.')) && classes.contains(selector.mid(1))))
            all.insert(properties);
    readProperties(attributes.value(QLatin1String("style")).toString(), all);
    return all;
}

int pixelsOf(const Properties& properties)
{
    static const QRegularExpression number(QStringLiteral("([\\d.]+)px"));
    for (const char* name : {"font-size", "font"})
        if (const auto match = number.match(properties.value(QLatin1String(name))); match.hasMatch())
            return std::max(1, static_cast<int>(match.captured(1).toDouble()));
    return 10;
}

} // namespace

SvgPicture::SvgPicture(const std::string& svg)
{
    const QString text = QString::fromUtf8(svg.data(), static_cast<qsizetype>(svg.size()));
    std::vector<std::pair<QString, Properties>> rules;
    for (QXmlStreamReader xml(text); !xml.atEnd();) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const QXmlStreamAttributes attributes = xml.attributes();
        const auto value = [&](const char* name) { return attributes.value(QLatin1String(name)).toDouble(); };
        if (xml.name() == QLatin1String("svg")) {
            const QStringList box = attributes.value(QLatin1String("viewBox")).toString().split(QLatin1Char(' '));
            if (box.size() == 4)
                m_box = QRectF(box[0].toDouble(), box[1].toDouble(), box[2].toDouble(), box[3].toDouble());
        } else if (xml.name() == QLatin1String("style")) {
            rules = readStyle(xml.readElementText());
        } else if (xml.name() == QLatin1String("rect")) {
            const double top = value("y") - m_box.top(), height = value("height");
            if (height <= tallestCard) m_whole.emplace_back(top - 1, top + height + 1);
        } else if (xml.name() == QLatin1String("text")) {
            const Properties style = propertiesOf(attributes, rules);
            const QString anchor = style.value(QStringLiteral("text-anchor"));
            Line line{QPointF(value("x"), value("y")) - m_box.topLeft(), {}, pixelsOf(style)};
            line.isBold = style.value(QStringLiteral("font-weight")) == QLatin1String("bold");
            line.anchor = anchor == QLatin1String("middle") ? Qt::AlignHCenter
                          : anchor == QLatin1String("end")  ? Qt::AlignRight
                                                            : Qt::AlignLeft;
            if (style.contains(QStringLiteral("fill"))) line.colour = QColor(style.value(QStringLiteral("fill")));
            if (style.contains(QStringLiteral("stroke"))) line.halo = QColor(style.value(QStringLiteral("stroke")));
            line.text = xml.readElementText();
            m_whole.emplace_back(line.at.y() - line.pixels, line.at.y() + 0.35 * line.pixels);
            m_lines.push_back(std::move(line));
        }
    }
    static const QRegularExpression texts(QStringLiteral("<text[^>]*>[^<]*</text>"));
    m_shapes.load(QString(text).remove(texts).toUtf8());
}

void SvgPicture::paint(QPainter& painter, const QRectF& target, double from, double to)
{
    const double scale = target.width() / m_box.width();
    painter.save();
    painter.setClipRect(QRectF(target.left(), target.top(), target.width(), (to - from) * scale));
    painter.translate(target.left(), target.top() - from * scale);
    painter.scale(scale, scale);
    m_shapes.render(&painter, QRectF(QPointF(0, 0), m_box.size()));
    for (const Line& line : m_lines) {
        if (line.at.y() < from || line.at.y() - line.pixels > to) continue;
        QFont font = drawingFont(line.pixels, line.isBold);
        font.setHintingPreference(QFont::PreferNoHinting);
        const QFontMetricsF metrics(font);
        const double width = metrics.horizontalAdvance(line.text);
        const double left = line.at.x() - (line.anchor == Qt::AlignRight     ? width
                                           : line.anchor == Qt::AlignHCenter ? width / 2
                                                                             : 0);
        if (line.halo.isValid())
            painter.fillRect(QRectF(left - 1, line.at.y() - 0.8 * line.pixels, width + 2, line.pixels), line.halo);
        painter.setFont(font);
        painter.setPen(line.colour);
        painter.drawText(QPointF(left, line.at.y()), line.text);
    }
    painter.restore();
}

double SvgPicture::cutAbove(double from, double lowest) const
{
    double cut = lowest;
    for (bool hasMoved = true; hasMoved;) {
        hasMoved = false;
        for (const auto& [top, bottom] : m_whole)
            if (top < cut && cut < bottom) {
                cut = top;
                hasMoved = true;
            }
    }
    return cut > (from + lowest) / 2 ? cut : lowest;
}

} // namespace gelens
