#pragma once
// Weights that lie in files beside the model; private to this folder.

#include "engine/formats/mapped_file.h"
#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace gelens::onnx_import {

/// Maps the external data files of one model, each once. Nothing outside the model's folder is opened: the location
/// must be a plain relative path, and the kernel resolves it beneath the folder, symbolic links included.
class ExternalFiles {
public:
    struct File {
        std::shared_ptr<const MappedFile> map; ///< null when there is no such file
        int missingTensors = 0;
        std::int64_t missingBytes = 0;
    };

    /// An empty folder: no external data can be read (a model that came from memory).
    explicit ExternalFiles(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    ~ExternalFiles();
    ExternalFiles(const ExternalFiles&) = delete;
    ExternalFiles& operator=(const ExternalFiles&) = delete;

    /// The file at `location`; a missing one is no error.
    Result<File*> open(const std::string& location);
    const std::map<std::string, File>& files() const { return m_files; }

private:
    Result<std::shared_ptr<const MappedFile>> map(const std::string& location);

    std::filesystem::path m_folder;
    int m_folderDescriptor = -1;
    std::map<std::string, File> m_files;
};

} // namespace gelens::onnx_import
