import EncircleText

extension ExcludedPage {
  /// The pages on which nothing is selected unless a rule set says otherwise: screens that the system shows, such as keyboards,
  /// share sheets, pickers of photos and pages of other processes.
  ///
  /// SDKs ignore these view controllers by themselves. The list is that of Sensors Analytics for iOS 4.8, of which NetEase
  /// HubbleData names the first two (H31 in docs/articles.md).
  public static let defaults: [ExcludedPage] =
    everywhere.map { ExcludedPage($0) }
    + whenViewed.map { name in
      var page = ExcludedPage(name)
      page.occasion = .pageViews
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

  // Containers that are no page of their own, and pages that people tap on although viewing them counts for nothing. An SDK
  // drops taps in navigation and split view controllers, too; but there is no page beneath for all that lies in their own
  // views, such as tool bars, and SDKs do send selections of cells there.
  private static let whenViewed: [UTF8String] = [
    "SFAirDropViewController", "UIAlertController", "UIApplicationRotationFollowingController",
    "UICandidateViewController", "_UIContextMenuActionsOnlyViewController", "_UICursorAccessoryViewController",
    "UIDocumentBrowserViewController", "UIDocumentPickerViewController", "UINavigationController",
    "UIPredictionViewController", "UISplitViewController", "UISystemInputAssistantViewController",
    "UITabBarController",
  ]

  /// The names that events of page views and of leaving a page have.
  package static let pageViewEvents: [UTF8String] = ["$AppViewScreen", "$AppPageLeave", "da_screen"]
}
