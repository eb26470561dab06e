function readText() { return {}; }
