"""The loops: one file each, one async function over a `Run`. The file's name is the loop's name.
Loops that the product starts by itself (`_call`, `_remember`, `_watch`) have a `_` before it.

A loop takes a snapshot of the page with `run.observe`, and carries out tool calls with `run.act`. It asks a model with
`run.ask` for text, with `run.decide` for a value of a type, and with `run.attempt` for a value or else the text. People
see what it does by `run.report` (a stage of the work), `run.note` (a single fact) and `run.reason` (the model's
thinking). `run.request_input` asks the person, `run.finish` gives the answer. The prompts of a loop are in `prompts/`.
"""
