"""Draws the figures of docs/ from the tables that the experiments and measurements wrote.

draw.py papers TABLES PICTURES     figures of the papers; prints the section of docs/papers.md
draw.py frdyn2 TABLE PICTURE       likewise compare, coupling, identification, work_precision
draw.py coupling_theory PICTURE     figure of docs/internals/coupling-theory.md; prints its table
draw.py numerics TABLES PICTURES   figures of docs/internals/numerics.md
draw.py contacts TABLES PICTURES   figures of the rigs of docs/contacts.md; prints their section
draw.py study TABLE BENCH FESTOON  heat maps of the study
draw.py creep TABLE PICTURE FOLDER heat maps of creep: all elements, and one each in the folder
"""

import importlib
import sys
from pathlib import Path

import figure
import kargaonkar_singh
import rill_schuderer
import stefanski

FIGURES = rill_schuderer.FIGURES + kargaonkar_singh.FIGURES + stefanski.FIGURES


def papers(tables, pictures):
    """Draws the figures of the papers, and prints their section of docs/papers.md."""
    print("<!-- begin figures -->")
    for paper in FIGURES:
        figure.draw(paper, figure.read(Path(tables) / f"{paper.data}.csv"), Path(pictures) / f"{paper.file}.svg")
        print(f"### {paper.place}\n\n![{paper.place}](figures/papers/{paper.file}.svg)\n\n{paper.caption}\n")
        print(f"*`cargo xtask figures`, [{paper.data}.csv](figures/papers/{paper.data}.csv).*\n")
    print("<!-- end figures -->")


def main(name, *paths):
    """Draws one figure or those of the papers."""
    if name == "papers":
        papers(*paths)
    else:
        importlib.import_module(name).main(*paths)


if __name__ == "__main__":
    main(*sys.argv[1:])
