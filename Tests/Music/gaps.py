"""The differences that are known, as patterns of `CASE:FIELD`, each with its reason.

A pattern that no difference matches fails the test, so that the list stays true.
"""
GAPS = [
    # ID3v2.3.
    ("full.id3v23-*:discTitle", "mutagen leaves TSST out of ID3v2.3"),
]
