/// Finds and decodes icons, on the worker's thread.
final class IconFinder {
  private let thumbnails = ThumbnailCache()
  private lazy var types = TypeIcons()
  private var themes: [String: IconTheme] = [:]
  /// The theme's icons found so far, shared by all files of a type.
  private var known: [IconRequest: Picture?] = [:]

  /// - Parameter order: The image of a decoding job.
  func perform(_ job: IconWorker.Job, _ order: IconWorker.DecodingOrder?) -> IconWorker.Result {
    guard Pixbuf.isAvailable else { return IconWorker.Result(job: job, picture: nil) }
    switch job {
    case .look(let request):
      let file = request.icon.file.flatMap(ThumbnailSource.init)
      if let file, let picture = thumbnails.picture(of: file, fitting: request.pixels) {
        return IconWorker.Result(job: job, picture: picture, isThumbnail: true)
      }
      let isMakeable = file.map { request.icon.symbol == .picture && thumbnails.mayMake(of: $0) } ?? false
      return IconWorker.Result(job: job, picture: themePicture(request), isMakeable: isMakeable)
    case .make(let request):
      let picture = request.icon.file.flatMap(ThumbnailSource.init)
        .flatMap { thumbnails.make(of: $0, fitting: request.pixels) }
      return IconWorker.Result(job: job, picture: picture, isThumbnail: true)
    case .decode:
      return IconWorker.Result(job: job, picture: order.flatMap { Picture(decoding: $0.image, fitting: $0.side) })
    }
  }

  private func themePicture(_ request: IconRequest) -> Picture? {
    guard let type = request.icon.type, let name = request.theme else { return nil }
    let key = IconRequest(
      icon: Scene.Icon(.document, type: type), pixels: request.pixels, scale: request.scale, theme: name)
    if let picture = known[key] { return picture }
    let theme = themes[name] ?? IconTheme(named: name)
    themes[name] = theme
    let picture = theme.file(
      for: types.names(for: type), size: request.pixels / request.scale, scale: request.scale
    )
    .flatMap { Pixbuf(file: $0, fitting: request.pixels, isScaledUp: true)?.picture }
    known[key] = picture
    return picture
  }
}
