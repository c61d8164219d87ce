import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { DuplicateVerdict, duplicateWork } from '../../contract/evidence.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Db, Tx } from '../context.ts';
import { ofOwner, tableOf, type DuplicateSearch, type Owner, type OwnSignal, type ReviewSettings, type Writes } from './review.ts';

/** Bits of 64 in which two pictures may differ and look alike. */
const MOST_BITS = 6;
const BITS = 64;

/** What is known of a file whose bytes were checked: the payload of `files.scan.finished`. */
interface ScannedFile {
  fileId: string;
  sha256: string;
  phash: string | null;
  clean: boolean;
}
interface Hit<Signal extends string> {
  signal: Signal;
  otherType: string;
  otherId: string;
  /** Of 100. */
  score: number;
}
interface Duplicate<Signal extends string> extends Hit<Signal> {
  id: string;
  verdict: DuplicateVerdict;
  note: string;
  judgedBy: string | null;
}

/** Eight numbers of a picture: two that differ in seven bits at most have one in common. */
const bandsOf = (phash: string | null): number[] =>
  phash === null ? [] : (phash.match(/../g) ?? []).map((byte, at) => at * 256 + Number.parseInt(byte, 16));

/** Cases that may be one and the same: by their files, by pictures that look alike, by whom they are about, and what the domain finds. */
export function duplicatesOf<Type extends string, Signal extends string>({ prefix }: ReviewSettings<Type, Signal>) {
  type Known = Signal | OwnSignal;
  const [files, materials, duplicates] = [tableOf(prefix, 'file'), tableOf(prefix, 'material'), tableOf(prefix, 'duplicate')];
  const of = async (db: Db | Tx, owner: Owner): Promise<Duplicate<Known>[]> =>
    (
      await sql<Duplicate<Known>>`
        select id, signal, other_type, other_id, score, verdict, note, judged_name as judged_by
          from ${duplicates} where ${ofOwner(owner)} order by score desc, id
      `.execute(db)
    ).rows;

  return {
    /** Every file that was checked is noted, also before a case has it: `consumer('enrolment', scanFinished, …)`. */
    async noteFile({ tx }: Pick<Writes, 'tx'>, { fileId, sha256, phash, clean }: ScannedFile): Promise<void> {
      if (!clean) return;
      await sql`
        insert into ${files} (file_id, sha256, phash, phash_bands) values (${fileId}, ${sha256}, ${phash}, ${bandsOf(phash)}::int[])
        on conflict (file_id) do nothing
      `.execute(tx);
    },

    of,

    /** Looks again. What was judged stays; what nobody judged and is not found any more goes. @param also what the domain itself found */
    async find({ tx, now }: Pick<Writes, 'tx' | 'now'>, owner: Owner, also: readonly Hit<Known>[], search: DuplicateSearch = {}) {
      const others = sql`(o.owner_type, o.owner_id) <> (${owner.type}, ${owner.id}::bigint)`;
      const ofOthers = search.filesOfSamePerson ? others : sql`${others} and o.person_key is distinct from m.person_key`;
      const mine = sql`from ${materials} m join ${files} f on f.file_id = m.file_id`;
      const { rows } = await sql<Hit<Known>>`
        with m as (select person_key, file_id from ${materials} where ${ofOwner(owner)})
        select 'FILE' as signal, o.owner_type as other_type, o.owner_id as other_id, 100 as score
          ${mine} join ${files} g on g.sha256 = f.sha256 join ${materials} o on o.file_id = g.file_id
          where (m.owner_type, m.owner_id) = (${owner.type}, ${owner.id}::bigint) and ${ofOthers}
        union
        select 'IMAGE', o.owner_type, o.owner_id,
            max(100 - bit_count(('x' || f.phash)::bit(64) # ('x' || g.phash)::bit(64)) * 100 / ${sql.lit(BITS)})::int
          ${mine} join ${files} g on g.phash_bands && f.phash_bands and g.sha256 <> f.sha256 join ${materials} o on o.file_id = g.file_id
          where (m.owner_type, m.owner_id) = (${owner.type}, ${owner.id}::bigint) and ${ofOthers}
            and bit_count(('x' || f.phash)::bit(64) # ('x' || g.phash)::bit(64)) <= ${sql.lit(MOST_BITS)}
          group by o.owner_type, o.owner_id
        union
        select 'PERSON', o.owner_type, o.owner_id, 100 from m join ${materials} o on o.person_key = m.person_key where ${others}
      `.execute(tx);
      const hits = [...rows, ...also];
      const found = JSON.stringify(hits);
      const all = sql`jsonb_to_recordset(${found}::jsonb) as h (signal text, "otherType" text, "otherId" bigint, score int)`;
      await sql`
        delete from ${duplicates} d where ${ofOwner(owner)} and verdict = 'PENDING' and not exists (
          select from ${all} where (h.signal, h."otherType", h."otherId") = (d.signal, d.other_type, d.other_id))
      `.execute(tx);
      await sql`
        insert into ${duplicates} (owner_type, owner_id, signal, other_type, other_id, score, found_at)
        select ${owner.type}, ${owner.id}::bigint, h.signal, h."otherType", h."otherId", max(h.score), ${now} from ${all}
          group by h.signal, h."otherType", h."otherId"
        on conflict (owner_type, owner_id, signal, other_type, other_id) do update set score = excluded.score
      `.execute(tx);
      return of(tx, owner);
    },

    /** @throws Refusal SCM90040 for what is none of the case's duplicates */
    async judge({ tx, staffOrNull }: Writes, owner: Owner, works: readonly z.output<typeof duplicateWork>[]): Promise<void> {
      for (const { id, verdict, note } of works) {
        const by = verdict === 'PENDING' ? null : staffOrNull;
        const { numAffectedRows } = await sql`
          update ${duplicates} set verdict = ${verdict}, note = ${note},
              judged_by = ${by?.userId ?? null}, judged_name = ${by?.displayName ?? null}
            where ${ofOwner(owner)} and id = ${id}
        `.execute(tx);
        if (!numAffectedRows) throw refuse(platformErrors.NOT_FOUND, { message: '疑似重复不存在' });
      }
    },

    /** Those that nobody has judged: a case does not pass while there is one. */
    pending: async (db: Db | Tx, owner: Owner): Promise<number> =>
      (await of(db, owner)).filter(({ verdict }) => verdict === 'PENDING').length,
  };
}
