#include "engine/formats/onnx/wire_scan.h"

#include <fmt/core.h>

#include <cstring>
#include <string>

namespace gelens::onnx_import {
namespace {

/// Message types of onnx.proto as far as they nest.
enum class Kind : std::uint8_t {
    Leaf,
    Model,
    Training,
    Graph,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    ValueInfo,
    Type,
    TensorType,
    SequenceType,
    MapType,
    OptionalType,
    Shape,
    Function,
};

struct Nesting {
    Kind parent;
    std::uint32_t field;
    Kind child;
};

// Field numbers of onnx.proto (IR version 10 and later additions included).
constexpr Nesting nestings[] = {
    {Kind::Model, 7, Kind::Graph},
    {Kind::Model, 8, Kind::Leaf},
    {Kind::Model, 14, Kind::Leaf},
    {Kind::Model, 20, Kind::Training},
    {Kind::Model, 25, Kind::Function},
    {Kind::Training, 1, Kind::Graph},
    {Kind::Training, 2, Kind::Graph},
    {Kind::Graph, 1, Kind::Node},
    {Kind::Graph, 5, Kind::Tensor},
    {Kind::Graph, 11, Kind::ValueInfo},
    {Kind::Graph, 12, Kind::ValueInfo},
    {Kind::Graph, 13, Kind::ValueInfo},
    {Kind::Graph, 14, Kind::Leaf},
    {Kind::Graph, 15, Kind::SparseTensor},
    {Kind::Graph, 16, Kind::Leaf},
    {Kind::Node, 5, Kind::Attribute},
    {Kind::Node, 9, Kind::Leaf},
    {Kind::Attribute, 5, Kind::Tensor},
    {Kind::Attribute, 6, Kind::Graph},
    {Kind::Attribute, 10, Kind::Tensor},
    {Kind::Attribute, 11, Kind::Graph},
    {Kind::Attribute, 14, Kind::Type},
    {Kind::Attribute, 15, Kind::Type},
    {Kind::Attribute, 22, Kind::SparseTensor},
    {Kind::Attribute, 23, Kind::SparseTensor},
    {Kind::SparseTensor, 1, Kind::Tensor},
    {Kind::SparseTensor, 2, Kind::Tensor},
    {Kind::Tensor, 3, Kind::Leaf},
    {Kind::Tensor, 13, Kind::Leaf},
    {Kind::ValueInfo, 2, Kind::Type},
    {Kind::Type, 1, Kind::TensorType},
    {Kind::Type, 4, Kind::SequenceType},
    {Kind::Type, 5, Kind::MapType},
    {Kind::Type, 7, Kind::Leaf},
    {Kind::Type, 8, Kind::TensorType},
    {Kind::Type, 9, Kind::OptionalType},
    {Kind::TensorType, 2, Kind::Shape},
    {Kind::SequenceType, 1, Kind::Type},
    {Kind::MapType, 2, Kind::Type},
    {Kind::OptionalType, 1, Kind::Type},
    {Kind::Shape, 1, Kind::Leaf},
    {Kind::Function, 7, Kind::Node},
    {Kind::Function, 9, Kind::Leaf},
    {Kind::Function, 11, Kind::Attribute},
    {Kind::Function, 12, Kind::ValueInfo},
};

std::optional<Kind> childOf(Kind parent, std::uint32_t field)
{
    for (const Nesting& nesting : nestings)
        if (nesting.parent == parent && nesting.field == field) return nesting.child;
    return std::nullopt;
}

bool isTypeKind(Kind kind)
{
    return kind == Kind::Type || kind == Kind::SequenceType || kind == Kind::MapType || kind == Kind::OptionalType;
}

/// Where the pieces of a message are collected.
enum class Role : std::uint8_t { Model, Graph, Initializer, Inner };

struct Frame {
    std::size_t end;
    Kind kind;
    Role role;
};

struct Tag {
    std::uint32_t field = 0;
    int wireType = 0;
};

void append(std::vector<Slice>& slices, Slice slice)
{
    if (!slices.empty() && slices.back().end == slice.begin)
        slices.back().end = slice.end;
    else
        slices.push_back(slice);
}

class Scanner {
public:
    explicit Scanner(std::span<const std::byte> file) : m_file(file) {}

    Result<ModelSlices> run()
    {
        m_stack.push_back({m_file.size(), Kind::Model, Role::Model});
        while (!m_stack.empty()) {
            if (m_position == m_stack.back().end) {
                m_stack.pop_back();
                continue;
            }
            GELENS_TRY(readField());
        }
        if (!m_slices.hasGraph) return Error::invalid("not an ONNX model: it holds no graph");
        return std::move(m_slices);
    }

private:
    Error damaged(const std::string& text, std::size_t at) const
    {
        return Error::invalid(fmt::format("damaged or not an ONNX file: {} (byte {})", text, at));
    }
    Error truncated(std::size_t at) const
    {
        return m_stack.back().end == m_file.size()
                   ? Error::invalid(fmt::format("truncated: a field at byte {} runs past the end of the file", at))
                   : damaged("a field runs past the end of its message", at);
    }

