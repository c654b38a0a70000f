import EncircleText

/// The classes of the system that sa-sdk-ios leaves out: public ones with their subclasses, private ones by their exact name.
struct SensorsClassList {
  /// Classes that are left out with their subclasses.
  let kinds: [String]
  /// Classes that are left out themselves.
  let names: Set<UTF8String>

  private init(kinds: [String], names: [String]) {
    self.kinds = kinds
    self.names = Set(names.map { UTF8String($0) })
  }

  /// The view controllers that are no pages.
  static let pages = SensorsClassList(kinds: commonKinds + pageKinds, names: commonNames + pageNames)
  /// The view controllers in which clicks on controls and gestures are left out.
  static let clicks = SensorsClassList(kinds: commonKinds, names: commonNames)
  /// The views whose gestures are left out.
  static let gestureViews = SensorsClassList(kinds: gestureKinds, names: gestureNames)

  /// Of both lists of controllers.
  private static let commonKinds: [String] = [
    "UINavigationController", "SAAlertController", "SFSafariViewController", "AVPlayerViewController",
    "UIReferenceLibraryViewController", "UIImagePickerController", "UIDocumentMenuViewController",
    "UIActivityViewController", "SLComposeViewController", "UISplitViewController",
  ]
  /// Of the list of pages only.
  private static let pageKinds: [String] = [
    "UIAlertController", "UITabBarController", "UIDocumentPickerViewController", "UIDocumentBrowserViewController",
  ]
  /// Of the list of views.
  private static let gestureKinds: [String] = [
    "UIPageControl", "UITextField", "UITextView", "UITabBar", "UICollectionView", "UISearchBar",
  ]
  /// Of the list of views.
  private static let gestureNames: [String] = [
    "_UIContextMenuContainerView", "_UIPreviewPlatterView", "UISwitchModernVisualElement", "WKContentView",
    "UIWebBrowserView",
  ]
  /// Of both lists of controllers.
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
  /// Of the list of pages only.
  private static let pageNames: [String] = [
    "UIApplicationRotationFollowingController", "_UIContextMenuActionsOnlyViewController",
    "UIPredictionViewController", "UISystemInputAssistantViewController", "UICandidateViewController",
    "SFAirDropViewController", "_UICursorAccessoryViewController",
  ]
}
