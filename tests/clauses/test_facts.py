"""Who the parties of a contract are and of what day it is, on openings as real ones are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.facts import facts_of
from time_support import grows_at_most

TERMS = "\n\n1. Term. This Agreement lasts until 31 December 2099, between Friday and Monday.\n"
OPENINGS = [
    (
        'This Supply Agreement (the "Agreement") is entered into as of 15 January 2023 by and between Oakhollow Foundry '
        'GmbH ("Supplier") and Vantryl Motors S.A. ("Buyer").',
        {"Oakhollow Foundry GmbH": ["Supplier"], "Vantryl Motors S.A.": ["Buyer"]},
        "2023-01-15",
    ),
    (
        "THIS AGREEMENT is dated 5 May 2020\n\nPARTIES\n\n(1) ALDERWICK PUMPS LIMITED incorporated and registered in England "
        "and Wales with company number 01234567 whose registered office is at 1 Mill Lane, Leeds (Supplier); and\n\n"
        "(2) BRANTHILL WATER PLC incorporated in Scotland (the Customer).\n\nBACKGROUND\n\n(A) The Supplier makes pumps.",
        {"ALDERWICK PUMPS LIMITED": ["Supplier"], "BRANTHILL WATER PLC": ["Customer"]},
        "2020-05-05",
    ),
    (
        "BETWEEN:\n(1) Corvane Software Ltd (“Licensor”); and\n(2) Delmarsh College (“Licensee”).\n\nDated: 2019-11-30",
        {"Corvane Software Ltd": ["Licensor"], "Delmarsh College": ["Licensee"]},
        "2019-11-30",
    ),
    (
        "This Distribution Agreement, dated as of January 5, 2001 (this “Agreement”), is by and among Eastmoor Foods, Inc., a "
        "Delaware corporation (“Eastmoor”), Fennick & Sons Company, an Ohio corporation (the “Distributor”), and Gallowby "
        "Holdings, L.L.C. (“Parent”, and together with Eastmoor, the “Eastmoor Parties”).",
        {
            "Eastmoor Foods, Inc.": ["Eastmoor"],
            "Fennick & Sons Company": ["Distributor"],
            "Gallowby Holdings, L.L.C.": ["Parent"],
        },
        "2001-01-05",
    ),
    (
        "THIS LEASE, made this 5th day of January 2001 between HARROWDEN PROPERTIES CORP. (hereinafter called the "
        '"Landlord") and MARY Q. JESSUP (hereinafter called the "Tenant").',
        {"HARROWDEN PROPERTIES CORP.": ["Landlord"], "MARY Q. JESSUP": ["Tenant"]},
        "2001-01-05",
    ),
    (
        "EMPLOYMENT AGREEMENT made as of the first day of March, 1998, by and between Innisvale Bank, N.A. and Robert L. "
        "Keswick, Jr.",
        {"Innisvale Bank, N.A.": [], "Robert L. Keswick, Jr.": []},
        "1998-03-01",
    ),
    (
        "This Agreement is made between Lorne and Mather Ltd and Norbeck Inc. and shall be effective as of June 1, 2010.",
        {"Lorne and Mather Ltd": [], "Norbeck Inc.": []},
        "2010-06-01",
    ),
    (
        "Effective Date: March 3, 2017\n\nThis Services Agreement is between Osterley Data B.V. located at Kade 12, 1011 AB "
        "Amsterdam (“Provider”) and Pellworth AG, Zürich (“Client”).",
        {"Osterley Data B.V.": ["Provider"], "Pellworth AG": ["Client"]},
        "2017-03-03",
    ),
    (
        "This NON-COMPETITION AGREEMENT is made and entered into this 30th day of May, 2001 by and between Quarrington, aka "
        'Q. Stone ("Covenantor"), and Ramsgate Systems Corporation, a California corporation ("Buyer"), and is made with '
        "reference to the following:\nRECITALS\nA. Pursuant to that certain Plan dated April 2, 2000, by and between Other "
        "Group, Inc., and Third Group, Inc., the Buyer buys.",
        {"Quarrington": ["Covenantor"], "Ramsgate Systems Corporation": ["Buyer"]},
        "2001-05-30",
    ),
    (
        "FIRST AMENDMENT, dated as of March 1, 2005, to the Credit Agreement dated as of May 1, 2001, among Selwick Corp., as "
        "borrower, and Tarleton Trust Company, as agent.",
        {"Selwick Corp.": [], "Tarleton Trust Company": []},
        "2005-03-01",
    ),
    (
        "Amendment No. 2 to the Lease Agreement dated June 7, 1999 is made as of August 8, 2003 by and between Ulverton LLC "
        "(“Lessor”) and Vexford Ltd. (“Lessee”).",
        {"Ulverton LLC": ["Lessor"], "Vexford Ltd.": ["Lessee"]},
        "2003-08-08",
    ),
    (
        "AGREEMENT made with effect from 12 October 2011 between the State of Maryland (the “State”), acting by and through its "
        "Department of Roads, and Wendle Paving Co., Inc., 5 Quarry Road, Towson, MD 21204 (the “Contractor”).",
        {"State of Maryland": ["State"], "Wendle Paving Co., Inc.": ["Contractor"]},
        "2011-10-12",
    ),
    (
        "This Agreement is entered into on 7.3.2014 by Xanderly S.p.A. (“Seller”) and Yarrowby Oy (“Purchaser”).",
        {"Xanderly S.p.A.": ["Seller"], "Yarrowby Oy": ["Purchaser"]},
        "2014",
    ),
    (
        "This Agreement is dated 25/12/2014 and made between Zennor Ltd and Ashcombe Ltd.",
        {"Zennor Ltd": [], "Ashcombe Ltd.": []},
        "2014-12-25",
    ),
    (
        "This Agreement is dated 12/25/2014 and made between Zennor Ltd and Ashcombe Ltd.",
        {"Zennor Ltd": [], "Ashcombe Ltd.": []},
        "2014-12-25",
    ),
    (
        'MADE this ____ day of __________, 2016, between Birkenhall Clinic ("Discloser"), and ________________ ("Recipient").',
        {"Birkenhall Clinic": ["Discloser"]},
        "2016",
    ),
    (
        "This Agreement (“Agreement”), effective as of September 2008, is between [COMPANY NAME] (“Company”), and Cressing "
        "Laboratories Pty Ltd (“Vendor”).",
        {"Cressing Laboratories Pty Ltd": ["Vendor"]},
        "2008-09",
    ),
    (
        "MASTER SERVICES AGREEMENT\n\nTABLE OF CONTENTS\n"
        + "".join(f"{n}. Some Heading of a Section That Is Long ......................... {n}\n" for n in range(1, 80))
        + "\nThis Agreement is made on 9 September 2009 between Dunmore Ltd and Elsworth Ltd.",
        {"Dunmore Ltd": [], "Elsworth Ltd.": []},
        "2009-09-09",
    ),
    (
        "This Software as a Service Agreement (this \"Agreement\") is made on 4 March\n2024 between Fairlight Software Ltd, of "
        "12 Tannery Row, Elmstead\n(\"Provider\"), and Gorran Logistics Inc., of 480 Harbor Road, Suite 5,\nPort Callow "
        "(\"Customer\").",
        {"Fairlight Software Ltd": ["Provider"], "Gorran Logistics Inc.": ["Customer"]},
        "2024-03-04",
    ),
    (
        "1. PARTIES. This Lease, dated for reference purposes only July 4, 1995, is made by and between Hexham Ltd. (“Lessor”) "
        "and Inverlea, Inc. (“Lessee”).",
        {"Hexham Ltd.": ["Lessor"], "Inverlea, Inc.": ["Lessee"]},
        "1995-07-04",
    ),
    (
        "Johnson and Jarrow (“J&J”) and Kelshall Inc. (“Kelshall”) entered into this Agreement on Feb. 2, 2012, between "
        "Johnson and Jarrow (“J&J”) and Kelshall Inc. (“Kelshall”).",
        {"Johnson and Jarrow": ["J&J"], "Kelshall Inc.": ["Kelshall"]},
        "2012-02-02",
    ),
    (
        "AGREEMENT\nBETWEEN\nLANGRICK COUNCIL (the “Authority”)\n- and -\nMORWENSTOW LIMITED (the “Organisation” and together with "
        "the Authority, the “Parties”)\nWHEREAS the Authority was founded on 3 May 1901",
        {"LANGRICK COUNCIL": ["Authority"], "MORWENSTOW LIMITED": ["Organisation"]},
        "",
    ),
    (
        "Novembre 2009\n\nThis Agreement is signed on November 1st, 2009, between Nairn's Bakery, Inc. (\"Nairn's\") and Orlestone "
        "S.à r.l. (together with its affiliates, “Orlestone”).",
        {"Nairn's Bakery, Inc.": ["Nairn's"], "Orlestone S.à r.l.": ["Orlestone"]},
        "2009-11-01",
    ),
    (
        "June 20, 2016\n\nPenhallow Holding NV\nDock 25\n\nLadies and Gentlemen:\n\nYou have asked about Quill Works, Inc. (the "
        "“Company”).",
        {},
        "2016-06-20",
    ),
    (
        "This agreement (the “Agreement”) is between the parties signing below. The date of this Agreement is that of the last "
        "signature.",
        {},
        "",
    ),
    ("NON-DISCLOSURE TERMS\n\nThe Recipient shall not tell anybody what passes between the parties and their advisers.", {}, ""),
    ("The Data Protection Act 1998 and the Regulation of 2 August 2002 apply to what is sent between A and B.", {}, ""),
    (
        '"Effective Date" means 11 November 2011.\nThis Agreement binds Rowde Ltd and whoever signs it.',
        {},
        "2011-11-11",
    ),
    (
        "This Agreement is made on 2 May 2002 between Sandhurst Ltd (“Seller”) and Thurlby Ltd about a sale (the “Possible "
        "Transaction”).",
        {"Sandhurst Ltd": ["Seller"], "Thurlby Ltd": []},
        "2002-05-02",
    ),
    ("", {}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("opening", "parties", "date"), OPENINGS, ids=[one[0][:40] for one in OPENINGS])
def test_the_parties_and_the_date_of_an_opening(opening: str, parties: dict[str, list[str]], date: str) -> None:
    found = facts_of(opening + TERMS)
    assert ({party.name: list(party.called) for party in found.parties}, found.date) == (parties, date)


def test_there_are_enough_openings_to_go_by() -> None:
    assert len(OPENINGS) >= 25
    assert sum(not parties for _, parties, _ in OPENINGS) >= 3
    assert sum(not date for *_, date in OPENINGS) >= 3


def test_what_stands_far_behind_the_opening_is_not_read() -> None:
    late = "This Agreement is made on 5 May 2001 between Alder Ltd and Birch Ltd."
    assert facts_of("Words. " * 1000 + late) == facts_of("")


@given(st.text(max_size=400), st.sampled_from([one[0] for one in OPENINGS]))
def test_names_stand_in_the_text_and_a_date_is_one(noise: str, opening: str) -> None:
    found = facts_of(noise + opening)
    words = " ".join((noise + opening).split())
    assert all(party.name in words for party in found.parties)
    assert len(found.date) in {0, 4, 7, 10}
    assert len(found.parties) <= 12


@pytest.mark.parametrize(
    "piece",
    [
        "between A, Inc. and ",
        "(the “",
        "A and ",
        "Acme ",
        "made ",
        "1. ",
        "....",
        "____ ",
        "the Agreement ",
        '("A"), B ',
    ],
)
def test_time_does_not_explode(piece: str) -> None:
    assert grows_at_most(8, lambda n: facts_of(f"This Agreement is made between {piece * n}"), 100, 4_000)
