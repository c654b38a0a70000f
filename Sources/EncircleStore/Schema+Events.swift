import GRDB

extension Store {
  static func registerEvents(in migrator: inout DatabaseMigrator) {}
}
