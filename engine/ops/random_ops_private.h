#pragma once
// The parts of the random family and of what has no family of its own; registerRandomOps calls them.

namespace gelens {

class OpRegistry;

void registerStringOps(OpRegistry&); ///< StringConcat, StringSplit, StringNormalizer, RegexFullMatch
void registerTfIdfOps(OpRegistry&);  ///< TfIdfVectorizer
void registerSignalOps(OpRegistry&); ///< windows, mel weights, DFT, STFT

} // namespace gelens
