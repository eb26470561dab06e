"""Random small sites with oracles that play them through the product, for tests, training and measurement."""
