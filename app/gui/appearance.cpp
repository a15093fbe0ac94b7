#include "app/gui/appearance.h"

#include "app/gui/desktop_scheme.h"
#include "viewers/common/palette.h"

#include <QApplication>
#include <QFont>
#include <QLibraryInfo>
#include <QLocale>
#include <QPainter>
#include <QPointer>
#include <QProxyStyle>
#include <QStyleOptionTab>
#include <QTranslator>

namespace gelens {
namespace {

/// Fusion draws the same on every desktop and takes its colours from the palette alone. Its tabs are padded so wide that
/// the names of the panels below the graph would be cut short at 1,280 pixels.
class WindowStyle : public QProxyStyle {
public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override
    {
        const int pixels = QProxyStyle::pixelMetric(metric, option, widget);
        return metric == PM_TabBarTabHSpace ? pixels * 2 / 3 : pixels;
    }
    /// In the dark, Fusion's front tab is hardly lighter than the others: a line in the accent's colour says which it is.
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override
    {
        QProxyStyle::drawControl(element, option, painter, widget);
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (element != CE_TabBarTabShape || tab == nullptr || !tab->state.testFlag(State_Selected)) return;
        constexpr int line = 2;
        QRect edge = tab->rect.adjusted(2, 0, -2, 0);
        if (tab->shape == QTabBar::RoundedSouth)
            edge.setTop(edge.bottom() - line + 1);
        else if (tab->shape == QTabBar::RoundedNorth)
            edge.setHeight(line);
        else
            return;
        painter->fillRect(edge, Palette::of(tab->palette).accent());
    }
    /// Fusion's outlines are darker than the window, which nobody sees in the dark: fields and boxes to tick get a light
    /// one there. What has the focus has the accent's already.
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
        if (!isBox && element != PE_FrameLineEdit) return;
        const Palette palette = Palette::of(option->palette);
        if (!palette.isDark() || (!isBox && option->state.testFlag(State_HasFocus))) return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(palette.line());
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
    }
};

int wantedPoints = 0;

QFont windowFont()
{
    // Named, so that the fallback is the regular face and not whichever the system lists first.
    static const QFont systemFont = QApplication::font();
    QFont font = systemFont;
    font.setFamilies({systemFont.family(), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Noto Sans SC"),
                      QStringLiteral("Microsoft YaHei"), QStringLiteral("WenQuanYi Micro Hei")});
    if (wantedPoints > 0) font.setPointSize(wantedPoints);
    return font;
}

} // namespace

void applyFontPoints(int points)
{
    const QFont before = windowFont(); // the first call notes the system's
    wantedPoints = points;
    if (QApplication::font() != windowFont() && (before != windowFont() || points > 0))
        QApplication::setFont(windowFont());
}

void applyTheme(const QString& theme)
{
    static const bool isPaletteDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    static const bool isStyled = [] {
        QApplication::setStyle(new WindowStyle);
        return true;
    }();
    (void)isStyled;
    static QString wanted;
    static QPointer<DesktopScheme> desktop;
    wanted = theme;
    if (theme.isEmpty() && !desktop) {
        desktop = new DesktopScheme(qApp);
        // The answer comes when the window is there already; a change of the desktop's may come at any time.
        QObject::connect(desktop, &DesktopScheme::changed, qApp, [] {
            if (wanted.isEmpty()) applyTheme(QString());
        });
    }
    const bool isDark = theme.isEmpty() ? desktop->isDark().value_or(isPaletteDark) : theme == QStringLiteral("dark");
    QApplication::setPalette(Palette::of(isDark ? Theme::Dark : Theme::Light).widgetPalette());
}

void applyLanguage(const QString& language)
{
    static QTranslator ours, qts;
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QCoreApplication::removeTranslator(&ours);
    QCoreApplication::removeTranslator(&qts);
    QLocale::setDefault(locale);
    QApplication::setFont(windowFont());
    if (locale.language() == QLocale::Chinese) {
        if (ours.load(QStringLiteral(":/translations/gelens_zh_CN.qm"))) QCoreApplication::installTranslator(&ours);
        if (qts.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            QCoreApplication::installTranslator(&qts);
    }
}

} // namespace gelens
