"""Downloads that could do something when opened are held: only kinds known to be harmless pass."""

import io
import zipfile
from pathlib import Path

import pytest

from pilotfish.browser.harmless_files import is_harmless
from pilotfish.browser.sessions.downloads import find_free_path

PNG = b"\x89PNG\r\n\x1a\n\0\0"
TEXT = b"place,high\nQuay,06:12\n"


def archive(**members: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as book:
        for name, data in members.items():
            book.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return made.getvalue()


def save_file(folder: Path, name: str, data: bytes) -> Path:
    path = find_free_path(folder, name)
    path.write_bytes(data)
    return path


LETTER = archive(**{"[Content_Types].xml": b"<?xml?>", "word/document.xml": b"<?xml?>", "word/media/a.png": PNG})
FINE = {
    "table.csv": TEXT,
    "notes.txt": "Größe".encode(),
    "wide.txt": "\ufeffwide".encode("utf-16"),
    "photo.png": PNG,
    "Annual report v2.1 (final).pdf": b"%PDF-1.7\n",
    "letter.docx": LETTER,
    "pictures.zip": archive(**{"a.png": PNG, "folder/b.csv": TEXT}),
    "film.mp4": b"\0\0\0\x18ftypmp42",
}
HELD = {
    **{f"tool.{ending}": b"harmless words" for ending in (
        "desktop", "py", "pif", "msc", "command", "docm", "xlsm", "pptm", "dotm", "exe", "scr", "bat", "ps1", "psm1",
        "vbs", "wsf", "hta", "lnk", "url", "webloc", "reg", "inf", "cpl", "jar", "jnlp", "apk", "dmg", "iso", "img",
        "appinstaller", "msix", "settingcontent-ms", "library-ms", "chm", "hlp", "scf", "workflow", "scpt", "terminal",
        "sh", "run", "rb", "pl", "php", "js", "mjs", "html", "htm", "xhtml", "svg", "xml", "mht", "rtf", "doc", "xls",
        "one", "iqy", "slk", "xll", "ppam", "7z", "rar", "tar", "gz", "cab", "so", "dll", "whl", "crx", "vhd", "odd",
    )},
    "noending": TEXT,
    ".bashrc": TEXT,
    "invoice.pdf.exe": TEXT,
    "invoice.exe.": TEXT,
    "invoice.exe ": TEXT,
    "invoice.pdf.desktop": TEXT,
    "photo\u202egnp.scr": PNG,
    "nul.txt": TEXT,
    "photo.png": b"MZ\x90\0",
    "table.csv": b"#!/bin/sh\n",
    "notes.txt": b"\xef\xbb\xbf  <!DOCTYPE html><script>",
    "list.txt": b"[Desktop Entry]\nExec=x",
    "data.json": "<html>".encode("utf-16"),
    "blob.dat": b"\x7fELF\2",
    "bytes.dat": b"a\0b",
    "guide.pdf": b"<html>",
    "letter.docx": archive(**{"word/document.xml": b"<?xml?>", "word/vbaProject.bin": b"x"}),
    "sent.docx": archive(**{"word/_rels/settings.xml.rels": b'<r Type="attachedTemplate" Target="http://x"/>'}),
    "macro.odt": archive(**{"content.xml": b"<?xml?>", "Basic/Standard/a.xml": b"x"}),
    "tools.zip": archive(**{"a.png": PNG, "run.py": b"x"}),
    "page.zip": archive(**{"index.html": b"<html>"}),
    "nested.zip": archive(**{"inner.zip": archive(**{"run.exe": b"MZ"})}),
    "lying.zip": archive(**{"a.txt": b"MZ\x90"}),
    "broken.zip": b"PK\x03\x04 no more",
}  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_documents_pictures_and_tables_pass(tmp_path: Path, name: str) -> None:
    assert is_harmless(save_file(tmp_path, name, FINE[name]))


@pytest.mark.parametrize("name", HELD)
def test_what_could_run_or_is_not_known_is_held(tmp_path: Path, name: str) -> None:
    assert not is_harmless(save_file(tmp_path, name, HELD[name]))


def test_a_name_in_any_script_fits_the_file_system(tmp_path: Path) -> None:
    path = find_free_path(tmp_path, "潮" * 300 + ".csv")
    assert path.suffix == ".csv"
    assert len(path.name.encode()) <= 200
