"""The functions and answers of `import prunescope`; the commands print the same answers."""
