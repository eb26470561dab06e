// Shows dots in a field whatever its type: in pictures, in the live view, and when the page reveals its passwords.
(el) => el.style.setProperty("-webkit-text-security", "disc", "important")
