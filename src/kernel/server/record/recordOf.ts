import { sql, type SelectQueryBuilder, type StringReference } from 'kysely';
import { platformErrors, refuse, type Refusal } from '../../contract/errors.ts';
import { scopeFilter, type ScopedResource } from '../auth/scope.ts';
import { everyone, type Viewer } from '../auth/viewer.ts';
import type { CommandContext, Db, Tx } from '../context.ts';
import { requireVersion, type VersionedRow, type Versioning } from './requireVersion.ts';

interface RecordSpec<DB, TB extends keyof DB> {
  /** What refusals call it: 医院. */
  noun: string;
  /** Its type in the audit trail: `institution.hospital`. */
  type: string;
  id: StringReference<DB, TB>;
  /** How the data scope limits it. */
  scope: ScopedResource;
}

/** One kind of record with its guards: each is read through these functions only, and a foreign one is answered as a missing one. */
export interface RecordAccess<DB, TB extends keyof DB, Row> {
  readonly type: string;
  /** Rows that the viewer may see, without columns. */
  seen(db: Db | Tx, viewer: Viewer): SelectQueryBuilder<DB, TB, object>;
  /** Undefined where it does not exist or is not the viewer's to see. */
  find(db: Db | Tx, viewer: Viewer, id: string): Promise<Row | undefined>;
  /** @throws Refusal SCM90040 naming what is missing. */
  get(db: Db | Tx, viewer: Viewer, id: string): Promise<Row>;
  /**
   * The record, locked until the transaction ends: nobody else changes it between this look and the write.
   * @throws Refusal SCM90040.
   */
  lock(tx: Tx, viewer: Viewer, id: string): Promise<Row>;
  /**
   * The same for the command's user who saw a version of it: an older one is refused, naming who changed it since.
   * @param seen null: the caller saw none (`If-Match` is absent).
   * @param view the record as the page's form knows it, for the dialog that shows both sides
   * @throws Refusal SCM90040, SCM90030 with `data: {current}`.
   */
  lockVersion(
    ctx: Versioning & Pick<CommandContext, 'staff'>,
    id: string,
    seen: number | null,
    view?: (row: Row) => object | Promise<object>,
  ): Promise<Row>;
  /** The refusal of a missing one, for callers that found out otherwise. */
  missing(): Refusal;
  /** Viewer of jobs, consumers and other domains. */
  readonly everyone: Viewer;
}

/** Declares the guards of a record: `recordOf((db) => own(db).selectFrom('institutionHospital as h').selectAll('h')).with({ noun: '医院', … })`. */
export const recordOf = <DB, TB extends keyof DB, Row extends VersionedRow>(rows: (db: Db | Tx) => SelectQueryBuilder<DB, TB, Row>) => ({
  with({ noun, type, id: idColumn, scope }: RecordSpec<DB, TB>): RecordAccess<DB, TB, Row> {
    const visible = (db: Db | Tx, viewer: Viewer) => rows(db).where(scopeFilter(scope, viewer));
    const one = (db: Db | Tx, viewer: Viewer, id: string) => visible(db, viewer).where(sql.ref(String(idColumn)), '=', id);
    const missing = () => refuse(platformErrors.NOT_FOUND, { message: `${noun}不存在或已删除` });
    const found = <Found>(row: Found | undefined): Found => {
      if (row === undefined) throw missing();
      return row;
    };
    const lock = async (tx: Tx, viewer: Viewer, id: string) => found((await one(tx, viewer, id).forUpdate().execute())[0]);
    return {
      type,
      seen: (db, viewer) => visible(db, viewer).clearSelect(),
      find: async (db, viewer, id) => (await one(db, viewer, id).execute())[0],
      get: async (db, viewer, id) => found((await one(db, viewer, id).execute())[0]),
      lock,
      async lockVersion(ctx, id, seen, view) {
        const row = await lock(ctx.tx, ctx.staff, id);
        await requireVersion(ctx, type, row, seen, () => view?.(row) ?? {});
        return row;
      },
      missing,
      everyone,
    };
  },
});
