import { sql } from 'kysely';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import { dayOf, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, seeded, type Random } from '#kernel/server/demo/bulk.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { formularyVersionStates, productVersionStates } from '../../contract/documents/states.ts';

export interface Person {
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

const machines: Readonly<Record<DocumentTable, Pick<StateMachine<string, string>, 'name'>>> = {
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
  const trails: Record<string, unknown>[] = [];
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
      const step = (action: string, label: string, fromState: string, toState: string, at: Instant, person: Person, opinion: string) =>
        trails.push({
          targetType: type,
          targetId: id,
          machine: machines[table].name,
          action,
          label,
          fromState,
          toState,
          opinion,
          diff: [],
          at,
          traceId: 'demo',
          userId: person.id,
          displayName: person.name,
        });
      step('submit', '提交审核', 'DRAFT', 'PENDING_AUDIT', submitted, maker, note);
      if (state === 'REJECTED') step('reject', '驳回', 'PENDING_AUDIT', 'REJECTED', seen, by, '免赔额与条款不一致，请核对后重新提交');
      if (state === 'PUBLISHED' || state === 'WITHDRAWN')
        step('approve', '审核通过', 'PENDING_AUDIT', 'PUBLISHED', seen, by, '与备案条款一致，同意发布');
      if (state === 'WITHDRAWN')
        step('withdraw', '撤回发布', 'PUBLISHED', 'WITHDRAWN', startOfDay(day, '17:00'), by, '保司暂停合作，撤回发布');
    },
    async writeTrails() {
      const ids = await reserve(tx, 'kernel_audit_trail', trails.length);
      await bulk(
        tx,
        'kernel_audit_trail',
        trails.map((row, at) => ({ id: ids[at]!, ...row })),
      );
    },
  };
}
