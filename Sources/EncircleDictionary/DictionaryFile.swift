import EncircleIdentity
import GRDB

enum Placeholder {}
