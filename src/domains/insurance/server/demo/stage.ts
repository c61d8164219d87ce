import { sql } from 'kysely';
import { dayOf, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { seeded, type Random } from '#kernel/server/demo/bulk.ts';
import { demoTrails } from '#kernel/server/demo/trails.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { formularyVersionStates, productVersionStates } from '../../contract/documents/states.ts';

interface Person {
  id: string;
  name: string;
}

type DocumentTable = 'insurance_formulary_version' | 'insurance_product_version';
interface Publication {
  state: 'PUBLISHED' | 'PENDING_AUDIT' | 'REJECTED' | 'WITHDRAWN';
  contentHash: string;
  /** When it was handed in; somebody looked at it two days later. */
  on: Day;
  note: string;
  closes: string | null;
  checker: Person;
}

/** Who writes the demonstration, when, and how documents come to their states. */
export interface Stage {
  kernel: Kernel;
  tx: Tx;
  now: Instant;
  today: Day;
  year: number;
  random: Random;
  maker: Person;
  checker: Person;
  publish(table: DocumentTable, type: string, id: string, how: Publication): Promise<void>;
  writeTrails(): Promise<void>;
}

const machines = {
  insurance_formulary_version: formularyVersionStates,
  insurance_product_version: productVersionStates,
};

/** @returns null where the product has not the people that products need */
export async function setStage({ kernel, now }: DemoContext, tx: Tx): Promise<Stage | null> {
  const { rows: people } = await sql<{ id: string; userName: string; displayName: string }>`
    select id::text, user_name, display_name from identity_staff_user where user_name in ('product_a', 'product_r')`.execute(tx);
  const who = (name: string): Person | null => {
    const found = people.find(({ userName }) => userName === name);
    return found ? { id: found.id, name: found.displayName } : null;
  };
  const [maker, checker] = [who('product_a'), who('product_r')];
  if (!maker || !checker) return null;
  const today = dayOf(now);
  const trails = demoTrails(tx);
  return {
    kernel,
    tx,
    now,
    today,
    year: Number(today.slice(0, 4)),
    random: seeded(20_261_125),
    maker,
    checker,
    async publish(table, type, id, { state, contentHash, on, note, closes, checker: by }) {
      // What is handed in is handed in by now.
      const day = on < today ? on : today;
      const submitted = startOfDay(day, '09:40');
      const seen = startOfDay(day, '15:10');
      const looked = state !== 'PENDING_AUDIT';
      await sql`
        update ${sql.table(table)}
          set state = ${state}, maker_id = ${maker.id}, checker_id = ${looked ? by.id : null}, submitted_at = ${submitted},
            published_at = ${state === 'PUBLISHED' || state === 'WITHDRAWN' ? seen : null}, change_note = ${note},
            content_hash = ${contentHash}, closed_predecessor_id = ${closes}, version = ${looked ? 3 : 2},
            updated_at = ${looked ? seen : submitted}, updated_by = ${looked ? by.id : maker.id}
          where id = ${id}`.execute(tx);
      const decided = state === 'PUBLISHED' || state === 'WITHDRAWN';
      trails.add(machines[table], { type, id }, [
        { action: 'submit', at: submitted, by: maker, opinion: note },
        ...(state === 'REJECTED' ? [{ action: 'reject', at: seen, by, opinion: '免赔额与条款不一致，请核对后重新提交' } as const] : []),
        ...(decided ? [{ action: 'approve', at: seen, by, opinion: '与备案条款一致，同意发布' } as const] : []),
        ...(state === 'WITHDRAWN'
          ? [{ action: 'withdraw', at: startOfDay(day, '17:00'), by, opinion: '保司暂停合作，撤回发布' } as const]
          : []),
      ]);
    },
    writeTrails: trails.write,
  };
}
