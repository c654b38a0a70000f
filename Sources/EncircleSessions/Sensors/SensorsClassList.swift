import EncircleText

/// The system classes that sa-sdk-ios excludes: public classes with their subclasses, private classes by their exact name.
struct SensorsClassList {
  /// Classes that are excluded with their subclasses.
  let kinds: [String]
  /// Classes that are excluded without their subclasses.
  let names: Set<UTF8String>

  private init(kinds: [String], names: [String]) {
    self.kinds = kinds
    self.names = Set(names.map { UTF8String($0) })
  }

  /// The view controllers that are not pages.
  static let pages = SensorsClassList(kinds: commonKinds + pageKinds, names: commonNames + pageNames)
  /// The view controllers whose clicks on controls and gestures are excluded.
  static let clicks = SensorsClassList(kinds: commonKinds, names: commonNames)
  /// The views whose gestures are excluded.
  static let gestureViews = SensorsClassList(kinds: gestureKinds, names: gestureNames)

  /// The public classes in both lists of controllers.
  private static let commonKinds: [String] = [
    "UINavigationController", "SAAlertController", "SFSafariViewController", "AVPlayerViewController",
    "UIReferenceLibraryViewController", "UIImagePickerController", "UIDocumentMenuViewController",
    "UIActivityViewController", "SLComposeViewController", "UISplitViewController",
  ]
  /// The public classes in the list of pages only.
  private static let pageKinds: [String] = [
    "UIAlertController", "UITabBarController", "UIDocumentPickerViewController", "UIDocumentBrowserViewController",
  ]
  /// The public classes in the list of views.
  private static let gestureKinds: [String] = [
    "UIPageControl", "UITextField", "UITextView", "UITabBar", "UICollectionView", "UISearchBar",
  ]
  /// The private classes in the list of views.
  private static let gestureNames: [String] = [
    "_UIContextMenuContainerView", "_UIPreviewPlatterView", "UISwitchModernVisualElement", "WKContentView",
    "UIWebBrowserView",
  ]
  /// The private classes in both lists of controllers.
  private static let commonNames: [String] = [
    "SFBrowserRemoteViewController", "UIInputWindowController", "UIKeyboardCandidateGridCollectionViewController",
    "UICompatibilityInputViewController", "UIApplicationRotationFollowingControllerNoTouches",
    "UIActivityGroupViewController", "UIKeyboardCandidateRowViewController", "UIKeyboardHiddenViewController",
    "_UIAlertControllerTextFieldViewController", "_UILongDefinitionViewController",
    "_UIResilientRemoteViewContainerViewController", "_UIShareExtensionRemoteViewController",
    "_UIRemoteDictionaryViewController", "UISystemKeyboardDockController", "_UINoDefinitionViewController",
    "_UIActivityGroupListViewController", "_UIRemoteViewController", "_UIFallbackPresentationViewController",
    "_UIDocumentPickerRemoteViewController", "_UIAlertShimPresentingViewController",
    "_UIWaitingForRemoteViewContainerViewController", "_UIActivityUserDefaultsViewController",
    "_UIActivityViewControllerContentController", "_UIRemoteInputViewController",
    "_UIUserDefaultsActivityNavigationController", "_SFAppPasswordSavingViewController",
    "UISnapshotModalViewController", "WKActionSheet", "DDSafariViewController", "SFAirDropActivityViewController",
    "CKSMSComposeController", "DDParsecLoadingViewController", "PLUIPrivacyViewController",
    "PLUICameraViewController", "SLRemoteComposeViewController", "CAMViewfinderViewController",
    "DDParsecNoDataViewController", "CAMPreviewViewController", "DDParsecCollectionViewController",
    "DDParsecRemoteCollectionViewController", "AVFullScreenPlaybackControlsViewController",
    "PLPhotoTileViewController", "AVFullScreenViewController", "CAMImagePickerCameraViewController",
    "CKSMSComposeRemoteViewController", "PUPhotoPickerHostViewController", "PUUIAlbumListViewController",
    "PUUIPhotosAlbumViewController", "SFAppAutoFillPasswordViewController", "PUUIMomentsGridViewController",
    "SFPasswordRemoteViewController", "UIWebRotatingAlertController", "UIEditUserWordController",
    "UIActivityContentViewController",
  ]
  /// The private classes in the list of pages only.
  private static let pageNames: [String] = [
    "UIApplicationRotationFollowingController", "_UIContextMenuActionsOnlyViewController",
    "UIPredictionViewController", "UISystemInputAssistantViewController", "UICandidateViewController",
    "SFAirDropViewController", "_UICursorAccessoryViewController",
  ]
}
