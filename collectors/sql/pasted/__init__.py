"""Ranges that conditions on functions mean, said by the names of the conditions' literals."""
