"""Prague semantic dependencies: the functors of the tectogrammatical layer.

Those of arguments end with -arg, those that join the members of a coordination with .member.
"""

from .label import Label

_ARGUMENTS = (
    Label(
        "ACT-arg",
        "The dependent is the actor: who does it, or the argument nearest to that.",
        *("Kim sleeps", "sleeps", "Kim"),
    ),
    Label(
        "PAT-arg",
        "The dependent is the patient: what is affected, made, or spoken of.",
        *("Kim likes cats", "likes", "cats"),
    ),
    Label(
        "ADDR-arg",
        "The dependent is the addressee: to whom something is given or said.",
        *("Kim gave Mary a book", "gave", "Mary"),
    ),
    Label(
        "ORIG-arg",
        "The dependent is the origin: from whom, or out of what.",
        *("Kim bought a dog from Tom", "bought", "Tom"),
    ),
    Label(
        "EFF-arg",
        "The dependent is the effect: what comes of it, or what is said of the patient.",
        *("They elected Kim president", "elected", "president"),
    ),
)

_PLACE_AND_TIME = (
    Label("LOC", "The dependent is where.", "Kim sleeps in Paris", "sleeps", "Paris"),
    Label("DIR1", "The dependent is where from.", "Kim came from Paris", "came", "Paris"),
    Label("DIR2", "The dependent is which way.", "Kim ran across fields", "ran", "fields"),
    Label("DIR3", "The dependent is where to.", "Kim ran into the garden", "ran", "garden"),
    Label("TWHEN", "The dependent is when.", "Kim left yesterday", "left", "yesterday"),
    Label("THL", "The dependent is how long it took.", "Kim slept for hours", "slept", "hours"),
    Label("THO", "The dependent is how often.", "Kim never sings", "sings", "never"),
    Label("TSIN", "The dependent is since when.", "Kim slept since noon", "slept", "noon"),
    Label("TTILL", "The dependent is until when.", "Kim slept until noon", "slept", "noon"),
    Label(
        "TPAR",
        "The dependent is during what, or at the same time.",
        *("Kim slept during the speech", "slept", "speech"),
    ),
    Label(
        "TFHL",
        "The dependent is for how long it is to be.",
        *("Kim rented it for a year", "rented", "year"),
    ),
    Label(
        "TFRWH",
        "The dependent is the time that something comes from.",
        *("The custom is left from last century", "left", "century"),
    ),
    Label(
        "TOWH",
        "The dependent is the time that something is moved to.",
        *("Kim put it off till Monday", "put", "Monday"),
    ),
)

_CAUSE = (
    Label("AIM", "The dependent is the purpose.", "Kim went to buy bread", "went", "buy"),
    Label("CAUS", "The dependent is the cause.", "Kim left because it rained", "left", "rained"),
    Label("COND", "The dependent is the condition.", "If Mary sings , Kim sings", "sings", "sings"),
    Label(
        "CNCS",
        "The dependent is what could have prevented it.",
        *("Although it rained , Kim left", "left", "rained"),
    ),
    Label(
        "INTT",
        "The dependent is the intention of a movement.",
        *("Kim went shopping", "went", "shopping"),
    ),
    Label(
        "CONTRD",
        "The dependent is what the head contrasts with.",
        *("While Kim sings , Mary dances", "dances", "sings"),
    ),
)

_MANNER = (
    Label("MANN", "The dependent is the manner.", "Kim ran quickly", "ran", "quickly"),
    Label("MEANS", "The dependent is the means.", "Kim writes with a pen", "writes", "pen"),
    Label("EXT", "The dependent is the degree or amount.", "Kim is very old", "old", "very"),
    Label("ACMP", "The dependent is what comes with it.", "Kim left with Tom", "left", "Tom"),
    Label("BEN", "The dependent is for or against whom.", "Kim sang for Tom", "sang", "Tom"),
    Label("CPR", "The dependent is compared with.", "Kim is older than Tom", "older", "Tom"),
    Label("CRIT", "The dependent is a criterion.", "By law , Kim pays", "pays", "law"),
    Label("DIFF", "The dependent is a difference.", "It rose by ten", "rose", "ten"),
    Label("REG", "The dependent is with regard to what.", "As for tea , Kim paid", "paid", "tea"),
    Label("RESL", "The dependent is the result.", "Kim sang herself to sleep", "sang", "sleep"),
    Label(
        "RESTR",
        "The dependent is excepted.",
        *("All but Kim left", "All", "Kim"),
    ),
    Label(
        "SUBS",
        "The dependent is replaced.",
        *("Kim sang instead of Tom", "sang", "Tom"),
    ),
    Label(
        "HER",
        "The dependent is whom or what something is inherited from.",
        *("Kim is named after Tom", "named", "Tom"),
    ),
    Label(
        "COMPL",
        "The dependent describes a participant as well as the verb.",
        *("Kim sat there , reading", "sat", "reading"),
    ),
)

