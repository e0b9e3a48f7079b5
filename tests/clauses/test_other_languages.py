"""Contracts in Spanish, notes on other languages, and exhibits after the signatures."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawng.clauses.collection import read_library
from lawng.clauses.formats.language import other_language
from lawng.clauses.sections.cut import Cut, clauses_of
from lawng.clauses.sections.numerals import from_word
from lawng.schema import ContractText


def cut(*paragraphs: str) -> Cut:
    return clauses_of(ContractText("\n\n".join(paragraphs)), "a.txt")


def outline(*paragraphs: str) -> list[tuple[str, str]]:
    return [(clause.section, clause.heading) for clause in cut(*paragraphs).clauses]


SPANISH = (
    "CONTRATO DE SERVICIOS",
    "CLÁUSULA PRIMERA. OBJETO DEL CONTRATO",
    "El Proveedor prestará los servicios del Anexo I.",
    "CLÁUSULA SEGUNDA.- El precio se pagará en euros.",
    "Cláusula Tercera: Duración. El plazo es de un año, conforme a la Cláusula Segunda de este contrato.",
    "CLAUSULA CUARTA.- RESPONSABILIDAD.- La responsabilidad no excederá del precio.",
    "4.1 Límite. El límite es el precio pagado en los doce meses anteriores.",
    "4.2 Exclusiones. No se aplica en caso de dolo.",
    "CLÁUSULA QUINTA",
    "LEY APLICABLE",
    "El contrato se rige por la ley española.",
    "En testimonio de lo cual, las partes firman el presente contrato.",
    "ACME, S.A.",
    "Por: ____________\nNombre: J. Doe\nCargo: Director",
    "ANEXO I",
    "Los servicios comprenden el mantenimiento.",
)


def test_a_contract_in_spanish_is_cut_at_its_clauses() -> None:
    found = cut(*SPANISH)
    assert [(clause.section, clause.heading) for clause in found.clauses] == [
        ("Cláusula PRIMERA", "OBJETO DEL CONTRATO"),
        ("Cláusula SEGUNDA", ""),
        ("Cláusula Tercera", "Duración"),
        ("Clausula CUARTA", "RESPONSABILIDAD"),
        ("4.1", "Límite"),
        ("4.2", "Exclusiones"),
        ("Cláusula QUINTA", "LEY APLICABLE"),
        ("Anexo I", ""),
    ]
    assert found.dropped == {"title": 1, "signature-block": 5}


def test_articles_of_spanish_bylaws() -> None:
    assert outline(
        "TÍTULO I",
        "DISPOSICIONES GENERALES",
        "Artículo 1º.- Denominación. La sociedad se denomina Acme.",
        "Artículo 2.º Objeto. El objeto es el comercio.",
        "CAPÍTULO II",
        "CAPITAL",
        "ARTICULO 3. El capital será de cinco mil euros.",
        "APÉNDICE A",
        "Cuentas del año.",
    ) == [
        ("Título I, Artículo 1", "Denominación"),
        ("Título I, Artículo 2", "Objeto"),
        ("Capítulo II, Articulo 3", ""),
        ("Apéndice A", ""),
    ]


def test_spanish_ordinals_alone() -> None:
    assert outline(
        "PRIMERA.- OBJETO. El Proveedor prestará los servicios.",
        "SEGUNDA.- PRECIO. El precio es de 5 euros.",
        "2.1 El precio se pagará por meses.",
        "2.2 Los anticipos no serán devueltos.",
        "Tercera: Plazo. Un año.",
        "Segunda parte del contrato.",
    ) == [("PRIMERA", "OBJETO"), ("SEGUNDA", "PRECIO"), ("2.1", ""), ("2.2", ""), ("Tercera", "Plazo")]


def test_numbers_inside_a_spanish_ordinal_are_its_own() -> None:
    found = (
        "PRIMERA.- OBJETO.",
        "1. El Proveedor prestará uno.",
        "2. El Proveedor prestará dos.",
        "SEGUNDA.- El plazo es de un año.",
    )
    assert [section for section, _ in outline(*found)] == ["PRIMERA, 1", "PRIMERA, 2", "SEGUNDA"]


def test_spanish_ordinals_count_to_39() -> None:
    written = "primera segundo TERCER cuarta Quinto sexta SÉPTIMA octava noveno décima undécima DUODECIMA decimotercera"
    assert [from_word(word) for word in written.split()] == list(range(1, 14))
    two = ("décima cuarta", "Decimo Quinto", "vigésima", "VIGÉSIMA PRIMERA", "trigésima  novena", "única")
    assert [from_word(word) for word in two] == [14, 15, 20, 21, 39, 1]
    assert [from_word(word) for word in ("primerizo", "décimas", "objeto", "prima")] == [None] * 4


@pytest.mark.parametrize("before", ["la cláusula", "el artículo", "los", "del Anexo"])
def test_a_line_may_end_before_a_spanish_reference(before: str) -> None:
    text = f"1. Precio. El precio se pagará conforme a {before}\n2. Lo demás queda igual.\n2. Plazo. Un año."
    assert [(one.section, one.heading) for one in clauses_of(ContractText(text), "a.txt").clauses] == [
        ("1", "Precio"),
        ("2", "Plazo"),
    ]


def test_a_spanish_heading_without_a_number() -> None:
    said = "El contrato se rige por la ley española."
    assert outline("Acuerdo de las partes.", "Ley del Contrato y Jurisdicción", said)[1:] == [
        ("", "Ley del Contrato y Jurisdicción")
    ]


SIGNED = (
    "SERVICES AGREEMENT",
    "1. Services. Supplier shall provide the services.",
    "GENERAL TERMS",
    "2. Fees. Customer shall pay the fees within thirty days.",
    "IN WITNESS WHEREOF, the parties have signed this Agreement.",
    "ACME INC.",
    "By: ____________\nName: J. Doe\nTitle: CEO",
)


@pytest.mark.parametrize(
    ("exhibit", "expected"),
    [
        (("EXHIBIT A", "The uptime is 99 per cent."), [("Exhibit A", "")]),
        (
            ("EXHIBIT A", "Statement of Work", "1. Scope. A platform.", "2. Price. It is $5."),
            [("Exhibit A, 1", "Scope"), ("Exhibit A, 2", "Price")],
        ),
        (("Exhibit A", "Form of Notice", "Date: ____", "We give notice."), [("Exhibit A", "Form of Notice")]),
        (
            ("Schedule 1 – Service Levels", "Name: Gold", "The uptime is 99 per cent."),
            [("Schedule 1", "Service Levels")],
        ),
        (("Attachment B", "Date: today", "Supplier shall build it."), [("Attachment B", "")]),
        (("SCHEDULE ONE", "Prices", "Valve\t$5"), [("Schedule ONE", "Prices")]),
    ],
)
def test_exhibits_after_the_signatures_are_clauses(exhibit: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    found = cut(*SIGNED, *exhibit)
    assert [(clause.section, clause.heading) for clause in found.clauses[2:]] == expected
    text = "\n".join(clause.text for clause in found.clauses)
    assert exhibit[-1] in text
    assert ["GENERAL TERMS" in clause.headings for clause in found.clauses] == [False, True] + [False] * len(expected)
    assert found.dropped["signature-block"] >= 5


SAID = {
    "Spanish": "El Proveedor se obliga a prestar los servicios descritos en el Anexo A, de conformidad con los términos de este contrato. La responsabilidad total del Proveedor no excederá del importe pagado por el Cliente durante los doce meses anteriores a la reclamación. ",
    "Portuguese": "O Fornecedor obriga-se a prestar os serviços descritos no Anexo A, nos termos do presente contrato. A responsabilidade total do Fornecedor não excederá o montante pago pelo Cliente nos doze meses anteriores à reclamação, salvo em caso de dolo. ",
    "French": "Le Prestataire s'engage à fournir les services décrits à l'annexe A, conformément aux conditions du présent contrat. La responsabilité totale du Prestataire ne pourra excéder le montant payé par le Client au cours des douze mois précédant la réclamation. ",
    "German": "Der Lieferant verpflichtet sich, die in Anlage A beschriebenen Leistungen nach Maßgabe dieses Vertrages zu erbringen. Die Haftung des Lieferanten übersteigt nicht den Betrag, den der Kunde in den letzten zwölf Monaten gezahlt hat. ",
    "Italian": "Il Fornitore si obbliga a prestare i servizi descritti nell'Allegato A, secondo i termini del presente contratto. La responsabilità del Fornitore non potrà eccedere l'importo pagato dal Cliente nei dodici mesi precedenti la richiesta, salvo il caso di dolo. ",
    "Dutch": "De leverancier verbindt zich de in bijlage A beschreven diensten te verlenen overeenkomstig de voorwaarden van deze overeenkomst. De aansprakelijkheid van de leverancier bedraagt niet meer dan het bedrag dat de klant in de twaalf maanden heeft betaald. ",
    "another language": "Leverantören åtar sig att tillhandahålla de tjänster som beskrivs i bilaga A i enlighet med villkoren i detta avtal. Dostawca zobowiązuje się świadczyć usługi opisane w załączniku zgodnie z warunkami niniejszej umowy. Поставщик обязуется оказывать услуги, описанные в приложении. 供应商应当提供附件所述的服务，并承担责任。 ",
    "": "Supplier shall provide the services that are described in Exhibit A under the terms of this Agreement. The liability of Supplier shall not exceed the amount paid by Customer in the twelve months before the claim. ",
}


@pytest.mark.parametrize("language", SAID)
def test_a_text_that_is_plainly_not_english_is_known_by_its_small_words(language: str) -> None:
    assert other_language(SAID[language] * 6) == language


def test_what_is_short_or_of_two_languages_or_a_list_of_names_is_not_said_to_be_of_another() -> None:
    words = SAID["Spanish"].split()
    assert other_language(" ".join((words * 3)[:99])) == ""
    assert other_language(" ".join((words * 3)[:100])) == "Spanish"
    assert other_language((SAID["Spanish"] + SAID[""]) * 5) == ""
    assert other_language("Tele Danmark Telia Belgacom Cable Wireless Maxis Berhad plc " * 20) == ""


def test_a_contract_in_spanish_is_noted_and_a_short_or_english_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "es.txt").write_text("1. Objeto. " + SAID["Spanish"] * 5)
    (tmp_path / "en.txt").write_text("1. Services. " + SAID[""] * 5)
    (tmp_path / "short.txt").write_text("1. Objeto. " + SAID["Spanish"])
    said = "es.txt: seems to be in Spanish; the glossary and the models read English"
    assert read_library(tmp_path).notes == (said,)
    (tmp_path / "es.txt").write_bytes(("1. Objeto. " + SAID["Spanish"] * 5).encode("cp1252"))
    assert read_library(tmp_path).notes == ("es.txt: read as Windows-1252 text", said)
