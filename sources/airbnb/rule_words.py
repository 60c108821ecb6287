"""House rules as hosts word them, read in twelve languages: what each of the five rules' subjects is, and its state.

A rule is allowed, forbidden or unknown. A text counts only where a language's words say both what it is about and
whether that may be done; a condition ("on request", "except small dogs") leaves it unknown. Other languages, and words
that are not listed, are not understood, and then every rule that no text decides is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from schemas.stays import HOUSE_RULES

PARTIES, SMOKING, CHILDREN, PETS, VISITORS = HOUSE_RULES


@dataclass(frozen=True)
class Words:
    """One language's words, as alternatives of regular expressions over folded text."""

    subjects: dict[str, str]
    infants: str
    forbids: str
    allows: str
    conditions: str
    others: str
    """What rules speak of that are none of the five: arrival, quiet, how many guests, keys, cameras."""


WORDS: dict[str, Words] = {
    "en": Words(
        {PARTIES: r"\bpart(?:y|ies)\b|\bevents?\b|\bcelebrations?\b",
         SMOKING: r"\bsmok\w+|\bvap(?:e|ing)\b|\bcigarettes?\b",
         CHILDREN: r"\bchild(?:ren)?\b|\bkids?\b",
         PETS: r"\bpets?\b|\banimals?\b|\bdogs?\b|\bcats?\b",
         VISITORS: r"\bvisitors?\b|\b(?:outside|unregistered|additional|extra|overnight) (?:guests?|visitors?"
        r"|people)\b"},
        r"\binfants?\b|\bbab(?:y|ies)\b|\btoddlers?\b",
        r"\bno(?:n|t)?\b|n't\b|\bfree\b|\bprohibited\b|\bforbidden\b|\bbanned\b|\bwithout\b|\bnever\b|\bunsuitable\b",
        r"\ballowed\b|\bpermitted\b|\bwelcomed?\b|\bsuitable\b|\bok(?:ay)?\b|\bfriendly\b|\baccept(?:ed)?\b|\bfine\b",
        r"\bonly\b|\brequest\b|\bprior\b|\bask\b|\bapproval\b|\bunless\b|\bexcept\b|\bcontact\b|\bif\b|\bfee\b"
        r"|\bsmall\b",
        r"check[- ]?(?:in|out)|\barriv\w+|\bquiet\b|\bnoise\b|\bguests? max|\bmaximum\b|\bphotograph\w*|\bshoes?\b"
        r"|\bkeys?\b|\block\w*|\btrash\b|\bgarbage\b|\bdishes\b|\blights?\b|\bcamera|\bpark(?:ing)?\b|\btowels?\b"
        r"|\bdeposit\b",
    ),
    "pt": Words(
        {PARTIES: r"\bfestas?\b|\beventos?\b", SMOKING: r"\bfum\w+|\bcigarros?\b",
         CHILDREN: r"\bcrian[cç]as?\b", PETS: r"\banima(?:l|is)\b|\bc[aã]es\b|\bcachorros?\b|\bgatos?\b|\bpets?\b",
         VISITORS: r"\bvisitas?\b|\bvisitantes?\b|\b(?:pessoas|h[oó]spedes) n[aã]o (?:registad|registrad)\w+"},
        r"\bbeb[eêé]s?\b|\brec[eé]m-nascidos\b",
        r"\bn[aã]o\b|\bproibid\w+|\bsem\b|\bnenhum\w*|\bvedad\w+",
        r"\bpermitid\w+|\bpermite\w*|\baceit\w+|\badequad\w+|\bbem-vind\w+|\bpode\w*",
        r"\bmediante\b|\bconsulta\b|\bapenas\b|\bs[oó]\b|\bexceto\b|\bsalvo\b|\bpedido\b|\bpr[eé]vi\w+",
        r"check[- ]?(?:in|out)|\bentrada\b|\bsa[ií]da\b|\bsil[eê]ncio\b|\bbarulho\b|\bm[aá]ximo\b|\bh[oó]spedes\b"
        r"|\bchaves?\b|\bsapatos\b|\blixo\b|\bfotografia\w*|\bestacionamento\b",
    ),
    "es": Words(
        {PARTIES: r"\bfiestas?\b|\beventos?\b", SMOKING: r"\bfum\w+|\bhumos?\b",
         CHILDREN: r"\bni[nñ][oa]s?\b", PETS: r"\bmascotas?\b|\banimal(?:es)?\b|\bperros?\b|\bgatos?\b",
         VISITORS: r"\bvisitas?\b|\bvisitantes?\b|\bpersonas (?:ajenas|no registradas)"},
        r"\bbeb[eé]s?\b",
        r"\bno\b|\bprohibid\w+|\bsin\b|\blibre de\b|\bning[uú]n\w*",
        r"\badmit\w+|\bpermit\w+|\bbienvenid\w+|\bapto\b|\badecuado\b|\bacept\w+|\bpuede\w*",
        r"\bs[oó]lo\b|\bprevi[ao]\b|\bconsultar\b|\bsalvo\b|\bexcepto\b|\bpetici[oó]n\b|\bpeque[nñ]\w+",
        r"\bllegada\b|\bsalida\b|\bentrada\b|\bsilencio\b|\bruido\b|\bm[aá]ximo\b|\bhu[eé]spedes\b|\bllaves?\b"
        r"|\bzapatos\b"
        r"|\bbasura\b|\bfotograf\w+|check[- ]?(?:in|out)",
    ),
    "fr": Words(
        {PARTIES: r"\bf[eê]tes?\b|\bsoir[eé]es?\b|\b[eé]v[eé]nements?\b", SMOKING: r"\bfum\w+|\bcigarettes?\b",
         CHILDREN: r"\benfants?\b", PETS: r"\banima(?:l|ux)\b|\bchiens?\b|\bchats?\b",
         VISITORS: r"\bvisiteurs?\b|\bvisites?\b|\bpersonnes (?:non d[eé]clar|ext[eé]rieur)\w+"},
        r"\bb[eé]b[eé]s?\b|\bnourrissons?\b",
        r"\bnon\b|\bpas\b|\binterdi\w+|\bsans\b|\baucun\w*",
        r"\badmis\w*|\baccept\w+|\bautoris\w+|\bpermis\w*|\bconvient\b|\bbienvenus?\b|\badapt[eé]\w*",
        r"\bdemande\b|\bsauf\b|\buniquement\b|\bseulement\b|\bpr[eé]alable\b|\bpetits? (?:chiens?|animaux)\b",
        r"\barriv[eé]e\b|\bd[eé]part\b|\bsilence\b|\bbruit\b|\bvoyageurs?\b|\bmaximum\b|\bcl[eé]s?\b|\bchaussures\b"
        r"|\bpoubelles?\b|\bphoto\w*",
    ),
    "de": Words(
        {PARTIES: r"\bpart(?:y|ys|ies)\b|\bfeiern?\b|veranstaltung", SMOKING: r"rauch",
         CHILDREN: r"\bkindern?\b", PETS: r"haustier|\bhunde?n?\b|\bkatzen?\b|\btiere?n?\b",
         VISITORS: r"\bbesuch(?:er\w*)?\b|nicht angemeldete"},
        r"kleinkind|s[aä]ugling|\bbab(?:y|ys|ies)\b",
        r"\bkein\w*|\bnicht\w*|verboten|untersagt|\bohne\b|frei\b",
        r"erlaubt|gestattet|willkommen|geeignet|\bm[oö]glich\b",
        r"\bnur\b|anfrage|absprache|\bau[sß]+er\b|r[uü]cksprache|\bkleine hunde\b",
        r"check[- ]?(?:in|out)|anreise|abreise|ruhe|l[aä]rm|g[aä]ste|h[oö]chstens|maximal|schl[uü]ssel|schuhe"
        r"|m[uü]ll|foto",
    ),
    "it": Words(
        {PARTIES: r"\bfest[ae]\b|\beventi?\b", SMOKING: r"\bfum\w+", CHILDREN: r"\bbambin[oi]\b",
         PETS: r"\banimal[ei]\b|\bcan[ei]\b|\bgatt[oi]\b",
         VISITORS: r"\bvisitator[ei]\b|\bvisite\b|\bpersone non registrat\w+"},
        r"\bneonat[oi]\b",
        r"\bnon\b|\bvietat\w+|\bsenza\b|\bdivieto\b|\bnessun\w*",
        r"\bammess\w+|\bconsentit\w+|\bpermess\w+|\baccett\w+|\badatt\w+|\bbenvenut\w+",
        r"\brichiesta\b|\bsolo\b|\bprevi[ao]\b|\btranne\b|\beccetto\b|\bsalvo\b",
        r"check[- ]?(?:in|out)|\barrivo\b|\bpartenza\b|\bsilenzio\b|\brumor\w+|\bospiti\b|\bmassimo\b"
        r"|\bchiavi\b|\bscarpe\b"
        r"|\brifiuti\b|\bfoto\w*",
    ),
    "nl": Words(
        {PARTIES: r"\bfeest\w*|evenement", SMOKING: r"\brook|\broken\b", CHILDREN: r"\bkinderen\b",
         PETS: r"huisdier|\bhond(?:en)?\b|\bkat(?:ten)?\b", VISITORS: r"\bbezoek(?:ers?)?\b|niet-geregistreerde"},
        r"\bbaby'?s?\b|\bpeuters?\b",
        r"\bgeen\b|\bniet\b|verboden|vrij\w*|\bzonder\b",
        r"toegestaan|welkom|geschikt|\bmogen\b|\bmag\b",
        r"aanvraag|\balleen\b|overleg|behalve|mits",
        r"inchecken|uitchecken|aankomst|vertrek|stilte|lawaai|gasten|maximaal|sleutel|schoenen|afval|foto",
    ),
    "fi": Words(
        {PARTIES: r"\bjuhl\w+|\bbile\w+|tapahtum", SMOKING: r"tupako|\bsavuton|\bsavuttom|\bpolt",
         CHILDREN: r"\blap(?:si|set|sia|sille)\b", PETS: r"lemmik|\bkoir\w+|\bkiss\w+|\bel[aä]im",
         VISITORS: r"vierailij|vieraiden tuomi|ulkopuoli"},
        r"\bvauv\w+|pikkulaps",
        r"\bei\b|\b[aä]l[aä]\b|kiellet|savuton|savuttom|ilman",
        r"sallit|tervetul|\bsopii\b|\bsoveltuu\b",
        r"pyynn[oö]st|\bvain\b|sopimu|paitsi",
        r"sis[aä][aä]nkirjau|uloskirjau|saapum|l[aä]ht[oö]|hiljai|\bmelu|enint[aä][aä]n|vieras(?:ta|m[aä][aä]r)|avaim"
        r"|keng[aä]t|roskat|valokuv",
    ),
    "sv": Words(
        {PARTIES: r"\bfest(?:er)?\b|evenemang", SMOKING: r"\br[oö]k", CHILDREN: r"\bbarn\b",
         PETS: r"husdjur|\bhund(?:ar)?\b|\bkatt(?:er)?\b|\bdjur\b", VISITORS: r"\bbes[oö]k(?:are)?\b|obeh[oö]riga"},
        r"sp[aä]dbarn|\bbebis\w*",
        r"\bing(?:a|en|et)\b|\binte\b|f[oö]rbj\w+|fritt\b|\bf[aå]r ej\b|\bej\b|\butan\b",
        r"till[aå]t(?:et|en|na)|v[aä]lkom\w+|l[aä]mplig",
        r"f[oö]rfr[aå]gan|endast|\bbara\b|[oö]verenskommelse|utom",
        r"incheckning|utcheckning|ankomst|avresa|\btyst|\bljud|buller|g[aä]ster|h[oö]gst|nyckel|nycklar"
        r"|\bskor\b|sopor|foto",
    ),
    "pl": Words(
        {PARTIES: r"\bimprez\w*|przyj[eę][cć]", SMOKING: r"\bpale\w+|pal[aą]c|\bpali[cć]\b|tyto[nń]",
         CHILDREN: r"\bdzieci\w*", PETS: r"zwierz[eęaą]|\bps(?:y|[oó]w|a|em|ami)\b|\bkot(?:y|[oó]w)\b",
         VISITORS: r"odwiedzin|\bgo[sś]ci\w* niezg[lł]osz\w+|os[oó]b(?:y)? niezg[lł]osz\w+|osoby trzecie"},
        r"niemowl|ma[lł]ych dzieci",
        r"\bzakaz\w*|\bnie\w*|\bbez\b|wzbron",
        r"dozwol|akceptuj|widzian|odpowiedni|mo[zż]na|wolno",
        r"\btylko\b|uzgodni|opr[oó]cz|pro[sś]b|\bma[lł]e psy\b",
        r"zameldowan|wymeldowan|przyjazd|wyjazd|\bcisz|ha[lł]as|maksymaln|\bgo[sś]ci\b|klucz|\bbuty\b|[sś]mieci"
        r"|zdj[eę]ci",
    ),
    "ja": Words(
        {PARTIES: "パーティ|イベント|宴会", SMOKING: "煙|タバコ|たばこ", CHILDREN: "子供|お子様|子ども|こども|小児",
         PETS: "ペット|動物|犬|猫", VISITORS: "訪問者|宿泊者以外|部外者|来客"},
        "乳幼児|赤ちゃん|幼児",
        "不可|禁|遠慮|不向き|いません|できません|お断り|ません|ないで|ng",
        "可|ok|歓迎|できます|大丈夫|向いています",
        "のみ|相談|事前|場合|条件|小型犬",
        "チェックイン|チェックアウト|到着|静か|騒音|定員|名まで|鍵|靴|ゴミ|撮影|駐車",
    ),
    "zh": Words(
        {PARTIES: "聚会|派对|聚會|派對|活动|活動", SMOKING: "烟|菸|煙", CHILDREN: "儿童|兒童|小孩|孩子",
         PETS: "宠物|寵物|动物|動物|狗|猫", VISITORS: "访客|訪客|未登记|未登記|外来人员"},
        "婴幼儿|婴儿|嬰兒|幼儿",
        "禁|不|勿|谢绝|謝絕|严禁|无",
        "可|允许|允許|欢迎|歡迎|适合|適合|接待",
        "仅|只|需|须|除非|但|如",
        "入住|退房|安静|安靜|噪音|最多|房客|钥匙|鞋|垃圾|拍摄|停车",
    ),
}  # fmt: skip

