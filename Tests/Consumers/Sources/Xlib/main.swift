// A program that uses the package's module of Xlib.
import XDnD
import XDnDX11

let display: OpaquePointer? = XOpenDisplay(nil)
let dragAndDrop = try display.map { try DragAndDrop(borrowing: $0) }
try dragAndDrop?.process()
print("Xlib \(XlibSpecificationRelease)")
