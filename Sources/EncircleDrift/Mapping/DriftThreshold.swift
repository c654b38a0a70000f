/// The minimum confidences for counting an element as found again, calibrated on screens of public apps.
public enum DriftThreshold {
  /// For lists that a person reads: most elements are found, and a few wrong ones are among them.
  public static let usual = 0.45
  /// For changes that are made without review.
  public static let strict = 0.8
}
