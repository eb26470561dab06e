"""Kinds of sources, each as the sites that a search is held to."""

from typing import Literal

SourceCategory = Literal[
    "any",
    "encyclopedia",
    "programming",
    "academic",
    "government",
    "finance",
    "tech",
    "reference",
    "news",
    "health",
    "legal",
    "sports",
]

SITES: dict[SourceCategory, tuple[str, ...]] = {
    "any": (),
    "encyclopedia": ("wikipedia.org", "britannica.com", "scholarpedia.org", "encyclopedia.com"),
    "programming": ("stackoverflow.com", "github.com", "developer.mozilla.org", "docs.python.org", "dev.to"),
    "academic": ("arxiv.org", "pubmed.ncbi.nlm.nih.gov", "semanticscholar.org", "jstor.org", "nature.com", "acm.org"),
    "government": (".gov", ".gov.uk", "europa.eu", "un.org", ".gc.ca"),
    "finance": ("reuters.com", "bloomberg.com", "finance.yahoo.com", "marketwatch.com", "sec.gov", "ecb.europa.eu"),
    "tech": ("arstechnica.com", "theverge.com", "wired.com", "techcrunch.com", "theregister.com"),
    "reference": ("wiktionary.org", "merriam-webster.com", "dictionary.cambridge.org", "oed.com", "wikidata.org"),
    "news": ("apnews.com", "reuters.com", "bbc.com", "theguardian.com", "npr.org", "aljazeera.com"),
    "health": ("who.int", "nih.gov", "cdc.gov", "mayoclinic.org", "nhs.uk", "cochranelibrary.com"),
    "legal": ("law.cornell.edu", "justia.com", "eur-lex.europa.eu", "courtlistener.com", "legislation.gov.uk"),
    "sports": ("espn.com", "bbc.com", "skysports.com", "olympics.com", "fifa.com", "sofascore.com"),
}
