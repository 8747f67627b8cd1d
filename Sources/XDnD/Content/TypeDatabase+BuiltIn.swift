extension TypeDatabase {
  /// Common types, for systems without the shared MIME-info database.
  public static let builtIn = TypeDatabase(reading: { [builtInDirectory] })

  /// The same types, in the form of the database's files.
  static let builtInDirectory: Directory = {
    var directory = Directory()
    for row in builtInRows {
      let fields = row.split(separator: "|", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
      guard fields.count == 4, let type = fields[0].first else { continue }
      for glob in fields[1] { directory.globs2 += Array("50:\(type):\(glob)\n".utf8) }
      for parent in fields[2] { directory.subclasses += Array("\(type) \(parent)\n".utf8) }
      for alias in fields[3] { directory.aliases += Array("\(alias) \(type)\n".utf8) }
    }
    return directory
  }()

  /// The type, its globs with the usual one first, its supertypes, and its aliases.
  private static let builtInRows = [
    // Text. All of it implicitly conforms to text/plain.
    "text/plain|*.txt *.asc||",
    "text/html|*.html *.htm||",
    "text/css|*.css||",
    "text/csv|*.csv||text/x-csv text/x-comma-separated-values",
    "text/markdown|*.md *.markdown||text/x-markdown",
    "text/calendar|*.ics||application/ics text/x-vcalendar",
    "text/vcard|*.vcf||text/directory text/x-vcard",
    "text/x-log|*.log||",
    "text/x-patch|*.patch *.diff||text/x-diff",
    "text/x-tex|*.tex||application/x-tex",
    "text/x-csrc|*.c||text/x-c",
    "text/x-chdr|*.h|text/x-csrc|",
    "text/x-c++src|*.cpp *.cc *.cxx|text/x-csrc|",
    "text/x-c++hdr|*.hpp|text/x-chdr|",
    "text/x-python|*.py||",
    "text/x-java|*.java|text/x-csrc|",
    "text/x-go|*.go||",
    "text/rust|*.rs||",
    "text/x-makefile|makefile||",
    "application/x-shellscript|*.sh|text/plain|text/x-sh",
    "application/javascript|*.js|text/plain|text/javascript application/x-javascript",
    "application/json|*.json|application/javascript|",
    "application/xml|*.xml|text/plain|text/xml",
    "application/xhtml+xml|*.xhtml|application/xml|",
    "application/x-yaml|*.yaml *.yml|text/plain|text/yaml text/x-yaml",
    "application/toml|*.toml|text/plain|",
    "application/x-desktop|*.desktop|text/plain|",
    "application/rtf|*.rtf|text/plain|text/rtf",
    "message/rfc822|*.eml|text/plain|",

    // Images.
    "image/png|*.png||",
    "image/jpeg|*.jpg *.jpeg *.jpe||image/jpg image/pjpeg",
    "image/gif|*.gif||",
    "image/webp|*.webp||",
    "image/tiff|*.tiff *.tif||",
    "image/bmp|*.bmp||image/x-bmp image/x-MS-bmp",
    "image/avif|*.avif||",
    "image/heif|*.heif *.heic||image/heic",
    "image/vnd.microsoft.icon|*.ico||image/ico image/icon image/x-icon image/x-ico",
    "image/svg+xml|*.svg|application/xml|image/svg",

    // Audio and video.
    "audio/mpeg|*.mp3||audio/mp3 audio/x-mp3 audio/x-mpeg",
    "audio/flac|*.flac||audio/x-flac",
    "audio/ogg|*.ogg *.oga *.opus|application/ogg|audio/x-ogg",
    "audio/x-wav|*.wav||audio/wav audio/vnd.wave",
    "audio/mp4|*.m4a||audio/m4a audio/x-m4a",
    "audio/aac|*.aac||audio/x-aac",
    "audio/midi|*.mid||audio/x-midi",
    "video/mp4|*.mp4 *.m4v||video/x-m4v",
    "video/webm|*.webm||",
    "video/x-matroska|*.mkv||",
    "video/mpeg|*.mpeg *.mpg||video/x-mpeg",
    "video/quicktime|*.mov||",
    "video/x-msvideo|*.avi||video/avi video/x-avi video/msvideo",
    "video/ogg|*.ogv|application/ogg|video/x-ogg",

    // Documents.
    "application/pdf|*.pdf||application/x-pdf application/acrobat",
    "application/postscript|*.ps|text/plain|",
    "application/epub+zip|*.epub|application/zip|",
    "application/msword|*.doc||application/vnd.ms-word application/x-msword",
    "application/vnd.ms-excel|*.xls||application/msexcel application/x-msexcel",
    "application/vnd.ms-powerpoint|*.ppt||application/powerpoint application/mspowerpoint",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document|*.docx|application/zip|",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|*.xlsx|application/zip|",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation|*.pptx|application/zip|",
    "application/vnd.oasis.opendocument.text|*.odt|application/zip|",
    "application/vnd.oasis.opendocument.spreadsheet|*.ods|application/zip|",
    "application/vnd.oasis.opendocument.presentation|*.odp|application/zip|",

    // Archives, packages and fonts.
    "application/zip|*.zip||application/x-zip application/x-zip-compressed",
    "application/x-tar|*.tar||application/x-gtar",
    "application/gzip|*.gz||application/x-gzip",
    "application/x-compressed-tar|*.tar.gz *.tgz|application/gzip|",
    "application/x-bzip|*.bz2||application/bzip2 application/x-bzip2",
    "application/x-bzip-compressed-tar|*.tar.bz2|application/x-bzip|",
    "application/x-xz|*.xz||",
    "application/x-xz-compressed-tar|*.tar.xz|application/x-xz|",
    "application/zstd|*.zst||",
    "application/x-zstd-compressed-tar|*.tar.zst|application/zstd|",
    "application/x-7z-compressed|*.7z||",
    "application/vnd.rar|*.rar||application/x-rar application/x-rar-compressed",
    "application/x-java-archive|*.jar|application/zip|application/java-archive application/x-jar",
    "application/vnd.debian.binary-package|*.deb||application/x-deb application/x-debian-package",
    "application/x-rpm|*.rpm||application/x-redhat-package-manager",
    "font/ttf|*.ttf||application/x-font-ttf",
    "font/otf|*.otf|font/ttf|application/x-font-otf",
    "font/woff|*.woff||application/font-woff",
    "font/woff2|*.woff2||",
  ]
}
