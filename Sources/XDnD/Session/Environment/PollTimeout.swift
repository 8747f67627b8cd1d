extension ContinuousClock.Instant {
  /// The time until this instant as a timeout of `poll`, rounded up, because an early wakeup would only poll again; 0
  /// for the past.
  ///
  /// The longest timeout if `poll` cannot wait until the instant; the caller then asks again.
  package var pollTimeout: CInt {
    let longest = Duration.milliseconds(CInt.max)
    let (seconds, attoseconds) = min(max(.zero, self - .now), longest).components
    return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
