#pragma once
// One model on several cards, as frameworks put a decoder there: each card gets a run of whole blocks as a model of its
// own, and the tensors between two cards are outputs of the one and inputs of the other.

#include "engine/session/fleet.h"

#include <memory>
#include <string>
#include <vector>

namespace gelens {

/// The part of one card.
struct CardPart {
    std::shared_ptr<const Graph> graph;
    int firstBlock = 0, blocks = 0;
    std::vector<std::string>
        inputs; ///< names of the Data nodes, in order; a tensor of another card bears its producer's name
    std::vector<std::string> outputs; ///< "node:index" in the whole model, in order
};

/// Splits a graph whose shapes are known. Blocks are shared out evenly, the first cards getting one more; what lies
/// before the blocks goes to the first card, what lies behind to the last. Errors: no repeated blocks, fewer blocks
/// than cards, operators that own sub-graphs, an edge that leads back to an earlier card.
Result<std::vector<CardPart>> splitOverCards(const Graph& graph, int cards);

/// The part of one card as a session of its own; nothing is compiled yet.
struct CardSession {
    std::shared_ptr<Session> session; ///< named after the model and the card: "llama-7b-card0"
    int blocks = 0;
};

/// Splits the model of a session over `options.cards` cards, in the order of the cards. Errors: those of
/// splitOverCards, at the model's path; a file that carries a compiled plan.
Result<std::vector<CardSession>> openCards(const Session& session, const CompileOptions& options,
                                           std::stop_token stop = {});

/// Compiles the parts of a model, each alone, in parallel; `compile.cards` tells how many. One member for each card, its
/// run as that of the part alone.
Result<Fleet> compileCards(Session& session, const FleetOptions& options);

} // namespace gelens
