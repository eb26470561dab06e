"""Pages as models read them."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from pilotfish.core.values import Value

SHORT_ROW = 48
"""Characters of a row in a sentence."""
PAGE_LIMIT = 400_000


class ObservedPage(Value):
    """A page as the model reads it: elements with ids, and what gives them meaning."""

    url: str
    title: str
    tab: int
    text: str
    tokens: int
    mark: str = ""
    tools: tuple[str, ...] = Field(default=(), description="labels of the tools that the page offers")


class ElementQuery(Value):
    """An element in words: its role, its name, and words of the row that it stands in.

    `name` is given as one name, or as a list of names that it may have: the first of these that fits is meant.
    `nth` says which of several is meant: 1 is the first, -1 the last. With 0 it must be the only one.
    With `focused` it is what has the focus.
    """

    role: str = ""
    name: str = ""
    other_names: tuple[str, ...] = ()
    row: str = ""
    nth: int = 0
    focused: bool = False

    @model_validator(mode="before")
    @classmethod
    def _split_names(cls, given: Any) -> Any:
        """Take the first of several names as the name, and the rest as its other names."""
        match given:
            case {"name": [first, *others]}:
                return {**given, "name": first, "other_names": others}
            case {"name": []}:
                return {**given, "name": ""}
            case _:
                return given

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.other_names)

    def __str__(self) -> str:
        named = " or ".join(f'"{name}"' for name in self.names if name)
        what = " ".join(filter(None, ("focused" if self.focused else "", self.role, named)))
        row = self.row if len(self.row) <= SHORT_ROW else f"{self.row[:SHORT_ROW].rstrip(' ·')}…"
        which = f" number {self.nth}" if self.nth else ""
        return f'{what}{which} in "{row}"' if row else f"{what}{which}"


class NumberedElement(Value):
    """An element that was found, with its number."""

    id: int
    role: str
    name: str

    def __str__(self) -> str:
        return f'[{self.id}] {self.role} "{self.name}"'


class FrameText(Value):
    """What one document of a page says, as our script reads it. `path` is its place among the page's frames."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: str = Field(default="", max_length=200)
    url: str = Field(max_length=20_000)
    title: str = Field(default="", max_length=2000)
    path: str = Field(default="", max_length=200)
    main: str = Field(default="", max_length=PAGE_LIMIT)
    rest: str = Field(default="", max_length=PAGE_LIMIT)


class SharedPage(Value):
    """A page that the person shows from their own browser: its documents, the main one first."""

    tab: int = Field(ge=0, le=2**53)
    frames: Annotated[tuple[FrameText, ...], Field(min_length=1, max_length=50)]


class TabText(Value):
    """A tab as a question is answered from it. `warning`: that its server answered with a bad status."""

    id: int
    url: str
    title: str
    text: str
    warning: str = ""
