"""What an agent may do, decided by code: policy, network limits, secrets, provenance, audit."""
