"""Claims of each paper by verdict."""

import text
from plots.axes import bare, figure, name_rows
from plots.svg import PALETTE

FILLS = {
    "proven": ("series-1", 0.9),
    "verified": ("series-1", 0.45),
    "reproduced": ("series-3", 0.6),
    "refuted": ("fail", 0.9),
    "inconsistent": ("suspect", 0.7),
    "not_reproducible": ("indeterminate", 0.45),
    "unimplemented": ("indeterminate", 0.12),
}
LEAST_LABELLED = 1 / 40  # of the longest bar; a number does not fit into less


def paint_bar(axes, y, claims, longest):
    left = 0
    for verdict, (role, opacity) in FILLS.items():
        number = sum(claim["verdict"] == verdict for claim in claims)
        axes.barh(y, number, left=left, height=0.62, color=PALETTE[role], alpha=opacity, linewidth=0,
                  label=text.words(verdict) if y == 0 else None)
        if number >= longest * LEAST_LABELLED:
            ink = PALETTE["paper" if opacity > 0.8 else "ink"]
            axes.text(left + number / 2, y, f"{number}", ha="center", va="center", size=9, color=ink)
        left += number


def claims_by_verdict(papers):
    """`papers`: {paper: claims}"""
    if not papers:
        return None
    longest = max(len(claims) for claims in papers.values())

    def paint(axes):
        bare(axes)
        name_rows(axes, list(papers))
        for y, claims in enumerate(papers.values()):
            paint_bar(axes, y, claims, longest)
        axes.set(xlim=(0, longest), xticks=[])
        axes.legend(loc="upper left", bbox_to_anchor=(0, 0), ncol=4, handlelength=0.9, columnspacing=1.2, borderpad=0.6)

    caption = "Rows of the ledger by the verdict that the audit computed."
    return figure("claims", "Claims of each paper by verdict", 6.4, 0.42 * len(papers) + 0.3, paint, caption)
