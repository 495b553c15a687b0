"""What people and programs see: one registry of output formats, and the parts that write them."""

from __future__ import annotations

# One line per output format: name -> "module:function", imported when it is asked for.
FORMATS = {
    "csv": "agentctl.render.lines:write_csv",
    "ids": "agentctl.render.lines:write_ids",
    "json": "agentctl.render.structured:write_json",
    "jsonl": "agentctl.render.structured:write_jsonl",
    "table": "agentctl.render.table:write_table",
    "yaml": "agentctl.render.structured:write_yaml",
}
