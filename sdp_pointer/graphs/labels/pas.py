"""Predicate-argument structures of Enju; a label begins with the kind of word that the head is."""

from .label import Label

PAS = (
    Label(
        "verb_ARG1",
        "The dependent is the verb's logical subject.",
        *("Kim sleeps", "sleeps", "Kim"),
    ),
    Label(
        "verb_ARG2",
        "The dependent is the verb's object, or its complement.",
        *("Kim likes cats", "likes", "cats"),
    ),
    Label(
        "verb_ARG3",
        "The dependent is the verb's third argument, such as what is said of the object.",
        *("They elected Kim president", "elected", "president"),
    ),
    Label(
        "verb_ARG4",
        "The dependent is the verb's fourth argument; few verbs have one.",
        *("Kim bet Mary a dollar it rains", "bet", "rains"),
    ),
    Label(
        "verb_MOD",
        "The dependent is modified by the clause of the verb, a participle.",
        *("Kim sat there , reading", "reading", "sat"),
    ),
    Label(
        "aux_ARG1",
        "The dependent is the subject of the auxiliary verb.",
        *("Kim can swim", "can", "Kim"),
    ),
    Label(
        "aux_ARG2",
        "The dependent is the verb that the auxiliary verb goes with.",
        *("Kim can swim", "can", "swim"),
    ),
    Label(
        "noun_ARG1",
        "The dependent is the noun that the head, a noun too, modifies.",
        *("The train station is closed", "train", "station"),
    ),
    Label(
        "det_ARG1",
        "The dependent is the noun of the determiner.",
        *("The cat sleeps", "The", "cat"),
    ),
    Label(
        "adj_ARG1",
        "The dependent is what the adjective or adverb modifies.",
        *("The old cat sleeps", "old", "cat"),
    ),
    Label(
        "adj_ARG2",
        "The dependent is the adjective's complement.",
        *("The book is worth ten dollars", "worth", "dollars"),
    ),
    Label(
        "adj_MOD",
        "The dependent is the clause that the adjective modifies as a whole.",
        *("Tired , the dog slept", "Tired", "slept"),
    ),
    Label(
        "prep_ARG1",
        "The dependent is what the prepositional phrase modifies.",
        *("The cat sleeps in the garden", "in", "sleeps"),
    ),
    Label(
        "prep_ARG2",
        "The dependent is the preposition's object.",
        *("The cat sleeps in the garden", "in", "garden"),
    ),
    Label(
        "prep_ARG3",
        "The dependent is what the preposition says of its object.",
        *("With the door open , Kim slept", "With", "open"),
    ),
    Label(
        "prep_MOD",
        "The dependent is the clause that the prepositional phrase modifies as a whole.",
        *("In debt , Kim sold the house", "In", "sold"),
    ),
    Label(
        "poss_ARG1",
        "The dependent is possessed.",
        *("Kim 's cat sleeps", "'s", "cat"),
    ),
    Label(
        "poss_ARG2",
        "The dependent possesses.",
        *("Kim 's cat sleeps", "'s", "Kim"),
    ),
    Label(
        "coord_ARG1",
        "The dependent stands before the conjunction and is coordinated by it.",
        *("Kim and Mary sing", "and", "Kim"),
    ),
    Label(
        "coord_ARG2",
        "The dependent stands after the conjunction and is coordinated by it.",
        *("Kim and Mary sing", "and", "Mary"),
    ),
    Label(
        "conj_ARG1",
        "The dependent is the main verb that the subordinate clause modifies.",
        *("Kim left because it rained", "because", "left"),
    ),
    Label(
        "conj_ARG2",
        "The dependent is the verb of the subordinate clause.",
        *("Kim left because it rained", "because", "rained"),
    ),
    Label(
        "conj_MOD",
        "The dependent is modified by the subordinate clause, which has no subject of its own.",
        *("While reading , Kim slept", "While", "slept"),
    ),
    Label(
        "comp_ARG1",
        "The dependent is the verb that the head, such as to or that, introduces.",
        *("Kim tried to swim", "to", "swim"),
    ),
    Label(
        "comp_ARG2",
        "The dependent is the verb that the head introduces together with a subject.",
        *("Kim waited for Mary to arrive", "for", "arrive"),
    ),
    Label(
        "comp_MOD",
        "The dependent is modified by the clause that the head introduces, such as a purpose.",
        *("Kim went out to swim", "to", "went"),
    ),
    Label(
        "relative_ARG1",
        "The dependent is the noun that the relative pronoun stands for.",
        *("The cat that sleeps is old", "that", "cat"),
    ),
    Label(
        "lgs_ARG2",
        "The dependent is the logical subject of a passive verb, after by.",
        *("The door was opened by Kim", "by", "Kim"),
    ),
    Label(
        "dtv_ARG2",
        "The dependent is the recipient, after to.",
        *("Kim gave a book to Mary", "to", "Mary"),
    ),
    Label(
        "app_ARG1",
        "The dependent is what an apposition after the comma explains.",
        *("Ada Smith , a doctor , left", ",", "Smith"),
    ),
    Label(
        "app_ARG2",
        "The dependent is the apposition after the comma.",
        *("Ada Smith , a doctor , left", ",", "doctor"),
    ),
    Label(
        "lparen_ARG1",
        "The dependent is what the parenthesis is about.",
        *("Kim ( a doctor ) left", "(", "Kim"),
    ),
    Label(
        "lparen_ARG2",
        "The dependent is the main word inside the parentheses.",
        *("Kim ( a doctor ) left", "(", "doctor"),
    ),
    Label(
        "lparen_ARG3",
        "The dependent is the closing parenthesis.",
        *("Kim ( a doctor ) left", "(", ")"),
    ),
    Label(
        "quote_ARG1",
        "The dependent is the main word of the quotation.",
        *("“ Kim left ” , said Mary", "“", "left"),
    ),
    Label(
        "quote_ARG2",
        "The dependent is the closing quotation mark.",
        *("“ Kim left ” , said Mary", "“", "”"),
    ),
    Label(
        "punct_ARG1",
        "The dependent is what the punctuation mark attaches to.",
        *("“ Kim left ” , said Mary", ",", "said"),
    ),
)
