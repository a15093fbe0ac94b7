#include "engine/npu/cost_model.h"

#include <algorithm>
#include <cmath>

namespace gelens {

using namespace cost_model;

namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return b > 0 ? (a + b - 1) / b : 0; }

int cubeCores(const SocSpec& soc) { return std::max(1, soc.cubeCores); }

/// On fused chips each core has both units; vector cores beyond them only help where the file says so.
int vectorCores(const SocSpec& soc)
{
    return std::max({1, soc.vectorCores, soc.coreLayout == CoreLayout::Fused ? soc.cubeCores : 0});
}

double cubeMegahertz(const SocSpec& soc) { return soc.cubeMegahertz > 0 ? soc.cubeMegahertz : 1000; }
double vectorMegahertz(const SocSpec& soc)
{
    return soc.vectorMegahertz > 0 ? soc.vectorMegahertz : cubeMegahertz(soc);
}

double perMicrosecond(double bytes, double rate) { return bytes > 0 && rate > 0 ? bytes / rate : 0; }

} // namespace

CubeTiling tileMatMul(const Cost& cost, DataType dtype, const SocSpec& soc)
{
    const std::int64_t bits = std::max(1, dataTypeBits(dtype));
    const std::int64_t k0 = std::max(1, soc.cubeK) * (bits <= 8 ? 2 : 1);
    const std::int64_t m = std::max<std::int64_t>(1, cost.m), n = std::max<std::int64_t>(1, cost.n);
    const std::int64_t kBlocks = ceilDiv(std::max<std::int64_t>(1, cost.k), k0);
    const std::int64_t blockM = std::max(1, soc.cubeM), blockN = std::max(1, soc.cubeN);
    const std::int64_t l0c = soc.buffers.l0c > 0 ? soc.buffers.l0c : 131072;
    CubeTiling best;
    for (std::int64_t rows = 1; rows <= 16; rows *= 2)
        for (std::int64_t columns = 1; columns <= 16; columns *= 2) {
            CubeTiling tiling;
            tiling.tileM = rows * blockM;
            tiling.tileN = columns * blockN;
            if (tiling.tileM * tiling.tileN * 4 > l0c) continue;
            tiling.tiles = ceilDiv(m, tiling.tileM) * ceilDiv(n, tiling.tileN) * std::max<std::int64_t>(1, cost.batch);
            tiling.waves = ceilDiv(tiling.tiles, cubeCores(soc));
            tiling.tileCycles = rows * columns * kBlocks;
            const bool isBetter =
                best.tiles == 0 || tiling.cycles() < best.cycles() ||
                (tiling.cycles() == best.cycles() && tiling.tileM * tiling.tileN > best.tileM * best.tileN);
            if (isBetter) best = tiling;
        }
    return best;
}

ChipRates chipRates(const SocSpec& soc)
{
    const double cyclesPerUs = cubeMegahertz(soc) * cubeCores(soc);
    const MemoryRates& rates = soc.cubeRates;
    const auto or_ = [](double rate, double otherwise) { return rate > 0 ? rate : otherwise; };
    ChipRates chip;
    chip.ddrRead = or_(rates.ddrRead, 32) * cyclesPerUs;
    chip.ddrWrite = or_(rates.ddrWrite, or_(rates.ddrRead, 32)) * cyclesPerUs;
    chip.l2Read = or_(rates.l2Read, or_(rates.ddrRead, 32)) * cyclesPerUs;
    chip.l2Write = or_(rates.l2Write, or_(rates.l2Read, or_(rates.ddrRead, 32))) * cyclesPerUs;
    return chip;
}

int coresUsed(const Cost& cost, Unit unit, const SocSpec& soc)
{
    switch (unit) {
    case Unit::Cube:
    case Unit::Mix:
        if (cost.cubeMacs > 0 && cost.m > 0)
            return static_cast<int>(
                std::clamp<std::int64_t>(tileMatMul(cost, DataType::Float16, soc).tiles, 1, cubeCores(soc)));
        return cubeCores(soc);
    case Unit::Vector: {
        const double bytes = cost.bytesRead + cost.bytesWritten;
        return static_cast<int>(std::clamp(std::ceil(bytes / static_cast<double>(vectorTileBytes)), 1.0,
                                           static_cast<double>(vectorCores(soc))));
    }
    default: return 1;
    }
}

