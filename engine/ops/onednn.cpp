#include "engine/ops/onednn_private.h"

#include "engine/ops/kernel_context.h"

#include <dlfcn.h>
#include <dnnl.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
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
    if (setter) setter(count);
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
    case 1: return memory::format_tag::a;
    case 3: return memory::format_tag::abc;
    case 4: return memory::format_tag::abcd;
    case 5: return memory::format_tag::abcde;
    case 6: return memory::format_tag::abcdef;
    default: return memory::format_tag::undef;
    }
}

memory::desc plain(const memory::dims& dims) { return {dims, memory::data_type::f32, plainTag(dims.size())}; }

memory::desc anyLayout(const memory::dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }

memory wrap(const memory::desc& desc, const float* data) { return {desc, cpuEngine(), const_cast<float*>(data)}; }

/// Work memory of one thread that grows to the largest request and stays: fresh pages would cost as much as a kernel.
class Scratch {
public:
    memory of(const memory::desc& desc)
    {
        const std::size_t floats = desc.get_size() / sizeof(float) + 16;
        if (m_floats.size() < floats) {
            m_floats.clear(); // nothing in it is worth moving
            m_floats.resize(floats);
        }
        const auto address = reinterpret_cast<std::uintptr_t>(m_floats.data());
        return {desc, cpuEngine(), reinterpret_cast<void*>((address + 63) & ~std::uintptr_t{63})};
    }

private:
    std::vector<float> m_floats;
};

memory reordered(memory source, const memory::desc& wanted, Scratch& scratch)
{
    if (source.get_desc() == wanted) return source;
    memory target = scratch.of(wanted);
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
    for (std::int64_t d : spec.dilations) dims.dilates.push_back(d - 1);
    dims.left = spec.padBegin;
    dims.right = spec.padEnd;
    return dims;
}

using Key = std::vector<std::int64_t>;

/// All that makes two calls of one kind the same job.
Key keyOf(const WindowSpec& spec, std::int64_t kind)
{
    Key key{kind, spec.batch, spec.inChannels, spec.outChannels, spec.groups};
    for (const auto* part :
         {&spec.in, &spec.kernel, &spec.out, &spec.strides, &spec.dilations, &spec.padBegin, &spec.padEnd}) {
        key.push_back(static_cast<std::int64_t>(part->size()));
        key.insert(key.end(), part->begin(), part->end());
    }
    return key;
}

/// Primitives of one kind, made once for each job on a thread; the oldest half goes when there are too many.
template <typename Primitive>
class Primitives {
public:
    struct Made {
        typename Primitive::primitive_desc desc;
        Primitive primitive;
    };

    template <typename Make>
    const Made& get(const Key& key, Make&& make)
    {
        if (const auto found = m_made.find(key); found != m_made.end()) return found->second;
        constexpr std::size_t most = 256;
        for (; m_order.size() >= most; m_order.pop_front()) m_made.erase(m_order.front());
        typename Primitive::primitive_desc desc = make();
        m_order.push_back(key);
        return m_made.emplace(key, Made{desc, Primitive(desc)}).first->second;
    }

private:
    std::map<Key, Made> m_made;
    std::deque<Key> m_order; // of their making
};

template <typename Primitive>
Primitives<Primitive>& primitives()
{
    static thread_local Primitives<Primitive> all;
    return all;
}

} // namespace

struct PreparedWeights::State {
    static constexpr std::size_t limit = std::size_t{1} << 30; // bytes
    struct Filter {
        Bytes constant;
        memory::desc desc;
        std::shared_ptr<std::vector<float>> data;
    };
    std::mutex mutex;
    std::multimap<const void*, Filter> filters; // one constant may serve convolutions that want it differently
    std::size_t bytes = 0;

    /// The filter laid out as `wanted`, made now when it is not there; nothing when there is no room.
    std::shared_ptr<std::vector<float>> get(const Bytes& constant, const memory& source, const memory::desc& wanted)
    {
        const std::lock_guard lock(mutex);
        const auto [first, last] = filters.equal_range(constant.data());
        for (auto at = first; at != last; ++at)
            if (at->second.desc == wanted && at->second.constant.size() == constant.size()) return at->second.data;
        if (bytes + wanted.get_size() > limit) return nullptr;
        auto data = std::make_shared<std::vector<float>>(wanted.get_size() / sizeof(float) + 1);
        memory from = source, target = wrap(wanted, data->data());
        dnnl::reorder(from, target).execute(cpuStream(), from, target);
        cpuStream().wait();
        bytes += wanted.get_size();
        filters.emplace(constant.data(), Filter{constant, wanted, data});
        return data;
    }
};

