import type { Db, Tx } from '#kernel/server/context.ts';
import { json, own } from '../database.ts';

export async function presetsOf(db: Db | Tx, userId: string, source: string) {
  const rows = await own(db)
    .selectFrom('filesExportColumnPreset')
    .selectAll()
    .where('userId', '=', userId)
    .where('source', '=', source)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ presetId: row.id, name: row.name, columns: row.columns as string[], updatedAt: row.updatedAt }));
}

export async function savePreset(
  tx: Tx,
  preset: { userId: string; source: string; name: string; columns: readonly string[] },
  now: string,
) {
  const values = { ...preset, columns: json(preset.columns), updatedAt: now };
  await own(tx)
    .insertInto('filesExportColumnPreset')
    .values(values)
    .onConflict((conflict) => conflict.columns(['userId', 'source', 'name']).doUpdateSet({ columns: values.columns, updatedAt: now }))
    .execute();
}

export async function removePreset(tx: Tx, preset: { userId: string; source: string; name: string }) {
  await own(tx)
    .deleteFrom('filesExportColumnPreset')
    .where('userId', '=', preset.userId)
    .where('source', '=', preset.source)
    .where('name', '=', preset.name)
    .execute();
}
