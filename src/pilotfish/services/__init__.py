"""What the app offers besides runs: settings, users, secrets, attached files, live view, doctor."""
