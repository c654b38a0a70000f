import GRDB

extension Store {
  static func registerCaptures(in migrator: inout DatabaseMigrator) {}
}
