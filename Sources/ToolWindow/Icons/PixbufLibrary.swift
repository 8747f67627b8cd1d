internal import CPangoCairo
internal import Glibc

/// The functions of gdk-pixbuf that we call, loaded when the first icon is looked for: linked, it and what it brings along
/// would cost more than two milliseconds before the window is there.
///
/// Unchecked because C function pointers are not marked as `Sendable`; they are constants.
struct PixbufLibrary: @unchecked Sendable {
  typealias Errors = UnsafeMutablePointer<OpaquePointer?>
  typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  typealias GetNumber = @convention(c) (OpaquePointer) -> Int32
  typealias GetFileInfo =
    @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> OpaquePointer?
  typealias NewFromFileAtScale = @convention(c) (UnsafePointer<CChar>, Int32, Int32, Int32, Errors) -> OpaquePointer?
  typealias NewFromFile = @convention(c) (UnsafePointer<CChar>, Errors) -> OpaquePointer?
  typealias ApplyOrientation = @convention(c) (OpaquePointer) -> OpaquePointer?
  typealias Scale = @convention(c) (OpaquePointer, Int32, Int32, UInt32) -> OpaquePointer?
  typealias GetOption = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> UnsafePointer<CChar>?
  typealias Save =
    @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>, Strings, Strings, Errors) -> Int32
  typealias New = @convention(c) (UInt32, Int32, Int32, Int32, Int32) -> OpaquePointer?
  typealias GetPixels = @convention(c) (OpaquePointer) -> UnsafePointer<UInt8>?

  let getFileInfo: GetFileInfo
  let newFromFileAtScale: NewFromFileAtScale
  let newFromFile: NewFromFile
  let applyOrientation: ApplyOrientation
  let scale: Scale
  let getOption: GetOption
  let save: Save
  let new: New
  let getPixels: GetPixels
  let getWidth: GetNumber
  let getHeight: GetNumber
  let getRowstride: GetNumber
  let getChannels: GetNumber
  let getBits: GetNumber

  /// `nil` where there is none; then there are no thumbnails, and none of the theme's icons.
  static let shared = PixbufLibrary()

  private init?() {
    guard let library = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func load<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, "gdk_pixbuf_" + name).map { unsafeBitCast($0, to: type) }
    }
    guard let getFileInfo = load("get_file_info", as: GetFileInfo.self),
      let newFromFileAtScale = load("new_from_file_at_scale", as: NewFromFileAtScale.self),
      let newFromFile = load("new_from_file", as: NewFromFile.self),
      let applyOrientation = load("apply_embedded_orientation", as: ApplyOrientation.self),
      let scale = load("scale_simple", as: Scale.self), let getOption = load("get_option", as: GetOption.self),
      let save = load("savev", as: Save.self), let new = load("new", as: New.self),
      let getPixels = load("get_pixels", as: GetPixels.self), let getWidth = load("get_width", as: GetNumber.self),
      let getHeight = load("get_height", as: GetNumber.self),
      let getRowstride = load("get_rowstride", as: GetNumber.self),
      let getChannels = load("get_n_channels", as: GetNumber.self),
      let getBits = load("get_bits_per_sample", as: GetNumber.self)
    else { return nil }
    self.getFileInfo = getFileInfo
    self.newFromFileAtScale = newFromFileAtScale
    self.newFromFile = newFromFile
    self.applyOrientation = applyOrientation
    self.scale = scale
    self.getOption = getOption
    self.save = save
    self.new = new
    self.getPixels = getPixels
    self.getWidth = getWidth
    self.getHeight = getHeight
    self.getRowstride = getRowstride
    self.getChannels = getChannels
    self.getBits = getBits
  }
}
