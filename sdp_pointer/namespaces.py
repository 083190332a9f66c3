"""Where a vocabulary has what is learnt from graphs, unless a config names other namespaces.

The reader fills them, and the parts of the model that learn read them.
"""

LABELS = "arc_labels"
TAGS = "guessed_tag"