LANGUAGES = tuple(WORDS)
"""ISO 639-1 codes of the languages that house rules are read in."""


@dataclass(frozen=True)
class RuleStates:
    """The five rules of one listing; each is in one of the three, in the order of `HOUSE_RULES`."""

    forbidden: tuple[str, ...]
    allowed: tuple[str, ...]
    unknown: tuple[str, ...]


def rule_states(texts: Iterable[str]) -> RuleStates:
    """Return what a listing's rules say of the five.

    A rule that no text decides is allowed only if every text was understood: what a whole list of rules does not forbid
    it permits, as the published data has it. Two texts that contradict each other leave a rule unknown.
    """
    verdicts_by_rule: dict[str, set[str]] = {rule: set() for rule in HOUSE_RULES}
    is_whole = True
    for text in texts:
        verdicts, is_understood = read_rule(text)
        is_whole &= is_understood
        for rule, verdict in verdicts.items():
            verdicts_by_rule[rule].add(verdict)
    states = {rule: _state(verdicts_by_rule[rule], is_whole) for rule in HOUSE_RULES}
    return RuleStates(*(
        tuple(rule for rule in HOUSE_RULES if states[rule] == state) for state in ("forbidden", "allowed", "unknown")
    ))  # fmt: skip


@lru_cache(maxsize=4096)  # hosts of a town write the same rules
def read_rule(text: str) -> tuple[Mapping[str, str], bool]:
    """Return what one text says (rule to `forbidden`, `allowed` or `unknown`), and whether it was understood."""
    folded = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    verdicts_by_rule: dict[str, set[str]] = {}
    is_other = False
    for words in WORDS.values():
        about = [rule for rule, pattern in words.subjects.items() if re.search(pattern, folded)]
        if re.search(words.infants, folded) and CHILDREN not in about:
            verdicts_by_rule.setdefault(CHILDREN, set()).add("unsaid")
        verdict = _verdict(words, folded)
        for rule in about:
            verdicts_by_rule.setdefault(rule, set()).add(verdict)
        is_other |= bool(re.search(words.others, folded))
    verdicts = {rule: _one(rule_verdicts) for rule, rule_verdicts in verdicts_by_rule.items()}
    return verdicts, bool(verdicts) or is_other


def _verdict(words: Words, folded: str) -> str:
    if re.search(words.forbids, folded):
        return "forbidden"
    if re.search(words.conditions, folded):
        return "conditional"
    return "allowed" if re.search(words.allows, folded) else "unsaid"


def _one(verdicts: set[str]) -> str:
    """Return what several languages make of one text, the strictest first: many words are those of a neighbour."""
    if "forbidden" in verdicts:
        return "forbidden"
    return "allowed" if "allowed" in verdicts and "conditional" not in verdicts else "unknown"


def _state(verdicts: set[str], is_whole: bool) -> str:
    if not verdicts:
        return "allowed" if is_whole else "unknown"
    if verdicts == {"allowed"}:
        return "allowed"
    return "forbidden" if "forbidden" in verdicts and "allowed" not in verdicts else "unknown"
