"""The tables of the first migration: configuration, conversations, runs, documents."""

from __future__ import annotations

SPINE = """
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    preferred_model TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);

CREATE TABLE providers (
    id INTEGER PRIMARY KEY,
    user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    kind TEXT NOT NULL,
    base_url TEXT,
    api_key_env TEXT,
    api_key_cmd TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(api_key_cmd)),
    headers TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(headers)),
    options TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
    source TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX providers_slug_uniq ON providers (ifnull(user_id, 0), slug);

CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    context_window INTEGER,
    max_output_tokens INTEGER,
    input_price REAL,
    output_price REAL,
    options TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
    source TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX models_slug_uniq ON models (ifnull(user_id, 0), slug);

CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE CHECK (length(slug) BETWEEN 1 AND 50),
    name TEXT NOT NULL CHECK (length(name) <= 100),
    description TEXT,
    system_prompt TEXT NOT NULL DEFAULT '',
    default_model TEXT CHECK (default_model IS NULL OR json_valid(default_model)),
    title_model TEXT,
    title_strategy TEXT NOT NULL DEFAULT 'llm' CHECK (title_strategy IN ('llm', 'first-line', 'none')),
    enable_thinking INTEGER NOT NULL DEFAULT 0,
    enable_tools INTEGER NOT NULL DEFAULT 1,
    max_step_count INTEGER NOT NULL DEFAULT 6,
    is_default INTEGER NOT NULL DEFAULT 0,
    is_callable INTEGER NOT NULL DEFAULT 0,
    sort_order INTEGER NOT NULL DEFAULT 0,
    enabled INTEGER NOT NULL DEFAULT 1,
    options TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
    limits TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(limits)),
    approvals TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(approvals)),
    source TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX agents_enabled_idx ON agents (enabled);
CREATE INDEX agents_sort_order_idx ON agents (sort_order);
CREATE UNIQUE INDEX agents_default_uniq ON agents (is_default) WHERE is_default = 1;

CREATE TABLE agent_tools (
    id TEXT PRIMARY KEY CHECK (id = 'tool_' || slug),
    slug TEXT NOT NULL UNIQUE CHECK (length(slug) BETWEEN 1 AND 50),
    name TEXT NOT NULL CHECK (length(name) <= 100),
    type TEXT NOT NULL,
    description TEXT,
    config TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(config)),
    needs_approval INTEGER,
    enabled INTEGER NOT NULL DEFAULT 1,
    source TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);

CREATE TABLE agent_tool_associations (
    id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
    tool_id TEXT NOT NULL REFERENCES agent_tools(id) ON DELETE CASCADE,
    needs_approval INTEGER,
    sort_order INTEGER NOT NULL DEFAULT 0,
    config TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(config)),
    created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX agent_tool_assoc_uniq ON agent_tool_associations (agent_id, tool_id);
CREATE INDEX agent_tool_assoc_tool_idx ON agent_tool_associations (tool_id);

CREATE TABLE agent_sessions (
    id TEXT PRIMARY KEY,
    user_id INTEGER REFERENCES users(id) ON DELETE CASCADE,
    token_hash TEXT,
    agent_id INTEGER REFERENCES agents(id) ON DELETE SET NULL,
    agent_slug TEXT,
    title TEXT,
    model TEXT,
    enable_thinking INTEGER,
    enable_tools INTEGER,
    revision INTEGER,
    head_message_id TEXT,
    forked_from TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL
);
CREATE INDEX idx_agent_sessions_agent ON agent_sessions (agent_id);
CREATE INDEX idx_agent_sessions_user_active ON agent_sessions (user_id, last_active_at DESC);

CREATE TABLE agent_runs (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES agent_sessions(id) ON DELETE CASCADE,
    user_id INTEGER,
    agent_slug TEXT NOT NULL,
    parent_run_id TEXT REFERENCES agent_runs(id) ON DELETE SET NULL,
    request_id TEXT,
    revision INTEGER,
    status TEXT NOT NULL CHECK (status IN
        ('queued', 'running', 'awaiting_approval', 'done', 'failed', 'aborted', 'interrupted')),
    model TEXT NOT NULL,
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
    cwd TEXT NOT NULL,
    pid INTEGER,
    host TEXT,
    boot_id TEXT,
    pid_started TEXT,
    pid_namespace TEXT,
    lease_token INTEGER NOT NULL DEFAULT 1,
    heartbeat_at INTEGER,
    outcome TEXT,
    exit_code INTEGER,
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    num_turns INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
);
CREATE INDEX idx_agent_runs_session ON agent_runs (session_id, created_at);
CREATE INDEX idx_agent_runs_live ON agent_runs (session_id)
    WHERE status IN ('queued', 'running', 'awaiting_approval');
CREATE UNIQUE INDEX agent_runs_request_uniq ON agent_runs (user_id, request_id) WHERE request_id IS NOT NULL;

CREATE TABLE agent_messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES agent_sessions(id) ON DELETE CASCADE,
    parent_id TEXT,
    run_id TEXT REFERENCES agent_runs(id) ON DELETE SET NULL,
    seq INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    parts TEXT NOT NULL CHECK (json_valid(parts)),
    status TEXT NOT NULL DEFAULT 'complete',
    finish TEXT,
    origin TEXT,
    replay TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(replay)),
    input_tokens INTEGER,
    output_tokens INTEGER,
    cached_tokens INTEGER,
    reasoning_tokens INTEGER,
    cost_usd REAL,
    created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX agent_messages_seq_uniq ON agent_messages (session_id, seq);

CREATE TABLE agent_message_feedback (
    id INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES agent_messages(id) ON DELETE CASCADE,
    user_id INTEGER,
    token_hash TEXT,
    rating TEXT NOT NULL CHECK (rating IN ('up', 'down')),
    comment TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);

CREATE TABLE agent_run_events (
    run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    PRIMARY KEY (run_id, seq)
) WITHOUT ROWID;

CREATE TABLE agent_tool_calls (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
    message_id TEXT NOT NULL REFERENCES agent_messages(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    tool_slug TEXT NOT NULL,
    arguments TEXT CHECK (arguments IS NULL OR json_valid(arguments)),
    raw TEXT,
    status TEXT NOT NULL DEFAULT 'proposed' CHECK (status IN
        ('proposed', 'awaiting_approval', 'approved', 'denied', 'executing', 'done', 'failed', 'unknown')),
    decision TEXT CHECK (decision IS NULL OR json_valid(decision)),
    result TEXT CHECK (result IS NULL OR json_valid(result)),
    output TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER
);
CREATE UNIQUE INDEX agent_tool_calls_ordinal_uniq ON agent_tool_calls (message_id, ordinal);
CREATE INDEX agent_tool_calls_run_idx ON agent_tool_calls (run_id);

CREATE TABLE agent_documents (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    session_id TEXT REFERENCES agent_sessions(id) ON DELETE SET NULL,
    type TEXT NOT NULL CHECK (type IN ('memory', 'document')),
    title TEXT NOT NULL CHECK (length(title) <= 255),
    content TEXT NOT NULL,
    summary TEXT,
    tags TEXT CHECK (length(tags) <= 500),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX idx_agent_doc_user_type ON agent_documents (user_id, type);
CREATE INDEX idx_agent_doc_user_created ON agent_documents (user_id, created_at);
CREATE INDEX idx_agent_doc_session ON agent_documents (session_id);

CREATE TABLE apply_revisions (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    summary TEXT NOT NULL CHECK (json_valid(summary)),
    created_at INTEGER NOT NULL
);
"""
