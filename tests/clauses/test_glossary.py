"""The glossary of contract drafting: each concept is asked for by a query and said by a clause, and not by others."""

from __future__ import annotations

import pytest

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, lowered, read_glossary
from lawng.errors import ConfigError

BY_NAME = {concept.name: concept for concept in (*SUBJECTS, *MATTERS)}

# each sentence is invented
EXAMPLES = {
    "cap": ("liability cap", "The total liability of the Vendor shall not exceed the fees paid."),
    "damages waiver": ("consequential damages waiver", "Neither party shall be liable for any indirect loss."),
    "warranty disclaimer": ("disclaimer of implied warranties", "Vendor makes no warranties, express or implied."),
    "as is": ("as-is clause", "The Software is delivered “as is”."),
    "non-reliance": ("non-reliance clause", "Buyer has not relied on any statement of Seller."),
    "exclusive remedy": ("sole and exclusive remedy", "A refund is Customer's sole and exclusive remedy."),
    "product warranty": ("product warranty", "Seller warrants that the goods are free from faults in workmanship."),
    "indemnity": ("indemnification", "Supplier shall indemnify Buyer against all losses."),
    "revenue sharing": ("revenue/profit sharing", "The Artist receives 40% of the net revenues."),
    "minimum commitment": ("minimum purchase commitment", "Buyer shall purchase at least 500 units a year."),
    "audit rights": ("audit rights", "Licensor may inspect the books and records of Licensee."),
    "insurance": ("insurance clause", "Contractor shall maintain general liability insurance."),
    "most favored nation": ("most favored nation", "The prices are no less favorable than those of any other buyer."),
    "non-compete": ("non-compete", "Consultant shall not compete with the Company."),
    "exclusivity": ("exclusivity", "Dealer is the exclusive distributor of the Products."),
    "no solicit of customers": ("no-solicit of customers", "Agent shall not divert any customer of the Company."),
    "no solicit of employees": ("no-solicit of employees", "Neither party shall hire an employee of the other."),
    "non-disparagement": ("non-disparagement", "Executive shall not disparage the Company."),
    "right of first refusal": ("ROFR clause", "Investor has a right of first refusal."),
    "change of control": ("change of control", "A merger of Licensee with another company is a change of control."),
    "anti-assignment": ("anti-assignment clause", "Tenant shall not assign this Lease without consent."),
    "covenant not to sue": ("covenant not to sue", "Licensee shall not challenge the validity of the Marks."),
    "renewal": ("renewal term", "This Agreement renews for successive years."),
    "termination for convenience": ("termination for convenience", "Client may terminate at any time for any reason."),
    "governing law": ("governing law", "This Agreement is governed by the laws of Norway."),
    "liquidated damages": ("liquidated damages", "The sum is due as liquidated damages."),
    "third party beneficiary": ("third party beneficiary", "Parent is an intended beneficiary of this Agreement."),
    "ip assignment": ("IP ownership assignment", "Author hereby assigns all right, title and interest to Publisher."),
    "joint ip ownership": ("joint IP ownership", "The parties shall jointly own the Results."),
    "license": ("license grant", "Owner grants to Studio a license to show the Film."),
    "source code escrow": ("source code escrow", "The source code is held in escrow."),
    "third-party ip infringement": (
        "third-party IP infringement",
        "Claims that the Service infringes a patent of a third party.",
    ),
    "ip infringement": ("IP infringement", "Losses from misappropriation of trade secrets."),
    "trademark or copyright": ("trademark or copyright", "Disputes over the trademarks."),
    "willful misconduct": ("willful misconduct", "Loss caused by intentional acts."),
    "gross negligence": ("gross negligence", "Where a party was grossly negligent."),
    "negligence": ("negligence indemnity", "Loss caused by its negligence."),
    "fraud": ("fraud", "Liability for deceit."),
    "personal injury": ("bodily injury", "Claims for death of any person."),
    "confidentiality": ("confidentiality breach", "Breach of the non-disclosure duties."),
    "indemnification obligations": ("indemnification carve-out", "The duty to hold harmless under Section 9."),
    "compliance with law": ("violation of law", "Any violation by Vendor of privacy laws."),
    "subject to law": ("subject to law", "To the extent permitted by law."),
    "first party claims": ("first party indemnification", "Losses suffered by the indemnified party."),
    "third party claims": ("indemnification of third party claims", "Suits brought against the Buyer."),
    "broad-based claims": ("broad-based claims", "All losses arising out of this agreement."),
    "specified claims": ("specified claims", "Losses from (i) theft."),
    "breach of agreement": ("breach of the agreement", "Any breach of the terms."),
    "indirect claims": ("indirect claims", "Indirect losses."),
    "hold harmless": ("hold harmless", "Vendor holds Buyer harmless."),
    "defending claims": ("defending claims", "Vendor shall defend the Buyer."),
    "control of defence": ("control of defense", "Vendor may assume the defense of the claim."),
    "affiliates": ("affiliates", "Buyer and its subsidiaries."),
    "use in compliance": ("use of product in compliance with agreement", "Goods used in accordance with the manual."),
    "purchase price": ("purchase price", "The price of the goods."),
    "twelve months": ("12 months", "Fees paid in the twelve (12) months before."),
    "fixed amount": ("fixed fee", "Fifty dollars, or $50."),
    "insurance coverage": ("insurance coverage", "What an insurer pays."),
    "indirect damages": ("cap on liability for indirect damages", "Punitive damages."),
    "lost profits": ("lost profits", "Loss of anticipated profits."),
    "consequential damages": ("consequential damages", "Consequential loss."),
    "incidental damages": ("incidental damages", "Incidental loss."),
    "punitive damages": ("punitive damages", "Exemplary damages."),
    "strict liability": ("strict liability", "Strict product liability."),
    "implied warranties": ("implied warranties", "Warranties implied by statute."),
    "merchantability and fitness": ("merchantability", "Merchantability or fitness for a purpose."),
    "title and non-infringement": ("title and non-infringement", "Warranties of title."),
    "replacement or refund": ("repair or refund", "Vendor shall repair or replace the goods."),
    "shelf life": ("shelf-life", "Each lot has an expiration date two years off."),
    "manufacturing and shipping": ("manufacturing and shipping", "The goods are shipped from the port."),
    "defects": ("defective goods", "Buyer may reject the lot."),
    "tort": ("tort", "Whether in contract or in tort."),
    "time and territory": ("bound by time and territory", "For two years within the territory."),
    "notice to renew": ("notice to renew", "Tenant may renew by written notice."),
    "automatic renewal": ("auto-renewal", "The term is automatically renewed."),
    "new york": ("New York governing law", "The courts of New York."),
    "england": ("English law", "The law of England."),
    "several governing laws": ("multiple governing laws", "The laws of Ohio for land, and the laws of Utah for goods."),
    "uniform code excluded": ("UCC excluded", "The Vienna convention does not apply."),
    "more than twelve months": ("longer than 12 months", "For three (3) years."),
    "notice only": ("requires notice", "Upon written notice to the other."),
}

