#pragma once
// A model run on given values, as it is or compiled: what `check` and `run` share.

#include "engine/formats/onnx/value_file.h"
#include "engine/npu/interpreter.h"
#include "engine/spec/compile_options.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// Values by the name of the Data node that takes them.
using ModelInputs = std::map<std::string, HostTensor>;

/// What a value file for this input or output holds.
ValueFileKind valueKindOf(const TensorDesc& desc);
/// Older test data holds bf16 as uint16, since the library that wrote it had no such type.
HostTensor asDeclared(HostTensor value, DataType declared);

/// Value files by input: the keys are names, or positions among the model's inputs. Every input must be given once.
/// Errors, one line each: an unknown input (names those there are), one that is missing, a file that cannot be read or
/// holds something else, another type or shape than the model declares.
/// Values that together take more than a run may use are refused as well.
Result<ModelInputs> readModelInputs(const Graph& graph, const std::vector<std::pair<std::string, std::string>>& files,
                                    std::int64_t limitBytes = std::int64_t{4} << 30);

/// Both count the values of the inputs against the memory that a run may use.
/// The imported model on the interpreter. Values may be lists of one where the model declares scalars; then it is read
/// with them.
Result<std::vector<NamedTensor>> executeOriginal(const std::string& model, const Graph& graph,
                                                 const ModelInputs& inputs, std::uint64_t seed = 1,
                                                 std::stop_token stop = {});

/// Compiles with the shapes of the given values and executes the result: on the device where every size is planned.
Result<std::vector<NamedTensor>> executeCompiled(const std::string& model, const ModelInputs& inputs,
                                                 CompileOptions options, std::stop_token stop = {});

} // namespace gelens
