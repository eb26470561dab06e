"""What loops share beyond the run itself: reading words, listing moves, keeping track."""
