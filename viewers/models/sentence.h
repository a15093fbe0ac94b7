#pragma once
// The engine explains itself in English sentences; here they are said in the language of the window.

#include <QString>

#include <string_view>
#include <vector>

namespace gelens::words {

/// A sentence of the engine or of a shipped rule file with its changing parts as %1, %2 … in order of appearance. Its
/// translation stands in the context gelens::Sentence.
struct SentencePattern {
    const char* text;
    unsigned translatedParts; ///< bit n-1: the part at %n is itself a sentence or word of the list, not a name
};

const std::vector<SentencePattern>& sentencePatterns();

/// `english` in the language of the window. A text that no pattern fits (a user's own rule file) stays as it is.
QString sentence(std::string_view english);
/// Whether patterns fit all of it: every sentence in a row, and every part that reads like one.
bool isKnownSentence(std::string_view english);

} // namespace gelens::words
