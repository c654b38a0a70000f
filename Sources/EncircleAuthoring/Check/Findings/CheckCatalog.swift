/// The texts of `encircle check --list` and of docs/checks.md, which are in `CheckCatalog+…` by topic. Each example is a test: the
/// wrong one must have the finding, the right one must not.
enum CheckCatalog {
  /// A capture of a list, for the examples of several files.
  static let list = """
    <view class="UIWindow"><view class="UITableView" controller="CartViewController">
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UILabel"/><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 1"><view class="UILabel"/><view class="BuyButton"/></view>
      <view class="CartCell" superclasses="UITableViewCell" indexPath="0 2"><view class="UILabel"/><view class="BuyButton"/></view>
    </view></view>
    """
}
