"""Anchors of headings as code hosts make them, so that a link is right in both places."""


def slugify(text, separator):
    kept = (c for c in text.strip().lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", separator)