double KernelTime::computeUs() const { return std::max({cubeUs, vectorUs, aiCpuUs}) + syncUs; }

double KernelTime::memoryUs() const
{
    const double in = l2ReadUs + ddrReadUs, out = l2WriteUs + ddrWriteUs;
    return isPipelined ? std::max(in, out) : in + out;
}

double KernelTime::totalUs() const
{
    return launchUs + (isPipelined ? std::max(computeUs(), memoryUs()) : computeUs() + memoryUs());
}

Bound KernelTime::bound() const
{
    if (launchUs >= std::max(computeUs(), memoryUs())) return Bound::Launch;
    return computeUs() >= memoryUs() ? Bound::Compute : Bound::Memory;
}

KernelTime kernelTime(const Cost& cost, Unit unit, DataType dtype, const Traffic& traffic, const SocSpec& soc,
                      bool isHostLaunched)
{
    KernelTime time;
    time.launchUs = isHostLaunched ? hostLaunchUs : sunkLaunchUs;
    time.cores = coresUsed(cost, unit, soc);
    if (unit == Unit::AiCpu || unit == Unit::Host) {
        const double operations = std::max(cost.vectorOps, 2 * cost.cubeMacs);
        time.aiCpuUs = aiCpuBaseUs + operations / aiCpuOpsPerUs;
        return time;
    }
    double tilesPerCore = 0;
    if (cost.cubeMacs > 0) {
        double cycles = 0;
        double efficiency = smallCubeEfficiency;
        if (cost.m > 0) {
            const CubeTiling tiling = tileMatMul(cost, dtype, soc);
            // In double, because sizes of a damaged model may multiply beyond 64 bits.
            if (static_cast<double>(cost.m) * static_cast<double>(cost.n) >= static_cast<double>(largeCubeResults))
                efficiency = largeCubeEfficiency;
            cycles = static_cast<double>(tiling.cycles()) / efficiency +
                     fillDrainTiles * static_cast<double>(tiling.tileCycles);
            tilesPerCore = static_cast<double>(tiling.tiles) / cubeCores(soc);
        } else { // no sizes: the array at its efficiency
            const double macsPerCycle = static_cast<double>(soc.cubeM) * soc.cubeK * soc.cubeN * cubeCores(soc);
            cycles = cost.cubeMacs / std::max(1.0, macsPerCycle) / efficiency;
            tilesPerCore = tilesToPipeline;
        }
        const bool isFullFloat = dtype == DataType::Float || dtype == DataType::Double;
        time.cubeUs = cycles * (isFullFloat ? fp32CubeFactor : 1) / cubeMegahertz(soc);
    }
    if (cost.vectorOps > 0) {
        double lanes = std::max(1, soc.vectorLanes);
        const int bits = dataTypeBits(dtype);
        if (bits >= 32) lanes /= bits / 16;
        time.vectorUs = cost.vectorOps / (lanes * vectorCores(soc)) / vectorMegahertz(soc);
    }
    if (cost.cubeMacs <= 0)
        tilesPerCore = (cost.bytesRead + cost.bytesWritten) / static_cast<double>(vectorTileBytes) / vectorCores(soc);
    time.isPipelined = tilesPerCore >= tilesToPipeline;
    if (unit == Unit::Mix || (time.cubeUs > 0 && time.vectorUs > 0 && soc.coreLayout == CoreLayout::Split))
        time.syncUs = mixSyncUs;
    const ChipRates rates = chipRates(soc);
    const double strided = std::max(1.0, cost.stridedFactor);
    time.l2Bytes = traffic.l2Read + traffic.l2Write;
    time.ddrBytes = traffic.ddrRead + traffic.ddrWrite;
    time.l2ReadUs = perMicrosecond(traffic.l2Read, rates.l2Read) * strided;
    time.ddrReadUs = perMicrosecond(traffic.ddrRead, rates.ddrRead) * strided;
    time.l2WriteUs = perMicrosecond(traffic.l2Write, rates.l2Write) * strided;
    time.ddrWriteUs = perMicrosecond(traffic.ddrWrite, rates.ddrWrite) * strided;
    return time;
}

} // namespace gelens
