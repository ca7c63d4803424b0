"""A runtime whose server does not answer."""

from tma.services import cache, runtime
from tma.services.cache import Options
from tma.services.runtime import Runtime


def world(**chosen: str) -> Runtime:
    """The bundled agents, default settings, and a socket that nobody listens on."""
    options = Options()
    options.socket_path = "/nonexistent/tmux"
    for name, value in chosen.items():
        setattr(options, name, value)
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=env)
    return runtime.connect(options, document)
