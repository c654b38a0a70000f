// All that a backend needs to resolve event IDs, load rules and decide events, in one import.

@_exported import EncircleCapture
@_exported import EncircleDictionary
@_exported import EncircleEvents
@_exported import EncircleIdentity
@_exported import EncircleInput
@_exported import EncircleRuleFiles
@_exported import EncircleRules
@_exported import EncircleText
@_exported import EncircleTree
