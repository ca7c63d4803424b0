"""The optional daemon: one asyncio loop that carries transport and time; what it does is the services'."""
