import { sql } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { periodMachine } from '../../contract/taxStates.ts';
import { periodRecords, taxMonthRecords } from '../access.ts';
import { own } from '../database.ts';
import { declareMonth } from '../taxes/declare.ts';
import { sumsOf } from '../taxes/month.ts';
import { setStage, type Stage } from './stage.ts';

/** On the fourth what was withheld in the month before is declared, where the bank has answered everything. */
export async function writeDeclarationsOn(stage: Stage, day: Day): Promise<void> {
  const at = startOfDay(day, '10:30');
  if (!day.endsWith('-04') || at >= stage.now) return;
  const months = await own(stage.tx)
    .selectFrom('settlementTaxMonth')
    .select('id')
    .where('status', '=', 'OPEN')
    .where('taxMonth', '<', day.slice(0, 7))
    .orderBy('id')
    .execute();
  for (const { id } of months) {
    const month = await taxMonthRecords.lock(stage.tx, taxMonthRecords.everyone, id);
    const { taxFen, openCount } = await sumsOf(stage.tx, month);
    if (openCount === 0) await declareMonth(stage.at(at, 'fin_s'), stage.ledger, month, taxFen, stage.staff.fin_s);
  }
}

/** Months that the book's own demonstration closed, with the two who did it. */
export const writePeriods = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    if (!stage) return;
    const { rows } = await sql<{ period: string }>`
      select p.period
        from ledger_period p
        where p.book = 'DOCTOR' and p.status = 'CLOSED' and not exists (select from settlement_period s where s.period = p.period)
        order by p.period`.execute(writing.tx);
    const { fin_s: starter, fin_r: closer } = stage.staff;
    for (const { period } of rows) {
      const next = `${plusDays(`${period}-01`, 32).slice(0, 7)}-05`;
      const [startedAt, closedAt] = [startOfDay(next, '17:30'), startOfDay(next, '18:30')];
      const { id } = await own(writing.tx)
        .insertInto('settlementPeriod')
        .values({
          period,
          status: 'CLOSED',
          startedBy: starter.id,
          startedByName: starter.name,
          startedAt,
          closedBy: closer.id,
          closedByName: closer.name,
          closedAt,
          opinion: '账簿平衡，个税已申报',
          version: 3,
          createdAt: startedAt,
          updatedAt: closedAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      stage.trail(periodMachine, { type: periodRecords.type, id }, [
        { action: 'start', at: startedAt, by: 'fin_s' },
        { action: 'close', at: closedAt, by: 'fin_r', opinion: '账簿平衡，个税已申报' },
      ]);
    }
    await stage.writeTrails();
  });
