"""Runs that can be stopped and resumed, approvals, grants, and what was decided by whom."""

from __future__ import annotations

DURABLE_RUNS = """
ALTER TABLE agent_runs ADD COLUMN stop_requested TEXT
    CHECK (stop_requested IS NULL OR json_valid(stop_requested));
ALTER TABLE agent_runs ADD COLUMN prompt_hash TEXT;
ALTER TABLE agent_runs ADD COLUMN copied_from TEXT;
CREATE INDEX agent_runs_user_idx ON agent_runs (user_id, created_at);
CREATE INDEX agent_messages_run_idx ON agent_messages (run_id);
ALTER TABLE agent_tools ADD COLUMN approvals TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(approvals));

CREATE TABLE agent_approvals (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('call', 'unknown')),
    user_id INTEGER,
    session_id TEXT NOT NULL REFERENCES agent_sessions(id) ON DELETE CASCADE,
    run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
    call_id TEXT NOT NULL REFERENCES agent_tool_calls(id) ON DELETE CASCADE,
    agent_slug TEXT NOT NULL,
    tool_slug TEXT NOT NULL,
    action TEXT,
    arguments TEXT NOT NULL CHECK (json_valid(arguments)),
    tool_revision TEXT NOT NULL,
    hash TEXT NOT NULL,
    why TEXT,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN
        ('pending', 'approved', 'denied', 'ran', 'not_run', 'expired', 'cancelled', 'consumed')),
    decided_by TEXT CHECK (decided_by IS NULL OR json_valid(decided_by)),
    reason TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_at INTEGER,
    notified INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX agent_approvals_open_uniq ON agent_approvals (call_id)
    WHERE status IN ('pending', 'approved', 'denied', 'ran', 'not_run');
CREATE INDEX agent_approvals_user_idx ON agent_approvals (user_id, created_at);
CREATE INDEX agent_approvals_status_idx ON agent_approvals (user_id, status, created_at);
CREATE INDEX agent_approvals_session_idx ON agent_approvals (session_id, user_id, created_at);
CREATE INDEX agent_approvals_run_idx ON agent_approvals (run_id);
CREATE INDEX agent_approvals_call_idx ON agent_approvals (call_id);

CREATE TABLE agent_grants (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    agent_slug TEXT NOT NULL,
    tool_slug TEXT NOT NULL,
    action TEXT,
    conditions TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(conditions)),
    uses_left INTEGER CHECK (uses_left IS NULL OR uses_left >= 0),
    reason TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
);
CREATE INDEX agent_grants_user_idx ON agent_grants (user_id, agent_slug, tool_slug);

CREATE TABLE approval_audit (
    seq INTEGER PRIMARY KEY,
    ts INTEGER NOT NULL,
    user TEXT NOT NULL,
    os_user TEXT NOT NULL,
    event TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX approval_audit_user_idx ON approval_audit (user, seq);
CREATE TRIGGER approval_audit_no_delete BEFORE DELETE ON approval_audit
    BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
CREATE TRIGGER approval_audit_no_update BEFORE UPDATE ON approval_audit
    BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
"""