BY_FORM = {"specified claims", "fixed amount"}
"""Said by items and figures, which stand in no expansion of a query."""

# a sentence that looks like it, and why it is none
OTHERS = [
    pytest.param("first party claims", "Vendor pays all losses from any claim of a third party.", id="third party"),
    pytest.param("cap", "Invoices shall not be split.", id="no liability"),
    pytest.param("cap", "Liability is several. Orders exceed the stock.", id="another sentence"),
    pytest.param("non-compete", "The parties complete the works.", id="complete"),
    pytest.param("as is", "The basis of the price.", id="basis"),
    pytest.param("exclusivity", "The courts of Oslo have exclusive jurisdiction.", id="exclusive jurisdiction"),
    pytest.param("audit rights", "The books are sold in the shop.", id="books"),
    pytest.param("gross negligence", "Loss caused by negligence.", id="simple negligence"),
    pytest.param("personal injury", "The deadline has passed.", id="dead"),
    pytest.param("merchantability and fitness", "A warranty of merchantability.", id="one of the two"),
    pytest.param("governing law", "The parties observe all applicable laws.", id="observing laws"),
    pytest.param("tort", "Distortion of the picture.", id="distortion"),
    pytest.param("insurance", "Assurance is given.", id="assurance"),
    pytest.param("third-party ip infringement", "The goods infringe nothing. A third party pays.", id="two sentences"),
]


