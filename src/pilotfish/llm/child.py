"""The embedded model's own process: llama.cpp's OpenAI-compatible server on loopback, until the parent is gone.

Spoken to over pipes: one line of JSON in (`Order`), one line of JSON out (`{"url": …}` or `{"error": …}`). When
standard input ends, whoever started us has closed it or died, by kill -9 too, and so do we.
"""

import contextlib
import importlib
import json
import os
import sys
from typing import Any, TypedDict


class Order(TypedDict):
    """What to serve, and how."""

    path: str
    key: str
    context: int
    threads: int


# Small batches cost no speed on a CPU, and a stopped question lets the next one in sooner.
BATCH = 128
CACHE_MIB = 1024


def serve(order: Order) -> object:
    """Load the model and listen; the server lives as long as the returned object."""
    llama: Any = importlib.import_module("xllamacpp")  # it comes without types
    params = llama.CommonParams()
    params.model.path = order["path"]
    params.model_alias = {"embedded"}
    params.n_ctx = order["context"]
    params.n_batch = params.n_ubatch = BATCH
    params.n_parallel = 1
    params.cache_ram_mib = CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["threads"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["key"]]
    params.use_jinja = True
    params.ui = params.endpoint_slots = False
    params.verbosity = -1
    return llama.Server(params)


def main() -> None:
    """Serve what standard input orders, until it ends."""
    order: Order = json.loads(sys.stdin.readline())
    tell = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # llama.cpp prints where it likes; the pipe is for one line of ours
    try:
        server = serve(order)
    except (RuntimeError, OSError, ValueError, ImportError) as error:
        print(json.dumps({"error": str(error)}), file=tell, flush=True)
        os._exit(1)
    # The parent may have died while llama.cpp held everything up: then there is nobody to tell.
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps({"url": getattr(server, "listening_address", "")}), file=tell, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
