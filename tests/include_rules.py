#!/usr/bin/env python3
"""Checks over the #include lines that each folder uses only what it may (the layout table of the design).

    include_rules.py SOURCE_ROOT    lists every offence as file:line: what is wrong; exit status 1 when there is one
    include_rules.py --self-test    checks the rules themselves on a small made-up tree (every run starts with this)

A folder without a README.md of five lines is a warning only.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

# What a folder of engine/ may include besides itself.
ENGINE = {
    "graph": [],
    "spec": ["graph"],
    "ops": ["graph", "spec"],
    "formats": ["graph", "spec", "ops"],
    "npu": ["graph", "spec", "ops"],
    "fusion": ["graph", "spec", "ops", "npu"],
    "memory": ["graph", "spec", "ops"],
    "schedule": ["graph", "spec", "ops", "memory", "npu"],
    "passes": ["graph", "spec", "ops", "formats", "npu", "fusion", "memory", "schedule"],
    "session": ["graph", "spec", "ops", "formats", "npu", "fusion", "memory", "schedule", "passes"],
    "report": ["graph", "spec", "ops", "formats", "npu", "fusion", "memory", "schedule", "passes", "session"],
}
VIEWERS_SEE = ["session", "spec", "graph", "report"]
SHARED_VIEWERS = ["common", "models", "layout", "scene", "picture"]

# Library: the pattern of its headers, and the folders that may use it. Public headers may use none of them.
LIBRARIES = {
    "protobuf": (r"google/protobuf/|.*\.pb\.h$", ["engine/formats", "engine/fusion", "samples"]),
    "libonnx_proto": (r"onnx/", ["engine/formats", "samples"]),
    "Eigen": (r"(unsupported/)?Eigen/", ["engine/ops"]),
    "oneDNN": (r"(oneapi/dnnl/|dnnl)", ["engine/ops"]),
    "nlohmann-json": (r"nlohmann/",
                      ["engine/formats", "engine/fusion", "engine/session", "engine/report", "app"]),
    "spdlog": (r"spdlog/", ["engine/graph"]),
    "fmt": (r"fmt/", ["engine", "viewers", "app", "samples"]),
    "CLI11": (r"CLI/", ["app"]),
    "Graphviz": (r"graphviz/", ["viewers/layout"]),
}

QT = re.compile(r"(Qt[A-Z]\w*(/|$)|Q[A-Z]\w*$|q[a-z]+\.h$)")
WIDGETS = re.compile(r"QtWidgets(/|$)|(" + "|".join("""
    QAbstractButton QAbstractItemDelegate QAbstractItemView QAbstractScrollArea QAbstractSlider QAbstractSpinBox
    QApplication QBoxLayout QButtonGroup QCalendarWidget QCheckBox QColorDialog QColumnView QComboBox QCommandLinkButton
    QCommonStyle QCompleter QDataWidgetMapper QDateEdit QDateTimeEdit QDial QDialog QDialogButtonBox QDockWidget
    QDoubleSpinBox QErrorMessage QFileDialog QFileIconProvider QFocusFrame QFontComboBox QFontDialog QFormLayout QFrame
    QGraphics\\w+ QGridLayout QGroupBox QHBoxLayout QHeaderView QInputDialog QItemDelegate QKeySequenceEdit QLCDNumber
    QLabel QLayout QLayoutItem QLineEdit QListView QListWidget QListWidgetItem QMainWindow QMdiArea QMdiSubWindow QMenu
    QMenuBar QMessageBox QPlainTextEdit QPlainTextDocumentLayout QProgressBar QProgressDialog QProxyStyle QPushButton
    QRadioButton QRubberBand QScrollArea QScrollBar QScroller QSizeGrip QSizePolicy QSlider QSpacerItem QSpinBox
    QSplashScreen QSplitter QStackedLayout QStackedWidget QStatusBar QStyle QStyleFactory QStyleOption\\w* QStylePainter
    QStyledItemDelegate QSystemTrayIcon QTabBar QTabWidget QTableView QTableWidget QTableWidgetItem QTextBrowser
    QTextEdit QTimeEdit QToolBar QToolBox QToolButton QToolTip QTreeView QTreeWidget QTreeWidgetItem QUndoView
    QVBoxLayout QWhatsThis QWidget QWidgetAction QWizard QWizardPage""".split()) + ")$", re.IGNORECASE)

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PRIVATE_HEADER = re.compile(r"_(private|internal)\.h$")
SOURCE_SUFFIXES = (".h", ".hpp", ".cpp", ".cc", ".cxx")
TOP_FOLDERS = ["engine", "viewers", "app", "samples", "tests"]


def folder_of(path):
    """The folder that owns a file: its first two components, or the first one for files right below a top folder."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def includes_of(file):
    """Pairs of line number and included path, with block comments left out."""
    text = file.read_text(encoding="utf-8", errors="replace")
    text = COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    for number, line in enumerate(text.split("\n"), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == '"', found.group(2)


def resolved(root, file, is_quoted, name):
    """The include as a path from the source root when it names a file of the project, else as written."""
    if is_quoted:
        beside = os.path.normpath(file.parent / name)
        if os.path.exists(beside):
            return os.path.relpath(beside, root).replace(os.sep, "/")
    return os.path.normpath(name).replace(os.sep, "/")


def check_project_include(path, target):
    """What is wrong with a file of the project including another; None when nothing is."""
    top, folder = path.split("/")[0], folder_of(path)
    to_top, to_folder = target.split("/")[0], folder_of(target)
    if to_top == "tests" and top != "tests":
        return "only tests may include tests/"
    if to_top == "app" and top not in ("app", "tests"):
        return "only app/ and tests/ may include app/"
    if top == "tests":
        return None
    if PRIVATE_HEADER.search(target) and folder != to_folder:
        return f"{target} is private to {to_folder}"
    name, to_name = folder.split("/")[-1], to_folder.split("/")[-1]
    if top == "engine":
        if to_top != "engine":
            return f"the engine may not include {to_top}/"
        if name not in ENGINE:
            return f"engine/{name} is not a folder of the design"
        if to_name != name and to_name not in ENGINE[name]:
            return f"engine/{name} may not include engine/{to_name}"
    elif top == "viewers":
        if to_top == "samples":
            return "viewers may not include samples/"
        if to_top == "engine" and to_name not in VIEWERS_SEE:
            return "viewers may include of the engine only " + ", ".join(VIEWERS_SEE)
        if to_top == "viewers" and folder != to_folder and to_name not in SHARED_VIEWERS:
            return f"{folder} may not include {to_folder}: views meet in viewers/common, models and layout only"
    elif top == "samples":
        if to_top not in ("engine", "samples"):
            return f"samples may not include {to_top}/"
    elif top == "app":
        if folder in ("app/core", "app/cli") and to_folder == "app/gui":
            return f"{folder} may not include app/gui"
        if folder == "app/cli" and to_top == "viewers" and to_folder not in ("viewers/layout", "viewers/scene") and \
                target not in ("viewers/picture/picture_plugin.h", "viewers/report/report_plugin.h"):
            return "app/cli works with no display: of viewers/ it may include viewers/layout and viewers/scene only"
    return None


def check_library_include(path, target):
    """The same for headers that are not the project's."""
    top, folder = path.split("/")[0], folder_of(path)
    if top == "tests":
        return None
    if QT.match(target):
        if top == "engine":
            return "there is no Qt in the engine"
        if folder == "app/cli":
            return "there is no Qt in app/cli"
        if folder in ("viewers/layout", "viewers/models", "viewers/scene", "viewers/picture", "app/core") and WIDGETS.match(target):
            return f"there are no widgets in {folder}"
    return None


def check_library(path, target):
    top, folder = path.split("/")[0], folder_of(path)
    if top == "tests":
        return None
    for library, (pattern, folders) in LIBRARIES.items():
        if not re.match(pattern, target):
            continue
        if folder not in folders and top not in folders:
            return f"{library} may be used in {', '.join(folders)} only"
        if top == "engine" and path.endswith((".h", ".hpp")) and not PRIVATE_HEADER.search(path):
            return f"{library} may not show in a public header (only in .cpp, *_private.h, *_internal.h)"
    return None


def sources(root):
    for top in TOP_FOLDERS:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCE_SUFFIXES and file.is_file():
                yield file


def check(root):
    """All offences as (path, line, message)."""
    offences = []
    for file in sources(root):
        path = file.relative_to(root).as_posix()
        for line, is_quoted, name in includes_of(file):
            target = resolved(root, file, is_quoted, name)
            is_project = target.split("/")[0] in TOP_FOLDERS and "/" in target
            problems = [check_project_include(path, target) if is_project else check_library_include(path, target),
                        check_library(path, target)]
            offences += [(path, line, problem) for problem in problems if problem]
    return offences


def missing_readmes(root):
    """Folders with sources whose README.md is missing or has fewer than five lines."""
    folders = {folder_of(file.relative_to(root).as_posix()) for file in sources(root)}
    folders -= {"tests/engine", "tests/viewers", "tests/app", "engine", "viewers", "app", "tests"}
    missing = []
    for folder in sorted(folders):
        readme = root / folder / "README.md"
        lines = readme.read_text(encoding="utf-8").splitlines() if readme.exists() else []
        if sum(1 for line in lines if line.strip()) < 5:
            missing.append(folder)
    return missing


def self_test():
    """Each row is a file, its only include, and a part of the expected message (None: allowed)."""
    rows = [
        ("engine/graph/a.cpp", '"engine/graph/node.h"', None),
        ("engine/graph/b.h", '"engine/spec/soc.h"', "engine/graph may not include engine/spec"),
        ("engine/spec/a.h", '"engine/graph/node.h"', None),
        ("engine/formats/onnx/a.cpp", '"engine/npu/arena.h"', "may not include engine/npu"),
        ("engine/fusion/a.cpp", '"engine/npu/rates.h"', None),
        ("engine/fusion/b.cpp", '"engine/formats/onnx.h"', "may not include engine/formats"),
        ("engine/memory/a.cpp", '"engine/npu/arena.h"', "may not include engine/npu"),
        ("engine/schedule/a.cpp", '"engine/memory/plan.h"', None),
        ("engine/passes/prepare/a.cpp", '"engine/schedule/streams.h"', None),
        ("engine/passes/prepare/b.cpp", '"engine/session/session.h"', "may not include engine/session"),
        ("engine/report/a.cpp", '"engine/session/session.h"', None),
        ("engine/oddments/a.cpp", '"engine/graph/node.h"', "not a folder of the design"),
        ("engine/graph/c.cpp", "<QString>", "no Qt in the engine"),
        ("engine/graph/d.cpp", "<QtCore/QString>", "no Qt in the engine"),
        ("engine/graph/e.cpp", "<queue>", None),
        ("engine/graph/f.cpp", '"../spec/soc.h"', "may not include engine/spec"),
        ("engine/graph/g.cpp", '"viewers/common/palette.h"', "may not include viewers/"),
        ("engine/graph/h.cpp", "<spdlog/spdlog.h>", None),
        ("engine/graph/i.h", "<spdlog/spdlog.h>", "public header"),
        ("engine/graph/k.cpp", '"tests/support/build.h"', "only tests"),
        ("engine/ops/a.cpp", "<spdlog/spdlog.h>", "spdlog may be used in engine/graph only"),
        ("engine/ops/b.cpp", "<Eigen/Core>", None),
        ("engine/ops/c.h", "<Eigen/Core>", "public header"),
        ("engine/ops/d_internal.h", "<Eigen/Core>", None),
        ("engine/ops/e.cpp", "<oneapi/dnnl/dnnl.hpp>", None),
        ("engine/npu/a.cpp", "<dnnl.hpp>", "oneDNN may be used"),
        ("engine/npu/b.cpp", '"engine/ops/d_internal.h"', "private to engine/ops"),
        ("engine/formats/b.cpp", "<google/protobuf/message.h>", None),
        ("engine/formats/c.h", '"engine/formats/proto/ge_ir.pb.h"', "protobuf may not show"),
        ("engine/formats/d.cpp", "<onnx/onnx_pb.h>", None),
        ("engine/fusion/c.cpp", "<onnx/onnx_pb.h>", "libonnx_proto may be used"),
        ("engine/memory/b.cpp", "<nlohmann/json.hpp>", "nlohmann-json may be used"),
        ("engine/memory/c.h", "<fmt/format.h>", "fmt may not show"),
        ("viewers/memory/a.cpp", '"engine/session/session.h"', None),
        ("viewers/memory/b.cpp", '"engine/memory/planner.h"', "viewers may include of the engine only"),
        ("viewers/memory/c.cpp", '"viewers/common/palette.h"', None),
        ("viewers/memory/d.cpp", '"viewers/timeline/view.h"', "may not include viewers/timeline"),
        ("viewers/memory/e.cpp", "<QTableView>", None),
        ("viewers/memory/f.cpp", '"app/core/hub.h"', "only app/ and tests/"),
        ("viewers/models/a.cpp", "<QTableView>", "no widgets"),
        ("viewers/models/b.cpp", "<QtWidgets>", "no widgets"),
        ("viewers/models/c.cpp", "<QAbstractTableModel>", None),
        ("viewers/models/d.cpp", "<QStringView>", None),
        ("viewers/models/e.cpp", '"viewers/graph/canvas.h"', "may not include viewers/graph"),
        ("viewers/layout/a.cpp", "<graphviz/gvc.h>", None),
        ("viewers/graph/a.cpp", "<graphviz/gvc.h>", "Graphviz may be used in viewers/layout only"),
        ("app/gui/a.cpp", '"viewers/graph/canvas.h"', None),
        ("app/cli/a.cpp", '"viewers/graph/canvas.h"', "no display"),
        ("app/cli/b.cpp", "<QString>", "no Qt in app/cli"),
        ("app/core/a.cpp", "<QWidget>", "no widgets"),
        ("app/core/b.cpp", '"app/gui/window.h"', "may not include app/gui"),
        ("samples/a.cpp", '"engine/formats/onnx.h"', None),
        ("samples/c.cpp", "<onnx/onnx_pb.h>", None),
        ("samples/b.cpp", '"viewers/common/palette.h"', "samples may not include"),
        ("tests/app/a.cpp", '"app/gui/window.h"', None),
    ]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, include, _ in rows:
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// first\n/* #include <QWidget>\n*/\n#include {include}\n", encoding="utf-8")
        (root / "engine/spec/soc.h").write_text("\n", encoding="utf-8")
        (root / "engine/spec/README.md").write_text("1\n2\n3\n4\n5\n", encoding="utf-8")
        (root / "engine/npu/README.md").write_text("1\n\n\n\n\n", encoding="utf-8")
        found = {}
        for path, line, message in check(root):
            found.setdefault(path, []).append((line, message))
        for name, include, expected in rows:
            got = found.get(name, [])
            is_right = not got if expected is None else [line for line, _ in got] == [4] and expected in got[0][1]
            if not is_right:
                failures.append(f"{name} with {include}: expected {expected!r}, got {got}")
        without = missing_readmes(root)
        if "engine/spec" in without or "engine/npu" not in without or "engine/ops" not in without:
            failures.append(f"folders without a README: {without}")
    return failures


def main(arguments):
    failures = self_test()
    for failure in failures:
        print("self-test:", failure)
    if failures:
        return 1
    if arguments == ["--self-test"]:
        print("self-test passed")
        return 0
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print(__doc__)
        return 2
    root = Path(arguments[0]).resolve()
    count = sum(1 for _ in sources(root))
    if count == 0:
        print(f"{root}: no sources found")
        return 1
    for folder in missing_readmes(root):
        print(f"warning: {folder} has no README.md of five lines")
    offences = check(root)
    for path, line, message in offences:
        print(f"{path}:{line}: {message}")
    print(f"{count} files, {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
