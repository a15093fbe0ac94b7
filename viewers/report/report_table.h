#pragma once
// A table of a report on pages: its titles come again on each page, numbers are never broken.

#include "engine/report/report_model.h"
#include "viewers/report/report_pages.h"

#include <vector>

namespace gelens {

class ReportTablePainter {
public:
    ReportTablePainter(const ReportTable& table, ReportPages& pages);
    /// Height of title, column titles and first row, which stay together.
    double beginning() const;
    void paint();

private:
    struct Row {
        std::vector<TextBlock> cells;
        double height = 0;
    };
    Row rowOf(const std::vector<ReportCell>& cells, const QFont& font) const;
    Row titles() const;
    void paintRow(const Row& row, const QColor& colour);
    bool isNumber(std::size_t column) const;
    void measureColumns();

    const ReportTable& m_table;
    ReportPages& m_pages;
    std::vector<double> m_widths;
};

} // namespace gelens
