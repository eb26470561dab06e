"""What Pilotfish remembers of a person: facts that live, merge and end, and everything that was once said."""
