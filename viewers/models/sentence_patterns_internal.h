#pragma once
// The parts of the list of sentences, by who says them.

#include "viewers/models/sentence.h"

namespace gelens::words {

const std::vector<SentencePattern>& sentencesOfFusion(); ///< checks and remedies, words of the rule files, the journal
const std::vector<SentencePattern>& sentencesOfFiles();  ///< what readers found
const std::vector<SentencePattern>& sentencesOfRuns();   ///< options, passes, memory, the simulated device
const std::vector<SentencePattern>& sentencesOfOperators(); ///< shapes and kernels

} // namespace gelens::words
