"""What the search for documents looks into: their terms, their runs of three characters, their vectors."""

from __future__ import annotations

# The full-text tables keep no text: what they index stands in a view. All that a document says leaves them
# by triggers before it changes, for only then can they be told what they held. Terms carry the number of
# their owner, so that nobody's words are read in a search by another, and those of the head also stand there
# with a mark of their own.
DOCUMENT_INDEX = """
CREATE TABLE agent_document_index (
    no INTEGER PRIMARY KEY,
    document_id TEXT NOT NULL UNIQUE REFERENCES agent_documents(id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    head TEXT NOT NULL,
    body TEXT NOT NULL,
    chunks TEXT NOT NULL CHECK (json_valid(chunks))
);
CREATE INDEX agent_document_index_version_idx ON agent_document_index (version);
CREATE VIEW agent_document_terms AS SELECT no,
    replace(head, ' ', ' ' || user_id || '.') || replace(head, ' ', ' ' || user_id || '^') AS head,
    replace(body, ' ', ' ' || user_id || '.') AS body
    FROM agent_document_index;
CREATE VIEW agent_document_texts AS SELECT i.no, d.title || char(10) || d.content AS text
    FROM agent_document_index i JOIN agent_documents d ON d.id = i.document_id;
CREATE VIRTUAL TABLE agent_document_words USING fts5(head, body, content='agent_document_terms',
    content_rowid='no', tokenize="ascii tokenchars '.^'");
CREATE VIRTUAL TABLE agent_document_trigrams USING fts5(text, content='agent_document_texts',
    content_rowid='no', tokenize='trigram', detail=none, columnsize=0);
CREATE TRIGGER agent_document_index_insert AFTER INSERT ON agent_document_index BEGIN
    INSERT INTO agent_document_words (rowid, head, body)
    SELECT no, head, body FROM agent_document_terms WHERE no = new.no; INSERT INTO agent_document_trigrams
    (rowid, text) SELECT no, text FROM agent_document_texts WHERE no = new.no; END;
CREATE TRIGGER agent_document_index_delete BEFORE DELETE ON agent_document_index BEGIN
    INSERT INTO agent_document_words (agent_document_words, rowid, head, body)
    SELECT 'delete', no, head, body FROM agent_document_terms WHERE no = old.no; INSERT INTO
    agent_document_trigrams (agent_document_trigrams, rowid, text)
    SELECT 'delete', no, text FROM agent_document_texts WHERE no = old.no; END;

CREATE TABLE agent_document_vectors (
    document_id TEXT NOT NULL REFERENCES agent_documents(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    signs BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) WITHOUT ROWID;

CREATE TRIGGER agent_documents_unindex_delete BEFORE DELETE ON agent_documents BEGIN
    DELETE FROM agent_document_index WHERE document_id = old.id; END;
CREATE TRIGGER agent_documents_unindex_update BEFORE UPDATE OF title, content ON agent_documents
    WHEN new.title IS NOT old.title OR new.content IS NOT old.content BEGIN
    DELETE FROM agent_document_index WHERE document_id = old.id; DELETE FROM agent_document_vectors
    WHERE document_id = old.id; END;
CREATE TRIGGER agent_documents_unindex_hide BEFORE UPDATE OF deleted_at ON agent_documents
    WHEN new.deleted_at IS NOT NULL BEGIN
    DELETE FROM agent_document_index WHERE document_id = old.id; DELETE FROM agent_document_vectors
    WHERE document_id = old.id; END;
"""
