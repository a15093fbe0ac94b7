#pragma once
// How the finite elements of a tensor spread: bars by size, after the compared step behind those after the shown one.

#include "engine/session/tensor_statistics.h"

#include <QString>
#include <QWidget>

#include <optional>

namespace gelens {

class HistogramBars : public QWidget {
    Q_OBJECT
public:
    explicit HistogramBars(QWidget* parent = nullptr);

    void setStatistics(std::optional<TensorStatistics> shown, std::optional<TensorStatistics> compared, int shownStep,
                       int comparedStep);
    /// What the bar at a point says: "−0.25 … 0: 1,204 (step 3), 1,210 (step 0)"; empty beside the bars.
    QString textAt(const QPoint& at) const;
    bool isEmpty() const { return bars() == 0; }
    QSize sizeHint() const override { return {360, 140}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    /// Elements of a tensor between two sizes; whole bins are shared out by overlap.
    std::int64_t countBetween(const TensorStatistics& statistics, double from, double to) const;
    double low() const;
    double high() const;
    int bars() const;

    std::optional<TensorStatistics> m_shown, m_compared;
    int m_shownStep = 0, m_comparedStep = 0;
};

} // namespace gelens
