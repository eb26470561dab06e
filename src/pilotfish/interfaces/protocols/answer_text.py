"""The words of a run for clients that read one text: each word once, though it is streamed first and added whole later.

A model's reply is streamed while it is written. The message that the loop then adds is that reply, often with its
sources listed below it; only what is new in it is sent. Words before a tool call are a paragraph of their own.
"""

from pilotfish.core import events as e


class AnswerText:
    """Which words of a run's answer are still to be sent."""

    def __init__(self) -> None:
        self.sent = ""
        self._call = ""
        self._streamed = ""
        self._thought = ""

    def add_thought(self, event: e.TextDelta | e.Reasoned) -> str:
        """What to send of the model's thinking: a piece while it is written, or the whole where no piece of it came."""
        if isinstance(event, e.TextDelta):
            self._thought += event.text
            return event.text
        streamed, self._thought = self._thought.strip(), ""
        return "" if streamed and streamed.endswith(event.text.strip()) else event.text

    def add_delta(self, delta: e.TextDelta) -> str:
        """What to send of a piece of streamed text; a new reply begins a new paragraph."""
        lead = "\n\n" if self.sent.strip() and delta.call != self._call else ""
        if delta.call != self._call:
            self._call, self._streamed = delta.call, ""
        self._streamed += delta.text
        return self._send(lead + delta.text)

    def add_message(self, event: e.MessageAdded) -> str:
        """What to send of a finished message: what was not streamed, which is all of it or the block of its sources."""
        text, streamed = event.message.text.strip(), self._streamed.strip()
        if not streamed:
            rest = text
        elif text.startswith(streamed):
            rest = text[len(streamed) :].strip()
        else:
            rest = _source_block(text, event) if event.sources else text
        self._streamed = ""
        if not rest or rest in self.sent:
            return ""
        return self._send(f"\n\n{rest}" if self.sent.strip() else rest)

    def add_progress(self, line: str) -> str:
        """What is being done, as a quoted line; lines that follow each other are one quotation."""
        lead = "\n\n" if self.sent.strip() and not self.sent.endswith("\n") else ""
        return self._send(f"{lead}> {' '.join(line.split())}\n")

    def add_pictures(self, markdown: str) -> str:
        """Pictures that belong to the answer, as paragraphs of their own."""
        return self._send(markdown)

    def add_question(self, asked: e.InputRequested) -> str:
        """A question with its choices, as an own paragraph."""
        choices = "".join(f"\n{number}. {choice}" for number, choice in enumerate(asked.choices, 1))
        lead = "\n\n" if self.sent.strip() else ""
        return self._send(f"{lead}{asked.question}{choices}")

    def _send(self, text: str) -> str:
        self.sent += text
        return text


def _source_block(text: str, event: e.MessageAdded) -> str:
    """The last paragraph of a message, where it lists sources; nothing where the message has no such list."""
    block = text.rpartition("\n\n")[2]
    return block if any(str(source.get("url", "")) in block for source in event.sources) else ""
