"""What an agent may do, decided by code: policy, fences, secrets, provenance, audit."""
