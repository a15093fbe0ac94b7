#pragma once
// Checks one parsed rule and resolves its names; private to the loader.

#include "engine/fusion/rule.h"
#include "fusion/proto/fusion_rule.pb.h"

#include <google/protobuf/text_format.h>

#include <optional>
#include <string>
#include <string_view>

namespace gelens {

class RuleBuilder : public FormulaScope {
public:
    using Tree = google::protobuf::TextFormat::ParseInfoTree;
    struct Place {
        int line = -1, column = 0; ///< from 0, within the parsed text; -1 = not known
    };

    /// `tree` may be null: then errors have no place.
    RuleBuilder(const rules::Rule& source, const Tree* tree) : m_source(source), m_tree(tree) {}

    /// The rule, or nothing: then errorText() says what is wrong and errorPlace() where.
    std::optional<Rule> build();
    const std::string& errorText() const { return m_error; }
    const Place& errorPlace() const { return m_place; }

    int elementIndex(std::string_view name) const override;
    int variableIndex(std::string_view name) const override;

private:
    /// Where in the source we are: a repeated sub-message of the rule, or the rule itself.
    struct Scope {
        const Tree* tree = nullptr;
        const google::protobuf::Descriptor* type = nullptr;
    };
    Scope ruleScope() const { return {m_tree, rules::Rule::descriptor()}; }
    Scope nested(const char* field, int index) const { return nested(ruleScope(), field, index); }
    static Scope nested(const Scope& scope, const char* field, int index);
    bool fail(const Scope& scope, const char* field, int index, std::string what);

    bool readHeader();
    bool declareElements();
    bool readNodes();
    bool readConstants();
    bool readLets();
    bool readRequires();
    bool readBuffers();
    bool readNewConstants();
    bool readNewNodes();
    bool readAttr(const Scope& scope, const rules::NewAttr& source, RuleAttr& attr);
    bool readOutputs();
    bool readRoot();
    bool checkAcyclic();
    bool collectRootTypes();
    void countPlainNodes();

    bool formula(const Scope& scope, const char* field, int index, const std::string& text, Formula& into);
    bool reference(const Scope& scope, const char* field, int index, std::string text, PatternRef& into);
    bool element(const Scope& scope, const char* field, const std::string& name, int& into);
    bool sentence(const Scope& scope, RuleRequire& require);

    const rules::Rule& m_source;
    const Tree* m_tree;
    Rule m_rule;
    std::string m_error;
    Place m_place;
};

} // namespace gelens
