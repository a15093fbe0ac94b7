#pragma once
// Runs one operator, as tests of operators need it: inference on a one-node graph, then the kernel on given tensors.

#include "engine/ops/op_registry.h"

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace gelens::test {

/// A tensor of any numeric type from numbers, rounded as the type does: tensor({2, 2}, {1, 2, 3, 4}).
HostTensor tensor(Shape shape, std::vector<double> values, DataType dtype = DataType::Float);
/// Integers exactly, where double has too few bits.
HostTensor intTensor(Shape shape, std::vector<std::int64_t> values, DataType dtype = DataType::Int64);
HostTensor boolTensor(Shape shape, std::vector<bool> values);
HostTensor stringTensor(Shape shape, std::vector<std::string> values);
/// An optional input that is not there.
HostTensor absent();

/// Elements as doubles, in row-major order.
std::vector<double> values(const HostTensor& tensor);
std::vector<std::int64_t> ints(const HostTensor& tensor);

/// Infers the outputs of a node with such inputs; an input whose descriptor has type Undefined is left unconnected.
/// `constants` gives values of inputs by index.
Result<std::vector<TensorDesc>> infer(const std::string& type, const std::vector<TensorDesc>& inputs,
                                      AttrMap attrs = {}, int outputs = 1,
                                      const std::map<int, HostTensor>& constants = {});

/// Infers with all inputs as constants, runs the kernel, and checks that what it produced has the type and shape that
/// inference promised (a mismatch is an error). Missing attributes get the defaults of the definition.
Result<std::vector<HostTensor>> run(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs = {},
                                    int outputs = 1);

/// run() for one output; a failed run throws std::runtime_error with the message, which fails the test.
HostTensor run1(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs = {});

/// Text of the error that a run gives; empty when it succeeds.
std::string runError(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs = {});

/// Empty when all elements agree: |a - b| <= absolute + relative * |b|, NaN equals NaN; else the first difference.
std::string difference(const std::vector<double>& actual, const std::vector<double>& expected, double relative = 1e-6,
                       double absolute = 1e-7);
std::string difference(const HostTensor& actual, const std::vector<double>& expected, double relative = 1e-6,
                       double absolute = 1e-7);

} // namespace gelens::test
