#pragma once
// Errors that depend on input travel as values; broken invariants of our own throw one private type.

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gelens {

enum class ErrorCode {
    InvalidInput, ///< the file or the option is wrong
    Unsupported,  ///< well formed, but beyond what the program handles
    NotFound,     ///< a file, a node or a name does not exist
    Io,           ///< the operating system refused
    Limit,        ///< a safety limit was reached (size, depth, time, memory)
    Cancelled,    ///< the user asked to stop
    Internal,     ///< a broken invariant of our own
};

/// One sentence (`what`), the place it speaks of (`where`: file, file:line, node, pass or rule; may be empty)
/// and what led to it, outermost first.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string what;
    std::string where;
    std::vector<std::string> causes;

    static Error invalid(std::string what, std::string where = {})
    {
        return {ErrorCode::InvalidInput, std::move(what), std::move(where), {}};
    }
    static Error unsupported(std::string what, std::string where = {})
    {
        return {ErrorCode::Unsupported, std::move(what), std::move(where), {}};
    }
    static Error notFound(std::string what, std::string where = {})
    {
        return {ErrorCode::NotFound, std::move(what), std::move(where), {}};
    }
    static Error io(std::string what, std::string where = {})
    {
        return {ErrorCode::Io, std::move(what), std::move(where), {}};
    }
    static Error limit(std::string what, std::string where = {})
    {
        return {ErrorCode::Limit, std::move(what), std::move(where), {}};
    }
    static Error cancelled() { return {ErrorCode::Cancelled, "cancelled", {}, {}}; }

    bool isCancelled() const { return code == ErrorCode::Cancelled; }

    /// "where: what (cause; cause)" on one line; control characters become spaces.
    std::string message() const;
};

/// Either a value or an Error. The value is reached only after asking.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Error error) : m_error(std::move(error)) {}
    static Status success() { return {}; }
    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

/// Thrown when an invariant of the engine is broken; caught at the pipeline boundary only.
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

[[noreturn]] void failAssertion(const char* condition, const char* file, int line);

} // namespace gelens

/// Checks an invariant of our own (never input). Active in every build.
#define GELENS_ASSERT(condition)                                                                                       \
    do {                                                                                                               \
        if (!(condition)) ::gelens::failAssertion(#condition, __FILE__, __LINE__);                                     \
    } while (false)

/// Returns the error of a Status or Result to the caller.
#define GELENS_TRY(expression)                                                                                         \
    do {                                                                                                               \
        if (auto gelensTry_ = (expression); !gelensTry_.ok()) return gelensTry_.error();                               \
    } while (false)

#define GELENS_CONCAT2(a, b) a##b
#define GELENS_CONCAT(a, b) GELENS_CONCAT2(a, b)
/// GELENS_ASSIGN(auto x, compute()): x takes the value, or the error is returned to the caller.
#define GELENS_ASSIGN(declaration, expression)                                                                         \
    auto GELENS_CONCAT(gelensResult_, __LINE__) = (expression);                                                        \
    if (!GELENS_CONCAT(gelensResult_, __LINE__).ok()) return GELENS_CONCAT(gelensResult_, __LINE__).error();           \
    declaration = std::move(GELENS_CONCAT(gelensResult_, __LINE__)).value()
