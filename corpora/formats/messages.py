"""What is said about each kind of problem, by its stable code.

Pure: the texts are marked for translation here and translated where they are shown (`corpora.labels`). Each is a whole
sentence that says what would be right, with named places.
"""


def gettext_noop(text: str) -> str:
    """Mark a text for translation without translating it, so that this module needs no Django."""
    return text


REMEDIES: dict[str, str] = {
    # The file
    "empty_file": gettext_noop("The file is empty. Choose the file that holds the corpus."),
    "file_too_large": gettext_noop(
        "The file has more than %(limit)s bytes. Split the corpus or ask the operator to raise the limit."
    ),
    "bad_encoding": gettext_noop(
        "Byte %(offset)s, in line %(line)s, is not valid %(encoding)s. "
        "Save the file as UTF-8, or as UTF-16 with a byte order mark."
    ),
    "unknown_format": gettext_noop(
        "The file does not look like a format that can be read. "
        "Give a JSON file: an object with “dataset” and “entries”, or a list of entries."
    ),
    "not_parseable": gettext_noop("The file cannot be read from here on: %(reason)s. Mend the JSON at this place."),
    "duplicate_key": gettext_noop("The key stands twice in one object. Keep one of them."),
    "not_finite": gettext_noop("This is no number that JSON knows. Use a finite number or leave the field out."),
    "too_deep": gettext_noop("Brackets are nested too deeply to be read. Flatten the unknown fields."),
    "entry_too_large": gettext_noop(
        "One value is longer than %(limit)s characters. Check that its quotes and brackets close."
    ),
    "no_entries": gettext_noop(
        "The file holds no entries. A corpus needs at least one, with id, source and reference."
    ),
    "not_an_object": gettext_noop("An entry is an object with id, source and reference."),
    # The envelope
    "envelope_missing": gettext_noop("The file does not say this. Give it with %(option)s or in the form."),
    "envelope_type": gettext_noop("Here stands %(expected)s."),
    "bad_corpus_id": gettext_noop(
        "A corpus id has 1 to 100 letters a to z, digits, dots, hyphens and underscores. "
        "It starts with a letter or digit."
    ),
    "bad_version": gettext_noop("A version has two or three numbers with dots between, such as 1.0 or 1.0.2."),
    "bad_language": gettext_noop("This is no BCP 47 language tag. Use a tag such as cy, crk or nn-NO."),
    "unregistered_language": gettext_noop(
        "This tag is not in the language registry that is installed here. Check that it is meant."
    ),
    "bad_language_pair": gettext_noop(
        "A language pair is an object with source and target, or two tags with an arrow, such as EN→CRK or en-gl."
    ),
    "same_languages": gettext_noop("Source and target language are the same. A corpus has two languages or varieties."),
    "pair_differs": gettext_noop(
        "The label names other languages than the two language fields (%(languages)s). The fields are used."
    ),
    "bad_licence": gettext_noop(
        "Use an SPDX licence expression such as CC-BY-4.0, or LicenseRef- and a name of your own."
    ),
    "bad_created": gettext_noop("Use an ISO 8601 date or date-time, such as 2026-06-07."),
    "entry_count_differs": gettext_noop(
        "The file says that it holds this many entries, but it holds %(count)s. Check that it is complete."
    ),
    # The fields of an entry
    "missing_field": gettext_noop("Every entry needs this field."),
    "wrong_type": gettext_noop("Here stands %(expected)s."),
    "empty_text": gettext_noop("Give a text written by a person."),
    "bad_id": gettext_noop("An id is a whole number or a text of 1 to %(limit)s characters."),
    "duplicate_id": gettext_noop(
        "Entry %(first)s has this id already (ids are compared as text). Give each entry an id of its own."
    ),
    "unknown_segment": gettext_noop("Use development, diagnostic, gold_standard or held_out."),
    "unknown_domain": gettext_noop("Use one of: %(domains)s."),
    "bad_difficulty": gettext_noop("Use a whole number from 1 to 5, without quotes."),
    "control_character": gettext_noop("Remove the control character %(code_point)s at place %(position)s."),
    "surrogate": gettext_noop(
        "Half a surrogate pair (%(code_point)s at place %(position)s) is no character. Write the whole character."
    ),
    "bidi_override": gettext_noop(
        "Remove the character %(code_point)s at place %(position)s, which turns the direction of the text by force. "
        "Isolates may be used."
    ),
    "bidi_unpaired": gettext_noop(
        "The direction mark %(code_point)s at place %(position)s has no partner. Close it with U+202C, or remove it."
    ),
    "text_too_long": gettext_noop("The text has %(length)s characters. Split it: %(limit)s is the most."),
    "public_and_secret": gettext_noop(
        "The same text stands in entry %(first)s of segment %(segment)s. A text that is public is no secret any more. "
        "Remove one of the two."
    ),
    "machine_reference": gettext_noop(
        "“%(word)s” says that a machine made the references. Only those that people wrote are taken. "
        "Where the word means something else, a curator can say so in writing."
    ),
    # Warnings
    "machine_word_stated": gettext_noop(
        "The word “%(word)s” is kept, because a statement says what it means here. The statement is stored."
    ),
    "unknown_register": gettext_noop("It is kept (number of entries: %(count)s). The known registers are: %(known)s."),
    "unknown_context": gettext_noop("It is kept (number of entries: %(count)s). The known contexts are: %(known)s."),
    "duplicate_pair": gettext_noop("Entry %(first)s has the same source and reference. One of them is enough."),
    "source_without_variant_class": gettext_noop(
        "Entry %(first)s has the same source and another reference. "
        "If both are right, give both the same variant class."
    ),
    "reference_is_source": gettext_noop("The reference equals its source. Check that it is translated."),
    "mixed_normalisation": gettext_noop(
        "Number of texts composed otherwise than the rest (not in NFC): %(count)s. "
        "They are kept; use one normal form throughout."
    ),
    "foreign_script": gettext_noop(
        "Number of texts with letters of a script that the language does not use (%(script)s): %(count)s. Check them."
    ),
    "without_provenance": gettext_noop(
        "Number of entries that do not say where they are from: %(count)s. Add a provenance to each."
    ),
    "mostly_religious": gettext_noop(
        "%(count)s of %(total)s entries are of the religious domain. "
        "More than half makes the figures speak for that domain alone."
    ),
    "segment_small": gettext_noop("The segment is small: %(count)s of at least %(minimum)s entries."),
    "few_levels": gettext_noop("Number of difficulty levels: %(count)s. There should be at least 3."),
    "empty_levels": gettext_noop("No entry has this difficulty. Add some, so that each level can be judged."),
    "few_middle_levels": gettext_noop(
        "%(count)s of %(total)s entries are of difficulty 2 to 4, and half or more should be."
    ),
    "few_registers": gettext_noop("Number of registers: %(count)s. There should be at least 2."),
}
