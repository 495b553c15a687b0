"""Versions, tiers and readers of documents, and what of them runs were shown."""

from __future__ import annotations

# The table is made anew so that its content comes last: SQLite reads a row from the front, and a list that
# wants the columns behind a long content would have to read through all of it. The indexes of lists hold all
# that lists are filtered by, so that rows are read only where they are shown.
DOCUMENTS = """
ALTER TABLE agents ADD COLUMN memory TEXT;
CREATE TABLE agent_documents_ordered (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    session_id TEXT REFERENCES agent_sessions(id) ON DELETE SET NULL,
    type TEXT NOT NULL CHECK (type IN ('memory', 'document')),
    tier TEXT NOT NULL DEFAULT 'long_term' CHECK (tier IN ('session', 'long_term', 'pinned')),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared', 'public')),
    rev INTEGER NOT NULL DEFAULT 1,
    hash TEXT NOT NULL,
    content_chars INTEGER NOT NULL,
    untrusted INTEGER NOT NULL DEFAULT 0 CHECK (untrusted IN (0, 1)),
    similar_to TEXT REFERENCES agent_documents(id) ON DELETE SET NULL,
    pinned_by TEXT CHECK (pinned_by IN ('person', 'agent')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    title TEXT NOT NULL CHECK (length(title) <= 255),
    tags TEXT CHECK (length(tags) <= 500),
    source_path TEXT,
    summary TEXT,
    content TEXT NOT NULL
);
INSERT INTO agent_documents_ordered
    (id, user_id, session_id, type, hash, content_chars, created_at, updated_at,
    title, tags, summary, content)
    SELECT id, user_id, session_id, type, '', length(content), created_at, updated_at,
    title, tags, summary, content FROM agent_documents;
DROP TABLE agent_documents;
ALTER TABLE agent_documents_ordered RENAME TO agent_documents;
CREATE INDEX idx_agent_doc_user_type ON agent_documents (user_id, type);
CREATE INDEX idx_agent_doc_user_created ON agent_documents (user_id, created_at);
CREATE INDEX idx_agent_doc_session ON agent_documents (session_id);
CREATE INDEX agent_documents_created_idx ON agent_documents
    (user_id, archived, created_at, id, tags, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX agent_documents_updated_idx ON agent_documents
    (user_id, archived, updated_at, id, tags, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX agent_documents_type_idx ON agent_documents
    (user_id, type, archived, created_at, id, tags, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX agent_documents_hash_idx ON agent_documents (user_id, hash) WHERE deleted_at IS NULL;
CREATE INDEX agent_documents_title_idx ON agent_documents (user_id, title)
    WHERE type = 'memory' AND archived = 0 AND deleted_at IS NULL;
CREATE INDEX agent_documents_source_idx ON agent_documents (user_id, source_path)
    WHERE source_path IS NOT NULL;
CREATE INDEX agent_documents_pinned_idx ON agent_documents (user_id) WHERE tier = 'pinned';
CREATE INDEX agent_documents_passing_idx ON agent_documents (user_id, session_id)
    WHERE tier = 'session' AND archived = 0;
CREATE INDEX agent_documents_public_idx ON agent_documents (visibility) WHERE visibility = 'public';
CREATE INDEX agent_documents_deleted_idx ON agent_documents (user_id, deleted_at)
    WHERE deleted_at IS NOT NULL;
CREATE INDEX agent_documents_similar_idx ON agent_documents (similar_to) WHERE similar_to IS NOT NULL;

CREATE TABLE agent_document_versions (
    document_id TEXT NOT NULL REFERENCES agent_documents(id) ON DELETE CASCADE,
    rev INTEGER NOT NULL,
    type TEXT NOT NULL,
    hash TEXT NOT NULL,
    content_chars INTEGER NOT NULL,
    untrusted INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    tags TEXT,
    summary TEXT,
    content TEXT NOT NULL,
    PRIMARY KEY (document_id, rev)
);

CREATE TABLE agent_document_readers (
    document_id TEXT NOT NULL REFERENCES agent_documents(id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    PRIMARY KEY (document_id, user_id)
) WITHOUT ROWID;
CREATE INDEX agent_document_readers_user_idx ON agent_document_readers (user_id);

CREATE TABLE agent_document_bands (
    user_id INTEGER NOT NULL,
    band INTEGER NOT NULL,
    document_id TEXT NOT NULL REFERENCES agent_documents(id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, band, document_id)
) WITHOUT ROWID;
CREATE INDEX agent_document_bands_document_idx ON agent_document_bands (document_id);

CREATE TABLE agent_run_documents (
    run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
    document_id TEXT NOT NULL,
    untrusted INTEGER NOT NULL CHECK (untrusted IN (0, 1)),
    PRIMARY KEY (run_id, document_id)
) WITHOUT ROWID;

CREATE TRIGGER agent_documents_session_end BEFORE DELETE ON agent_sessions BEGIN
    UPDATE agent_documents SET archived = 1 WHERE session_id = old.id AND tier = 'session'; END;
"""
