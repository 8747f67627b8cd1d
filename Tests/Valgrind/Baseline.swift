// A program without this package, which uses what valgrind reports in Swift's runtime. `scripts/sanitize valgrind` runs it with
// swift.supp, and fails if a suppression of that file hides nothing here: each report that it hides is Swift's own.
//
//     baseline            reports of the runtime
//     baseline faulty     also leaks a retain cycle and an allocation, and branches on uninitialized memory

import Glibc

// MARK: Layouts that the runtime computes

struct Pair<First, Second> {
  var first: First
  var second: Second
}

enum Parsed<Value> {
  case value(Value)
  case definition((String) -> [Int])
}

/// A type for each depth, of a fixed layout.
struct Layer<Below> {
  var number = 0
}

@inline(never) func size<Value>(of type: Value.Type) -> Int {
  MemoryLayout<Pair<Value, Int?>>.size + MemoryLayout<Parsed<Pair<Int, Value>>>.size
}

/// The runtime has memory for the first 64 KiB of metadata; more is allocated.
@inline(never) func sizes<Value>(of type: Value.Type, depth: Int) -> Int {
  depth == 0 ? size(of: type) : size(of: type) + sizes(of: Layer<Value>.self, depth: depth - 1)
}

// MARK: Caches of the runtime

protocol Named {
  var name: String { get }
}

extension Pair: Named where First: Named {
  var name: String { first.name }
}

struct Person: Named, Hashable {
  var name: String
}

struct Failure: Error {}

func names(of values: [Any]) -> [String] { values.map { ($0 as? any Named)?.name ?? "none" } }

func count() -> Int {
  var numbers: [Person: [Int]] = [:]
  for number in 0..<100 { numbers[Person(name: "\(number % 7)"), default: []].append(number) }
  return numbers.values.reduce(0) { $0 + $1.count }
}

func attempt() throws -> Int { throw Failure() }

// MARK: Faults

final class Node {
  var next: Node?
  weak var previous: Node?
}

func leakCycle() {
  let node = Node()
  node.next = node
  node.previous = node
}

func leakAllocation() { UnsafeMutablePointer<UInt8>.allocate(capacity: 100).initialize(to: 1) }

func branchOnUninitializedMemory() -> Bool {
  let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 100)
  defer { bytes.deallocate() }
  return bytes[50] > 7 ? true : false
}

// MARK: The program

let person = Person(name: "Ada")
let values: [Any] = [1, "text", person, Pair(first: person, second: 2), [person], [1: person]]
print(sizes(of: Int.self, depth: 500), names(of: values), count(), (try? attempt()) ?? 0)
if CommandLine.arguments.dropFirst().first == "faulty" {
  leakCycle()
  leakAllocation()
  print(branchOnUninitializedMemory())
}
