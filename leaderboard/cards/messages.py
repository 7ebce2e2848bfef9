"""What is said about each kind of problem of a run's document, by its stable code.

Pure: the texts are marked for translation here and translated where they are shown. Each is whole sentences that say
what would be right, with named places.
"""


def gettext_noop(text: str) -> str:
    """Mark a text for translation without translating it, so that this module needs no Django."""
    return text


SUMMARY = gettext_noop("The document cannot be taken as a run.")

REMEDIES: dict[str, str] = {
    # The document
    "too_large": gettext_noop("The document has more than %(limit)s bytes. Hand in the outputs as CSV or JSON Lines."),
    "too_many_results": gettext_noop("A run has at most %(limit)s results."),
    "line_too_long": gettext_noop("The line has more than %(limit)s characters. Give one result a line."),
    "empty": gettext_noop("The document is empty. Choose the file that holds the run."),
    "bad_encoding": gettext_noop(
        "Byte %(offset)s, in line %(line)s, is not valid %(encoding)s. "
        "Save the file as UTF-8, or as UTF-16 with a byte order mark."
    ),
    "not_json": gettext_noop(
        "This is no valid JSON from line %(line)s, column %(column)s on. Mend or export it again."
    ),
    "not_finite": gettext_noop("A score must be a finite number. Use null for what was not measured."),
    "duplicate_key": gettext_noop("The key stands twice in one object. Keep one of them."),
    "bad_surrogate": gettext_noop("This is half a character. Export the document again as UTF-8."),
    "too_deep": gettext_noop("Brackets are nested too deeply to be read."),
    "unknown_document": gettext_noop(
        "This is neither a run card, nor a harness test report, nor a list of outputs. A card has “run_id”, “dataset” "
        "and “scores”; a report has “overall” and “entries”; outputs have “entry_id” and “predicted”."
    ),
    "log_mismatch": gettext_noop("The run log is of another run than the report. Hand in the two of one run."),
    "rows_mismatch": gettext_noop("The rows belong to another card. Hand in the rows of this card."),
    # Fields
    "missing_field": gettext_noop("A run card needs this field. Export the card again with a complete harness run."),
    "not_object": gettext_noop("Here belongs a JSON object, in braces."),
    "not_list": gettext_noop("Here belongs a JSON list of objects, in brackets."),
    "not_text": gettext_noop("Here belongs a text, in quotation marks."),
    "not_number": gettext_noop("Here belongs a number, or null for what was not measured."),
    "not_whole": gettext_noop("Here belongs a whole number."),
    "bad_digest": gettext_noop("A SHA-256 has 64 characters 0-9 and a-f."),
    "rate_over_one": gettext_noop(
        "Rates run from 0 to 1. This looks like a percentage of an early harness: divide it by 100."
    ),
    "unknown_tier": gettext_noop("There is no such tier. The tiers are %(known)s."),
    "interval_reversed": gettext_noop("An interval begins at its lower end, and this one ends at %(high)s."),
    "out_of_range": gettext_noop("This figure runs from %(low)s to %(high)s."),
    # Results
    "no_outputs": gettext_noop("There is no output to score. Hand in the run's results, one for each entry."),
    "missing_id": gettext_noop("Each result needs the id of its entry."),
    "missing_output": gettext_noop("Each result needs “predicted”; an empty text stands for an empty output."),
    "duplicate_id": gettext_noop("This entry already has a result at %(first)s. Keep one of them."),
    "output_too_long": gettext_noop("An output has at most %(limit)s characters; this one has %(length)s."),
    "nul_in_text": gettext_noop("A NUL character cannot be stored. Remove it."),
    "missing_column": gettext_noop("The first line names the columns; “entry_id” and “predicted” are needed."),
    "duplicate_column": gettext_noop("Two columns have this name. Keep one of them."),
    "row_width": gettext_noop("The line has %(found)s fields, the first line names %(expected)s. Check its quotes."),
    "bad_quotes": gettext_noop("The quotation marks do not close from here on. Double those inside a quoted field."),
    "line_count": gettext_noop(
        "The outputs have %(found)s lines, the corpus has %(expected)s entries. Give one line for each entry, in the "
        "corpus's order; an empty line stands for an empty output."
    ),
    # Seals
    "hash_mismatch": gettext_noop(
        "The card was changed after it was sealed: its content gives %(computed)s. A program that reads JSON and "
        "writes it again (JSON re-serialisation) is enough, because it turns 0.0 into 0. Hand in the file as the "
        "harness wrote it."
    ),
    "fingerprint_mismatch": gettext_noop("The fingerprint's components give %(computed)s. Hand in the file unchanged."),
    "bad_fingerprint": gettext_noop("A fingerprint is an object with “hash” and “components”."),
    "fingerprint_incomplete": gettext_noop("The fingerprint lacks this component."),
    "fingerprint_disagrees": gettext_noop("The card's own field says %(field_value)s. The two must agree."),
}
