#pragma once
// The page shown while no model is open.

#include "viewers/common/view.h"

#include <QStringList>

class QLabel;
class QPushButton;
class QGridLayout;
class QVBoxLayout;

namespace gelens {

class WelcomeView : public View {
    Q_OBJECT
public:
    explicit WelcomeView(QWidget* parent = nullptr);
    void setRecentFiles(const QStringList& files);
    /// One line above the lists: why the last file could not be opened. Empty hides it.
    void setNotice(const QString& sentence);
    QString notice() const;
    /// $GELENS_SAMPLES, else `../samples` beside the program.
    static QString samplesFolder();

Q_SIGNALS:
    /// Empty = ask for a file.
    void openRequested(const QString& path);
    void tourRequested();
    void folderRequested(); ///< ask for a folder of dumps

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void fillRecent();
    void fillSamples();
    QWidget* fileButton(const QString& path, const QString& title, const QString& sentence);

    QStringList m_files;
    QLabel *m_title, *m_lead, *m_notice, *m_recentTitle, *m_samplesTitle, *m_version;
    QPushButton *m_open, *m_openFolder, *m_tour;
    QVBoxLayout* m_recent;
    QGridLayout* m_samples;
    QWidget* m_recentColumn;
};

} // namespace gelens
