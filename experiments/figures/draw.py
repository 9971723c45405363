"""Draws the figures of docs/ from the tables that the experiments and measurements wrote.

draw.py papers TABLES PICTURES      figures of the papers; prints the section of docs/papers.md
draw.py frdyn2 TABLE PICTURE        figure of the README
draw.py NAME TABLE PICTURE          compare, creep or work_precision
draw.py peers TABLE TABLE TABLE PICTURE  figure of docs/peers.md
draw.py coupling_theory PICTURE     figure of docs/internals/coupling-theory.md; prints its table
"""

import importlib
import sys
from pathlib import Path

import figure
import kargaonkar_singh
import rill_schuderer
import stefanski


def papers(tables, pictures):
    """Draws the figures of the papers, and prints their section of docs/papers.md."""
    print("<!-- begin figures -->")
    for paper in rill_schuderer.FIGURES + kargaonkar_singh.FIGURES + stefanski.FIGURES:
        figure.draw(paper, figure.read(Path(tables) / f"{paper.data}.csv"), Path(pictures) / f"{paper.file}.svg")
        print(f"![{paper.place}](figures/papers/{paper.file}.svg)\n\n**{paper.place}.** {paper.caption}\n")
    print("<!-- end figures -->")


def main(name, *paths):
    """Draws one figure or those of the papers."""
    if name == "papers":
        papers(*paths)
    elif name == "frdyn2":
        figure.draw(rill_schuderer.README, figure.read(paths[0]), paths[1])
    else:
        importlib.import_module(name).main(*paths)


if __name__ == "__main__":
    main(*sys.argv[1:])
