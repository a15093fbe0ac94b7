#pragma once
// The options of one what-if, as a form.

#include "engine/session/run.h"
#include "viewers/common/background.h"

#include <QScrollArea>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace gelens {

class RuleSwitchesModel;
class TablePanel;

class WhatIfForm : public QScrollArea {
    Q_OBJECT
public:
    explicit WhatIfForm(QWidget* parent = nullptr);

    /// The run that the options start from: its own options fill the form, its chip and inputs the hints.
    void setBase(const std::shared_ptr<const Run>& base);
    /// Puts options into the form.
    void setOptions(const CompileOptions& options);
    CompileOptions options() const;
    /// What cannot be read, one sentence; empty when everything can.
    QString problem() const;

    QComboBox* soc() const { return m_soc; }
    QComboBox* precision() const { return m_precision; }
    QComboBox* policy() const { return m_policy; }
    QLineEdit* buffer(const char* name) const;
    QLineEdit* shape(const QString& input) const;
    QLineEdit* streamLabels() const { return m_streamLabels; }
    QSpinBox* cards() const { return m_cards; }
    QLineEdit* skippedPasses() const { return m_skipped; }
    TablePanel* rules() const { return m_rules; }
    RuleSwitchesModel* ruleModel() const { return m_ruleModel; }
    void retranslate();

Q_SIGNALS:
    void edited();

private:
    void fillShapes();
    void updateHints();

    std::shared_ptr<const Run> m_base;
    CompileOptions m_start; ///< what the form has no field for comes from here
    QComboBox *m_soc, *m_precision, *m_policy, *m_streams;
    struct Field {
        std::string name;
        QLabel* label = nullptr;
        QLineEdit* line = nullptr;
    };
    std::vector<Field> m_buffers, m_shapes;
    QLineEdit* m_streamLabels; ///< "node = label; node = label"
    QLineEdit* m_skipped;      ///< "pass; pass"
    QSpinBox* m_cards;         ///< 1: the whole model on one
    QFormLayout* m_layout;
    QFormLayout* m_shapeLayout;
    QLabel *m_socLabel, *m_precisionLabel, *m_policyLabel, *m_streamsLabel, *m_streamLabelsLabel, *m_skippedLabel,
        *m_cardsLabel, *m_buffersTitle, *m_shapesTitle, *m_rulesTitle;
    TablePanel* m_rules;
    RuleSwitchesModel* m_ruleModel;
    Background m_profiles;
};

/// Labels by node from "node = label; node = label"; nothing when a piece has no name or no label.
std::optional<std::map<std::string, std::string>> streamLabelsFromText(const QString& text);
/// Bytes from "524288", "512K", "1M" (binary multiples); nothing for other texts.
std::optional<std::int64_t> bytesFromText(const QString& text);

} // namespace gelens
