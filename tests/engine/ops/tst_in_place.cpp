// Operators that may write over an input give the same result when they do: the interpreter and the planner rely on it.

#include "engine/ops/op_registry.h"
#include "tests/support/kernel_test.h"

#include <QtTest>

#include <random>
#include <set>

using namespace gelens;
using namespace gelens::test;

namespace {

HostTensor drawn(const Shape& shape, DataType dtype, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::vector<double> numbers(static_cast<std::size_t>(*shape.elementCount()));
    for (double& number : numbers)
        number = isFloating(dtype) ? 0.05 + static_cast<double>(random() % 1000) / 1100
                                   : static_cast<double>(1 + random() % 5);
    return tensor(shape, std::move(numbers), dtype);
}

HostTensor copied(const HostTensor& value)
{
    HostTensor copy = HostTensor::zeros(value.dtype, value.shape);
    std::copy(value.view().data, value.view().data + *storageBytes(value.dtype, value.shape), copy.bytes->data());
    return copy;
}

struct Outcome {
    bool ok = false;
    std::vector<HostTensor> outputs;
};

/// Runs a kernel; output `out` lies where input `in` does when `in` is not negative.
Outcome execute(const OpDef& def, std::vector<HostTensor> inputs, const AttrMap& attrs, DataType dtype, int out, int in)
{
    std::vector<TensorView> views;
    for (const HostTensor& input : inputs) views.push_back(input.isPresent() ? input.view() : TensorView());
    Outcome outcome;
    outcome.outputs.resize(def.outputs().size());
    KernelContext context("op", def.type(), attrs, views, std::vector<DataType>(def.outputs().size(), dtype),
                          [&](int i, DataType type, const Shape& shape) -> Result<std::byte*> {
                              HostTensor& output = outcome.outputs[static_cast<std::size_t>(i)];
                              if (i == out && in >= 0) {
                                  const HostTensor& input = inputs[static_cast<std::size_t>(in)];
                                  if (input.dtype != type || input.shape.dims() != shape.dims())
                                      return Error::invalid("the result is of another size");
                                  output = input;
                              } else {
                                  output = HostTensor::zeros(type, shape);
                              }
                              return output.bytes->data();
                          });
    outcome.ok = def.kernelFunction()(context).ok();
    return outcome;
}

} // namespace

class TestInPlace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameResultOverAnInput()
    {
        int checked = 0;
        std::set<std::string> types;
        for (const OpDef* const def : OpRegistry::instance().all()) {
            if (def->inPlacePairs().empty() || def->stateful() || !def->kernelFunction()) continue;
            for (const auto& variation : variations(def->type())) {
                AttrMap attrs = variation;
                for (const AttrSpec& spec : def->attrs())
                    if (spec.defaultValue.isSet() && !attrs.contains(spec.name)) attrs[spec.name] = spec.defaultValue;
                for (const DataType dtype :
                     {DataType::Float, DataType::Float16, DataType::BFloat16, DataType::Double, DataType::Int32})
                    for (const auto& [out, in] : def->inPlacePairs()) {
                        const std::vector<HostTensor> inputs = inputsOf(*def, dtype);
                        if (in >= static_cast<int>(inputs.size()) ||
                            inputs[static_cast<std::size_t>(in)].dtype != dtype)
                            continue;
                        const Outcome apart = execute(*def, inputs, attrs, dtype, out, -1);
                        if (!apart.ok) continue; // not for this type, or it wants other inputs
                        std::vector<HostTensor> own;
                        for (const HostTensor& input : inputs)
                            own.push_back(input.isPresent() ? copied(input) : HostTensor{});
                        const Outcome together = execute(*def, own, attrs, dtype, out, in);
                        if (!together.ok) continue; // the result is of another size
                        const Tensor a = apart.outputs[static_cast<std::size_t>(out)].toConstant();
                        const Tensor b = together.outputs[static_cast<std::size_t>(out)].toConstant();
                        QVERIFY2(std::equal(a.data.span().begin(), a.data.span().end(), b.data.span().begin(),
                                            b.data.span().end()),
                                 (def->type() + " " + std::string(dataTypeShortName(dtype)) + " over input " +
                                  std::to_string(in))
                                     .c_str());
                        types.insert(def->type());
                        ++checked;
                    }
            }
        }
        qInfo("%d cases of %zu operators", checked, types.size());
        QVERIFY(types.size() >= 70);
    }

private:
    /// Attributes beside the defaults that change the order in which elements are read.
    static std::vector<AttrMap> variations(const std::string& type)
    {
        if (type == "Cumsum" || type == "Cumprod")
            return {{}, {{"exclusive", true}}, {{"reverse", true}}, {{"exclusive", true}, {"reverse", true}}};
        if (type == "BNInfer") return {{{"epsilon", 1e-3f}, {"data_format", "NCHW"}}};
        return {{}};
    }

    static std::vector<HostTensor> inputsOf(const OpDef& def, DataType dtype)
    {
        const Shape shape{3, 4, 5};
        std::vector<HostTensor> inputs;
        std::uint64_t seed = 1;
        for (const Port& port : def.inputs()) {
            if (port.kind == PortKind::Optional) {
                inputs.push_back(absent());
                continue;
            }
            const bool isScan = def.type() == "Cumsum" || def.type() == "Cumprod";
            if (isScan && inputs.size() == 1)
                inputs.push_back(intTensor({}, {1}, DataType::Int32));
            else if (def.type() == "BNInfer" && !inputs.empty())
                inputs.push_back(drawn(Shape{4}, dtype, seed++));
            else
                inputs.push_back(drawn(shape, dtype, seed++));
            if (port.kind == PortKind::Dynamic) inputs.push_back(drawn(shape, dtype, seed++));
        }
        return inputs;
    }
};

QTEST_GUILESS_MAIN(TestInPlace)
#include "tst_in_place.moc"
