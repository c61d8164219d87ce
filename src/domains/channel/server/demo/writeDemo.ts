import { sql } from 'kysely';
import type { DemoContext } from '../../../../kernel/server/module.ts';
import { publishChannel } from '../channels/changed.ts';
import { writeCodes } from './codes.ts';
import { writeChannels } from './channels.ts';
import { writeCopies } from './copies.ts';
import { writeScans } from './scans.ts';
import { writeVips } from './vips.ts';
import { writeWecom } from './wecom.ts';

const DEMO_LOCK = 8_008_135;

/** channel.md §Demo data; once, by one of the processes that start together. */
export async function writeDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK})`.execute(tx);
    const { rows } = await sql`select 1 from channel_channel limit 1`.execute(tx);
    if (rows.length > 0) return;
    await writeCopies(tx, now);
    await writeChannels(tx, now);
    await writeVips(tx, now);
    await writeCodes(tx, now);
    await writeScans(tx, now);
    await writeWecom(kernel, tx, now);
    for (const { id } of (await sql<{ id: string }>`select id from channel_channel order by id`.execute(tx)).rows) await publishChannel(writing, id, now);
  });
}
