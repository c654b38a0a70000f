import GRDB

extension Store {
  static func registerRuleSets(in migrator: inout DatabaseMigrator) {}
}
