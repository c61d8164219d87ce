import { sql } from 'kysely';
import { SUPPLEMENT_DAYS, type supplementStates } from '../../contract/evidence.ts';
import { refuse } from '../../contract/errors.ts';
import { days as daysMs, plusMs, type Instant } from '../../contract/time.ts';
import type { Db, Tx } from '../context.ts';
import { materialsOf, type HandedIn } from './materials.ts';
import { ofOwner, tableOf, type Owner, type ReviewSettings, type Writes } from './review.ts';

interface Wanted<Type extends string> {
  materialType: Type;
  wording: string;
}
export interface Supplement<Type extends string> {
  id: string;
  items: Wanted<Type>[];
  askedAt: Instant;
  dueAt: Instant;
  state: (typeof supplementStates.codes)[number];
}

/** What is missing is asked for once, all of it together, with a deadline; a second time by a supervisor alone. */
export function supplementsOf<Type extends string, Signal extends string>(settings: ReviewSettings<Type, Signal>) {
  const { prefix, refusals } = settings;
  const table = tableOf(prefix, 'supplement');
  const materials = materialsOf(settings);
  const columns = sql`id, items, asked_at, due_at, state`;
  const of = async (db: Db | Tx, owner: Owner): Promise<Supplement<Type>[]> =>
    (await sql<Supplement<Type>>`select ${columns} from ${table} where ${ofOwner(owner)} order by id`.execute(db)).rows;
  const end = async (tx: Tx, now: Instant, owner: Owner, state: 'ANSWERED' | 'CANCELLED' | 'EXPIRED'): Promise<void> => {
    await sql`update ${table} set state = ${state}, ended_at = ${now} where ${ofOwner(owner)} and state = 'OPEN'`.execute(tx);
  };

  return {
    /** All that were asked for of a case, the first one first. */
    of,

    /**
     * The caller holds the case's row. @throws Refusal `nothing`, `days`, `again`
     * @param supervises whoever asks may ask again
     */
    async ask(
      { tx, now, staffOrNull }: Writes,
      owner: Owner,
      { items, days }: { items: readonly Wanted<Type>[]; days: number },
      supervises: boolean,
    ): Promise<Supplement<Type>> {
      if (items.length === 0) throw refuse(refusals.nothing);
      if (days < SUPPLEMENT_DAYS.min || days > SUPPLEMENT_DAYS.max) throw refuse(refusals.days);
      if (!supervises && (await of(tx, owner)).length > 0) throw refuse(refusals.again);
      await end(tx, now, owner, 'CANCELLED');
      const { rows } = await sql<Supplement<Type>>`
        insert into ${table} (owner_type, owner_id, items, asked_by, asked_at, due_at)
        values (${owner.type}, ${owner.id}, ${JSON.stringify(items)}::jsonb, ${staffOrNull?.userId ?? null}, ${now},
          ${plusMs(now, daysMs(days))})
        returning ${columns}
      `.execute(tx);
      return rows[0]!;
    },

    /** What was asked for is handed in, or a part of it. @throws Refusal `unanswered`; also where nothing is asked for any more */
    async supply(
      ctx: Writes,
      owner: Owner,
      handedIn: readonly HandedIn<Type>[],
      more: { personKey?: string | null } = {},
    ): Promise<Supplement<Type>> {
      const open = (await of(ctx.tx, owner)).find(({ state }) => state === 'OPEN');
      if (!open?.items.some(({ materialType }) => handedIn.some((one) => one.materialType === materialType)))
        throw refuse(refusals.unanswered);
      await materials.add(ctx, owner, handedIn, { ...more, supplementId: open.id });
      await end(ctx.tx, ctx.now, owner, 'ANSWERED');
      return { ...open, state: 'ANSWERED' };
    },

    /** The case ended otherwise. */
    cancel: ({ tx, now }: Pick<Writes, 'tx' | 'now'>, owner: Owner): Promise<void> => end(tx, now, owner, 'CANCELLED'),

    /** The deadline of a case is over; the caller holds its row. */
    lapse: ({ tx, now }: Pick<Writes, 'tx' | 'now'>, owner: Owner): Promise<void> => end(tx, now, owner, 'EXPIRED'),

    /** Ends those whose deadline is over. @returns whose they were */
    async expire({ tx, now }: Pick<Writes, 'tx' | 'now'>): Promise<Owner[]> {
      const { rows } = await sql<Owner>`
        update ${table} set state = 'EXPIRED', ended_at = ${now} where state = 'OPEN' and due_at < ${now}::timestamptz
        returning owner_type as type, owner_id as id
      `.execute(tx);
      return rows;
    },
  };
}
