import { dayOf } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { ownTx } from '../database.ts';
import { publishMedicine } from '../medicines/medicineEvents.ts';
import { writeAgents } from './agents.ts';
import { writeCompanies } from './companies.ts';
import { writeMedicines } from './medicines.ts';
import { writePictures } from './pictures.ts';
import { writeReports } from './reports.ts';

/** A catalogue of medicines with prices, the companies behind them and their representatives; dates are relative to today. */
export async function writeDemo({ transaction, kernel, now }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const companies = await writeCompanies(tx, kernel.secrets, now);
    const medicines = await writeMedicines(writing, companies, now);
    await writeAgents(writing, kernel.secrets, companies, now);
    await writeReports(writing, kernel.secrets, medicines, now);
    await writePictures(kernel, tx, now);
    // The other domains keep copies of both.
    for (const { id, state } of medicines) if (state === 'ON' || state === 'OFF') await publishMedicine(writing, id, dayOf(now));
    for (const { id } of await ownTx(tx).selectFrom('pharmaAgent').select('id').orderBy('id').execute())
      await publishAgent(writing, id, dayOf(now));
  });
}
