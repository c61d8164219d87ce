import { sql } from 'kysely';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { allowAnyOrder } from '#domains/ledger/server/index.ts';
import { refreshBalances } from '../doctors/balance.ts';
import { writeAdjusts } from './writeAdjusts.ts';
import { writeAccounts, writeIncomes, writeStops } from './writeIncomes.ts';
import { writeBindTables } from './writeBindTables.ts';
import { writeBillsOn } from './writeBills.ts';
import { writeDeclarationsOn } from './writeDeclarations.ts';
import { writePayoutsOn } from './writePayouts.ts';
import { writePerf } from './writePerf.ts';
import { writePrograms } from './writePrograms.ts';
import { writeRules } from './writeRules.ts';
import { setStage } from './stage.ts';

/** What doctors earned with the consultations of the demonstration, by the rules, in the books to the fen. */
export const writeDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { rows: before } = await sql`select 1 from settlement_payer limit 1`.execute(writing.tx);
    if (before.length > 0) return;
    const stage = await setStage(demo, writing);
    const { rows: doctors } = await sql<{ id: string }>`
      select doctor_id as id from doctor_consult_order where state = 'COMPLETED' group by 1 order by count(*) desc, 1`.execute(writing.tx);
    const [expert] = doctors;
    if (!stage || !expert) return;
    allowAnyOrder(stage.tx);
    await writeRules(stage, expert.id);
    const writeProgramsOn = await writePrograms(
      stage,
      doctors.map(({ id }) => id),
    );
    await writeIncomes(stage, async (day) => {
      await writeProgramsOn(day);
      await writeBillsOn(stage, day);
      await writeDeclarationsOn(stage, day);
      await writePayoutsOn(stage, day);
    });
    // Doctors were told of what is history.
    await sql`update settlement_payout_message set status = 'SENT', sent_at = created_at, try_count = 1`.execute(stage.tx);
    await writeAccounts(stage);
    await writeStops(stage);
    await writeAdjusts(stage);
    await writePerf(stage);
    await writeBindTables(stage);
    await stage.writeTrails();
    // The doctors' domain has not heard of any of this yet.
    await sql`update settlement_doctor set unsettled_fen = 0`.execute(stage.tx);
    await refreshBalances(
      writing,
      doctors.map(({ id }) => id),
    );
  });
