#pragma once
// Why a chain was not fused, or why it was: pattern beside the real nodes, every check, threshold, remedy.

#include "engine/session/what_if.h"
#include "viewers/common/background.h"

#include <QScrollArea>

#include <memory>
#include <vector>

class QAction;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gelens {

class PatternPicture;

class ExplanationCard : public QScrollArea {
    Q_OBJECT
public:
    explicit ExplanationCard(QWidget* parent = nullptr);

    void showNothing();
    /// A link of a chain: -1 for the one that gives the chain its reason.
    void showChain(std::shared_ptr<const Run> run, int chain, int link);
    /// A place where a rule was tried; `verdict` points into the run.
    void showVerdict(std::shared_ptr<const Run> run, const FusionVerdict* verdict);

    bool isEmpty() const { return m_run == nullptr; } ///< "choose a row"
    QString visibleText() const;                      ///< everything that is written on the card, for copying and tests
    PatternPicture* picture() const { return m_picture; }
    QWidget* content() const { return m_content; } ///< the whole card, also what is scrolled away
    QComboBox* rules() const { return m_rules; }
    bool isPictureReady() const { return !m_background.isRunning(); }
    /// Buttons that try a remedy out; they come a moment after the card.
    const std::vector<QPushButton*>& remedyButtons() const { return m_remedyButtons; }
    bool isAdviceReady() const { return !m_adviceJob.isRunning(); }

Q_SIGNALS:
    void nodeClicked(gelens::NodeId node);
    /// The user wants to see what these options would give.
    void remedyRequested(const gelens::CompileOptions& options, const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillRules(const std::vector<const FusionVerdict*>& verdicts, const FusionVerdict* first);
    void show(const FusionVerdict* verdict);
    void retranslate();
    void setHeadline(bool isFused, const QString& title, const QString& sentence);
    void drawVerdict(const FusionVerdict& verdict);
    void drawLink(const ChainLink& link);
    /// What can be tried, and which other rules were tried on the same nodes: worked out off the GUI thread.
    struct Advice {
        std::vector<Remedy> remedies;
        std::vector<const FusionVerdict*> others;
    };
    void requestAdvice(const FusionVerdict& verdict);
    void showAdvice(const Advice& advice, const FusionVerdict* verdict);
    void clearAdvice();
    void addChecks(const FusionVerdict& verdict);
    void addCheck(int row, const Check& check);
    QLabel* addLabel(const QString& text, int row, int column, int columns = 1);

    QAction* m_copyText;
    std::shared_ptr<const Run> m_run;
    const ChainLink* m_link = nullptr; ///< into the run
    std::vector<const FusionVerdict*> m_verdicts;
    QWidget* m_content;
    QVBoxLayout* m_layout;
    QLabel *m_title, *m_sentence, *m_thresholds, *m_remedy, *m_pictureTitle, *m_checksTitle;
    QLabel* m_others; ///< rules that were refused on the nodes of a fused place
    QWidget* m_remedyRow;
    std::vector<QPushButton*> m_remedyButtons;
    QComboBox* m_rules;
    PatternPicture* m_picture;
    QWidget* m_bar = nullptr;    ///< of the check that gives the headline
    QWidget* m_checks = nullptr; ///< rebuilt for each verdict
    QGridLayout* m_grid = nullptr;
    Background m_background, m_adviceJob;
};

} // namespace gelens
