-- Layout 2: the steps of a lease have an order, and a token that was given back is void.

alter table SCHEMA.calls
	drop column generation,
	add column number bigint not null default 0,              -- of the last step of who had it last
	add column step text collate "C",                         -- the random id of that step; null before the first
	add column void text[] collate "C" not null default '{}'; -- the last tokens that were given back
