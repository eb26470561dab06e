"""Acts on pages: clicks, typing, keys, navigation."""
