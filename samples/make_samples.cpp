// Writes the sample models:
//   make_samples FOLDER                                        all of them
//   make_samples --llama-layers N [--llama-size 7b|70b] FILE   one decoder of N layers, weights only declared

#include "samples/sample_models.h"

#include <fmt/core.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gelens::samples {
namespace {

void write(const onnx::ModelProto& model, const std::filesystem::path& path)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
    {
        google::protobuf::io::OstreamOutputStream stream(&file);
        google::protobuf::io::CodedOutputStream coded(&stream);
        coded.SetSerializationDeterministic(true);
        model.SerializeToCodedStream(&coded);
        if (coded.HadError()) throw std::runtime_error(fmt::format("{}: writing failed", path.string()));
    }
    file.flush();
    if (!file) throw std::runtime_error(fmt::format("{}: writing failed", path.string()));
}

LlamaSizes sizesOf(const std::string& name)
{
    LlamaSizes sizes;
    if (name == "7b") return sizes;
    if (name != "70b") throw std::runtime_error(fmt::format("--llama-size: '{}' is neither 7b nor 70b", name));
    sizes.layers = 80;
    sizes.heads = 64;
    sizes.feedForward = 28672;
    return sizes;
}

void writeAll(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    write(llama("llama-7b", sizesOf("7b"), WeightMode::External, "llama-7b.weights"), folder / "llama-7b.onnx");

    LlamaSizes tiny;
    tiny.layers = 2;
    tiny.tokens = 32;
    tiny.heads = 4;
    tiny.headSize = 32;
    tiny.feedForward = 352;
    tiny.vocabulary = 512;
    tiny.topK = 8;
    write(llama("tiny-llama", tiny, WeightMode::Embedded, {}), folder / "tiny-llama.onnx");

    write(attention("attention-fits", 8, 128, 128, 64), folder / "attention-fits.onnx");
    write(attention("attention-too-long", 2, 32, 16384, 64), folder / "attention-too-long.onnx");
    write(gatedFeedForward("unit-conflict", 64, 256, 512), folder / "unit-conflict.onnx");
    write(smallResnet("small-resnet"), folder / "small-resnet.onnx");
}

int run(const std::vector<std::string>& arguments)
{
    int layers = 0;
    std::string size = "7b";
    std::string target;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool hasNext = i + 1 < arguments.size();
        if (arguments[i] == "--llama-layers" && hasNext)
            layers = std::atoi(arguments[++i].c_str());
        else if (arguments[i] == "--llama-size" && hasNext)
            size = arguments[++i];
        else if (target.empty() && arguments[i].rfind("--", 0) != 0)
            target = arguments[i];
        else
            throw std::runtime_error(fmt::format("'{}' is not understood", arguments[i]));
    }
    if (target.empty())
        throw std::runtime_error("usage: make_samples FOLDER | --llama-layers N [--llama-size 7b|70b] FILE");
    if (layers == 0) {
        writeAll(target);
        return 0;
    }
    if (layers < 1 || layers > 10000) throw std::runtime_error("--llama-layers: 1 to 10000 layers");
    LlamaSizes sizes = sizesOf(size);
    sizes.layers = layers;
    const std::filesystem::path path(target);
    const std::string stem = path.stem().string();
    write(llama(stem, sizes, WeightMode::External, stem + ".weights"), path);
    return 0;
}

} // namespace
} // namespace gelens::samples

int main(int argc, char** argv)
{
    try {
        return gelens::samples::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "make_samples: error: {}\n", error.what());
        return 2;
    }
}
