"""The embedded model's process: llama.cpp's OpenAI-compatible server on loopback. It ends with its parent.

It reads one line of JSON (`ServeOrder`) and writes one line of JSON (`{"url": …}` or `{"error": …}`). When
standard input ends, the parent has closed it or died, even by kill -9, and this process ends too.
"""

import contextlib
import importlib
import json
import os
import sys
from typing import Any, TypedDict


class ServeOrder(TypedDict):
    """What to serve, and how."""

    path: str
    key: str
    context: int
    threads: int
    adapter: str


# Small batches cost no speed on a CPU, and a stopped question lets the next one in sooner.
BATCH = 128
CACHE_MIB = 1024
# A slot whose adapter is switched forgets its prompt, so requests with and without it have a slot each.
ADAPTED_ROOM = 4096


def serve(order: ServeOrder) -> object:
    """Load the model and listen; the server lives as long as the returned object."""
    llama: Any = importlib.import_module("xllamacpp")  # it comes without types
    params = llama.CommonParams()
    params.model.path = order["path"]
    params.model_alias = {"embedded"}
    params.n_ctx = order["context"]
    params.n_batch = params.n_ubatch = BATCH
    params.n_parallel = 1
    if order["adapter"]:
        params.lora_adapters = [llama.CommonAdapterLoraInfo(order["adapter"], 0.0)]
        params.n_parallel, params.kv_unified, params.cache_idle_slots = 2, True, False
        params.n_ctx += ADAPTED_ROOM
    params.cache_ram_mib = CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["threads"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["key"]]
    params.use_jinja = True
    params.ui = params.endpoint_slots = False
    params.verbosity = -1
    return llama.Server(params)


def choose_slot(*, adapted: bool) -> dict[str, Any]:
    """The part of a request that chooses the slot and switches the adapter on or off.

    llama.cpp keeps the prompts of all slots in one cache, which does not know what was read with the adapter. So a
    system prompt must belong to one kind of request only: then none is continued from the other's.
    """
    return {"id_slot": int(adapted), "lora": [{"id": 0, "scale": float(adapted)}]}


def main() -> None:
    """Serve what standard input orders, until it ends."""
    order: ServeOrder = json.loads(sys.stdin.readline())
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # llama.cpp prints to stdout too; the pipe is for our one line
    try:
        server = serve(order)
    except ModuleNotFoundError:
        problem = "llama.cpp is not installed: pip install 'pilotfish[embedded]'"
        print(json.dumps({"error": problem}), file=output, flush=True)
        os._exit(1)
    except (RuntimeError, OSError, ValueError, ImportError) as error:
        print(json.dumps({"error": str(error)}), file=output, flush=True)
        os._exit(1)
    # The parent may have died while llama.cpp was loading.
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps({"url": getattr(server, "listening_address", "")}), file=output, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
