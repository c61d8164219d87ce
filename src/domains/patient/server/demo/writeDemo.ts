import { sql } from 'kysely';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { writeAffairs } from './affairs.ts';
import { seeded } from '#kernel/server/demo/bulk.ts';
import { writeConsents, writeSuggestions } from './care.ts';
import { writeHistory } from './courses.ts';
import { writePeople } from './people.ts';
import { writeReportFiles } from './reportFiles.ts';
import { writeReports } from './reports.ts';
import { readStaff } from './staff.ts';

/** patient.md §Demo data; once, by one of the processes that start together, in a few large inserts. */
export async function writeDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    await lockKeys(tx, 'patient.demo');
    const { rows } = await sql`select 1 from patient_patient limit 1`.execute(tx);
    if (rows.length > 0) return;
    const random = seeded(20_261_121);
    const staff = await readStaff(tx);
    const people = await writePeople(tx, kernel.secrets, now, random, staff.get('ops_audit')?.userId ?? null);
    await writeHistory(tx, people, now, random);
    await writeReports(tx, people, now, random);
    await writeReportFiles(tx, kernel, now);
    await writeSuggestions(tx, people, now, random);
    await writeConsents(tx, people, now, random);
    await writeAffairs(tx, people, now, staff, random);
  });
}
