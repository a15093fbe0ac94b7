#pragma once
// Splits the model shown over several cards; each becomes a model of its own, to be chosen in the monitor.

#include <QObject>

#include <map>

namespace gelens {

class MainWindow;

class CardTools : public QObject {
    Q_OBJECT
public:
    static constexpr int mostCards = 256; ///< what the dialog and the command line take; blocks are the limit mostly

    explicit CardTools(MainWindow* window);

    void createActions();
    void retranslate();
    void updateActions();
    /// Asks for the number of cards, then splits the model shown.
    void chooseCards();
    void split(int id, int cards);
    /// Splits a model as soon as its first run is there.
    void splitWhenOpened(int id, int cards);

private:
    void showCards(int id, int cards);

    MainWindow* m_window;
    std::map<int, int> m_waiting; ///< models still being opened, and how many cards are wanted
};

} // namespace gelens
