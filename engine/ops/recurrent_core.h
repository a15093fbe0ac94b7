#pragma once
// The recurrences behind CommonRNN, CommonGRU and CommonLSTM, in fp32.

#include "engine/graph/result.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens::recurrent {

enum class Cell { Rnn, Gru, Lstm };
int gateCount(Cell cell); ///< 1, 3, 4

struct Sizes {
    std::int64_t steps = -1, batch = -1, input = -1, hidden = -1, directions = 1, gates = 1;
    bool isReverse = false;
};

/// An activation with its parameters bound.
struct Activation {
    float (*function)(float x, float alpha, float beta) = nullptr;
    float alpha = 0, beta = 0;
    float operator()(float x) const { return function(x, alpha, beta); }
};

/// Activations of all directions in order (1, 2 or 3 for each); the cell's defaults when `names` is empty. alpha and
/// beta are handed out in order to the functions that take them.
Result<std::vector<Activation>> readActivations(Cell cell, std::int64_t directions,
                                                const std::vector<std::string>& names, std::span<const float> alphas,
                                                std::span<const float> betas);

/// Inputs as ONNX lays them out, results in the same layouts. Empty vectors stand for absent operands.
struct Job {
    Cell cell = Cell::Rnn;
    Sizes sizes;
    std::vector<float> x, w, r, bias, initialHidden, initialCell, peephole;
    std::vector<std::int64_t> lengths;
    std::vector<Activation> activations;
    float clip = -1; ///< > 0: bound of what activations get
    bool linearBeforeReset = false, inputForget = false;
    std::stop_token stop;

    std::vector<float> y, hidden, cellState; ///< [steps, directions, batch, hidden], [directions, batch, hidden] twice
};

/// Runs all directions; false when it was stopped.
bool run(Job& job);

} // namespace gelens::recurrent
