import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '../contract/time.ts';
import type { Viewer } from './auth/viewer.ts';
import type { Db, Tx } from './context.ts';
import { containsText } from './database/search.ts';

/** One thing of a registered kind, as lists of other domains name it. */
export interface ObjectLabel {
  id: string;
  /** Its number, which people talk about. */
  no: string;
  name: string;
}

/** A kind of thing that can carry marks; its owner registers it, so that whoever marks need not know the owner. */
export interface ObjectType {
  /** `PATIENT`. */
  code: string;
  /** Those of the ids that the viewer sees; others are left out. */
  labels(db: Db | Tx, viewer: Viewer, ids: readonly string[], now: Instant): Promise<ObjectLabel[]>;
  /** The things of these numbers that the viewer sees. */
  numbered(db: Db | Tx, viewer: Viewer, numbers: readonly string[], now: Instant): Promise<ObjectLabel[]>;
  /** Whether the thing of an id expression is one that the viewer sees. */
  sees(viewer: Viewer, id: RawBuilder<unknown>, now: Instant): RawBuilder<SqlBool>;
  /** A statement that answers the ids of the things of this number, or whose name holds the text. */
  found(viewer: Viewer, text: string, now: Instant): RawBuilder<unknown>;
  /** Things of this number, or whose name holds the text. */
  search(db: Db | Tx, viewer: Viewer, text: string, limit: number, now: Instant): Promise<ObjectLabel[]>;
  /** Where one of them is looked at; null: on no page of its own. */
  link(object: ObjectLabel): { path: string; search: Record<string, string> } | null;
}

const holds = (text: string) => sql`(o.no = ${text.trim().toUpperCase()} or ${containsText(sql`o.name`, text)})`;

interface Declaration {
  code: string;
  /** A statement that answers `id`, `no` and `name` of all that the viewer sees. */
  seen(viewer: Viewer, now: Instant): RawBuilder<unknown>;
  link: ObjectType['link'];
}

/** Declares a kind of thing by the one statement that knows who sees it. */
export function objectType({ code, seen, link }: Declaration): ObjectType {
  const read = async (db: Db | Tx, viewer: Viewer, now: Instant, rest: RawBuilder<unknown>) =>
    (await sql<ObjectLabel>`select o.id::text as id, o.no, o.name from (${seen(viewer, now)}) o where ${rest}`.execute(db)).rows;
  return {
    code,
    link,
    labels: async (db, viewer, ids, now) =>
      ids.length === 0 ? [] : read(db, viewer, now, sql`o.id = any(${[...new Set(ids)]}::bigint[]) order by o.id`),
    numbered: async (db, viewer, numbers, now) =>
      numbers.length === 0 ? [] : read(db, viewer, now, sql`o.no = any(${[...new Set(numbers)]}::text[]) order by o.id`),
    sees: (viewer, id, now) => sql<SqlBool>`exists (select from (${seen(viewer, now)}) o where o.id = ${id})`,
    found: (viewer, text, now) => sql`select o.id from (${seen(viewer, now)}) o where ${holds(text)}`,
    search: (db, viewer, text, limit, now) => read(db, viewer, now, sql`${holds(text)} order by o.id limit ${limit}`),
  };
}
