import XDnD

/// Takes pictures from a file manager, a browser or a drawing program, and shows while a drag has one.
func takePictures(_ dnd: DragAndDrop, in window: WindowID) {
  dnd.dropDestination(
    for: EncodedImage.self, in: window,
    action: { images, _ in images.allSatisfy { show("\($0.type) \($0.bytes.count)") } },
    isTargeted: { show($0 ? "a picture" : "no picture") })
}