@pytest.mark.parametrize(
    ("name", "text"),
    [("cap", "The Vendor's liability is capped at one year of fees."), ("cap", "Damages for delay are capped at 5 %.")],
)
def test_a_notion_is_said_in_other_words_too(name: str, text: str) -> None:
    assert BY_NAME[name].is_said(lowered(text))


def test_every_concept_has_an_example_and_every_example_a_concept() -> None:
    assert set(EXAMPLES) == set(BY_NAME)
    assert len(BY_NAME) == len(SUBJECTS) + len(MATTERS)


@pytest.mark.parametrize("concept", BY_NAME.values(), ids=BY_NAME)
def test_a_query_asks_for_it_and_a_sentence_says_it(concept: Concept) -> None:
    query, sentence = EXAMPLES[concept.name]
    assert concept.asked.search(query.lower())
    assert concept.is_said(sentence.lower())


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - BY_FORM))
def test_what_it_means_is_a_text_that_says_it(name: str) -> None:
    concept = BY_NAME[name]
    assert concept.said.search(concept.meaning.lower())


@pytest.mark.parametrize("concept", BY_NAME.values(), ids=BY_NAME)
def test_words_of_no_contract_do_not_say_it(concept: Concept) -> None:
    text = "the cat sat on the mat while rain fell upon a quiet garden and children slept."
    assert not concept.is_said(text)
    assert not concept.asked.search(text)


@pytest.mark.parametrize(("name", "sentence"), OTHERS)
def test_another_sentence_does_not_say_it(name: str, sentence: str) -> None:
    assert not BY_NAME[name].is_said(sentence.lower())


def test_unless_applies_to_the_whole_sentence() -> None:
    first = BY_NAME["first party claims"]
    said = "any loss, whether or not a third party beneficiary joins."
    assert first.is_said(said)
    assert not first.is_said(said.replace("beneficiary", "claimant"))


def test_expanded_queries_have_each_meaning_once() -> None:
    meanings = [concept.meaning for concept in BY_NAME.values()]
    assert len(set(meanings)) == len(meanings)


ROW = '[[subject]]\nname = "cap"\nasked = ["caps?"]\nsaid = ["exceed"]\nmeaning = "A cap."\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[[subject]", "mend the TOML", id="no TOML"),
        pytest.param(ROW.replace('name = "cap"\n', ""), "a concept without a name", id="no name"),
        pytest.param(ROW.replace('meaning = "A cap."\n', ""), "cap: 'meaning'", id="no meaning"),
        pytest.param(ROW.replace("caps?", "(caps"), "cap: ", id="no pattern"),
        pytest.param(ROW.replace('["exceed"]', "3"), "cap: ", id="no list"),
        pytest.param(ROW + 'unless = ["("]', "cap: ", id="no pattern in unless"),
        ('[[matter]]\nname = "a"\nof = "b"\nasked = ["x"]\nsaid = ["x"]\nmeaning = ""', "a: of 'b' is no subject"),
    ],
)
def test_a_broken_glossary_is_one_line(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        read_glossary(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_glossary_may_have_one_kind_alone() -> None:
    assert [concept.name for concept in read_glossary(ROW)["subject"]] == ["cap"]
    assert read_glossary(ROW)["matter"] == ()
