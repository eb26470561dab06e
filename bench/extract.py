"""How well the main text of a page is found: ours beside trafilatura, by kind of page, on the labelled test pages.

    python bench/extract.py [COPIES]

Prints the mean F1 over words, and the milliseconds a page takes.
"""

import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import trafilatura

from pilotfish.web.extract import extract_page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))


def score(found: str, wanted: str) -> float:
    mine, other = (Counter(re.findall(r"\w+", text.lower())) for text in (found, wanted))
    return 2 * (mine & other).total() / max(1, mine.total() + other.total())


def main() -> None:
    from web.samples import samples

    copies = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    table: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    spent = [0.0, 0.0]
    for sample in samples(copies):
        start = time.perf_counter()
        ours = extract_page(sample.html, sample.url).text
        middle = time.perf_counter()
        theirs = trafilatura.extract(sample.html, include_comments=sample.kind == "forum") or ""
        spent[0] += middle - start
        spent[1] += time.perf_counter() - middle
        pair = (score(ours, sample.text), score(theirs, sample.text))
        table[sample.kind].append(pair)
        table["all"].append(pair)
    print(f"{'kind':15} {'pages':>5} {'ours':>7} {'trafilatura':>12}")
    for kind, pairs in table.items():
        means = [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]
        print(f"{kind:15} {len(pairs):5} {means[0]:7.3f} {means[1]:12.3f}")
    count = len(table["all"])
    print(f"{'ms a page':15} {count:5} {spent[0] / count * 1000:7.0f} {spent[1] / count * 1000:12.0f}")


if __name__ == "__main__":
    main()
