import XDnD

extension Configuration {
  /// How long a task may take to run at all: the tests that compute share its few threads, and run first.
  static let patience = Duration.seconds(240)

  /// For a machine that is busy with other tests: no transfer ends because a program had no turn for a while.
  static var patient: Configuration {
    var configuration = Configuration()
    configuration.finishTimeout = patience
    configuration.promiseTimeout = patience
    configuration.limits.transferTimeout = patience
    return configuration
  }
}
