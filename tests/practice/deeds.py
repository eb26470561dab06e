"""How a person would do each task: a list of moves, each a verb and what it is done to."""

from collections.abc import Mapping, Sequence

Move = tuple[str, ...]

SIGN_IN: list[Move] = [("fill", "User name", "mira"), ("fill", "Password", "lantern-42"), ("press", "Sign in")]
IDA: Mapping[str, str] = {
    "Full name": "Ida Klein",
    "Email": "ida@klein.example",
    "Street and number": "Mill Lane 3",
    "City": "Turku",
    "Postcode": "40210",
    "Card number": "5500 0000 0000 0004",
    "Expiry": "01/30",
    "Security code": "456",
}
OLA: Mapping[str, str] = {
    "Full name": "Ola Nord",
    "Email": "ola@nord.example",
    "Street and number": "Pier Road 5",
    "City": "Bergen",
    "Postcode": "5003",
    "Card number": "4111 1111 1111 1111",
    "Expiry": "09/28",
    "Security code": "123",
}


def fills(values: Mapping[str, str]) -> list[Move]:
    return [("fill", label, value) for label, value in values.items()]


ONE: dict[str, Sequence[Move]] = {
    "open-timetable": [("follow", "Ferry timetable")],
    "open-cart": [("follow", "Cart (0)")],
    "show-hours": [("click", "role=tab[name=Hours]")],
    "open-lift-question": [("click", "text=Is there a lift?")],
    "archive-boat": [("press", "Move to archive")],
    "like-feather": [("press", "Like Copper feather no. 2")],
    "few-cookies": [("press", "Only the needed one")],
    "rate-bakery": [("press", "Good")],
    "tick-fern": [("click", ".todo:has-text('Water the fern') .box")],
    "remove-gate": [("click", ".todo:has-text('garden gate') .bin")],
    "praise-olaf": [("click", "#post-1 button")],
    "hatch-egg": [("inside", "/embed/egg", "#hatch")],
    "take-tides": [("save", "Tide table (CSV)")],
    "read-jonas": [("follow", "Boat for Sunday?")],
    "star-ada": [("click", ".letter:has-text('Ada Moreno') .star")],
    "wish-lantern": [("click", "[data-slug=storm-lantern]")],
    "hit-buoy": [("spot", "#sea", "330", "190")],
    "rope-to-doing": [("drag", "text=Order rope", "[aria-label=Doing]")],
    "honey-first": [("pull", "#ranking >> text=Honey", "#ranking >> text=Bread")],
    "add-kettle": [("press", "Add to cart")],
}
TWO: dict[str, Sequence[Move]] = {
    "lower-flag": [("accept", ""), ("press", "Lower the flag")],
    "subscribe": [("fill", "Email address", "mira@fernhill.example"), ("press", "Subscribe")],
    "search-tea": [("fill", "Search the shop", "tea"), ("press", "Search")],
    "see-marbles": [("follow", "Toys"), ("follow", "Marble run")],
    "vote-green": [("inside", "/embed/poll", "input[value=Green]"), ("inside", "/embed/poll", "#vote")],
    "donate": [("inside", "/embed/donate", "#amount", "25"), ("inside", "/embed/donate", "button")],
    "add-note": [("type", "#draft", "Buy lamp oil"), ("click", "[data-action=add]")],
    "delete-spam": [("follow", "You have won a golden anchor!!!"), ("press", "Delete")],
    "name-boat": [("accept", "Perseverance"), ("press", "Name the boat")],
    "best-paid-first": [("follow", "Salary"), ("follow", "Salary ▲")],
    "north-quay": [("select", "Office", "North Quay"), ("press", "Filter")],
    "load-report": [("press", "Load the report"), ("wait", "text=busy"), ("press", "Load the report")],
    "open-archive": [("follow", "Tide archive"), ("follow", "Try again")],
    "export-text": [("hover", "#bar >> text=File"), ("hover", "text=Export ▸"), ("follow", "as text")],
    "late-letter": [("press", "Fetch the late letter"), ("press", "Open the letter")],
    "read-rules": [("click", "role=tab[name=Rules]"), ("press", "I have read the rules")],
    "answer-pim": [("fill", "Text", "I saw it near Gull Rock."), ("press", "Answer")],
    "secret-word": [
        ("spot", "secret-box", "230", "20"),
        ("keys", "MACKEREL"),
        ("hit", "Tab"),
        ("hit", "Enter"),
    ],
}
SOME: dict[str, Sequence[Move]] = {
    "flasks": [("select", "Colour", "Green"), ("fill", "Quantity", "2"), ("press", "Add to cart")],
    "sign-in": SIGN_IN,
    "delete-boat": [("press", "Delete my boat…"), ("fill", "Confirmation", "DELETE"), ("press", "Delete boat")],
    "coupon": [("press", "Add to cart"), ("fill", "Coupon code", "FERN10"), ("press", "Apply")],
    "pin-far": [("fill", "Go to number", "5000"), ("press", "Go"), ("press", "Pin no. 5000")],
    "rename-note": [
        ("click", "text=Fix the garden gate"),
        ("type", "#text", "Paint the garden gate"),
        ("click", "[data-action='rename:3']"),
    ],
    "deactivate-kaisa": [("fill", "Find", "Kaisa Quinn"), ("press", "Filter"), ("press", "Deactivate")],
    "raise-best-paid": [
        ("follow", "Salary"),
        ("follow", "Salary ▲"),
        ("click", "tr:has-text('Bruno Abbott') >> text=Raise"),
    ],
    "archive-two": [("tick", "Tick Agnes Abbott"), ("tick", "Tick Clara Kaya"), ("press", "Archive ticked rows")],
    "harbour-stars": [
        ("click", "#stars span:nth-child(4)"),
        ("fill", "Your story", "It rained, and it was lovely."),
        ("press", "Save wishes"),
    ],
    "delete-olga": [("fill", "Find", "Olga Jansen"), ("press", "Filter"), ("accept", ""), ("press", "Delete")],
    "cheapest-desk": [
        ("follow", "Desk"),
        ("select", "Sort by", "Price: low to high"),
        ("click", ".card h3 a >> nth=0"),
        ("press", "Add to cart"),
    ],
    "app-settings": [
        ("click", "text=Settings"),
        ("click", "[data-action='theme:sea']"),
        ("click", "text=Share my notes"),
        ("click", "[data-action=save]"),
    ],
    "reply-jonas": [
        ("follow", "Boat for Sunday?"),
        ("follow", "Reply"),
        ("fill", "Message", "Yes, the boat is free on Sunday."),
        ("press", "Send"),
    ],
    "write-nora": [
        ("follow", "Compose"),
        *fills({"To": "nora@fernhill.example", "Subject": "Paint", "Message": "Please order six tins."}),
        ("press", "Send"),
    ],
    "new-topic": [
        ("select", "Board", "Kitchen"),
        *fills({"Title": "Rye bread", "Text": "Who has a good recipe?"}),
        ("press", "Publish"),
    ],
}
MANY: dict[str, Sequence[Move]] = {
    "complain": [
        *fills({"Your name": "Tom Reed", "Email": "tom@reed.example", "Message": "My parcel is late."}),
        ("select", "Subject", "Complaint"),
        ("tick", "Send me a copy"),
        ("press", "Send message"),
    ],
    "boat-wishes": [
        ("click", "#size .shown"),
        ("click", "role=option[name=Sloop]"),
        ("type", "#city", "Ber"),
        ("click", "role=option[name='Bergen, Norway']"),
        ("click", "text=Quiet berth"),
        ("type", "#tags input", "wooden"),
        ("hit", "Enter"),
        ("press", "Save wishes"),
    ],
    "register-dog": [
        ("type", "[name=dog]", "Biscuit"),
        ("type", "[name=breed]", "Terrier"),
        ("type", "[name=born]", "2021"),
        ("type", "[name=owner]", "Ida Klein"),
        ("click", "[name=sheds]"),
        ("click", "form svg"),
    ],
    "change-profile": [
        *SIGN_IN,
        ("fill", "Phone", "0401 555 099"),
        ("tick", "Send me the monthly newsletter"),
        ("press", "Save profile"),
    ],
    "boat-and-kite": [
        ("follow", "Box kite"),
        ("select", "Colour", "Red"),
        ("press", "Add to cart"),
        ("follow", "Keep shopping"),
        ("follow", "Wooden boat"),
        ("select", "Colour", "Blue"),
        ("press", "Add to cart"),
    ],
    "change-password": [
        *SIGN_IN,
        ("type", "[name=old]", "lantern-42"),
        ("type", "[name=new]", "moonlight-77"),
        ("type", "[name=again]", "moonlight-77"),
        ("press", "Change password"),
    ],
    "survey": [
        *fills({"Name": "Lena Fox", "Age": "34", "Birthday": "1992-03-05"}),
        ("select", "District", "Saltmarsh"),
        ("tick", "Sailing"),
        ("tick", "Music"),
        ("tick", "Every week"),
        ("press", "Send survey"),
    ],
    "survey-clock": [
        *fills({"Favourite bird": "Puffin", "Best time to call": "18:30", "Favourite colour": "#ff8800"}),
        ("fill", "Happiness, 0 to 10", "9"),
        ("select", "Languages", "Finnish", "Chinese"),
        ("press", "Send survey"),
    ],
    "book-room": [
        *fills({"Arrival": "2027-07-10", "Nights": "3"}),
        ("select", "Guests", "2"),
        ("press", "Continue"),
        ("tick", "Garden room"),
        ("tick", "With breakfast"),
        ("press", "Continue"),
        *fills({"Guest name": "Ola Nord", "Email": "ola@nord.example", "Phone": "555 0123"}),
        ("press", "Continue"),
        ("tick", "I agree to the house rules"),
        ("press", "Book now"),
    ],
    "buy-blanket": [
        ("select", "Colour", "Rust"),
        ("press", "Add to cart"),
        ("follow", "Go to checkout"),
        *fills(OLA),
        ("select", "Country", "Norway"),
        ("tick", "Express, next day (€12.90)"),
        ("click", "[name=terms]"),
        ("press", "Place order"),
    ],
    "collect-notebooks": [
        ("follow", "Dot notebook"),
        ("select", "Colour", "Yellow"),
        ("fill", "Quantity", "3"),
        ("press", "Add to cart"),
        ("fill", "Coupon code", "HARBOUR20"),
        ("press", "Apply"),
        ("follow", "Go to checkout"),
        *fills(IDA),
        ("select", "Country", "Finland"),
        ("tick", "Collect at the harbour (free)"),
        ("click", "[name=terms]"),
        ("press", "Place order"),
    ],
}
DEEDS = ONE | TWO | SOME | MANY
