"""What all HTTP handlers share: the server, the request gate, sign-in, errors, static files."""
