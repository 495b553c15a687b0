"""What requests cost, files that messages hold, and more about models."""

from __future__ import annotations

USAGE_AND_FILES = """
CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    user_id INTEGER,
    agent_slug TEXT,
    session_id TEXT,
    run_id TEXT,
    message_id TEXT,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('chat', 'test', 'title')),
    status TEXT NOT NULL CHECK (status IN ('reserved', 'spent')),
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    counted_output INTEGER NOT NULL DEFAULT 0,
    counted_usd REAL NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);
CREATE INDEX usage_user_created_idx ON usage (user_id, created_at);
CREATE INDEX usage_run_idx ON usage (run_id);
CREATE INDEX usage_reserved_idx ON usage (agent_slug) WHERE status = 'reserved';

CREATE TABLE usage_days (
    agent_slug TEXT NOT NULL,
    day INTEGER NOT NULL,
    nano_usd INTEGER NOT NULL,
    PRIMARY KEY (agent_slug, day)
) WITHOUT ROWID;
CREATE TRIGGER usage_days_insert AFTER INSERT ON usage WHEN new.agent_slug IS NOT NULL BEGIN
    INSERT INTO usage_days
    VALUES (new.agent_slug, new.created_at / 86400000, CAST(round(new.counted_usd * 1e9) AS INTEGER))
    ON CONFLICT (agent_slug, day) DO UPDATE SET nano_usd = nano_usd + excluded.nano_usd; END;
CREATE TRIGGER usage_days_update AFTER UPDATE OF counted_usd ON usage WHEN old.agent_slug IS NOT NULL BEGIN
    UPDATE usage_days SET nano_usd = nano_usd
        + CAST(round(new.counted_usd * 1e9) AS INTEGER) - CAST(round(old.counted_usd * 1e9) AS INTEGER)
    WHERE agent_slug = old.agent_slug AND day = old.created_at / 86400000; END;
CREATE TRIGGER usage_days_delete AFTER DELETE ON usage WHEN old.agent_slug IS NOT NULL BEGIN
    UPDATE usage_days SET nano_usd = nano_usd - CAST(round(old.counted_usd * 1e9) AS INTEGER)
    WHERE agent_slug = old.agent_slug AND day = old.created_at / 86400000; END;

CREATE TABLE agent_message_files (
    message_id TEXT NOT NULL REFERENCES agent_messages(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (message_id, ordinal)
);

CREATE TABLE agent_tool_results (
    key TEXT PRIMARY KEY,
    data TEXT NOT NULL CHECK (json_valid(data)),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX agent_tool_results_created_idx ON agent_tool_results (created_at);

ALTER TABLE agents ADD COLUMN egress TEXT NOT NULL DEFAULT 'ask' CHECK (egress IN ('ask', 'allow'));
ALTER TABLE models ADD COLUMN cached_input_price REAL;
ALTER TABLE models ADD COLUMN inputs TEXT CHECK (inputs IS NULL OR json_valid(inputs));
"""
