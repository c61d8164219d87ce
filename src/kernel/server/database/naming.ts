import {
  CamelCasePlugin,
  PostgresDialect,
  PostgresQueryCompiler,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

// snake_case in the database, camelCase in the program. Kysely's plugin copies each statement's tree and walks every value
// of every row, which was a tenth of what a list costs; here names change as the text is written, and rows by their keys alone.

/** Kysely's own rules of both cases; keys inside jsonb stay as they are. */
export class FieldNames extends CamelCasePlugin {
  column(field: string): string {
    return this.snakeCase(field);
  }

  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (!first) return result;
    const columns = Object.keys(first);
    const fields = columns.map((column) => this.camelCase(column));
    const rows = result.rows.map((row) => {
      const named: UnknownRow = {};
      for (let at = 0; at < columns.length; at += 1) named[fields[at]!] = row[columns[at]!];
      return named;
    });
    return { ...result, rows };
  }
}

const names = new FieldNames();

class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.column(identifier));
  }
}

/** Writes columns and tables in snake_case; goes with `FieldNames`, which names what comes back. */
export class SnakeCaseDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new SnakeCaseCompiler();
  }
}
