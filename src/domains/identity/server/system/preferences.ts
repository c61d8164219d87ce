import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { modifyUserPreference, queryUserPreference } from '../../contract/calls/preferences.ts';
import { json, own } from '../database.ts';

const MOST_BYTES = 16_384;

/** What a user's pages remember: columns, saved views, theme. Kept here because logout clears local storage. */
export const preferenceHandlers: readonly Handler[] = [
  query(queryUserPreference, async ({ key }, { db, staff }) => {
    const rows = await own(db)
      .selectFrom('identityUserPreference')
      .select(['key', 'value'])
      .where('userId', '=', staff.userId)
      .$if(key !== undefined, (select) => select.where('key', '=', key!))
      .execute();
    if (key !== undefined) return { value: rows[0]?.value ?? null };
    return { value: Object.fromEntries(rows.map((row) => [row.key, row.value])) };
  }),

  command(modifyUserPreference, async ({ key, value }, { tx, staff, now }) => {
    const text = json(value ?? null);
    if (Buffer.byteLength(text) > MOST_BYTES) throw refuseField('value', '设置内容过大，请减少保存的视图或列');
    await own(tx)
      .insertInto('identityUserPreference')
      .values({ userId: staff.userId, key, value: text, updatedAt: now })
      .onConflict((conflict) => conflict.columns(['userId', 'key']).doUpdateSet({ value: text, updatedAt: now }))
      // Each column that somebody drags is saved, and nothing is read of what was written.
      .modifyEnd(sql.raw(WITH_COMMIT))
      .execute();
    return { value: value ?? null };
  }),
];
