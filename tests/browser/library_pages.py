"""Pages that are built as the common component libraries build theirs, and what is to be told of them and done there.

Their markup lies in `pages/libraries`. It was written for the tests; no library's code is in it.
"""

from dataclasses import dataclass
from pathlib import Path

Step = tuple[str, ...]
FOLDER = Path(__file__).parent / "pages" / "libraries"
HELP = (FOLDER / "help.html").read_text("utf-8")


@dataclass(frozen=True)
class LibraryPage:
    """What the first view must tell, what is done, and what the view must say then, or no longer say.

    `steps` are `(tool, name, value)`. `holds` is a JavaScript expression about the page itself."""

    style: str
    told: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    after: tuple[str, ...] = ()
    holds: str = "true"
    gone: tuple[str, ...] = ()

    @property
    def html(self) -> str:
        return HELP + (FOLDER / f"{self.style.replace(' ', '_')}.html").read_text("utf-8")


PAGES = (
    LibraryPage(
        "material select", ('combobox "Age Ten"',), (("select", "Age Ten", "Twenty"),), ('combobox "Age Twenty"',)
    ),
    LibraryPage(
        "material dialog",
        ('button "Remove account"',),
        (("click", "Remove account"), ("click", "Cancel")),
        ("Cancel chosen",),
    ),
    LibraryPage(
        "material autocomplete with chips",
        ('combobox "Tags"', "Red"),
        (("type", "Tags", "gre"), ("click", "Grey")),
        ("Added Grey",),
    ),
    LibraryPage(
        "material data grid",
        ('checkbox "Select all rows"', 'checkbox "Select row', "Bo"),
        (("click", "Select row", "2"),),
        ("1 row selected 2",),
    ),
    LibraryPage(
        "material tabs and icon buttons",
        ('tab "Ferry" (selected)', 'tab "Train"', 'button "delete"'),
        (("click", "Train"),),
        ('tab "Train" (selected', "Train at 10"),
    ),
    LibraryPage(
        "ant select",
        ('combobox "City"', "Oslo"),
        (("select", "City", "Bergen"),),
        ("Bergen",),
        holds="$('.ant-select-selection-item').title === 'Bergen'",
    ),
    LibraryPage(
        "ant table with pages and a question",
        ("Ada", 'clickable "Delete"', 'clickable "2"'),
        (("click", "Delete", "2"), ("click", "Yes")),
        ("Bo deleted",),
    ),
    LibraryPage(
        "ant modal",
        ('button "New letter"', "Letter 3"),
        (("click", "New letter"), ("type", "Name of a person", "Ada"), ("click", "OK")),
        ("Sent to Ada",),
    ),
    LibraryPage(
        "ant date picker", ('textbox "Select date"',), (("click", "Select date"), ("click", "12")), ('= "2026-05-12"',)
    ),
    LibraryPage("ant tree", ("Fruit",), (("click", "▸ (Fruit)"),), ("Pear", "expanded")),
    LibraryPage(
        "ant menu with a folded part",
        ('menuitem "Orders" (selected)', 'menuitem "Reports" (collapsed'),
        (("click", "Reports"), ("click", "Sales")),
        ("Opened Sales",),
    ),
    LibraryPage(
        "bootstrap modal",
        ('button "Launch"',),
        (("click", "Launch"), ("type", "New name", "Gull"), ("click", "Save")),
        ("Renamed to Gull",),
    ),
    LibraryPage(
        "bootstrap dropdown", ('button "Actions" (collapsed',), (("click", "Actions"),), ('link "Archive"', "disabled")
    ),
    LibraryPage(
        "bootstrap accordion",
        ('button "When do you open?" (collapsed)',),
        (("click", "When do you open?"),),
        ("At nine.", "expanded"),
    ),
    LibraryPage("bootstrap list group and badges", ('link "Inbox 14" (current)', 'link "Sent"')),
    LibraryPage(
        "bootstrap custom switch and button check",
        ('switch "Night mode" (on)', 'checkbox "Bold" (unchecked)'),
        (("click", "Bold"),),
        ('checkbox "Bold" (checked',),
    ),
    LibraryPage(
        "radix select",
        ('combobox "Fruit" = "Apple"',),
        (("select", "Fruit", "Banana"),),
        ('combobox "Fruit" = "Banana"',),
    ),
    LibraryPage(
        "radix menu with checks",
        ('button "View" (collapsed',),
        (("click", "View"), ("click", "Panel")),
        (
            'menuitemcheckbox "Status bar" (checked)',
            'menuitemcheckbox "Panel" (checked',
            'menuitem "Log out" (disabled)',
        ),
    ),
    LibraryPage(
        "radix dialog",
        ('button "Edit profile"',),
        (("click", "Edit profile"), ("type", "Username", "bo"), ("click", "Save changes")),
        ('link "Hello bo"',),
    ),
    LibraryPage(
        "shadcn command list",
        ('combobox "Type a command"', 'option "Calendar" (selected)'),
        (("type", "Type a command", "calc"), ("click", "Calculator")),
        ("Ran Calculator",),
    ),
    LibraryPage(
        "headless listbox",
        ('button "Assigned to Wade" (collapsed',),
        (("select", "Assigned to Wade", "Arlene"),),
        ('button "Assigned to Arlene"',),
    ),
    LibraryPage("element select", ('combobox "Zone"',), (("select", "Zone", "Beijing"),), ("Beijing",)),
    LibraryPage(
        "element message box",
        ('button "Clear the list"',),
        (("click", "Clear the list"), ("click", "Continue")),
        ("Continue!",),
    ),
    LibraryPage("vuetify select", ("Slow",), (("select", "Speed", "Fast"),), ("Fast",)),
    LibraryPage(
        "vuetify table with icon pager",
        ('button "Next page"', "1-1 of 2"),
        (("click", "Next page"),),
        ("Bo", "2-2 of 2"),
    ),
    LibraryPage(
        "quasar select",
        ('combobox "Company" = "Google"',),
        (("select", "Company", "Oracle"),),
        ('combobox "Company" = "Oracle"',),
    ),
    LibraryPage(
        "naive select", ("Drive my car",), (("select", "Drive my car", "Norwegian wood"),), ("Norwegian wood",)
    ),
    LibraryPage(
        "prime multi select",
        ("Rome",),
        (("click", "▾ (Rome)"), ("click", "Paris")),
        ("Rome, Paris", 'option "Paris" (selected)'),
    ),
    LibraryPage("angular select", ('combobox "Food"',), (("select", "Food", "Tacos"),), ("Tacos",)),
    LibraryPage("angular stepper", ("Name", 'button "Next"'), (("click", "Next"),), ("Your street", "(selected)")),
    LibraryPage(
        "angular expansion and paginator",
        ('button "Personal data" (collapsed)', 'button "Previous page" (disabled)', 'button "Next page"'),
        (("click", "Personal data"),),
        ("Born 1815",),
    ),
    LibraryPage("react select", ('combobox "Colour"', "Ocean"), (("select", "Colour", "Forest"),), ("Forest",)),
    LibraryPage(
        "select2",
        ('combobox "State',),
        (("click", "State"), ("click", "Nevada")),
        ("Nevada",),
        holds="s2.value === 'Nevada'",
    ),
    LibraryPage(
        "tom select with items",
        ('combobox "Skills"', "Rust"),
        (("click", "Remove", "2"),),
        ("Go",),
        holds="$$('.item').length === 1",
        gone=("Rust",),
    ),
    LibraryPage(
        "flatpickr",
        ('textbox "Pick a day"',),
        (("click", "Pick a day"), ("click", "May 6, 2026")),
        ('= "May 6, 2026"',),
    ),
    LibraryPage(
        "jquery autocomplete",
        ('textbox "Town"',),
        (("type", "Town", "Berl"), ("click", "Berlin")),
        ('textbox "Town" = "Berlin"',),
    ),
    LibraryPage(
        "chakra number input",
        ('spinbutton "Guests" = "2"',),
        (("type", "Guests", "50"),),
        ('spinbutton "Guests" = "20"',),
    ),
    LibraryPage("materialize select", ('= "Option 1"',), (("select", "Meal", "Option 2"),), ('= "Option 2"',)),
    LibraryPage(
        "semantic dropdown",
        ("Gender",),
        (("click", "Gender"), ("click", "Female")),
        ("Female",),
        holds="$('input').value === '0'",
    ),
    LibraryPage(
        "ag grid",
        ("Ford", "72000"),
        (("double", "72000"), ("submit", "Input editor", "69000")),
        ("69000",),
        gone=("72000",),
    ),
    LibraryPage(
        "data tables",
        ('searchbox "Search:"', "Showing 1 to 2", "ascending"),
        (("type", "Search:", "rome"),),
        ("Showing 1 to 1", "Bo"),
        gone=("Ada",),
    ),
    LibraryPage(
        "tabulator with row buttons", ("Ada", 'clickable "print"'), (("click", "print", "2"),), ("Printing Bo",)
    ),
    LibraryPage("ext grid and button", ('button "Add user"', "Bart"), (("click", "Bart"),), ("Bart selected",)),
    LibraryPage(
        "shoelace select",
        ('combobox "Flavour" = "Mint"',),
        (("select", "Flavour", "Lime"),),
        ('combobox "Flavour" = "Lime"', "Now Lime"),
    ),
    LibraryPage("ionic toggle and item", ('switch "Wifi" (off)',), (("click", "Wifi"),), ('switch "Wifi" (on',)),
    LibraryPage("vaadin grid with slots", ("Aria", "Milo"), (("click", "Call", "2"),), ("Calling Milo",)),
    LibraryPage(
        "spectrum picker",
        ('button "Size Medium" (collapsed',),
        (("select", "Size Medium", "Large"),),
        ('button "Size Large"',),
    ),
    LibraryPage(
        "lightning combobox",
        ('combobox "Stage" = "New"',),
        (("select", "Stage", "Won"),),
        ('combobox "Stage" = "Won"',),
    ),
    LibraryPage(
        "polaris resource list",
        ('checkbox "Select Mae" (unchecked)', "Decatur"),
        (("click", "Select Mae"),),
        ('checkbox "Select Mae" (checked', "1 selected"),
    ),
    LibraryPage(
        "primer details menu", ('"Branch: main"',), (("click", "Branch: main"), ("click", "dev")), ('"Branch: dev"',)
    ),
    LibraryPage(
        "atlassian inline edit", ("Gulls",), (("click", "Gulls"), ("submit", "Team name", "Terns")), ("Terns",)
    ),
    LibraryPage(
        "fluent overflow menu",
        ('button "New"', 'button "More options" (collapsed'),
        (("click", "More options"), ("click", "Rename")),
        ("Rename begun",),
    ),
    LibraryPage(
        "carbon dropdown and toggle",
        ('combobox "Region" = "North"', 'switch "Alerts" (on)'),
        (("select", "Region", "South"), ("click", "Alerts")),
        ('combobox "Region" = "South"', 'switch "Alerts" (off'),
    ),
    LibraryPage(
        "blueprint popover",
        ('button "Film: Alien"',),
        (("click", "Film: Alien"), ("click", "Heat")),
        ('button "Film: Heat"',),
    ),
    LibraryPage(
        "daisy dropdown by focus", ('button "Theme"',), (("click", "Theme"), ("click", "Night")), ("Night it is",)
    ),
    LibraryPage("bulma menu under the mouse", ('"More"',), (("hover", "More"),), ('link "Jobs"',)),
    LibraryPage(
        "mantine pills",
        ('textbox "Labels"', "urgent", "late"),
        (("click", "mantine pill remove", "2"),),
        ("urgent",),
        gone=("late",),
    ),
    LibraryPage(
        "quill editor with a toolbar",
        ('button "bold"', 'textbox "Note"'),
        (("click", "bold"), ("type", "Note", "Bring rope")),
        ('button "bold" (pressed)', "Bring rope"),
    ),
    LibraryPage("sortable cards", ("Mend net", "Buy bait"), (("click", "Card menu", "2"),), ("Menu of Buy bait",)),
    LibraryPage(
        "cloudscape table with radios",
        ('radio "Select web-1" (unchecked)',),
        (("click", "Select web-2"),),
        ('radio "Select web-2" (checked',),
    ),
    LibraryPage(
        "toast and drawer",
        ('button "Open cart"',),
        (("click", "Open cart"), ("click", "Remove", "2")),
        ("Lamp removed", "Kettle"),
    ),
)
