package postgres

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// layout is the version of the tables.
const layout = 2

// layouts are the statements that lead from each version to the next.
var layouts = [layout]string{layout1, layout2}

var (
	//go:embed layout.sql
	layout1 string

	//go:embed layout2.sql
	layout2 string
)

// layout reads the version of the tables that are there, 0 if there are none.
func (s *Store) layout(ctx context.Context, conn *pgx.Conn) (is int, err error) {
	err = conn.QueryRow(ctx, s.sql("select version from SCHEMA.layout")).Scan(&is)
	if said := new(pgconn.PgError); errors.As(err, &said) && (said.Code == "42P01" || said.Code == "3F000") {
		return 0, nil
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, store.ErrLayout
	}
	return is, err
}

// migrate makes the tables, or brings them to this version's layout. A user that
// may make none can use what is there.
func (s *Store) migrate(ctx context.Context, conn *pgx.Conn) error {
	switch is, err := s.layout(ctx, conn); {
	case err != nil || is == layout:
		return err
	case is > layout || is < 0:
		return store.ErrLayout
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// One at a time: of all who begin together, the first makes them.
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtext($1))", s.address.schema); err != nil {
			return err
		}
		begin, is := "create table if not exists SCHEMA.layout (version int not null)", 0
		err := tx.QueryRow(ctx, "select 1 from pg_namespace where nspname = $1", s.address.schema).Scan(&is)
		if errors.Is(err, pgx.ErrNoRows) {
			begin, err = "create schema SCHEMA; "+begin, nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, s.sql(begin), pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, s.sql("select coalesce(max(version), 0) from SCHEMA.layout")).Scan(&is); err != nil {
			return err
		}
		if is > layout || is < 0 {
			return store.ErrLayout
		}
		for _, next := range layouts[is:] {
			if _, err := tx.Exec(ctx, s.sql(next), pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, s.sql("with before as (delete from SCHEMA.layout) insert into SCHEMA.layout values ($1)"), layout)
		return err
	})
}

// sql is a statement with the name of the schema, which has no character that
// would need quotes.
func (s *Store) sql(text string) string { return strings.ReplaceAll(text, "SCHEMA", s.address.schema) }
