"""The tool type `text`: what people use wc, head, tail, uniq, sort and diff for."""
