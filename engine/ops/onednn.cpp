#include "engine/ops/onednn_private.h"

#include <dlfcn.h>
#include <dnnl.hpp>

#include <limits>
#include <unordered_map>

namespace gelens::onednn {
namespace {

using dnnl::memory;

// The library takes its thread count from OpenMP's per-thread setting; the symbol is looked up so that we need not be
// built with OpenMP ourselves.
void setOpenMpThreads(int count)
{
    using Setter = void (*)(int);
    static const auto setter = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
    if (setter)
        setter(count);
}

void prepareThread()
{
    static thread_local const bool once = [] {
        setOpenMpThreads(1);
        return true;
    }();
    (void)once;
}

dnnl::engine& cpuEngine()
{
    static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

dnnl::stream& cpuStream()
{
    static thread_local dnnl::stream stream(cpuEngine());
    return stream;
}

memory::format_tag plainTag(std::size_t rank)
{
    switch (rank) {
    case 1:
        return memory::format_tag::a;
    case 3:
        return memory::format_tag::abc;
    case 4:
        return memory::format_tag::abcd;
    case 5:
        return memory::format_tag::abcde;
    case 6:
        return memory::format_tag::abcdef;
    default:
        return memory::format_tag::undef;
    }
}

memory::desc plain(const memory::dims& dims) { return {dims, memory::data_type::f32, plainTag(dims.size())}; }

memory::desc anyLayout(const memory::dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }

memory wrap(const memory::desc& desc, const float* data) { return {desc, cpuEngine(), const_cast<float*>(data)}; }

memory reordered(memory source, const memory::desc& wanted)
{
    if (source.get_desc() == wanted)
        return source;
    memory target(wanted, cpuEngine());
    dnnl::reorder(source, target).execute(cpuStream(), source, target);
    return target;
}

memory::dims withFront(std::initializer_list<std::int64_t> front, const std::vector<std::int64_t>& rest)
{
    memory::dims dims(front);
    dims.insert(dims.end(), rest.begin(), rest.end());
    return dims;
}

struct WindowDims {
    memory::dims source, filter, target, strides, dilates, left, right;
    bool grouped = false;
};

WindowDims windowDims(const WindowSpec& spec, bool transposed)
{
    WindowDims dims;
    dims.grouped = spec.groups > 1;
    const std::int64_t groups = spec.groups;
    dims.source = withFront({spec.batch, spec.inChannels}, spec.in);
    dims.target = withFront({spec.batch, spec.outChannels}, spec.out);
    // As stored: [Co, Ci/g, …] forward, [Ci, Co/g, …] transposed; groups lead in either.
    const std::int64_t first = (transposed ? spec.inChannels : spec.outChannels) / groups;
    const std::int64_t second = (transposed ? spec.outChannels : spec.inChannels) / groups;
    dims.filter =
        dims.grouped ? withFront({groups, first, second}, spec.kernel) : withFront({first, second}, spec.kernel);
    dims.strides = spec.strides;
    for (std::int64_t d : spec.dilations)
        dims.dilates.push_back(d - 1);
    dims.left = spec.padBegin;
    dims.right = spec.padEnd;
    return dims;
}

template <typename Primitive>
void runWindow(const typename Primitive::primitive_desc& pd, const memory& x, const memory& filter, const float* bias,
               const memory::desc& biasDesc, const memory& y)
{
    auto& stream = cpuStream();
    memory source = reordered(x, pd.src_desc());
    memory weights = reordered(filter, pd.weights_desc());
    const bool direct = pd.dst_desc() == y.get_desc();
    memory target = direct ? y : memory(pd.dst_desc(), cpuEngine());
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, target}};
    if (bias)
        args.emplace(DNNL_ARG_BIAS, wrap(biasDesc, bias));
    Primitive(pd).execute(stream, args);
    if (!direct)
        dnnl::reorder(target, y).execute(stream, target, const_cast<memory&>(y));
    stream.wait();
}

} // namespace

void setThreads(int count)
{
    prepareThread();
    setOpenMpThreads(count < 1 ? 1 : count);
}

