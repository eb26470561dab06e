"""A site with one form, which stores names."""

from collections.abc import Sequence

from gym.markup import Ui
from gym.site import Form, Site
from gym.words import Draw

SENT = {"_form": "add", "_from": "/", "name": "Ada"}


def make_form_site(**style: str) -> Site:
    """The site in a fixed style. Its form is on the first page and needs no box."""
    site = Site(Draw(1, "shop", "en"), {"/": "home"}, **{"strict": "no", "holder": "none", **style})
    site.data = {"names": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.form("add", [ui.field("name", "Name")], "Add")]

    @site.act("add")
    def add(form: Form) -> None:
        site.data["names"].append(form["name"])

    return site
