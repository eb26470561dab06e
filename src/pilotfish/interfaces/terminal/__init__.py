"""What the command line shows, and how it listens to the person at the keyboard."""
