"""A plugin of dbt-duckdb: makes rules a function of every connection.

    plugins:
      - module: encircle_plugin
        config: { rules: /var/lib/encircle/v1.rules }

`columns` and `name` have the same meaning as in `encircle.duckdb.register`.
"""
import encircle
import encircle.duckdb
from dbt.adapters.duckdb.plugins import BasePlugin


class Plugin(BasePlugin):
    def initialize(self, plugin_config):
        self._rules = encircle.RuleSet.load(plugin_config["rules"], plugin_config.get("version"))
        self._options = {key: plugin_config[key] for key in ["name", "columns"] if key in plugin_config}

    def configure_connection(self, connection):
        encircle.duckdb.register(connection, self._rules, **self._options)
