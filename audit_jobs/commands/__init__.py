"""The commands of `prunescope`, one a module.

A module defines its options, and imports what its command needs when that runs: of all commands
one is run, and help for any is there at once.
"""
