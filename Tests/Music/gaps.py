"""The differences that are known, as patterns of `CASE:FIELD`, each with its reason.

A pattern that no difference matches fails the test, so that the list stays true.
"""
GAPS = [
    # ID3v2.3, in which Picard joins values by a slash.
    ("full.id3v23-*:artists", "values joined by a slash without blanks are not split, as names contain slashes"),
    ("full.id3v23-*:genres", "values joined by a slash without blanks are not split"),
    ("full.id3v23-*:labels", "values joined by a slash without blanks are not split"),
    ("full.id3v23-*:catalogueNumbers", "values joined by a slash without blanks are not split"),
    ("full.id3v23-*:types", "values joined by a slash without blanks are not split"),
    ("full.id3v23-*:credit.composer", "values joined by a slash without blanks are not split"),
    ("full.id3v23-*:credit.performer", "mutagen turns TMCL into IPLS, from which no performers are taken yet"),
    ("full.id3v23-*:discTitle", "mutagen leaves TSST out of ID3v2.3"),
    ("several.ids-v23:*", "values joined by a slash without blanks are not split"),
    # Windows Media.
    ("full.wma:originalDate", "TagLib gives the year of the original release before its date"),
    ("full.wma:albumOriginalDate", "TagLib gives the year of the original release before its date"),
    *[(f"*wma:{field}", "values stand in two parts of the header, and TagLib gives those of the second part first") for field in (
        "artists", "artistIDs", "genres", "moods", "labels", "catalogueNumbers", "types")],
    # Loudness.
    ("gain.itunnorm:trackGain", "Sound Check's values are not read yet"),
    ("gain.rva2:*Peak", "peaks of RVA2 are not read yet"),
]
