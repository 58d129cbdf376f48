"""`prunescope completion`."""

from __future__ import annotations

import click

from prunescope.audit_jobs.commands.line import examples

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=examples(
        "init.md",
        'eval "$(prunescope completion bash)"',
        "prunescope completion fish > ~/.config/fish/completions/prunescope.fish",
    )
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell completion script."""
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    root = click.get_current_context().find_root()
    assert script is not None
    click.echo(script(root.command, {}, "prunescope", "_PRUNESCOPE_COMPLETE").source())
