"""DELPH-IN MRS bi-lexical dependencies; heads are predicates of Minimal Recursion Semantics."""

from .label import Label

DM = (
    Label(
        "ARG1",
        "The dependent is the head's first argument: who acts, or what has the property.",
        *("Kim sleeps", "sleeps", "Kim"),
    ),
    Label(
        "ARG2",
        "The dependent is the head's second argument: what is acted on, or a preposition's object.",
        *("Kim likes cats", "likes", "cats"),
    ),
    Label(
        "ARG3",
        "The dependent is the head's third argument, such as the recipient.",
        *("Kim gave Mary a book", "gave", "Mary"),
    ),
    Label(
        "ARG4",
        "The dependent is the head's fourth argument; few predicates have one.",
        *("Kim paid ten dollars for the book", "paid", "book"),
    ),
    Label(
        "BV",
        "The head quantifies the dependent; BV is short for bound variable.",
        *("The cat sleeps", "The", "cat"),
    ),
    Label(
        "compound",
        "The head modifies the dependent in a compound noun or in a name.",
        *("The train station is closed", "train", "station"),
    ),
    Label(
        "poss",
        "The head possesses the dependent.",
        *("Kim 's house is old", "Kim", "house"),
    ),
    Label(
        "mwe",
        "The head and the dependent are parts of one fixed expression.",
        *("So far nobody came", "far", "So"),
    ),
    Label(
        "_and_c",
        "The head and the dependent are coordinated by the conjunction that the label contains.",
        *("Kim sang and danced", "sang", "danced"),
    ),
    Label(
        "conj",
        "The dependent follows the head in a coordination, with no conjunction between them.",
        *("Kim bought apples , pears and plums", "apples", "pears"),
    ),
    Label(
        "appos",
        "The head is an apposition to the dependent.",
        *("Ada Smith , a doctor , left", "doctor", "Smith"),
    ),
    Label(
        "parenthetical",
        "The head is a parenthesis about the dependent.",
        *("Kim ( a doctor ) left", "doctor", "Kim"),
    ),
    Label(
        "loc",
        "The head is the time or place of the dependent, without a preposition.",
        *("Kim left today", "today", "left"),
    ),
    Label(
        "neg",
        "The head negates the dependent.",
        *("Kim does not sleep", "not", "sleep"),
    ),
    Label(
        "subord",
        "The head is the main word of a clause that modifies the dependent, without a conjunction.",
        *("Kim sat there , reading a book", "reading", "sat"),
    ),
    Label(
        "part",
        "The head is a part or a number of the dependent.",
        *("One of the cats sleeps", "One", "cats"),
    ),
    Label(
        "of",
        "The head is the month of the dependent, a day.",
        *("Kim left on May 9", "May", "9"),
    ),
    Label(
        "times",
        "The head multiplies the dependent, a number.",
        *("Five hundred cats slept", "Five", "hundred"),
    ),
    Label(
        "plus",
        "The dependent, a number, is added to the head.",
        *("Twenty three dogs barked", "Twenty", "three"),
    ),
    Label(
        "measure",
        "The head measures the dependent: how high, how much.",
        *("The wall is ten feet high", "feet", "high"),
    ),
    Label(
        "than",
        "The dependent is what the head, a comparative, compares with.",
        *("Kim is taller than Mary", "taller", "Mary"),
    ),
    Label(
        "comp",
        "The head makes a comparative of the dependent.",
        *("Tea is less popular", "less", "popular"),
    ),
    Label(
        "superl",
        "The head makes a superlative of the dependent.",
        *("The most popular book is old", "most", "popular"),
    ),
    Label(
        "instrument",
        "The head is the means by which the dependent is done.",
        *("Kim has tools to solve it", "tools", "solve"),
    ),
    Label(
        "discourse",
        "The head goes on after the dependent, such as a greeting or an interjection.",
        *("Hello , Kim", "Kim", "Hello"),
    ),
    Label(
        "fw_seq",
        "The head and the dependent are words of a foreign or quoted expression (open data only).",
        *("The motto is carpe diem", "diem", "carpe"),
    ),
)
