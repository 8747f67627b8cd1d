#!/usr/bin/python3
"""Copies or pastes with Qt 5; see clipboard.py for what it prints. A copy stays until the program is ended."""

import os
import signal
import sys

from PyQt5.QtCore import QByteArray, QMimeData, QTimer, QUrl
from PyQt5.QtGui import QClipboard
from PyQt5.QtWidgets import QApplication

import clipboard
import peer


def copy(arguments, board, mode):
    data = QMimeData()
    if arguments.text is not None:
        data.setText(arguments.text)
    elif arguments.uris:
        data.setUrls([QUrl.fromLocalFile(os.path.abspath(path)) for path in arguments.uris])
    else:
        type_name, content = clipboard.typed_content(arguments)
        data.setData(type_name, QByteArray(content))
    board.setMimeData(data, mode)
    board.changed.connect(lambda changed: changed != mode or owns(board, mode) or peer.emit("lost"))
    peer.emit("copied")


def owns(board, mode):
    return board.ownsSelection() if mode == QClipboard.Selection else board.ownsClipboard()


def paste(arguments, board, mode):
    data = board.mimeData(mode)
    types = data.formats()
    if arguments.type:
        content = bytes(data.data(arguments.type)) if data.hasFormat(arguments.type) else None
    else:
        content = data.text().encode() if data.hasText() else None
    clipboard.report(types, arguments.type or "text/plain;charset=utf-8", content)
    QApplication.exit(0)


def main():
    arguments = clipboard.parse_arguments()
    application = QApplication(sys.argv[:1])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    mode = QClipboard.Selection if arguments.primary else QClipboard.Clipboard
    action = paste if arguments.mode == "paste" else copy
    QTimer.singleShot(0, lambda: action(arguments, application.clipboard(), mode))
    code = application.exec_()
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
