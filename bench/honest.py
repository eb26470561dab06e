"""Honest chores: how many are done, asked about and denied.

    python bench/honest.py [--pages FOLDER] [--only WORDS]

Each chore runs through the real product with a loop that does what a good model would; the person says yes to every
question. `--pages` adds chores on saved pages: a folder of folders with an index.html each.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))


async def main() -> None:
    from safety.honest.report import print_table

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="a folder of saved pages")
    parser.add_argument("--only", default="", help="chores whose suite and name hold these words")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        await print_table(Path(home), given.pages, given.only)


if __name__ == "__main__":
    asyncio.run(main())
