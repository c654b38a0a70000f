import Testing
@testable import EncircleProbe
import UIKit
@Test func builds() {}
