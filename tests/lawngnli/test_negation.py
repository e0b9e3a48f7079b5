"""The contradiction algorithm on sentences in the style of judges (LawngNLI, A.1.5): what it answers, and why.

The sentences are made up; real ones are in test_negation_judged.py.
"""

from __future__ import annotations

import pytest

from lawng.lawngnli.negation import Negated
from negation_support import answers, negator, short

# fmt: off
TABLE: dict[str, list[tuple[str, str, bool]]] = {
    'step 2: a lexical verb takes do-support, its form goes to "do"': [
        ("defendant has standing to raise his due process challenges",
         "defendant does not have standing to raise his due process challenges", False),
        ("trial court erred in admitting the evidence", "trial court did not err in admitting the evidence", False),
        ("the defendant did the act that the statutes forbid",
         "the defendant did not do the act that the statutes forbid", False),
        ("trial court clearly erred", "trial court did not clearly err", False),
        ("the court properly excluded the testimony", "the court did not properly exclude the testimony", False),
        ("plaintiff had a duty to mitigate damages", "plaintiff did not have a duty to mitigate damages", False),
        ("officer had probable cause to arrest", "officer did not have probable cause to arrest", False),
        ("complaint states a claim upon which relief can be granted",
         "complaint does not state a claim upon which relief can be granted", False),
        ("defendant waived right to counsel", "defendant did not waive right to counsel", False),
        ("insurer breached its duty of good faith", "insurer did not breach its duty of good faith", False),
        ("statute of limitations begins to run when plaintiff discovers injury",
         "statute of limitations does not begin to run when plaintiff discovers injury", False),
        ("claim accrues on the date of injury", "claim does not accrue on the date of injury", False),
        ("due process requires notice and an opportunity to be heard",
         "due process does not require notice and an opportunity to be heard", False),
        ("Fourth Amendment protects people", "Fourth Amendment does not protect people", False),
        ("the Commerce Clause limits state power", "the Commerce Clause does not limit state power", False),
        ("the court also held that the error was harmless",
         "the court also did not hold that the error was harmless", False),
        ("the board thus lacked authority to act", "the board thus did not lack authority to act", False),
        ("statute expressly preempts state law", "statute does not expressly preempt state law", False),
        ("the trial court denied the motion and dismissed the complaint",
         "the trial court did not deny the motion and dismiss the complaint", False),
        ("the officer knew that the driver was intoxicated",
         "the officer did not know that the driver was intoxicated", False),
        ("sale of the property constituted a breach of the covenant",
         "sale of the property did not constitute a breach of the covenant", False),
        ("officers lawfully entered the home", "officers did not lawfully enter the home", False),
        ("shareholders have the right to inspect corporate books",
         "shareholders do not have the right to inspect corporate books", False),
        ("corporation has the burden of proving good faith",
         "corporation does not have the burden of proving good faith", False),
        ("court reversed because the instruction misstated the law",
         "court did not reverse because the instruction misstated the law", False),
        ("the officer stopped or searched the car", "the officer did not stop or search the car", False),
        ("the State bears the burden of proof", "the State does not bear the burden of proof", False),
        ("Agency acted within its discretion; its order was lawful",
         "Agency did not act within its discretion; its order was lawful", False),
    ],
    "step 2: do-support goes, its tense and number return to the verb": [
        ("plaintiff does not have standing to sue", "plaintiff has standing to sue", True),
        ("district court did not abuse discretion where plaintiff failed to object",
         "district court abused discretion where plaintiff failed to object", True),
        ("court did not err in denying motion to suppress", "court erred in denying motion to suppress", True),
        ("defendant did not knowingly waive his right to counsel",
         "defendant knowingly waived his right to counsel", True),
        ("insurer did not breach its duty of good faith", "insurer breached its duty of good faith", True),
        ("due process does not require a hearing", "due process requires a hearing", True),
        ("Fourth Amendment does not apply to private searches", "Fourth Amendment applies to private searches", True),
        ("statute does not expressly preempt state law", "statute expressly preempts state law", True),
        ("the parties did not agree to arbitrate", "the parties agreed to arbitrate", True),
        ("prosecutor's remarks did not deprive defendant of a fair trial",
         "prosecutor's remarks deprived defendant of a fair trial", True),
        ("the privilege does not extend to physical evidence", "the privilege extends to physical evidence", True),
        ("the ordinance did not violate equal protection", "the ordinance violated equal protection", True),
        ("statute did not create or expand liability", "statute created or expanded liability", True),
        ("tenant did not have notice of the defect", "tenant had notice of the defect", True),
    ],
    '"need not" is contradicted by "need to", and agrees with its subject': [
        ("police need not knock before entering", "police need to knock before entering", True),
        ("State need not prove motive", "State needs to prove motive", True),
        ("employer needs to show business necessity", "employer need not show business necessity", False),
        ("petitioners need to exhaust state remedies", "petitioners need not exhaust state remedies", False),
        ("officers need to obtain a warrant", "officers need not obtain a warrant", False),
    ],
    "step 1: an indefinite subject has a contradictory of its own": [
        ("no court has jurisdiction over the claim", "some court has jurisdiction over the claim", True),
        ("no funds reached the school", "some funds reached the school", True),
        ("some evidence supported the verdict", "no evidence supported the verdict", False),
        ("nothing in the statute requires notice", "something in the statute requires notice", True),
        ("something in the record supports the finding", "nothing in the record supports the finding", False),
        ("no one objected to the instruction", "someone objected to the instruction", True),
        ("someone heard the shots", "no one heard the shots", False),
        ("none of the evidence was admissible", "some of the evidence was admissible", True),
        ("some of the evidence was admissible", "none of the evidence was admissible", False),
        ("neither party objected", "either party objected", True),
        ("either party may appeal", "neither party may appeal", False),
        ("nobody saw the accident", "somebody saw the accident", True),
        ("nothing was said about damages", "something was said about damages", True),
    ],
    '"neither ... nor" and "either ... or" are contradictories': [
        ("neither the statute nor the rule requires notice", "either the statute or the rule requires notice", True),
        ("either the owner or the tenant may sue", "neither the owner nor the tenant may sue", False),
        ("the petition was neither timely nor sworn", "the petition was either timely or sworn", True),
        ("neither plaintiff nor defendant is bound by the decree",
         "either plaintiff or defendant is bound by the decree", True),
    ],
    '"not all" is the contradictory of "all"; "all ... not" would be ambiguous': [
        ("all defendants are jointly liable", "not all defendants are jointly liable", False),
        ("not all searches require a warrant", "all searches require a warrant", True),
        ("every element must be proved", "not every element must be proved", False),
        ("not every error requires reversal", "every error requires reversal", True),
    ],
    "adverbs of time have contradictories: never and sometimes, no longer and still": [
        ("Congress never intended that result", "Congress sometimes intended that result", True),
        ("silence is never acceptance", "silence is sometimes acceptance", True),
        ("silence is sometimes acceptance", "silence is never acceptance", False),
        ("statute is no longer in force", "statute is still in force", True),
        ("decision is still good law", "decision is no longer good law", False),
        ("court had never adopted the rule", "court had sometimes adopted the rule", True),
        ("the rule no longer applies", "the rule still applies", True),
        ("the decree still binds the parties", "the decree no longer binds the parties", False),
    ],
    'step 2: "not" goes, nothing else changes': [
        ("counsel cannot waive the right", "counsel can waive the right", True),
        ("he cannot waive any objection to venue", "he can waive any objection to venue", True),
        ("the landlord may not charge any fee", "the landlord may charge any fee", True),
        ("statute is not void for vagueness", "statute is void for vagueness", True),
        ("defendant was not in custody when he made the statement",
         "defendant was in custody when he made the statement", True),
        ("claims are not barred by res judicata", "claims are barred by res judicata", True),
        ("parties may not contract around the rule", "parties may contract around the rule", True),
        ("The court erred. The error was not harmless.", "The court erred. The error was harmless.", True),
        ("we cannot say that the error was harmless", "we can say that the error was harmless", True),
        ("he had not been advised of his rights", "he had been advised of his rights", True),
        ("the contract is not enforceable", "the contract is enforceable", True),
        ("mere negligence is not enough", "mere negligence is enough", True),
        ("lawyers are not required to disclose the information or to report it",
         "lawyers are required to disclose the information or to report it", True),
        ("the rule shall not be applied retroactively", "the rule shall be applied retroactively", True),
        ("the juvenile could not have consented to the search",
         "the juvenile could have consented to the search", True),
    ],
    'step 2: "cannot" is one word': [
        ("counsel can waive the right", "counsel cannot waive the right", False),
    ],
    '"no" and "some" in the object: a "not" would make it a double negative': [
        ("there was no evidence of negligence", "there was some evidence of negligence", True),
        ("there was some evidence of negligence", "there was no evidence of negligence", False),
        ("there is no constitutional right to appeal", "there is some constitutional right to appeal", True),
        ("plaintiff had no duty to mitigate damages", "plaintiff had some duty to mitigate damages", True),
        ("the statute contains no severability clause", "the statute contains some severability clause", True),
        ("the statute contains some severability clause", "the statute contains no severability clause", False),
    ],
    'step 2: "not" after the first auxiliary or "be", behind sentence adverbs': [
        ("there is a duty to warn", "there is not a duty to warn", False),
        ("statute is unconstitutional as applied", "statute is not unconstitutional as applied", False),
        ("contract was ambiguous and parol evidence was admissible",
         "contract was not ambiguous and parol evidence was admissible", False),
        ("court must give the instruction when evidence supports it",
         "court must not give the instruction when evidence supports it", False),
        ("court should have given the instruction", "court should not have given the instruction", False),
        ("waiver was knowing and voluntary", "waiver was not knowing and voluntary", False),
        ("evidence was sufficient to support conviction", "evidence was not sufficient to support conviction", False),
        ("evidence was insufficient to support conviction",
         "evidence was not insufficient to support conviction", False),
        ("claims were barred by res judicata", "claims were not barred by res judicata", False),
        ("agency's interpretation was entitled to deference",
         "agency's interpretation was not entitled to deference", False),
        ("the tax was therefore invalid", "the tax was therefore not invalid", False),
        ("jury could reasonably infer intent from the circumstances",
         "jury could not reasonably infer intent from the circumstances", False),
        ("seller is liable for defects in the goods", "seller is not liable for defects in the goods", False),
        ("a single photograph was so suggestive that it tainted the trial",
         "a single photograph was not so suggestive that it tainted the trial", False),
        ("that the evidence was inadmissible", "that the evidence was not inadmissible", False),
        ("that defendant was denied a fair trial", "that defendant was not denied a fair trial", False),
        ("The statute was constitutional.", "The statute was not constitutional.", False),
        ("the act reaches traders who deal in futures, not stocks",
         "the act does not reach traders who deal in futures, not stocks", False),
        ('the court said that "the act is void; the rule stands"',
         'the court did not say that "the act is void; the rule stands"', False),
        ("Evidence was admissible; the verdict must stand",
         "Evidence was not admissible; the verdict must stand", False),
        ("accused may be tried twice", "accused may not be tried twice", False),
        ("he had been advised of his rights", "he had not been advised of his rights", False),
        ("the right to vote is fundamental", "the right to vote is not fundamental", False),
        ("juror was biased and should have been excused", "juror was not biased and should have been excused", False),
        ("the rule is well settled", "the rule is not well settled", False),
        ("venue was improper", "venue was not improper", False),
        ("negligence alone is enough", "negligence alone is not enough", False),
        ("trial court's finding that the officer lacked probable cause was clearly erroneous",
         "trial court's finding that the officer lacked probable cause was not clearly erroneous", False),
        ("plaintiff could have avoided the injury", "plaintiff could not have avoided the injury", False),
        ("state law claims were preempted by ERISA", "state law claims were not preempted by ERISA", False),
        ("the municipality had adopted a policy of deliberate indifference",
         "the municipality had not adopted a policy of deliberate indifference", False),
        ("and that the verdict was against the weight of the evidence",
         "and that the verdict was not against the weight of the evidence", False),
        ('the will was "clearly ambiguous"', 'the will was not "clearly ambiguous"', False),
        ("defendants were arrested and searched", "defendants were not arrested and searched", False),
        ("the contract must be in writing", "the contract must not be in writing", False),
        ("the plaintiff has been injured", "the plaintiff has not been injured", False),
        ("a corporation is a citizen of the State of its incorporation",
         "a corporation is not a citizen of the State of its incorporation", False),
        ("an oral contract will be enforced when it has been fully performed",
         "an oral contract will not be enforced when it has been fully performed", False),
        ("widow is entitled to dower", "widow is not entitled to dower", False),
        ("prosecution must disclose exculpatory evidence",
         "prosecution must not disclose exculpatory evidence", False),
    ],
    "clauses that open with a phrase of time or cause, a parenthesis, a leading 'for', or a question as subject": [
        ("Since then, the court has upheld the levy", "Since then, the court has not upheld the levy", False),
        ("Because of the delay, the lien was lost", "Because of the delay, the lien was not lost", False),
        ("The shares, though in form transferred, are part of the estate",
         "The shares, though in form transferred, are not part of the estate", False),
        ("For it was a purpose of the lease to bar pets", "For it was not a purpose of the lease to bar pets", False),
        ("Whether the lease was valid is a question of law",
         "Whether the lease was valid is not a question of law", False),
        ("However, the court has upheld the levy", "However, the court has not upheld the levy", False),
        ("Illustrating the harm, the rules did not protect tenants",
         "Illustrating the harm, the rules protected tenants", True),
    ],
    "what was needlessly feared": [
        ("officer had probable cause where the informant described the car",
         "officer did not have probable cause where the informant described the car", False),
        ("the inquiry is whether the search was reasonable",
         "the inquiry is not whether the search was reasonable", False),
        ("Sec. 5 does not apply to leases", "Sec. 5 applies to leases", True),
        ("Sec. 12 of the Act bars the suit", "Sec. 12 of the Act does not bar the suit", False),
        ("plaintiff was no longer an employee", "plaintiff was still an employee", True),
        ("defendant was convicted of theft while on release",
         "defendant was not convicted of theft while on release", False),
        ("the panel found it unnecessary to reach the question",
         "the panel did not find it unnecessary to reach the question", False),
    ],
    "a known number of known people, a permission to people, an act that is permitted": [
        ("the two jurors slept during the trial", "the two jurors did not sleep during the trial", False),
        ("a tenant may assign the lease", "a tenant may not assign the lease", False),
        ("the goods may not be seized", "the goods may be seized", True),
    ],
}
"""Why, then input, expected output, and whether the input had pivotal negation."""
# fmt: on
ROWS = [(text, expected, pivotal, why) for why, rows in TABLE.items() for text, expected, pivotal in rows]


