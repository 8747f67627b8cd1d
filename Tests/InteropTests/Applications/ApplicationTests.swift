import TestSupport
import Testing

/// The tools and the programs that people use, with the real pointer under a real window manager.
///
/// The programs are large: `scripts/applications` installs them and runs this, and `scripts/test` leaves it out. What
/// is in Debian's toolkits themselves is in `ToolkitInteropTests` and `FilesAndTextTests`.
@Suite("Drags between the tools and applications", .serialized, .requiresXvfb, .requiresOpenbox)
enum ApplicationTests {
}