_NOUNS = (
    Label("RSTR", "The dependent says which one.", "The old cat sleeps", "cat", "old"),
    Label(
        "DESCR",
        "The dependent describes what is already known.",
        *("Tom , who sings , left", "Tom", "sings"),
    ),
    Label("APP", "The dependent is whom or what it belongs to.", "Kim 's cat sleeps", "cat", "Kim"),
    Label("AUTH", "The dependent is the author.", "A play by Ibsen began", "play", "Ibsen"),
    Label("ID", "The dependent is a name or title.", "The word cat is short", "word", "cat"),
    Label("MAT", "The dependent is the content.", "A cup of tea fell", "cup", "tea"),
    Label("NE", "The dependent is a part of a name.", "Ada Smith left", "Smith", "Ada"),
)

_SPEAKER = (
    Label("RHEM", "The dependent is not, only, even or the like.", "Kim did not go", "go", "not"),
    Label("MOD", "The dependent is how sure the speaker is.", "Maybe Kim left", "left", "Maybe"),
    Label("ATT", "The dependent is the speaker's attitude.", "Luckily Kim left", "left", "Luckily"),
    Label("PREC", "The dependent links to what came before.", "But Kim left", "left", "But"),
    Label("INTF", "The dependent is an empty subject.", "It is good to sing", "is", "It"),
    Label("PARTL", "The dependent is an interjection.", "Yes , Kim left", "left", "Yes"),
    Label("VOCAT", "The dependent is spoken to.", "Kim , go home", "go", "Kim"),
    Label("PAR", "The dependent is a parenthesis.", "Kim ( it rained ) left", "left", "rained"),
)

_EXPRESSIONS = (
    Label(
        "CPHR",
        "The dependent is the noun of a verb with little meaning of its own.",
        *("Kim made a promise", "made", "promise"),
    ),
    Label(
        "DPHR",
        "The dependent is a part of an idiom.",
        *("Kim kicked the bucket", "kicked", "bucket"),
    ),
    Label(
        "FPHR",
        "The dependent is a word of a foreign expression.",
        *("The motto is carpe diem", "diem", "carpe"),
    ),
    Label(
        "SM",
        "The dependent is a part of a preposition of several words.",
        *("Kim got tea in return for coffee", "coffee", "return"),
    ),
    Label(
        "CM",
        "The dependent modifies a conjunction.",
        *("Kim sings and also dances", "and", "also"),
    ),
)

_MEMBERS = (
    Label(
        "CONJ.member",
        "The dependent is added to the others by the conjunction.",
        *("Kim and Mary sing", "and", "Kim"),
    ),
    Label(
        "DISJ.member",
        "The dependent is one of several possibilities.",
        *("Kim or Mary sings", "or", "Kim"),
    ),
    Label(
        "ADVS.member",
        "The dependent is opposed to the other one.",
        *("Tom is old but happy", "but", "old"),
    ),
    Label(
        "APPS.member",
        "The dependent is one of two names of the same, in apposition.",
        *("Ada Smith , a doctor , left", ",", "doctor"),
    ),
    Label(
        "CSQ.member",
        "The dependent is a cause or its consequence.",
        *("It rained , so Kim left", "so", "left"),
    ),
    Label(
        "REAS.member",
        "The dependent is a fact or its reason.",
        *("Kim left , for it rained", "for", "left"),
    ),
    Label(
        "GRAD.member",
        "The dependent is one step of several that grow.",
        *("Kim not only sings but dances", "but", "dances"),
    ),
    Label(
        "CONFR.member",
        "The dependent is compared with the other one as a contrast.",
        *("Kim sings , whereas Mary dances", "whereas", "sings"),
    ),
    Label(
        "CONTRA.member",
        "The dependent is one of two that meet as opponents.",
        *("Germany versus Brazil ended", "versus", "Brazil"),
    ),
    Label(
        "OPER.member",
        "The dependent is one end of an interval, or an operand.",
        *("Two plus three is five", "plus", "Two"),
    ),
)

PSD = (
    *(*_ARGUMENTS, *_PLACE_AND_TIME, *_CAUSE, *_MANNER),
    *(*_NOUNS, *_SPEAKER, *_EXPRESSIONS, *_MEMBERS),
)
