// Migrates by pgx, with a batch and COPY (built by .github/workflows/nightly.yml).
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	connection, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	must(err)
	defer connection.Close(ctx)
	_, err = connection.Exec(ctx, "CREATE TABLE gophers (id int, name text)")
	must(err)
	batch := &pgx.Batch{}
	for id := range 50 {
		batch.Queue("INSERT INTO gophers VALUES ($1, $2)", id, "gopher")
	}
	must(connection.SendBatch(ctx, batch).Close())
	rows := pgx.CopyFromRows([][]any{{50, "copied"}})
	_, err = connection.CopyFrom(ctx, pgx.Identifier{"gophers"}, []string{"id", "name"}, rows)
	must(err)
	_, err = connection.Exec(ctx, "ALTER TABLE gophers ADD age int")
	must(err)
	var count int
	must(connection.QueryRow(ctx, "SELECT count(*) FROM gophers").Scan(&count))
	fmt.Println(count)
}
