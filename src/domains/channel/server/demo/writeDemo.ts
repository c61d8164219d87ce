import { sql } from 'kysely';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { publishChannel } from '../channels/changed.ts';
import { writeChannels } from './channels.ts';
import { writeCodes } from './codes.ts';
import { copyOthers, copyStaff } from './copies.ts';
import { writeScans } from './scans.ts';
import { writeSceneCodes } from './sceneCodes.ts';
import { writeUsages, writeVips } from './vips.ts';
import { writeWecom } from './wecom.ts';

/** Whether this process is the one that writes. */
async function isFirst(tx: Tx, table: 'channel_channel' | 'channel_qr_scan'): Promise<boolean> {
  await lockKeys(tx, 'channel.demo');
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx);
  return rows.length === 0;
}

/** channel.md §Demo data: what the demonstrations of other domains name. */
export async function writeDemo({ now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    if (!(await isFirst(tx, 'channel_channel'))) return;
    await copyStaff(tx, now);
    await writeChannels(tx, now);
    await writeVips(tx, now);
    await writeCodes(tx, now);
  });
}

/** What names doctors, scenes and orders of the other domains' demonstrations, and everything that counts scans. */
export async function writeDemoAfter({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    if (!(await isFirst(tx, 'channel_qr_scan'))) return;
    await copyOthers(tx, now);
    await writeUsages(tx, now);
    await writeSceneCodes(tx, now);
    await writeScans(tx, now);
    await writeWecom(kernel, tx, now);
    for (const { id } of (await sql<{ id: string }>`select id from channel_channel order by id`.execute(tx)).rows)
      await publishChannel(writing, id, now);
  });
}
