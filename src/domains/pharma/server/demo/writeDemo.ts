import type { DemoContext } from '../../../../kernel/server/module.ts';
import { writeAgents } from './agents.ts';
import { writeCompanies } from './companies.ts';
import { writeMedicines } from './medicines.ts';
import { writeReports } from './reports.ts';

/** A catalogue of medicines with prices, the companies behind them and their representatives; dates are relative to today. */
export async function writeDemo({ transaction, kernel, now }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const companies = await writeCompanies(tx, kernel.secrets, now);
    const medicines = await writeMedicines(tx, companies, now);
    await writeAgents(tx, kernel.secrets, companies, now);
    await writeReports(tx, kernel.secrets, medicines, now);
  });
}
