#pragma once
// Primitives that oneDNN computes, behind plain functions. onednn.cpp is the only file that sees oneDNN's API (2.6
// here), so another major version is a change of that one file. All data is dense row-major fp32. Every function
// returns false when the library cannot do the job (unsupported shape, out of memory): the caller then runs its own
// loops. One thread, unless setThreads says otherwise.

#include "engine/graph/tensor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gelens::onednn {

/// Threads for calls made from the current thread (default 1). No effect where the library was built without OpenMP.
void setThreads(int count);

/// c[m,n] = op(a) · op(b), op(a) being [m,k] and op(b) [k,n]. `lda`, `ldb`, `ldc` are row strides in elements of the
/// matrices as stored (before op).
bool gemm(bool transposeA, bool transposeB, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// A convolution or pooling over 1 to 3 spatial axes. `spatial` entries hold the axes from the outside in.
struct WindowSpec {
    std::int64_t batch = 0, inChannels = 0, outChannels = 0, groups = 1;
    std::vector<std::int64_t> in, kernel, out, strides, dilations, padBegin, padEnd;
};

/// Filters in the library's own layouts, for constants that many runs read. Keeps the constants' bytes alive, so that an
/// address stands for one content. At most 1 GiB; what comes later is laid out anew each time. Thread-safe.
class PreparedWeights {
public:
    PreparedWeights();
    ~PreparedWeights();
    struct State;
    State& state() { return *m_state; }

private:
    std::unique_ptr<State> m_state;
};

/// A filter's constant, and where to keep it prepared; both null when it is no constant or nothing keeps it.
struct KeptFilter {
    PreparedWeights* weights = nullptr;
    const Bytes* constant = nullptr;
};

/// y[N,Co,…] = x[N,Ci,…] ⊛ filter[Co,Ci/g,…] (+ bias[Co]); bias may be null. Accumulates in fp32.
bool convolution(const WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y,
                 const KeptFilter& kept = {});

/// Transposed convolution: filter [Ci,Co/g,…] as ONNX and GE store it. `in` is the (small) input of the operator.
bool deconvolution(const WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y);

enum class PoolKind { Max, AverageIncludePadding, AverageExcludePadding };
/// Channel count is `inChannels`; `padEnd` must not be negative.
bool pooling(const WindowSpec& spec, PoolKind kind, const float* x, float* y);

} // namespace gelens::onednn
