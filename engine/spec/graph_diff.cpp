#include "engine/spec/graph_diff.h"

namespace gelens {

std::string_view matchBasisName(MatchBasis basis)
{
    switch (basis) {
    case MatchBasis::Identity: return "same id";
    case MatchBasis::Name: return "name and type";
    case MatchBasis::Origin: return "origin names";
    case MatchBasis::NameOnly: return "name";
    case MatchBasis::Structure: return "structure";
    }
    return "";
}

double matchConfidence(MatchBasis basis)
{
    switch (basis) {
    case MatchBasis::Identity:
    case MatchBasis::Name: return 1;
    case MatchBasis::Origin: return 0.95;
    case MatchBasis::NameOnly: return 0.8;
    case MatchBasis::Structure: return 0.6;
    }
    return 0;
}

double GraphDiff::confidence() const
{
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < matchBasisCount; ++i) {
        sum += matchedBy[static_cast<std::size_t>(i)] * matchConfidence(static_cast<MatchBasis>(i));
        pairs += matchedBy[static_cast<std::size_t>(i)];
    }
    return pairs == 0 ? 1 : sum / pairs;
}

} // namespace gelens