    Result<std::uint64_t> varint()
    {
        const std::size_t start = m_position;
        const std::size_t end = m_stack.back().end;
        std::uint64_t value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (m_position == end) return truncated(start);
            const auto byte = std::to_integer<std::uint64_t>(m_file[m_position++]);
            if (shift < 64) value |= (byte & 0x7F) << shift;
            if ((byte & 0x80) == 0) return value;
        }
        return damaged("a varint longer than 10 bytes", start);
    }

    Status readField()
    {
        const std::size_t start = m_position;
        GELENS_ASSIGN(const std::uint64_t key, varint());
        const Tag tag{static_cast<std::uint32_t>(key >> 3), static_cast<int>(key & 7)};
        if (key >> 32 != 0 || tag.field == 0) return damaged("no protobuf field", start);
        switch (tag.wireType) {
        case 0: GELENS_TRY(varint()); break;
        case 1: GELENS_TRY(skip(8, start)); break;
        case 5: GELENS_TRY(skip(4, start)); break;
        case 2: return readMessage(tag, start);
        default: return damaged("no protobuf field", start);
        }
        keep(tag, {start, m_position});
        return Status::success();
    }

    Status skip(std::uint64_t bytes, std::size_t start)
    {
        if (bytes > m_stack.back().end - m_position) return truncated(start);
        m_position += static_cast<std::size_t>(bytes);
        return Status::success();
    }

    /// A field with a length: a message to enter, or bytes to pass over.
    Status readMessage(Tag tag, std::size_t start)
    {
        GELENS_ASSIGN(const std::uint64_t length, varint());
        const std::size_t payload = m_position;
        if (length > m_file.size() - payload) {
            // Said in full, because a huge length is the sign of a damaged file rather than of a short one.
            return Error::invalid(fmt::format(
                "truncated: a field at byte {} claims {} bytes and runs past the end of the file", start, length));
        }
        GELENS_TRY(skip(length, start));
        const Frame frame = m_stack.back();
        const Slice whole{start, m_position};
        if (frame.role == Role::Initializer && tag.field == 9) {
            m_slices.initializers.back().raw = Slice{payload, m_position};
            return Status::success();
        }
        Role role = Role::Inner;
        if (frame.role == Role::Model && tag.field == 7) {
            m_slices.hasGraph = true;
            role = Role::Graph;
        } else if (frame.role == Role::Graph && tag.field == 5) {
            m_slices.initializers.emplace_back();
            role = Role::Initializer;
        } else {
            keep(tag, whole);
        }
        const std::optional<Kind> child = childOf(frame.kind, tag.field);
        if (!child) return Status::success();
        if (static_cast<int>(m_stack.size()) >= maxMessageDepth)
            return Error::limit(isTypeKind(frame.kind) ? "types are nested too deep"
                                                       : "sub-graphs are nested too deep");
        m_stack.push_back({m_position, *child, role});
        m_position = payload;
        return Status::success();
    }

    void keep(Tag, Slice slice)
    {
        switch (m_stack.back().role) {
        case Role::Model: append(m_slices.modelFields, slice); break;
        case Role::Graph: append(m_slices.graphFields, slice); break;
        case Role::Initializer: append(m_slices.initializers.back().fields, slice); break;
        case Role::Inner: break;
        }
    }

    std::span<const std::byte> m_file;
    std::size_t m_position = 0;
    std::vector<Frame> m_stack;
    ModelSlices m_slices;
};

} // namespace

Result<ModelSlices> scanModel(std::span<const std::byte> file) { return Scanner(file).run(); }

std::vector<WireField> splitFields(std::span<const std::byte> bytes)
{
    std::vector<WireField> fields;
    std::size_t position = 0;
    const auto varint = [&](std::uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 64 && position < bytes.size(); shift += 7) {
            const auto byte = std::to_integer<std::uint64_t>(bytes[position++]);
            value |= (byte & 0x7F) << shift;
            if ((byte & 0x80) == 0) return true;
        }
        return false;
    };
    while (position < bytes.size()) {
        std::uint64_t key = 0;
        if (!varint(key)) break;
        WireField field;
        field.number = static_cast<std::uint32_t>(key >> 3);
        std::uint64_t length = 0;
        switch (key & 7) {
        case 0:
            if (!varint(field.integer)) return fields;
            break;
        case 1: length = 8; break;
        case 5: length = 4; break;
        case 2:
            if (!varint(length)) return fields;
            break;
        default: return fields;
        }
        if (length > bytes.size() - position) return fields;
        field.payload = bytes.subspan(position, static_cast<std::size_t>(length));
        position += static_cast<std::size_t>(length);
        fields.push_back(field);
    }
    return fields;
}

} // namespace gelens::onnx_import
