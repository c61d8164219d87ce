import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { resumeSend, stopSend } from '../../contract/engine/engineCalls.ts';
import { checker, makeManyTreated, maker, sendNow, sendsOf } from '../testing/engineWorld.ts';
import { countKeys, manyDue } from '../testing/manyDue.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  other = await startTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

/** The chat takes so many seconds for each message. */
const slowChat = (seconds: number) =>
  app.database.asOwner(`
    create function chat_is_slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${seconds}); return new; end $$;
    create trigger chat_is_slow before insert on consultation_im_message for each row execute function chat_is_slow()`);
const mendChat = () => app.database.asOwner('drop function chat_is_slow() cascade');

describe('the switch of the whole engine', () => {
  // Acceptance 17.
  it('ends all sending of two processes at once, however slow the chat is; what was under way is given back, and all goes on once after it', async () => {
    app.clock.set(startOfDay('2026-11-23', '10:00'));
    const { scenePackageId } = await manyDue(app, await makeManyTreated(app, 200), 5);
    const boss = await checker(app);
    const stored = async () => (await countKeys(app, scenePackageId)).messages;
    const due = async () => (await sendsOf(app, scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    const counted = async () => {
      const { rows } = await sql<{ n: number }>`select coalesce(sum(count), 0)::int as n from corpus_touch_counter`.execute(app.db);
      return rows[0]!.n;
    };
    // A transaction of the engine takes half a second.
    await slowChat(0.02);
    const sending = Promise.all([sendNow(app), sendNow(other)]);
    await expect.poll(stored, { timeout: 30_000 }).toBeGreaterThan(50);
    await other.ok(stopSend, { scopeType: 'ENGINE', reason: '内容有误' }, { as: boss });
    const atCommit = await stored();
    await sending;
    expect(atCommit).toBeLessThan(1000);
    for (let second = 0; second < 8; second += 1) {
      app.clock.advance(1_000);
      expect(await Promise.all([sendNow(app), sendNow(other)])).toEqual([0, 0]);
    }
    expect(await countKeys(app, scenePackageId)).toEqual({ messages: atCommit, keys: atCommit });
    const standing = Map.groupBy(await due(), ({ state, reasonCode }) => `${state} ${reasonCode ?? ''}`);
    expect(new Map([...standing].map(([state, of]) => [state, of.length]))).toEqual(
      new Map([
        ['SENT ', atCommit],
        ['HELD KILL', 1000 - atCommit],
      ]),
    );
    expect(await counted()).toBe(atCommit);

    await mendChat();
    await app.ok(resumeSend, { scopeType: 'ENGINE', onResume: 'CATCH_UP' }, { as: boss });
    await Promise.all([sendNow(app), sendNow(other)]);
    expect(await countKeys(app, scenePackageId)).toEqual({ messages: 1000, keys: 1000 });
    expect((await due()).every(({ state }) => state === 'SENT')).toBe(true);
    expect(await counted()).toBe(1000);
  });

  it('lets a touch wait of which the chat has a part, and the rest of it follow after the switch', async () => {
    app.clock.set(startOfDay('2026-11-24', '10:00'));
    const { scenePackageId } = await manyDue(app, await makeManyTreated(app, 1), 1);
    const clerk = await maker(app);
    const [touch] = (await sendsOf(app, scenePackageId)).filter(({ itemKey }) => itemKey === 'x');
    await sql`update corpus_follow_send set material_ids = material_ids || material_ids where id = ${touch!.id}`.execute(app.db);
    await sendNow(app);
    const own = async () => (await sendsOf(app, scenePackageId)).find(({ id }) => id === touch!.id)!;
    expect(await own()).toMatchObject({ state: 'SENT' });
    const keys = async () => {
      const { rows } = await sql<{ key: string }>`
        select client_msg_id as key from consultation_im_message where client_msg_id like ${`${touch!.dedupeKey}#%`} order by seq`.execute(
        app.db,
      );
      return rows.map(({ key }) => key.slice(touch!.dedupeKey.length));
    };
    expect(await keys()).toEqual(['#1', '#2']);
    // As a process leaves it that is killed between two bubbles.
    await app.database.asOwner(`delete from consultation_im_message where client_msg_id = '${touch!.dedupeKey}#2'`);
    await sql`update corpus_follow_send set state = 'SENDING', sent_at = null, last_seq = null, lease_until = ${app.clock.now()},
      bubbles = jsonb_set(bubbles, '{1,seq}', 'null') where id = ${touch!.id}`.execute(app.db);
    await app.ok(stopSend, { scopeType: 'PATIENT', scopeId: touch!.patientId, reason: '家属要求' }, { as: clerk });
    for (let n = 0; n < 3; n += 1) {
      await sendNow(app);
      app.clock.advance(30_000);
    }
    expect(await own()).toMatchObject({ state: 'SENDING' });
    expect(await keys()).toEqual(['#1']);
    await app.ok(resumeSend, { scopeType: 'PATIENT', scopeId: touch!.patientId, onResume: 'CATCH_UP' }, { as: clerk });
    await sendNow(other);
    expect(await own()).toMatchObject({ state: 'SENT' });
    expect(await keys()).toEqual(['#1', '#2']);
  });
});
