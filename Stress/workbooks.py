"""Writes workbooks (XLSX) in pieces, as the generators of inputs do."""

import os
import zipfile

from measure import flatten

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def cell(text):
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def row(*texts):
    return "<row>" + "".join(cell(text) for text in texts) + "</row>"


def sheet(rows):
    yield HEAD + "<worksheet><sheetData>"
    yield from rows
    yield "</sheetData></worksheet>"


def shared(texts):
    yield HEAD + "<sst>"
    for text in texts:
        yield f"<si><t>{text}</t></si>"
    yield "</sst>"


def workbook(box, name, pieces, texts=None, parts=(), whole=True):
    """Writes a workbook of one sheet, which counts for the input by its packed or unpacked size."""
    path = os.path.join(box.folder, name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", f'{HEAD}<workbook xmlns:r="{RELATIONS}"><sheets><sheet name="events" r:id="a"/></sheets></workbook>')
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'{HEAD}<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>')
        for part, content in [("xl/worksheets/sheet1.xml", pieces), *([("xl/sharedStrings.xml", shared(texts))] if texts else []), *parts]:
            with archive.open(part, "w") as file:
                for piece in flatten([content]):
                    file.write(piece)
                    if whole:
                        box.bytes += len(piece)
    if not whole:
        box.bytes += os.path.getsize(path)
    return name
