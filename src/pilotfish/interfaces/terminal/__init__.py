"""The output of the command line, and the input of the person at the keyboard."""
