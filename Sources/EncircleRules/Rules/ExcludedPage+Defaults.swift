import EncircleText

extension ExcludedPage {
  /// The pages on which nothing is selected unless a rule set says otherwise: screens that the system shows, such as keyboards,
  /// share sheets, pickers of photos and pages of other processes.
  ///
  /// SDKs ignore these view controllers themselves. The list comes from Sensors Analytics for iOS 4.8. According to H31 in
  /// docs/articles.md, HubbleData's SDK also has such a built-in list.
  public static let defaults: [ExcludedPage] =
    everywhere.map { ExcludedPage($0) }
    + whenViewed.map { name in
      var page = ExcludedPage(name)
      page.scope = .pageViews
      return page
    }

  private static let everywhere: [UTF8String] = [
    "AVFullScreenPlaybackControlsViewController", "AVFullScreenViewController", "AVPlayerViewController",
    "CAMImagePickerCameraViewController", "CAMPreviewViewController", "CAMViewfinderViewController",
    "CKSMSComposeController", "CKSMSComposeRemoteViewController", "DDParsecCollectionViewController",
    "DDParsecLoadingViewController", "DDParsecNoDataViewController", "DDParsecRemoteCollectionViewController",
    "DDSafariViewController", "PLPhotoTileViewController", "PLUICameraViewController",
    "PLUIPrivacyViewController", "PUPhotoPickerHostViewController", "PUUIAlbumListViewController",
    "PUUIMomentsGridViewController", "PUUIPhotosAlbumViewController", "SAAlertController",
    "SFAirDropActivityViewController", "SFAppAutoFillPasswordViewController",
    "_SFAppPasswordSavingViewController", "SFBrowserRemoteViewController", "SFPasswordRemoteViewController",
    "SFSafariViewController", "SLComposeViewController", "SLRemoteComposeViewController",
    "UIActivityContentViewController", "_UIActivityGroupListViewController", "UIActivityGroupViewController",
    "_UIActivityUserDefaultsViewController", "UIActivityViewController",
    "_UIActivityViewControllerContentController", "_UIAlertControllerTextFieldViewController",
    "_UIAlertShimPresentingViewController", "UIApplicationRotationFollowingControllerNoTouches",
    "UICompatibilityInputViewController", "UIDocumentMenuViewController",
    "_UIDocumentPickerRemoteViewController", "UIEditUserWordController",
    "_UIFallbackPresentationViewController", "UIImagePickerController", "UIInputWindowController",
    "UIKeyboardCandidateGridCollectionViewController", "UIKeyboardCandidateRowViewController",
    "UIKeyboardHiddenViewController", "_UILongDefinitionViewController", "_UINoDefinitionViewController",
    "UIReferenceLibraryViewController", "_UIRemoteDictionaryViewController", "_UIRemoteInputViewController",
    "_UIRemoteViewController", "_UIResilientRemoteViewContainerViewController",
    "_UIShareExtensionRemoteViewController", "UISnapshotModalViewController", "UISystemKeyboardDockController",
    "_UIUserDefaultsActivityNavigationController", "_UIWaitingForRemoteViewContainerViewController",
    "UIWebRotatingAlertController", "WKActionSheet",
  ]

  // Containers that are not pages themselves, and pages on which people tap elements although viewing the page is not an event. SDKs
  // also drop taps in navigation and split view controllers. But views that belong to these controllers, such as toolbars, have no
  // other page, and SDKs do send selections of cells there.
  private static let whenViewed: [UTF8String] = [
    "SFAirDropViewController", "UIAlertController", "UIApplicationRotationFollowingController",
    "UICandidateViewController", "_UIContextMenuActionsOnlyViewController", "_UICursorAccessoryViewController",
    "UIDocumentBrowserViewController", "UIDocumentPickerViewController", "UINavigationController",
    "UIPredictionViewController", "UISplitViewController", "UISystemInputAssistantViewController",
    "UITabBarController",
  ]

  /// The names of the events that report that a page is viewed or left.
  package static let pageViewEvents: [UTF8String] = ["$AppViewScreen", "$AppPageLeave", "da_screen"]
}
