#include "viewers/accuracy/accuracy_report.h"

#include "engine/session/execute.h"

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

/// Inputs from files, each for the input of its place.
Result<RunInputs> readInputs(const AccuracyRequest& request)
{
    std::vector<std::pair<std::string, std::string>> files;
    for (std::size_t k = 0; k < request.inputFiles.size(); ++k)
        files.emplace_back(std::to_string(k), request.inputFiles[k]);
    GELENS_ASSIGN(ModelInputs values, readModelInputs(*request.run->graphAt(StepId{0}), files));
    return RunInputs{std::move(values), {}};
}

/// Reads or draws the inputs where they are not there yet; the error text otherwise.
template <typename Report>
bool draw(Report& report, std::stop_token stop)
{
    const AccuracyRequest& request = report.request;
    if (report.drawn.fits(request)) return true;
    auto inputs = request.inputFiles.empty() ? drawInputs(*request.run, request.seed, stop) : readInputs(request);
    if (!inputs.ok()) {
        report.error = QString::fromStdString(inputs.error().message());
        report.isCancelled = inputs.error().isCancelled();
        return false;
    }
    report.drawn = {request.run, request.seed, request.inputFiles,
                    std::make_shared<const RunInputs>(std::move(*inputs))};
    return true;
}

/// Elements as numbers, and as texts where numbers would lose something.
struct Elements {
    std::vector<double> numbers;
    std::vector<std::int64_t> whole; ///< of integer types
    const std::vector<std::string>* texts = nullptr;
    std::size_t size() const { return texts != nullptr ? texts->size() : numbers.size(); }

    void fill(std::size_t i, std::optional<double>& number, std::string& text) const
    {
        if (i >= size()) return;
        if (texts != nullptr)
            text = (*texts)[i];
        else
            number = numbers[i];
        constexpr std::int64_t exact = std::int64_t{1} << 53;
        if (i < whole.size() && (whole[i] > exact || whole[i] < -exact)) text = std::to_string(whole[i]);
    }
};

Elements elementsOf(const HostTensor& tensor)
{
    Elements elements;
    if (tensor.sequence) return elements;
    if (tensor.strings) {
        elements.texts = tensor.strings.get();
        return elements;
    }
    const Tensor constant = tensor.toConstant();
    const auto count = static_cast<std::size_t>(tensor.shape.elementCount().value_or(0));
    if (auto numbers = constant.asDoubles(count)) elements.numbers = std::move(*numbers);
    if (isInteger(tensor.dtype))
        if (auto whole = constant.asInts(count)) elements.whole = std::move(*whole);
    return elements;
}

/// How far two numbers are apart for a list of the worst: NaN against a number comes first.
double distance(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isnan(difference) ? INFINITY : difference;
}

std::vector<ElementRow> rowsOf(const Elements& after, const Elements& before, bool areComparable)
{
    const std::size_t count = after.size();
    std::vector<std::size_t> places(std::min<std::size_t>(count, listedElements));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    if (areComparable && count > places.size() && before.numbers.size() == count) {
        std::vector<std::size_t> worst;
        for (std::size_t i = places.size(); i < count; ++i)
            if (distance(after.numbers[i], before.numbers[i]) > 0) worst.push_back(i);
        const std::size_t kept = std::min<std::size_t>(worst.size(), listedWorst);
        std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(kept), worst.end(),
                          [&](std::size_t a, std::size_t b) {
                              const double x = distance(after.numbers[a], before.numbers[a]);
                              const double y = distance(after.numbers[b], before.numbers[b]);
                              return x != y ? x > y : a < b;
                          });
        places.insert(places.end(), worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    std::vector<ElementRow> rows(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        rows[k].place = static_cast<std::int64_t>(places[k]);
        after.fill(places[k], rows[k].after, rows[k].textAfter);
        if (areComparable) before.fill(places[k], rows[k].before, rows[k].textBefore);
    }
    return rows;
}

} // namespace

AccuracyReport gatherAccuracy(AccuracyRequest request, DrawnInputs drawn, std::stop_token stop)
{
    AccuracyReport report;
    report.request = std::move(request);
    report.drawn = std::move(drawn);
    const AccuracyRequest& wanted = report.request;
    if (!draw(report, stop)) return report;
    auto value = valueAt(*wanted.run, wanted.shown, wanted.output, *report.drawn.inputs, wanted.seed, stop);
    if (!value.ok()) {
        report.error = QString::fromStdString(value.error().message());
        report.isCancelled = value.error().isCancelled();
        return report;
    }
    report.value = std::move(*value);
    report.elements = report.value.tensor.shape.elementCount().value_or(0);
    if (auto statistics = statisticsOf(report.value.tensor); statistics.ok())
        report.statistics = std::move(*statistics);
    const Elements after = elementsOf(report.value.tensor);

    TensorValue other;
    if (wanted.compared != wanted.shown)
        report.counterpart = counterpart(*wanted.run, wanted.shown, wanted.output, wanted.compared);
    if (report.counterpart.isValid()) {
        report.counterpartName = wanted.run->nameOf(report.counterpart.node);
        // That it cannot be had (a node without a kernel there) leaves one column.
        auto before =
            valueAt(*wanted.run, wanted.compared, report.counterpart, *report.drawn.inputs, wanted.seed, stop);
        if (before.ok()) {
            other = std::move(*before);
            report.measure = compareValues(other, report.value, report.counterpartName);
            if (auto statistics = statisticsOf(other.tensor); statistics.ok())
                report.statisticsBefore = std::move(*statistics);
        } else if (before.error().isCancelled()) {
            report.isCancelled = true;
            return report;
        }
    }
    const bool areComparable = report.measure && !report.measure->shapeDiffers;
    const Elements before = areComparable ? elementsOf(other.tensor) : Elements();
    report.rows = rowsOf(after, before, areComparable);
    return report;
}

OverflowReport findOverflow(AccuracyRequest request, DrawnInputs drawn, std::stop_token stop)
{
    OverflowReport report;
    report.request = std::move(request);
    report.drawn = std::move(drawn);
    if (!draw(report, stop)) return report;
    const AccuracyRequest& wanted = report.request;
    const auto graph = wanted.run->graphAt(wanted.shown);
    for (const NodeId id : graph->allNodes())
        for (const OutputSlot& slot : graph->node(id).outputs)
            report.hasNarrowFloats |= slot.desc.dtype == DataType::Float16 || slot.desc.dtype == DataType::BFloat16;
    auto overflow = firstOverflow(*wanted.run, wanted.shown, *report.drawn.inputs, wanted.seed, stop);
    if (overflow.ok()) {
        report.overflow = std::move(*overflow);
    } else {
        report.error = QString::fromStdString(overflow.error().message());
        report.isCancelled = overflow.error().isCancelled();
    }
    return report;
}

} // namespace gelens
