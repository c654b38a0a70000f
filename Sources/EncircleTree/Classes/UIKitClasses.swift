extension ClassHierarchy {
  /// UIKit and the view classes that commonly stand on iOS screens.
  ///
  /// One class per line, indented by two spaces more than its superclass; a class occurs once. "# uncertain" after a name: the
  /// superclass is a guess, the ancestors above it are certain. Where releases differ (a private class that changed its
  /// superclass), the newest known superclass is given.
  static let uiKit: StaticString = #"""
    UIResponder

      # Views
      UIView

        # Windows
        UIWindow
          UIApplicationRotationFollowingWindow
            UIAutoRotatingWindow
              UITextEffectsWindow
                UIRemoteKeyboardWindow
          UIStatusBarWindow
          RCTRedBoxWindow

        # Controls
        UIControl
          UIButton
            UINavigationButton
            UICalloutBarButton
            UIKeyboardDockItemButton
            UISwipeActionButton
              UISwipeActionStandardButton
            _UIModernBarButton
            _UIStepperButton
            _UITableViewCellActionButton
            _UITextFieldClearButton  # uncertain
            INUIAddVoiceShortcutButton
            PKAddPassButton
            PKPaymentButton
          UIColorWell
          UIDatePicker
            RCTDatePicker
          UIMovieScrubber
          UIPageControl
          UIPasteControl
          UIRefreshControl
            RCTRefreshControl
          UISegmentedControl
            RCTSegmentedControl
          UISlider
            MPVolumeSlider
            RCTSlider
          UIStepper
          UISwitch
            RCTSwitch
          UITabBarButton
          UITableViewCellEditControl
          UITableViewCellReorderControl
          UITableViewIndex
          UITextField
            UISearchTextField
              UISearchBarTextField
            _UIAlertControllerTextField
            RCTUITextField
            WXTextInputView
            SwiftUI.UIKitTextField  # uncertain
          UIToolbarButton
            UIToolbarTextButton
          _UIButtonBarButton
          _UICollectionViewListCellReorderControl  # uncertain
          _UIGrabber  # uncertain
          _UINavigationBarTitleControl
          _UITabButton  # uncertain
          ASAuthorizationAppleIDButton
          BCChatButton
          CLLocationButton
          PKIdentityButton
          RNGestureHandlerButton

        # Scroll views, lists and text
        UIScrollView
          UICollectionView
            PUCollectionView  # uncertain
            SwiftUI.UpdateCoalescingCollectionView  # uncertain
          UIFieldEditor
            _UISearchBarFieldEditor
          UITableView
            UIPickerTableView
            SwiftUI.UpdateCoalescingTableView  # uncertain
            WXTableView
          UITableViewCellScrollView
          UITableViewWrapperView
          UITextView
            RCTUITextView
          UIWebScrollView
            _UIWebViewScrollView
          WKBaseScrollView
            WKChildScrollView
            WKScrollView
          _UIAlertControllerShadowedScrollView
            _UIInterfaceActionGroupHeaderScrollView
          _UIInterfaceActionRepresentationsSequenceView
          _UIQueuingScrollView
          FlutterSemanticsScrollView
          LynxScrollView
          PKCanvasView
          RCTCustomScrollView
          RCTEnhancedScrollView
          SwiftUI.HostingScrollView  # uncertain

        # Cells and other list parts
        UICollectionReusableView
          UICollectionViewCell
            UIActivityGroupActivityCell
            UICollectionViewListCell
              SwiftUI.ListCollectionViewCell  # uncertain
            _UIAlertControllerCollectionViewCell
            _UIAlertControllerTextFieldViewCollectionCell
            _UIContextMenuCell
            PUPhotosGridCell
          _UICollectionViewListLayoutSectionBackgroundColorDecorationView  # uncertain
          _UICollectionViewListSeparatorView  # uncertain
          _UIContextMenuSubmenuTitleView
        UICollectionViewControllerWrapperView
        UIListContentView
        UITableViewCell
          UIPickerTableViewCell
            UIPickerTableViewTitledCell
            UIPickerTableViewWrapperCell
        UITableViewCellContentView
        UITableViewCellDeleteConfirmationView
        UITableViewHeaderFooterView
        UISwipeActionPullView
        _UICollectionViewListCellContentView  # uncertain
        _UIScrollViewScrollIndicator
        _UISystemBackgroundView
        _UITableViewCellSeparatorView
        _UITableViewHeaderFooterContentView
        _UITableViewHeaderFooterViewBackground

        # Labels
        UILabel
          UIButtonLabel
          UISegmentLabel
          UITabBarButtonLabel
          UITableViewLabel
          UITextFieldLabel
            UISearchBarTextFieldLabel
          _UITableViewHeaderFooterViewLabel

        # Images
        UIImageView
          UISegment
          UITabBarSwappableImageView
          _UIBarBackgroundImageView
            UISearchBarBackground
            _UINavigationBarBackground
          _UINavigationBarBackIndicatorView  # uncertain
          _UIShadowView  # uncertain
            _UIRoundedRectShadowView
          _UIVisualEffectImageView
            _UIBarBackgroundShadowContentImageView
          FLAnimatedImageView
          RCTUIImageViewAnimated
          SDAnimatedImageView
            FFFastImageView
          WXImageView  # uncertain

        # Other public views of UIKit
        UIActionSheet
        UIActivityIndicatorView
          RCTActivityIndicatorView
        UIAlertView
        UICalendarView
        UIContentUnavailableView
        UIEventAttributionView
        UIInputView
        UINavigationBar
        UIPickerView
          _UIDatePickerView
          RCTPicker
        UIPopoverBackgroundView
          _UIPopoverStandardChromeView
        UIProgressView
        UISearchBar
        UIStackView
          _UIButtonBarStackView
        UIStandardTextCursorView
        UITabBar
        UIToolbar
        UIVisualEffectView
          UIKBBackdropView
        UIWebView

        # Containers of view controllers and of presentations
        UIDimmingView
        UIDropShadowView
        UILayoutContainerView
        UINavigationTransitionView
        UIPanelBorderView  # uncertain
        UISnapshotView
        UISplitViewControllerPanelImplView  # uncertain
        UITransitionView
        UIViewControllerWrapperView
        _UICutoutShadowView  # uncertain
        _UILayerHostView
          _UIRemoteView
            WKUIRemoteView
        _UINavigationControllerPalette
          _UINavigationControllerManagedSearchPalette
        _UIPageViewControllerContentView
        _UIPortalView
        _UIReplicantView
        _UISearchControllerView
        _UISizeTrackingView

        # Bars
        UINavigationItemView
          UINavigationItemButtonView
        _UIBackButtonContainerView
        _UIBadgeView
        _UIBarBackground
        _UIBarBackgroundShadowView
        _UIBarContentView
          _UINavigationBarContentView
          _UIToolbarContentView
        _UINavigationBarLargeTitleView
        _UINavigationBarModernPromptView
        _UINavigationBarTitleView
        _UISearchBarContainerView
        _UISearchBarScopeContainerView  # uncertain
        _UISearchBarSearchContainerView
        _UISearchBarSearchFieldBackgroundView  # uncertain
        _UITAMICAdaptorView
        _UITabBarBackgroundView  # uncertain
        UIScrollsToTopInitiatorView
          UIStatusBar_Base
            UIStatusBar
            UIStatusBar_Modern
        UIStatusBarBackgroundView
        UIStatusBarForegroundView
        UIStatusBarItemView
          UIStatusBarBatteryItemView
          UIStatusBarDataNetworkItemView
          UIStatusBarServiceItemView
          UIStatusBarSignalStrengthItemView
          UIStatusBarTimeItemView
        _UIStatusBar
        _UIStatusBarForegroundView

        # Alerts and action sheets
        UIInterfaceActionGroupView
        UIInterfaceActionRepresentationView
          _UIInterfaceActionCustomViewRepresentationView
          _UIInterfaceActionSystemRepresentationView
        _UIAlertControllerActionView
        _UIAlertControllerTextFieldView
        _UIAlertControllerView
          _UIAlertControllerPhoneTVMacView
        _UIAlertControlleriOSActionSheetCancelBackgroundView
        _UIDimmingKnockoutBackdropView
        _UIInterfaceActionBlankSeparatorView
        _UIInterfaceActionItemSeparatorView_iOS
        _UIInterfaceActionSeparatableSequenceView
        _UIInterfaceActionVibrantSeparatorView

        # Context menus
        _UIContextMenuCellContentView
          _UIContextMenuLoadingCellContentView
        _UIContextMenuContainerView  # uncertain
        _UIContextMenuListView
        _UIContextMenuView  # uncertain
        _UIPlatterView  # uncertain
        _UIPointerInteractionAssistantEffectContainerView  # uncertain

        # Parts of controls
        UIDatePickerContentView
        UIPickerColumnView
        UISwitchVisualElement
          UISwitchModernVisualElement
        UITextFieldBackgroundView  # uncertain
        UITextFieldBorderView
        UIKit._UISliderGlassVisualElement  # uncertain
        _UILegibilityLabel  # uncertain
        _UILiquidLensView  # uncertain
        _UIPageControlContentView
        _UIPageControlIndicatorContentView
        _UIPageIndicatorView
        _UIRefreshControlContentView
          _UIRefreshControlModernContentView
        _UISlideriOSVisualElement  # uncertain
        _UISwitchInternalViewNeueStyle1
        _UITextFieldRoundedRectBackgroundViewNeue

        # Text
        UIAutocorrectInlinePrompt
        UICalloutBar
        UISelectionGrabber
        UISelectionGrabberDot
        UITextRangeView
        UITextSelectionView
        _UITextCanvasView
          _UITextFieldCanvasView  # uncertain
          _UITextViewCanvasView
        _UITextContainerView
        _UITextLayoutCanvasView
        _UITextLayoutFragmentView
        _UITextLayoutView

        # Visual effects
        _UIBackdropEffectView
        _UIBackdropView
          WKBackdropView
        _UIVisualEffectBackdropView
        _UIVisualEffectContentView
        _UIVisualEffectSubview

        # Keyboard
        TUICandidateView  # uncertain
        TUIPredictionView
        TUIPredictionViewCell  # uncertain
        TUISystemInputAssistantView  # uncertain
        UIInputSetHostView
          UIInputSetContainerView
        UIKBKeyView
        UIKBSplitImageView
          UIKBBackgroundView
          UIKBKeyplaneView
        UIKeyboard
          UIKeyboardAutomatic
        UIKeyboardCandidateBar
        UIKeyboardCandidateSortControl
        UIKeyboardDockView
        UIKeyboardImpl
        UIKeyboardLayout
          UIKeyboardLayoutStar

        # Web views
        UITiledView
          UIWebTiledView
            UIWebDocumentView
              UIWebBrowserView
        WKApplicationStateTrackingView
          WKContentView
          WKPDFView  # uncertain
        WKCompositingView
          WKEmbeddedView  # uncertain
          WKSimpleBackdropView  # uncertain
          WKTiledBackingView
          WKTransformView
        WKWebView
          RNCWKWebView  # uncertain

        # Maps
        MKAnnotationContainerView
          MKNewAnnotationContainerView
        MKAnnotationView
          MKMarkerAnnotationView
          MKPinAnnotationView
          MKUserLocationView
        MKBasicMapView
        MKCompassButton
        MKMapView
          AIRMap
        MKOverlayView
          MKOverlayPathView
            MKCircleView
            MKPolygonView
            MKPolylineView
        MKScaleView
        MKUserTrackingButton

        # Other frameworks
        ADBannerView
        ARCoachingOverlayView
        AVRoutePickerView
        GLKView
        HKActivityRingView
        HMCameraView
        LPLinkView
        MPVolumeView
        MTKView
        PDFThumbnailView
        PDFView
        PHLivePhotoView
        PKPayLaterView
        PUPhotoView  # uncertain
        RPSystemBroadcastPickerView
        RealityKit.ARView
        SCNView
          ARSCNView
        SKView
          ARSKView

        # SwiftUI
        SwiftUI._UIHostingView
        _UIHostingView
        SwiftUI.PlatformGroupContainer  # uncertain
        SwiftUI.PlatformViewHost  # uncertain
        SwiftUI._UIGraphicsView
          SwiftUI._UIInheritedView  # uncertain
        _UIGraphicsView

        # React Native
        RCTView
          RCTBaseTextInputView
            RCTMultilineTextInputView
            RCTSinglelineTextInputView
          RCTImageView
          RCTMaskedView
          RCTRootContentView
          RCTSafeAreaView
          RCTScrollContentView
          RCTScrollView
          RCTSurfaceRootView
          RCTWKWebView
          RCTWebView
          RNCWebViewImpl
        RCTDebuggingOverlay
        RCTInputAccessoryContentView
        RCTInputAccessoryView
        RCTInputAccessoryViewContent
        RCTModalHostView
        RCTParagraphTextView
        RCTRootView
        RCTSurfaceHostingView
          RCTSurfaceHostingProxyRootView
        RCTSurfaceView
        RCTTextView
        RCTViewComponentView
          RCTActivityIndicatorViewComponentView
          RCTDebuggingOverlayComponentView
          RCTImageComponentView
          RCTInputAccessoryComponentView
          RCTLegacyViewManagerInteropComponentView
          RCTModalHostViewComponentView
          RCTParagraphComponentView
          RCTPullToRefreshViewComponentView
          RCTRootComponentView
          RCTSafeAreaViewComponentView
          RCTScrollViewComponentView
          RCTSwitchComponentView
          RCTTextInputComponentView
          RCTUnimplementedNativeComponentView
          RCTUnimplementedViewComponentView
          RNCSafeAreaProviderComponentView
          RNCSafeAreaViewComponentView
        # These derive from RCTView or RCTViewComponentView, as the app is built.
        RNCWebView  # uncertain
        RNSScreenContainerView  # uncertain
        RNSScreenContentWrapper  # uncertain
        RNSScreenStackHeaderConfig  # uncertain
        RNSScreenStackHeaderSubview  # uncertain
        RNSScreenStackView  # uncertain
        RNSScreenView  # uncertain
        RNSSearchBar  # uncertain
        # Libraries of React Native
        BVLinearGradient  # uncertain
        RNCSafeAreaProvider  # uncertain
        RNCSafeAreaView  # uncertain
        RNSVGSvgView  # uncertain

        # Flutter, Lynx, Weex, Unity
        ChildClippingView
        FlutterOverlayView
        FlutterTextInputView
        FlutterTouchInterceptingView
        FlutterView
        LynxTextView  # uncertain
        LynxView
        UnityRenderingView
          UnityView
        WXRootView  # uncertain
        WXText  # uncertain
        WXView  # uncertain

      # View controllers
      UIViewController

        # Containers
        UINavigationController
          UIImagePickerController
          UIPrintPanelNavigationController
          UIVideoEditorController
          ABPeoplePickerNavigationController
          EKEventEditViewController
          GKFriendRequestComposeViewController
          GKGameCenterViewController
          GKMatchmakerViewController
          GKTurnBasedMatchmakerViewController
          MFMailComposeViewController
          MFMessageComposeViewController
          RNSNavigationController
          SwiftUI.UIKitNavigationController  # uncertain
          WXRootViewController
        UIPageViewController
        UISplitViewController
        UITabBarController
          SwiftUI.UIKitTabBarController  # uncertain

        # Of UIKit
        UIActivityViewController
        UIAlertController
        UICloudSharingController
        UICollectionViewController
          UIActivityGroupViewController
          _UIAlertControllerTextFieldViewController
        UIColorPickerViewController
        UIDocumentBrowserViewController
        UIDocumentMenuViewController
        UIDocumentPickerExtensionViewController
        UIDocumentPickerViewController
        UIDocumentViewController
        UIFontPickerViewController
        UIInputViewController
          UICompatibilityInputViewController
          UISystemInputAssistantViewController
        UIReferenceLibraryViewController
        UISearchContainerViewController
        UISearchController
        UITableViewController
          CABTMIDICentralViewController
        UITextFormattingViewController
        # Private ones
        UIActivityGroupListViewController
        UIApplicationRotationFollowingController
          UIApplicationRotationFollowingControllerNoTouches
            UIInputWindowController
        UICandidateViewController  # uncertain
        UIEditingOverlayViewController
        UIInterfaceActionGroupViewController
        UIKeyboardHiddenViewController  # uncertain
        UIPredictionViewController
        UISystemKeyboardDockController
        _UIContextMenuActionsOnlyViewController
        _UICursorAccessoryViewController  # uncertain
        _UIRemoteViewController
          SFBrowserRemoteViewController  # uncertain

        # Of other frameworks
        ABNewPersonViewController
        ABPersonViewController
        ABUnknownPersonViewController
        AUViewController
        AVPlayerViewController
        CABTMIDILocalPeripheralViewController
        CNContactPickerViewController
        CNContactViewController
        EKCalendarChooser
        EKEventViewController
        GLKViewController
        ILClassificationUIExtensionViewController
        INUIAddVoiceShortcutViewController
        INUIEditVoiceShortcutViewController
        MCBrowserViewController
        MKLookAroundViewController
        MKMapItemDetailViewController
        MPMediaPickerController
        MPMoviePlayerViewController
        PHPickerViewController
        PKAddPassesViewController
        PKAddPaymentPassViewController
        PKPaymentAuthorizationViewController
        QLPreviewController
        RPBroadcastActivityViewController
        RPPreviewViewController
        SFSafariViewController
        SKCloudServiceSetupViewController
        SKStoreProductViewController
        SLComposeServiceViewController
        SLComposeViewController
        TWTweetComposeViewController
        VNDocumentCameraViewController
        VisionKit.DataScannerViewController

        # SwiftUI
        SwiftUI.UIHostingController
        UIHostingController

        # React Native, Flutter, Weex, Unity
        FlutterViewController
        RCTFabricModalHostViewController
        RCTModalHostViewController
        RCTWrapperViewController
        RNSScreen
        UnityViewControllerBase
          UnityDefaultViewController  # uncertain
        WXBaseViewController
    """#
}
