/// The confidences from which on an element counts as found again, fixed on screens of public apps.
public enum DriftThreshold {
  /// For lists that a person reads: most elements are found, and a few wrong ones are among them.
  public static let usual = 0.45
  /// For changes that nobody reviews before they are made.
  public static let strict = 0.8
}
