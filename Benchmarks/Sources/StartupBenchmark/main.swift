import Glibc

/// Measures the time until a tool has a window, and the first row in it, in comparison with a GTK 3 program with one
/// row.
///
/// `startup-benchmark DIRECTORY TOOL [ARGUMENT…]`, where DIRECTORY contains the programs to compare with. All run in
/// turn in one run, so that other load affects all of them. The significant figures are the ratios.

let rounds = 30
let arguments = CommandLine.arguments.dropFirst()
guard let directory = arguments.first, arguments.count > 1 else {
  print("startup-benchmark DIRECTORY TOOL [ARGUMENT…]")
  exit(64)
}
let candidates: [(name: String, command: [String], hasPicture: Bool)] = [
  ("an empty window in Swift", ["\(directory)/bare-window"], false),
  ("one row in GTK 3", ["\(directory)/gtk-row"], true),
  ("the tool", Array(arguments.dropFirst()), true),
]
var times = [[Watcher.Times]](repeating: [], count: candidates.count)
let watcher = Watcher()
// The first round only fills the caches.
for round in 0...rounds {
  for (index, candidate) in candidates.enumerated() {
    guard let time = watcher.measure(candidate.command, waitsForPicture: candidate.hasPicture) else {
      print("\(candidate.name) shows no window, or nothing in it")
      exit(1)
    }
    if round > 0 { times[index].append(time) }
  }
}

/// The lower quartile, because other load only adds to a time.
func typical(_ durations: [Duration]) -> Double { durations.sorted()[durations.count / 4] / .milliseconds(1) }
func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

let reference = typical(times[1].map(\.mapped))
print("| | mapped, ms | to GTK's map | painted, ms | to GTK's map |\n| --- | ---: | ---: | ---: | ---: |")
for (index, candidate) in candidates.enumerated() {
  let mapped = typical(times[index].map(\.mapped))
  let painted = typical(times[index].map(\.painted))
  print(
    "| \(candidate.name) | \(tenths(mapped)) | \(hundredths(mapped / reference)) | "
      + (candidate.hasPicture ? "\(tenths(painted)) | \(hundredths(painted / reference)) |" : "| |"))
}
