@testable import EncircleVisualized
