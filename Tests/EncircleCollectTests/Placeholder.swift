@testable import EncircleCollect
