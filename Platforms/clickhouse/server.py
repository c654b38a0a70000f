"""ClickHouse in this process (chdb), with the rules as a function."""
import json
import pathlib
import subprocess
import sys

import chdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events


def install(tool, folder):
    """Puts the tool where ClickHouse finds it, and the function's definition; returns the function's name."""
    (folder / "rules").mkdir(parents=True)
    command = [tool, "udf", "--config", "--rules", folder / "rules"]
    definition = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # The definition expects the program in a folder named by its version, beside ClickHouse's other scripts.
    program = folder / "scripts" / definition.split("<command>")[1].split()[0]
    program.parent.mkdir(parents=True)
    program.symlink_to(tool)
    (folder / "encircle_function.xml").write_text(definition)
    return definition.split("<name>")[1].split("</name>")[0]


class ClickHouse:
    """The database of a folder; only one process at a time may open it."""

    def __init__(self, folder, function):
        self.function = function
        self.connection = chdb.connect(
            f"{folder}/db?user_scripts_path={folder}/scripts/"
            f"&user_defined_executable_functions_config={folder}/*_function.xml"
        )

    def statements(self, name, **values):
        """The statements of a file, with the values put in."""
        text = (HERE / name).read_text()
        for key, value in {"function": self.function, **values}.items():
            text = text.replace("{" + key + "}", value)
        return events.statements(text)

    def run(self, name, **values):
        """Runs the statements of a file; returns the rows of each."""
        return [self.query(statement) for statement in self.statements(name, **values)]

    def query(self, sql):
        """Returns the rows as dictionaries."""
        answer = str(self.connection.query(sql, "JSONEachRow"))
        return [json.loads(line) for line in answer.splitlines()]

    def close(self):
        self.connection.close()

    def total(self):
        """A hash that changes whenever a decided event does. A hash of columns would be NULL if one of them were NULL."""
        return self.query("SELECT toString(sum(cityHash64(formatRow('TSV', *)))) AS hash, count() AS events FROM events_decided")[0]
