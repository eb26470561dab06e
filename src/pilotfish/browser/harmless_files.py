"""Decides whether a downloaded file does nothing harmful when it is opened.

Both its name and its content must be on a list; files of unknown kinds are put in quarantine.
"""

import unicodedata
import zipfile
from pathlib import Path

PROGRAM_ENDINGS = frozenset({
    ".apk", ".app", ".appimage", ".bat", ".chm", ".cmd", ".com", ".command", ".cpl", ".deb", ".desktop", ".dmg",
    ".docm", ".exe", ".hta", ".iso", ".jar", ".jnlp", ".js", ".jse", ".lnk", ".msc", ".msi", ".msix", ".pif", ".pkg",
    ".pptm", ".ps1", ".reg", ".rpm", ".run", ".scf", ".scr", ".sh", ".vbe", ".vbs", ".wsf", ".xlsm", ".xpi",
})  # fmt: skip
"""Endings by which a link is known to lead to a program. Downloaded files are judged by the lists below."""
TEXT_ENDINGS = frozenset({
    "txt", "text", "md", "csv", "tsv", "json", "jsonl", "geojson", "log", "ics", "vcf", "srt", "vtt", "bib", "ris",
    "yaml", "yml", "toml", "tex", "po", "gpx", "kml", "dat", "rst",
})  # fmt: skip
FORMAT_STARTS: dict[str, tuple[bytes, ...]] = {
    "pdf": (b"%PDF-",),
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpg": (b"\xff\xd8\xff",),
    "jpeg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "webp": (b"RIFF",),
    "wav": (b"RIFF",),
    "avi": (b"RIFF",),
    "bmp": (b"BM",),
    "tif": (b"II*\0", b"MM\0*"),
    "tiff": (b"II*\0", b"MM\0*"),
    "mp3": (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"),
    "flac": (b"fLaC",),
    "ogg": (b"OggS",),
    "opus": (b"OggS",),
    "webm": (b"\x1aE\xdf\xa3",),
    "mkv": (b"\x1aE\xdf\xa3",),
    "sqlite": (b"SQLite format 3\0",),
    "parquet": (b"PAR1",),
    "ttf": (b"\0\1\0\0", b"true"),
    "otf": (b"OTTO",),
    "woff": (b"wOFF",),
    "woff2": (b"wOF2",),
}
BOX_FORMATS = frozenset({"mp4", "m4a", "m4v", "mov", "heic", "heif", "avif"})
ZIP_FORMATS = frozenset({"docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "zip"})
INNER_ENDINGS = frozenset(
    {"xml", "rels", "opf", "ncx", "xhtml", "html", "htm", "css", "vml", "bin", "emf", "wmf", "rdf"}
)
"""Parts of documents that nobody opens singly; in a plain archive somebody might."""
PROGRAM_STARTS = (
    b"MZ", b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa", b"\xca\xfe\xba\xbe",
    b"!<arch>", b"dex\n", b"\0asm", b"[Desktop Entry]", b"[InternetShortcut]", b"\x4c\0\0\0\x01\x14\x02\0", b"<?php",
    b"\xd0\xcf\x11\xe0", b"Windows Registry Editor", b"REGEDIT4", b"ITSF", b"xar!", b"MSCF", b"{\\rt",
)  # fmt: skip
MARKUP_STARTS = (
    b"<!doctype",
    b"<html",
    b"<script",
    b"<svg",
    b"<hta:",
    b"<job",
    b"<package",
    b"<?xml",
    b"<mmc_",
    b"<sc",
)
MACRO_NAMES = ("vbaproject", "vbadata", "activex", "oleobject", "macrosheet", "basic/", "scripts/", "javascript")
DEVICE_NAMES = frozenset({"con", "prn", "aux", "nul"})
START_BYTES = 4096
MOST_MEMBERS = 2000


def is_harmless(path: Path) -> bool:
    """Whether both the name and the content are of a kind that does nothing when opened."""
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    return (find_ending(path.name) in ZIP_FORMATS and is_harmless_archive(path)) or fits_ending(
        find_ending(path.name), start
    )


def find_ending(name: str) -> str:
    """The ending that decides how a file is opened; empty if the name hides another, or has no known one."""
    hidden = any(unicodedata.category(sign) in ("Cf", "Cc", "Co", "Cs", "Zl", "Zp") for sign in name)
    clean = unicodedata.normalize("NFKC", name).lower()
    stem, dot, ending = clean.rpartition(".")
    known = TEXT_ENDINGS | FORMAT_STARTS.keys() | BOX_FORMATS | ZIP_FORMATS
    if (
        hidden
        or not dot
        or not stem
        or clean != clean.strip(" .")
        or stem.strip() in DEVICE_NAMES
        or ending not in known
    ):
        return ""
    return ending


def fits_ending(ending: str, start: bytes) -> bool:
    """Whether the content fits the ending; for text, that it is no program or page."""
    if ending in FORMAT_STARTS:
        return start.startswith(FORMAT_STARTS[ending])
    if ending in BOX_FORMATS:
        return start[4:8] == b"ftyp"
    return ending in TEXT_ENDINGS and not is_program(start)


def is_program(start: bytes) -> bool:
    """Whether content begins as a program, a script, a shortcut or a page does."""
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = start.decode("utf-16", "ignore").encode().removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(PROGRAM_STARTS) or text[:20].lower().startswith(MARKUP_STARTS) or b"\0" in text


def is_harmless_archive(path: Path) -> bool:
    """Whether an archive or document holds nothing but harmless things, none of them locked."""
    try:
        with zipfile.ZipFile(path) as book:
            members = book.infolist()
            plain = path.suffix.lower() == ".zip"
            return len(members) <= MOST_MEMBERS and all(is_harmless_member(book, each, plain) for each in members)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return False


def is_harmless_member(book: zipfile.ZipFile, info: zipfile.ZipInfo, plain: bool) -> bool:
    """Whether one member of an archive is harmless. A nested archive is not opened, so it counts as harmful."""
    name = info.filename.replace("\\", "/").lower()
    linked = info.external_attr >> 16 & 0o170000 == 0o120000
    if linked or info.flag_bits & 1 or any(word in name for word in MACRO_NAMES):
        return False
    if info.is_dir():
        return True
    last = name.rpartition("/")[2]
    with book.open(info) as file:
        start = file.read(START_BYTES)
    if last.endswith(".rels") and b"attachedTemplate" in start:
        return False
    if not plain and (last.rpartition(".")[2] in INNER_ENDINGS or last == "mimetype"):
        return not start.startswith(PROGRAM_STARTS[:8])
    ending = find_ending(last)
    return ending not in ZIP_FORMATS and fits_ending(ending, start)
