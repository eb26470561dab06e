"""The loops: one file each, one async function over a `Run`. The file's name is the loop's name.

| loop | what it is for |
|---|---|
| `auto` | chooses one of the others |
| `chat` | questions about open pages |
| `pilot` | chores, one action at a time; the shortest loop, so read it first |
| `horizon` | chores, several actions in each turn |
| `react` | research on the web |
| `extract` | data from lists and pages |
| `talk` | conversation without pages |
| `strict` | three visible phases in each step: reason, act, observe |
| `replay` | repeats an earlier run, or does what a shortcut records |
| `_call` `_remember` `_watch` | started by the product itself: calls of MCP clients, saving facts, looks of a watch |
| `_when` | started by the product itself: says in a known form when a person wants something done |

| method of the run | what a loop does with it |
|---|---|
| `observe`, `act` | takes a snapshot of the page; carries out tool calls |
| `ask`, `decide`, `attempt` | asks a model for text, for a value of a type, or for a value or else the text |
| `report`, `note`, `reason` | shows people a stage of the work, a single fact, the model's thinking |
| `request_input`, `finish` | asks the person; gives the answer |

The prompts of a loop are in `prompts/`.
"""
