"""The loops: one file each, one async function over a run. The file's name is the loop's name."""