@pytest.mark.parametrize(("text", "expected", "pivotal", "why"), ROWS)
def test_table(text: str, expected: str, pivotal: bool, why: str) -> None:
    answer = answers(tuple(row[0] for row in ROWS))[[row[0] for row in ROWS].index(text)]
    assert short(answer) == expected, why
    assert isinstance(answer, Negated)
    assert answer.pivotal_negation is pivotal


def test_change_and_rule_are_told() -> None:
    answer = negator().negate("trial court clearly erred", 1)
    assert isinstance(answer, Negated)
    assert answer.change == "(nothing) -> did not, erred -> err"
    assert answer.rule == "verb: add do-support"


def test_one_at_a_time_gives_the_same_as_all_at_once() -> None:
    texts = tuple(row[0] for row in ROWS[::9])
    assert tuple(negator().negate(text, 1) for text in texts) == answers(tuple(row[0] for row in ROWS))[::9]


def test_seed_chooses_the_sentence() -> None:
    text = "The search was lawful. The arrest was valid. The statement was voluntary."
    changed = {short(negator().negate(text, seed)) for seed in range(12)}
    assert changed == {
        "The search was not lawful. The arrest was valid. The statement was voluntary.",
        "The search was lawful. The arrest was not valid. The statement was voluntary.",
        "The search was lawful. The arrest was valid. The statement was not voluntary.",
    }


def test_seed_chooses_the_clause() -> None:
    text = "the search was lawful and the statement was voluntary"
    assert {short(negator().negate(text, seed)) for seed in range(12)} == {
        "the search was not lawful and the statement was voluntary",
        "the search was lawful and the statement was not voluntary",
    }


def test_same_seed_same_answer() -> None:
    text = "The search was lawful. The arrest was valid."
    assert negator().negate(text, 7) == negator().negate(text, 7)
