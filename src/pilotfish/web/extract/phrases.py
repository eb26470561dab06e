"""Phrases that mark what is not main text: headings of other sections, and labels of controls."""

import re

THINGS = (
    r"(?:products?|articles?|posts?|questions?|topics?|threads?|stories|news|items?|content|reading|links?|searches|reads"
    r"|videos?|pages?|discussions?|categories|tags?|guides|for you|now|on .+|from .+|in .+)"
)

# A heading that reads like this opens a part about something else.
HEADINGS = (
    r"(?:more |most )?(?:related|recommended|similar|suggested|popular|trending|latest|recent|featured|sponsored)"
    rf"(?: {THINGS})?",
    r"you (?:may|might|could) (?:also )?(?:like|be interested|enjoy).*",
    r"customers? (?:who|also).*",
    r"people also.*",
    r"(?:frequently bought|complete the look|pairs well|goes well).*",
    r"recently viewed.*",
    r"more (?:from|in|on|like)\b.*",
    r"most (?:read|viewed|popular|commented).*",
    r"(?:what to )?read (?:next|more|also).*",
    r"up next",
    r"keep reading",
    r"don['’]t miss.*",
    r"editors?['’]?s? (?:picks?|choice).*",
    r"share(?: this| on| via)?.{0,20}",
    r"follow us.*",
    r"stay (?:connected|in touch).*",
    r"(?:subscribe|sign up|join)\b.*(?:newsletter|mailing|updates|inbox|email).*",
    r"(?:our |get the )?newsletter.*",
    r"(?:leave|post|add|write) a (?:comment|reply|review).*",
    r"(?:blog )?archives?",
    r"advertisement",
    r"navigation(?: menu)?",
    r"main menu",
    r"quick links",
    r"site map",
    r"contact us",
    r"about the author.*",
    r"on this page",
    r"in this article",
    r"(?:table of )?contents",
    r"jump to.*",
    r"who is online",
    r"forum (?:statistics|permissions)",
    r"hot network questions",
    r"linked",
    r"tags",
    r"categories",
    r"filters?(?: by)?",
    r"(?:refine|sort|shop) by.*",
    r"cookies?\b.*",
    r"ähnliche .*",
    r"das könnte.*",
    r"mehr zum thema.*",
    r"weitere (?:artikel|themen|produkte).*",
    r"meistgelesen.*",
    r"articles? (?:similaires?|liés?|récents?)",
    r"(?:à )?lire aussi.*",
    r"sur le même (?:sujet|thème).*",
    r"(?:artículos|noticias|productos) relacionad[oa]s",
    r"te puede interesar.*",
    r"lea también.*",
    r"(?:相关|推荐|热门|関連|おすすめ).{0,8}",
    r"猜你喜欢",
)

# A whole line that reads like this says nothing.
LINES = (
    r"share(?: this)?(?: on \w+)?",
    r"tweet|pin(?: it)?|e-?mail|print|save|like|reply|quote|report|permalink|link|edit|flag|follow|copy|more|details",
    r"(?:read|show|see|load|learn|view) (?:more|less|all|details|product)",
    r"add to (?:cart|bag|basket|wish ?list|compare|favou?rites)|buy now|quick (?:view|shop|add)|compare|wish ?list",
    r"sold out|qty|quantity|in stock|out of stock|size (?:guide|chart)",
    r"(?:select|choose) (?:options?|an option|size|colou?r)",
    r"next|prev(?:ious)?|back(?: to top)?|top|home|menu|close|search|log ?in|sign (?:in|up)|register|subscribe",
    r"skip to.*",
    r"advertisement|ad|sponsored|loading|expand|collapse|copy (?:link|code)|copied",
    r"click to (?:enlarge|expand|copy).*",
    r"(?:up|down)vote|\d+ (?:likes?|shares?|views?|votes?|comments?|repl(?:y|ies))|comments?",
    r"was this .*helpful.*",
    r"please enable javascript.*",
    r"you must be logged in.*|log in to .*",
    r"all rights reserved.*|©.*|copyright.{0,80}",
    r"edit (?:this page|on github).*",
    r"weiterlesen|mehr(?: lesen)?|antworten|zitieren|teilen|drucken|melden",
    r"répondre|partager|responder|compartir|回复|分享|举报",
)

SECTION_HEADING = re.compile(rf"\W*(?:{'|'.join(HEADINGS)})\W*$", re.I)
LATEST_HEADING = re.compile(r"\W*(?:the |our |most )?(?:latest|recent|featured|popular|trending)\b", re.I)
IDLE_LINE = re.compile(rf"\W*(?:{'|'.join(LINES)})\W*$", re.I)
OPINION_WORD = re.compile(r"\b(?:i|my|me|we|our|review(?:s|ed)?|stars?|ago|verified|rated|helpful)\b", re.I)
"""Words of those who bought."""
