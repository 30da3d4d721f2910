-- Layout 1. SCHEMA stands for the name of the schema. LAYOUT.md has the meaning of
-- what is not said here.

create table SCHEMA.calls (
	id text collate "C" primary key,
	version smallint not null,                    -- of this layout: 1
	generation bigint not null,                   -- one more for each who takes it
	token text collate "C" not null,              -- of who had it last
	held timestamptz,                             -- until when; null when it was given back
	at bigint,                                    -- time of the last save, in microseconds since 1970; null before the first, and of what is over
	over boolean not null,                        -- done or discarded: it stays for two minutes, for the answer that was lost and for those who watch
	until timestamptz not null,                   -- it is kept so long
	changed xid8 not null,                        -- the transaction that changed it last
	tag text collate "C",                         -- of its principal; null for nobody's
	about bytea,
	snapshot bytea
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What is sealed cannot be compressed.
alter table SCHEMA.calls alter column snapshot set storage external, alter column about set storage external;

create index calls_at on SCHEMA.calls (at, id) where at is not null;
create index calls_tag on SCHEMA.calls (tag, at, id) where at is not null;
create index calls_changed on SCHEMA.calls (changed, id);
create index calls_until on SCHEMA.calls (until);

create table SCHEMA.marks (
	id bytea primary key,                         -- of the state that was used
	attempt text collate "C" not null,            -- which used it
	until timestamptz not null                    -- two minutes after the state expires
) with (autovacuum_vacuum_scale_factor = 0.05);

create index marks_until on SCHEMA.marks (until);
