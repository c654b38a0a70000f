import GRDB

extension Store {
  static func registerAccess(in migrator: inout DatabaseMigrator) {}
}
