"""browser-use on one task with a model of ours; run by bench/versus.py and gym/peer.py.

    python bench/peers/task.py URL MODEL_URL STEPS [--free]     (the model's key, then the goal, on standard input)

`--free`: the model keeps to no schema, so the schema stands in the prompt. Prints one JSON object: what it claims, its
steps and what it said.
"""

import asyncio
import sys

from session import open_session, tell


async def main(url: str, served: str, steps: int, *, free: bool) -> None:
    from browser_use import Agent, ChatOpenAI

    key = sys.stdin.readline().strip()
    model = ChatOpenAI(
        model="embedded",
        base_url=f"{served}/v1",
        api_key=key,
        temperature=0,
        max_retries=1,
        add_schema_to_system_prompt=free,
        dont_force_structured_output=free,
    )
    async with open_session() as session:
        await session.navigate_to(url)
        print("open", flush=True)
        goal = await asyncio.to_thread(sys.stdin.readline)
        agent = Agent(
            task=goal.strip(),
            llm=model,
            browser_session=session,
            use_judge=False,
            directly_open_url=False,
            use_vision=False,
            llm_timeout=300,
            step_timeout=360,
        )
        told = await agent.run(max_steps=steps)
        tell(
            {
                "claimed": bool(told.is_done() and told.is_successful()),
                "steps": told.number_of_steps(),
                "answer": told.final_result() or "",
                "error": "; ".join(error for error in told.errors() if error)[:300],
            }
        )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), free="--free" in sys.argv))
