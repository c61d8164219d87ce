import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool, type StringReference } from 'kysely';
import { platformErrors, refuse, type Refusal } from '../../contract/errors.ts';
import { scopeFilter, type ScopedResource } from '../auth/scope.ts';
import { everyone, type Viewer } from '../auth/viewer.ts';
import type { Db, Tx } from '../context.ts';
import { requireVersion, type VersionedRow, type Versioning } from './requireVersion.ts';

interface RecordSpec<DB, TB extends keyof DB> {
  /** What refusals call it: 医院. Absent: they call it a record. */
  noun?: string;
  /** Its type in the audit trail: `institution.hospital`. */
  type: string;
  id: StringReference<DB, TB>;
  /** How the data scope limits it: its own columns, or a condition (`exists` over what it hangs on). */
  scope: ScopedResource | ((viewer: Viewer) => RawBuilder<SqlBool>);
  /** Of joined rows, those that a lock holds; absent: all. The record alone is named where others only say who sees it. */
  locks?: (TB & string) | readonly (TB & string)[];
  /** What others refer to all the time: its lock holds no insert that does so (`for no key update`). */
  referredTo?: true;
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
    ctx: Versioning & { staff: Viewer },
    id: string,
    seen: number | null,
    view?: (row: Row) => object | Promise<object>,
  ): Promise<Row>;
  /** The refusal of a missing one, for callers that found out otherwise. */
  missing(): Refusal;
  /** Viewer of jobs, consumers and other domains. */
  readonly everyone: Viewer;
}

type Rows<DB, TB extends keyof DB, Row> = (db: Db | Tx) => SelectQueryBuilder<DB, TB, Row>;

function guards<DB, TB extends keyof DB, Stored, Row extends VersionedRow>(
  rows: Rows<DB, TB, Stored>,
  read: (stored: Stored) => Row,
  { noun, type, id: idColumn, scope, locks, referredTo }: RecordSpec<DB, TB>,
): RecordAccess<DB, TB, Row> {
  const limit = typeof scope === 'function' ? scope : (viewer: Viewer) => scopeFilter(scope, viewer);
  const visible = (db: Db | Tx, viewer: Viewer) => rows(db).where(limit(viewer));
  const one = (db: Db | Tx, viewer: Viewer, id: string) => visible(db, viewer).where(sql.ref(String(idColumn)), '=', id);
  const missing = () =>
    noun === undefined ? refuse(platformErrors.NOT_FOUND) : refuse(platformErrors.NOT_FOUND, { message: `${noun}不存在或已删除` });
  const found = (stored: Stored | undefined): Row => {
    if (stored === undefined) throw missing();
    return read(stored);
  };
  const lock = async (tx: Tx, viewer: Viewer, id: string) => {
    const row = one(tx, viewer, id);
    return found((await (referredTo ? row.forNoKeyUpdate(locks) : row.forUpdate(locks)).execute())[0]);
  };
  return {
    type,
    seen: (db, viewer) => visible(db, viewer).clearSelect(),
    find: async (db, viewer, id) => {
      const stored = (await one(db, viewer, id).execute())[0];
      return stored && read(stored);
    },
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
}

/**
 * Declares the guards of a record: `recordOf((db) => own(db).selectFrom('institutionHospital as h').selectAll('h')).with({ noun: '医院', …
 * })`.
 * `.as(typed).with(…)` reads each row: amounts as numbers, documents as what they hold.
 */
export const recordOf = <DB, TB extends keyof DB, Stored extends VersionedRow>(rows: Rows<DB, TB, Stored>) => ({
  with: (spec: RecordSpec<DB, TB>): RecordAccess<DB, TB, Stored> => guards(rows, (stored) => stored, spec),
  as: <Row extends VersionedRow>(read: (stored: Stored) => Row) => ({
    with: (spec: RecordSpec<DB, TB>): RecordAccess<DB, TB, Row> => guards(rows, read, spec),
  }),
});
