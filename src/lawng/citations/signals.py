"""Introductory signals (Bluebook R. 1.2): what the citing judge says a citation does for the sentence."""

from __future__ import annotations

import re

_EG = r"(?:,?\s?e\.\s?g\.)"
_SIGNAL = re.compile(
    rf"""(?:^|(?<=[\s(\[“"'—;.,–-]))
    (?P<signal>
        (?:but\s+|and\s+)?see\s+(?:also|generally|especially|particularly){_EG}?
      | (?:but\s+|and\s+)?see,?\s+for\s+(?:example|instance)
      | (?:but\s+|and\s+)?see{_EG}?
      | but\s+(?:cf|compare)\.?{_EG}?
      | cf\.{_EG}?
      | compare{_EG}?
      | contra{_EG}?
      | accord{_EG}?
      | e\.\s?g\.
      | with
    )
    [,:]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")


def signal_before(text: str, end: int) -> tuple[str, int] | None:
    """The signal that ends at `end`, in standard form, and where it begins; None when there is none.

    "with" counts only after a comma or bracket, as the second half of "compare ..., with ..." does.

    >>> signal_before("Affirmed. See, e. g., ", 22)
    ('see, e.g.', 10)
    >>> signal_before("we agree with ", 14) is None
    True
    """
    match = _SIGNAL.search(text, max(0, end - 40), end)
    if match is None:
        return None
    signal = standard(match.group("signal"))
    start = match.start("signal")
    if signal == "with" and not text[max(0, start - 2) : start].rstrip().endswith((",", ")", ";")):
        return None
    return signal, start


def standard(signal: str) -> str:
    """A signal in lower case with standard blanks and commas.

    >>> standard("See,  e. g.,"), standard("But  cf.")
    ('see, e.g.', 'but cf.')
    """
    signal = _SPACES.sub(" ", signal.lower()).strip(" ,:").removeprefix("and ")
    signal = re.sub(r",? ?e\. ?g\.", ", e.g.", signal).lstrip(", ")
    signal = signal.replace("see, for", "see for").replace("but compare", "but cf.")
    return signal + "." if signal in ("cf", "but cf") else signal
