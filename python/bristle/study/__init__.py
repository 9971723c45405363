"""Study of identification over synthetic records: `python -m bristle.study`."""
