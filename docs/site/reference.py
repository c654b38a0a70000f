"""Pages about the API, made of its description in Web/openapi: one for each tag."""

import json
import pathlib
import re

METHODS = ("get", "put", "post", "patch", "delete")


def merged(folder):
    """The description as the service answers it: what is common, and a file for each group of routes."""
    whole = json.loads((folder / "base.json").read_text())
    for file in sorted(folder.glob("*.json")):
        if file.name == "base.json":
            continue
        part = json.loads(file.read_text())
        for path, item in part.get("paths", {}).items():
            whole["paths"].setdefault(path, {}).update(item)
        for kind, added in part.get("components", {}).items():
            whole["components"].setdefault(kind, {}).update(added)
    return whole


def resolve(value, whole):
    while isinstance(value, dict) and "$ref" in value:
        target = whole
        for step in value["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        value = target
    return value


def cell(text):
    return re.sub(r"\s+", " ", str(text or "")).replace("|", "\\|").replace("<", "&lt;")


def type_name(schema, whole):
    """A short name: `integer`, `list of Rule`, `one of a, b`."""
    if not isinstance(schema, dict):
        return "anything"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](schemas.md#{name.lower()})"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return (" and " if key == "allOf" else " or ").join(type_name(part, whole) for part in schema[key])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return "list of " + type_name(schema.get("items", {}), whole)
    return kind + (f" ({schema['format']})" if "format" in schema else "")


def members(schema, whole):
    """The rows of the members of an object."""
    schema = resolve(schema, whole)
    needed = set(schema.get("required", []))
    for name, value in schema.get("properties", {}).items():
        text = value.get("description", "") if isinstance(value, dict) else ""
        yield f"| `{name}` | {type_name(value, whole)}{', required' if name in needed else ''} | {cell(text)} |"


def table(head, rows):
    rows = list(rows)
    return [f"| {' | '.join(head)} |", "| " + " | ".join(["---"] * len(head)) + " |", *rows, ""] if rows else []


def body(content, whole):
    lines = []
    for kind, media in content.items():
        schema = media.get("schema", {})
        lines += [f"`{kind}`: {type_name(schema, whole)}", ""]
        if "$ref" not in schema:
            lines += table(("member", "type", "meaning"), members(schema, whole))
        examples = [media["example"]] if "example" in media else []
        examples += [resolve(one, whole).get("value") for one in media.get("examples", {}).values()]
        for example in examples[:1]:
            text = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False, indent=2)
            lines += ["```json" if not isinstance(example, str) else "```text", *text.split("\n"), "```", ""]
    return lines


def operation(method, path, entry, shared, whole):
    lines = [f"## {method.upper()} {path}", "", entry.get("summary", "") + ".", ""]
    if entry.get("description"):
        lines += [entry["description"].replace("<", "&lt;"), ""]
    parameters = [resolve(one, whole) for one in shared + entry.get("parameters", [])]
    lines += table(
        ("parameter", "in", "type", "meaning"),
        (f"| `{one['name']}` | {one['in']} | {type_name(one.get('schema', {}), whole)}"
         f"{', required' if one.get('required') else ''} | {cell(one.get('description'))} |" for one in parameters))
    if "requestBody" in entry:
        lines += ["**Body**", "", *body(resolve(entry["requestBody"], whole).get("content", {}), whole)]
    for status, answer in entry.get("responses", {}).items():
        answer = resolve(answer, whole)
        name = "Any other status" if status == "default" else f"{status}"
        lines += [f"**{name}**: {cell(answer.get('description'))}", "", *body(answer.get("content", {}), whole)]
    return lines


def write(source, target):
    """Writes the pages and the description itself, and returns the names of the pages."""
    whole = merged(source)
    target.mkdir(parents=True, exist_ok=True)
    (target / "openapi.json").write_text(json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True))
    by_tag = {}
    for path, item in sorted(whole["paths"].items()):
        for method in METHODS:
            if method in item:
                tag = (item[method].get("tags") or ["other"])[0]
                by_tag.setdefault(tag, []).append((method, path, item[method], item.get("parameters", [])))
    index = ["# API reference", "", "Made of [openapi.json](openapi.json), which a running service has at `/v1/openapi.json`; "
             "[docs/api.md](../docs/api.md) shows how to use it.", ""]
    names = ["README.md"]
    for tag, entries in sorted(by_tag.items()):
        name = re.sub(r"[^a-z0-9]+", "-", tag.lower()) + ".md"
        lines = [f"# API: {tag}", ""]
        index += [f"## {tag[0].upper()}{tag[1:]}", ""]
        for method, path, entry, shared in entries:
            lines += operation(method, path, entry, shared, whole)
            anchor = "".join(c for c in f"{method} {path}".lower() if c.isalnum() or c in " -_").replace(" ", "-")
            index += [f"- [`{method.upper()} {path}`]({name}#{anchor}): {cell(entry.get('summary'))}"]
        index.append("")
        (target / name).write_text("\n".join(lines))
        names.append(name)
    schemas = ["# API: schemas", ""]
    for name, schema in sorted(whole["components"].get("schemas", {}).items()):
        schemas += [f"## {name}", ""]
        if schema.get("description"):
            schemas += [schema["description"].replace("<", "&lt;"), ""]
        rows = table(("member", "type", "meaning"), members(schema, whole))
        schemas += rows or [type_name(schema, whole), ""]
    (target / "schemas.md").write_text("\n".join(schemas))
    (target / "README.md").write_text("\n".join(index))
    return names + ["schemas.md"]