bool gemm(bool transposeA, bool transposeB, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
          std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc)
{
    prepareThread();
    return dnnl_sgemm(transposeA ? 'T' : 'N', transposeB ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) ==
           dnnl_success;
}

bool convolution(const WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y)
try {
    prepareThread();
    const WindowDims dims = windowDims(spec, false);
    const memory::desc biasDesc = plain({spec.outChannels});
    using Primitive = dnnl::convolution_forward;
    const auto desc = bias ? Primitive::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             anyLayout(dims.source), anyLayout(dims.filter), biasDesc,
                                             anyLayout(dims.target), dims.strides, dims.dilates, dims.left, dims.right)
                           : Primitive::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             anyLayout(dims.source), anyLayout(dims.filter), anyLayout(dims.target),
                                             dims.strides, dims.dilates, dims.left, dims.right);
    const Primitive::primitive_desc pd(desc, cpuEngine());
    runWindow<Primitive>(pd, wrap(plain(dims.source), x), wrap(plain(dims.filter), filter), bias, biasDesc,
                         wrap(plain(dims.target), y));
    return true;
} catch (const dnnl::error&) {
    return false;
}

bool deconvolution(const WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y)
try {
    prepareThread();
    const WindowDims dims = windowDims(spec, true);
    // The library wants filters as [(g,) Co, Ci, …]; ours lie as [(g,) Ci, Co, …]: the same memory with two axes
    // swapped.
    memory::dims wanted = dims.filter;
    const int at = dims.grouped ? 1 : 0;
    std::swap(wanted[at], wanted[at + 1]);
    std::vector<int> swap(wanted.size());
    for (std::size_t i = 0; i < swap.size(); ++i)
        swap[i] = static_cast<int>(i);
    std::swap(swap[at], swap[at + 1]);
    const memory::desc stored = plain(dims.filter).permute_axes(swap);
    const memory::desc biasDesc = plain({spec.outChannels});
    using Primitive = dnnl::deconvolution_forward;
    const auto algorithm = dnnl::algorithm::deconvolution_direct;
    const auto desc =
        bias ? Primitive::desc(dnnl::prop_kind::forward_inference, algorithm, anyLayout(dims.source), anyLayout(wanted),
                               biasDesc, anyLayout(dims.target), dims.strides, dims.dilates, dims.left, dims.right)
             : Primitive::desc(dnnl::prop_kind::forward_inference, algorithm, anyLayout(dims.source), anyLayout(wanted),
                               anyLayout(dims.target), dims.strides, dims.dilates, dims.left, dims.right);
    const Primitive::primitive_desc pd(desc, cpuEngine());
    runWindow<Primitive>(pd, wrap(plain(dims.source), x), wrap(stored, filter), bias, biasDesc,
                         wrap(plain(dims.target), y));
    return true;
} catch (const dnnl::error&) {
    return false;
}

bool pooling(const WindowSpec& spec, PoolKind kind, const float* x, float* y)
try {
    prepareThread();
    const WindowDims dims = windowDims(spec, false);
    const memory::dims source = withFront({spec.batch, spec.inChannels}, spec.in);
    const memory::dims target = withFront({spec.batch, spec.inChannels}, spec.out);
    const auto algorithm = kind == PoolKind::Max                     ? dnnl::algorithm::pooling_max
                           : kind == PoolKind::AverageIncludePadding ? dnnl::algorithm::pooling_avg_include_padding
                                                                     : dnnl::algorithm::pooling_avg_exclude_padding;
    using Primitive = dnnl::pooling_v2_forward;
    const Primitive::desc desc(dnnl::prop_kind::forward_inference, algorithm, plain(source), plain(target),
                               dims.strides, spec.kernel, dims.dilates, dims.left, dims.right);
    const Primitive::primitive_desc pd(desc, cpuEngine());
    memory in = wrap(plain(source), x), out = wrap(plain(target), y);
    Primitive(pd).execute(cpuStream(), {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
    cpuStream().wait();
    return true;
} catch (const dnnl::error&) {
    return false;
}

} // namespace gelens::onednn
