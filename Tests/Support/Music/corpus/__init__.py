"""Makes a collection of music files of every kind, and a manifest of what the library is expected to say of each.

What is expected comes from the documentation of the taggers and formats, never from what the library says.
"""
