"""The one runtime under all loops."""