PreparedWeights::PreparedWeights() : m_state(std::make_unique<State>()) {}
PreparedWeights::~PreparedWeights() = default;

namespace {

template <typename Primitive>
void runWindow(const typename Primitives<Primitive>::Made& made, const memory& x, const memory& filter,
               const float* bias, const memory::desc& biasDesc, const memory& y, const KeptFilter& kept)
{
    static thread_local Scratch sourceScratch, filterScratch, targetScratch;
    auto& stream = cpuStream();
    const memory::desc wanted = made.desc.weights_desc();
    std::shared_ptr<std::vector<float>> prepared;
    if (kept.weights && kept.constant && filter.get_desc() != wanted)
        prepared = kept.weights->state().get(*kept.constant, filter, wanted);
    memory source = reordered(x, made.desc.src_desc(), sourceScratch);
    memory weights = prepared ? wrap(wanted, prepared->data()) : reordered(filter, wanted, filterScratch);
    const bool direct = made.desc.dst_desc() == y.get_desc();
    memory target = direct ? y : targetScratch.of(made.desc.dst_desc());
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, target}};
    if (bias) args.emplace(DNNL_ARG_BIAS, wrap(biasDesc, bias));
    made.primitive.execute(stream, args);
    if (!direct) dnnl::reorder(target, y).execute(stream, target, const_cast<memory&>(y));
    stream.wait();
}

/// Job kinds, so that a key tells with and without bias apart.
enum Kind : std::int64_t { Plain, WithBias };

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

bool convolution(const WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y,
                 const KeptFilter& kept)
try {
    prepareThread();
    const WindowDims dims = windowDims(spec, false);
    const memory::desc biasDesc = plain({spec.outChannels});
    using Primitive = dnnl::convolution_forward;
    const auto make = [&] {
        const auto desc =
            bias ? Primitive::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                   anyLayout(dims.source), anyLayout(dims.filter), biasDesc, anyLayout(dims.target),
                                   dims.strides, dims.dilates, dims.left, dims.right)
                 : Primitive::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                   anyLayout(dims.source), anyLayout(dims.filter), anyLayout(dims.target), dims.strides,
                                   dims.dilates, dims.left, dims.right);
        return Primitive::primitive_desc(desc, cpuEngine());
    };
    runWindow<Primitive>(primitives<Primitive>().get(keyOf(spec, bias ? WithBias : Plain), make),
                         wrap(plain(dims.source), x), wrap(plain(dims.filter), filter), bias, biasDesc,
                         wrap(plain(dims.target), y), kept);
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
    for (std::size_t i = 0; i < swap.size(); ++i) swap[i] = static_cast<int>(i);
    std::swap(swap[at], swap[at + 1]);
    const memory::desc stored = plain(dims.filter).permute_axes(swap);
    const memory::desc biasDesc = plain({spec.outChannels});
    using Primitive = dnnl::deconvolution_forward;
    const auto algorithm = dnnl::algorithm::deconvolution_direct;
    const auto make = [&] {
        const auto desc = bias ? Primitive::desc(dnnl::prop_kind::forward_inference, algorithm, anyLayout(dims.source),
                                                 anyLayout(wanted), biasDesc, anyLayout(dims.target), dims.strides,
                                                 dims.dilates, dims.left, dims.right)
                               : Primitive::desc(dnnl::prop_kind::forward_inference, algorithm, anyLayout(dims.source),
                                                 anyLayout(wanted), anyLayout(dims.target), dims.strides, dims.dilates,
                                                 dims.left, dims.right);
        return Primitive::primitive_desc(desc, cpuEngine());
    };
    runWindow<Primitive>(primitives<Primitive>().get(keyOf(spec, bias ? WithBias : Plain), make),
                         wrap(plain(dims.source), x), wrap(stored, filter), bias, biasDesc, wrap(plain(dims.target), y),
                         {});
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
    const auto make = [&] {
        const Primitive::desc desc(dnnl::prop_kind::forward_inference, algorithm, plain(source), plain(target),
                                   dims.strides, spec.kernel, dims.dilates, dims.left, dims.right);
        return Primitive::primitive_desc(desc, cpuEngine());
    };
    const auto& made = primitives<Primitive>().get(keyOf(spec, static_cast<std::int64_t>(kind)), make);
    memory in = wrap(plain(source), x), out = wrap(plain(target), y);
    made.primitive.execute(cpuStream(), {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
    cpuStream().wait();
    return true;
} catch (const dnnl::error&) {
    return false;
}

} // namespace gelens::onednn

std::shared_ptr<gelens::onednn::PreparedWeights> gelens::makePreparedWeights()
{
    return std::make_shared<onednn::PreparedWeights>();
}
