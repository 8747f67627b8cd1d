import XDnD

/// Pastes the clipboard as text at a click, and copies three items, which other programs paste as text.
func pasteAsText(_ clipboard: Clipboard, in host: HostWindow, copying text: StyledText, _ file: String, _ link: Link) {
  host.onClick = { clipboard.load(String.self) { result in show("pasted: \((try? result.get()) ?? "nothing")") } }
  host.onSecondaryClick = { try clipboard.write([DragItem(text), DragItem(files: [file]), DragItem(link)]) }
}
