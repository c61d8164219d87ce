import type { CompiledQuery, UnknownRow } from 'kysely';
import type { Db, Tx } from '../context.ts';

/** A statement whose rows are `Row`. */
interface Readable<Row> {
  compile(): CompiledQuery<Row>;
}

type RowsOf<Queries extends readonly Readable<unknown>[]> = {
  -readonly [At in keyof Queries]: Queries[At] extends Readable<infer Row> ? Row[] : never;
};

/**
 * Reads by several statements that do not need each other's rows: they go to the database in one write, on one connection, and
 * it answers them one after another. One round trip instead of many, and no second connection.
 * @returns the rows of each, in the order of the statements
 */
export async function readTogether<const Queries extends readonly Readable<unknown>[]>(
  db: Db | Tx,
  queries: Queries,
): Promise<RowsOf<Queries>> {
  const executor = db.getExecutor();
  const compiled = queries.map((query) => query.compile());
  const results = await executor.provideConnection((connection) =>
    Promise.all(compiled.map((query) => connection.executeQuery<UnknownRow>(query))),
  );
  return Promise.all(
    results.map(async (answer, at) => {
      let result = answer;
      for (const plugin of executor.plugins) result = await plugin.transformResult({ queryId: compiled[at]!.queryId, result });
      return result.rows;
    }),
  ) as Promise<RowsOf<Queries>>;
}
