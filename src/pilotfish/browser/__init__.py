"""The browser: sessions, eyes and hands. It drives pages and says what is on them; it knows no model and no run."""
