"""The official metrics by their definition, word by word: slow, but hard to get wrong."""

PUNCTUATION = [".", ",", ":", "(", ")"]
PAS_CORE = set(
    "adj_ARG1 adj_ARG2 adj_MOD coord_ARG1 coord_ARG2 prep_ARG1 prep_ARG2 prep_ARG3 prep_MOD"  # noqa: SIM905
    " verb_ARG1 verb_ARG2 verb_ARG3 verb_ARG4 verb_MOD".split()
)


def divide(part, whole):
    return part / whole if whole else None


def naive_scores(pairs, with_top, representation, exclude_punctuation, undirected):
    """One section, from explicit sets over the whole corpus; None for 0/0."""

    def edges(graph, number, labelled):
        found = {(h, d, label if labelled else "-UNLABELED-") for h, d, label in graph.arcs}
        if with_top:
            found |= {(0, top, "-VIRTUAL-") for top in graph.tops}
        if exclude_punctuation:
            marks = {i for i, t in enumerate(graph.tokens, 1) if t.pos in PUNCTUATION}
            found = {edge for edge in found if not marks & {edge[0], edge[1]}}
        if undirected:
            found = {(min(edge[:2]), max(edge[:2]), edge[2]) for edge in found}
        return {(number, *edge) for edge in found}

    def is_core(label):
        if representation == "pas":
            return label in PAS_CORE
        return label.endswith("-arg") if representation == "psd" else True

    def predications(graph, number, with_frame):
        for word in graph.predicates:
            token = graph.tokens[word - 1]
            if token.pos[:1] == "V":
                core = {(d, lb) for h, d, lb in graph.arcs if h == word and is_core(lb)}
                yield number, word, token.frame if with_frame else "", frozenset(core)

    def corpus(extract, *arguments):
        for side in (0, 1):
            graphs = [graphs[side] for graphs in pairs]
            yield {item for k, g in enumerate(graphs) for item in extract(g, k, *arguments)}

    def precision_recall_f(gold, system):
        p, r = divide(len(gold & system), len(system)), divide(len(gold & system), len(gold))
        f = None if p is None or r is None or not p + r else 2.0 * p * r / (p + r)
        return p, r, f

    def exact(labelled):
        same = [edges(g, 0, labelled) == edges(s, 0, labelled) for g, s in pairs]
        return divide(sum(same), len(same))

    def parts(names, name_of):
        table = {}
        for name in names:
            g, s = ({e for e in side if name_of(e) == name} for side in (gold, system))
            p, r, _ = precision_recall_f(g, s)
            table[name] = {"P": p, "R": r, "n_gold": len(g), "n_system": len(s)}
        return table

    def length_bin(edge):
        length = abs(edge[1] - edge[2])
        return str(length) if length < 5 else "5-9" if length < 10 else "10-"

    gold, system = corpus(edges, True)
    gold_u, system_u = corpus(edges, False)
    gold_p, system_p = corpus(predications, False)
    gold_f, system_f = corpus(predications, True)
    result = {"LM": exact(True), "UM": exact(False)}
    sides = [(gold, system), (gold_u, system_u), (gold_p, system_p), (gold_f, system_f)]
    for kind, both in zip("LUPF", sides):
        result |= zip((f"{kind}P", f"{kind}R", f"{kind}F"), precision_recall_f(*both))
    result |= {
        "n_gold": len(gold),
        "n_system": len(system),
        "n_common_labeled": len(gold & system),
        "n_common_unlabeled": len(gold_u & system_u),
        "n_predications_gold": len(gold_p),
        "n_predications_system": len(system_p),
        "n_frames_gold": len(gold_f),
        "n_frames_system": len(system_f),
        "by_length": parts(["1", "2", "3", "4", "5-9", "10-"], length_bin),
    }
    labels = {edge[3] for edge in gold | system}
    if labels:
        result["by_label"] = parts(labels, lambda edge: edge[3])
    return result
