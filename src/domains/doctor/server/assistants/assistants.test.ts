import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSystem } from '#kernel/server/command/acting.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  batchTransferAssistant,
  bindAssistant,
  changeAssistantState,
  addAssistant,
  modifyAssistant,
  previewTransfer,
  queryAssistantBindHistory,
  queryAssistantList,
  queryAssistantSummary,
  unbindAssistant,
} from '../../contract/calls/assistants.ts';
import { eventsOf as ordersTold, makeOffer, makeOrder, paidOrder, payBySimulator, stored } from '../testing/orders.ts';
import { cancelDoctor } from '../../contract/calls/doctors.ts';
import { picture } from '../testing/qual.ts';
import { always, bound, giveOrders, keeper, makeAssistant, makeDoctor } from '../testing/staffing.ts';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { ASSISTANT_TARGET } from './access.ts';
import { ASSISTANT_AVATAR } from './files.ts';
import { assistantsModule } from './module.ts';
import { chooseAssistant, onInquiryChanged, freePlace } from './choose.ts';
import { recount } from './load.ts';
import { endLeaves, onStaffUserChanged } from './state.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const countOf = async (id: string) =>
  (await sql<{ n: number }>`select active_count as n from doctor_assistant where id = ${id}`.execute(app.db)).rows[0]!.n;
const liveBinds = async (doctorId: string) =>
  (
    await sql<{
      assistantId: string;
      role: string;
    }>`
      select assistant_id, role
        from doctor_assistant_bind
        where doctor_id = ${doctorId} and ended_at is null
        order by role desc, id`.execute(app.db)
  ).rows.map(({ assistantId, role }) => [assistantId, role]);
const eventsOf = async (name: string, assistantId: string) =>
  (
    await sql<{
      payload: { doctorId: string };
    }>`select payload from kernel_outbox where name = ${name} and payload->>'assistantId' = ${assistantId} order by id`.execute(app.db)
  ).rows.map(({ payload }) => payload);
const pay = (doctorId: string, orderId: string) =>
  app.kernel.transactions.run('test', (writing) =>
    chooseAssistant({ ...writing, now: app.clock.now() }, { doctorId, at: app.clock.now(), orderId }),
  );
const sound = async () => {
  for (const [name, statement] of assistantsModule.invariants!)
    expect((await sql<{ n: number }>`${sql.raw(statement)}`.execute(app.db)).rows[0]!.n, name).toBe(0);
};
let key = 0;
const idempotencyKey = () => `staffing-transfer-${(key += 1)}`;

describe('assistants', () => {
  it('are one per staff user, on duty within hours that exist', async () => {
    const as = await keeper(app);
    const { userId } = await app.staff({ permissions: [] });
    const fields = { userId, mobile: '13812345678', groupName: '一组', capacity: 40, dutyWeek: always };
    expect(
      (await app.refused(addAssistant, { ...fields, dutyWeek: [{ weekday: 1, from: '12:00', to: '09:00' }] }, { as })).fields?.[0]?.message,
    ).toBe('值班结束时间须晚于开始时间');
    expect((await app.refused(addAssistant, { ...fields, capacity: 201 }, { as })).fields?.[0]?.message).toBe('容量须为1至200');
    const { id, version } = await app.ok(
      addAssistant,
      {
        ...fields,
        dutyWeek: [
          { weekday: 1, from: '08:30', to: '10:00' },
          { weekday: 1, from: '10:00', to: '12:00' },
        ],
      },
      { as },
    );
    expect((await app.refused(addAssistant, fields, { as })).fields?.[0]?.message).toBe('该员工已是医助');
    const [row] = (await app.ok(queryAssistantList, { id }, { as })).rows;
    expect(row).toMatchObject({
      mobile: '138****5678',
      dutyWeek: [{ weekday: 1, from: '08:30', to: '12:00' }],
      dutyToday: [],
      state: 'OFF_DUTY',
      loadBp: 0,
    });
    await app.ok(modifyAssistant, { id, version, groupName: '二组', capacity: 10, dutyWeek: always }, { as });
    expect(await app.refused(modifyAssistant, { id, version, groupName: '三组', capacity: 10, dutyWeek: always }, { as })).toMatchObject({
      code: 'SCM90030',
    });
  });

  it('have a portrait that whoever sees them may look at; the former one is let go', async () => {
    const as = await keeper(app);
    const other = await keeper(app);
    const [first, second] = (await picture(app, as.userId, 2, ASSISTANT_AVATAR)) as [string, string];
    const fields = { mobile: '13812345678', groupName: '一组', capacity: 40, dutyWeek: always, avatarFileId: first };
    const { userId } = await app.staff({ permissions: [] });
    expect(await app.refused(addAssistant, { userId, ...fields }, { as: other })).toMatchObject({ code: 'SCM02014' });
    const { id, version } = await app.ok(addAssistant, { userId, ...fields }, { as });
    const portraits = async () =>
      (await app.ok(queryFileList, { ownerType: ASSISTANT_TARGET, ownerId: id }, { as: other })).map(({ fileId }) => fileId);
    expect(await portraits()).toEqual([first]);
    await app.ok(modifyAssistant, { id, version, groupName: '一组', capacity: 40, dutyWeek: always, avatarFileId: second }, { as });
    expect(await portraits()).toEqual([second]);
    const narrow = await keeper(app, { own: true });
    expect(await app.refused(queryFileList, { ownerType: ASSISTANT_TARGET, ownerId: id }, { as: narrow })).toMatchObject({
      code: 'SCM90040',
    });
  });

  it('who see only their own do not see others', async () => {
    const id = await makeAssistant(app);
    const narrow = await keeper(app, { own: true });
    expect((await app.ok(queryAssistantList, { id }, { as: narrow })).rows).toEqual([]);
    expect(await app.refused(changeAssistantState, { id, version: 2, action: 'goOff' }, { as: narrow })).toMatchObject({
      code: 'SCM90040',
    });
  });
});

describe('binds', () => {
  it('are one primary and three backups for a doctor, row by row', async () => {
    const as = await keeper(app);
    const [doctor, free] = [await makeDoctor(app), await makeDoctor(app)];
    const people = [];
    for (let index = 0; index < 6; index += 1) people.push(await makeAssistant(app));
    const [primary, one, two, three, four, gone] = people as [string, string, string, string, string, string];
    await app.ok(changeAssistantState, { id: gone, version: 2, action: 'disable', opinion: '离职' }, { as });
    expect(await app.refused(bindAssistant, { doctorIds: [doctor], assistantId: gone, role: 'PRIMARY' }, { as })).toMatchObject({
      code: 'SCM07062',
    });
    await bound(app, primary, [doctor]);
    for (const backup of [one, two, three]) await bound(app, backup, [doctor], 'BACKUP');
    const primaryName = (await app.ok(queryAssistantList, { id: primary }, { as })).rows[0]!.name;
    expect(await app.ok(bindAssistant, { doctorIds: [doctor, free], assistantId: four, role: 'PRIMARY' }, { as })).toMatchObject([
      { ok: false, message: `该医生已有主医助${primaryName}` },
      { ok: true },
    ]);
    expect(await app.ok(bindAssistant, { doctorIds: [doctor], assistantId: four, role: 'BACKUP' }, { as })).toMatchObject([
      { ok: false, message: '备岗医助最多3名' },
    ]);
    expect(await app.ok(bindAssistant, { doctorIds: [free], assistantId: four, role: 'BACKUP' }, { as })).toMatchObject([{ ok: true }]);
    expect(await liveBinds(free)).toEqual([[four, 'BACKUP']]);
    await app.ok(unbindAssistant, { doctorIds: [doctor], assistantId: one, reason: '调整分组' }, { as });
    const history = await app.ok(queryAssistantBindHistory, { doctorId: doctor, live: false }, { as });
    expect(history.rows).toMatchObject([{ assistantId: one, endReason: '调整分组', endedName: as.displayName }]);
    expect(await eventsOf('doctor.assistant.unbound', one)).toMatchObject([{ doctorId: doctor, role: 'BACKUP' }]);
    await sound();
  });

  it('of two who bind a primary at once, one wins', async () => {
    const as = await keeper(app);
    const doctor = await makeDoctor(app);
    const [one, two] = [await makeAssistant(app), await makeAssistant(app)];
    const answers = await Promise.all(
      [one, two].map((assistantId) => app.ok(bindAssistant, { doctorIds: [doctor], assistantId, role: 'PRIMARY' }, { as })),
    );
    expect(answers.flat().filter(({ ok }) => ok)).toHaveLength(1);
    await sound();
  });
});

describe('leave and disabling', () => {
  it('need somebody for every doctor', async () => {
    const as = await keeper(app);
    const doctor = await makeDoctor(app, { name: '王海燕' });
    const [id, backup] = [await makeAssistant(app), await makeAssistant(app)];
    await bound(app, id, [doctor]);
    const leave = { id, version: 2, action: 'leave', leaveUntil: '2026-11-23' } as const;
    expect(await app.refused(changeAssistantState, leave, { as })).toMatchObject({
      code: 'SCM07061',
      message: '以下医生没有备岗医助：王海燕',
    });
    expect(await app.refused(changeAssistantState, { id, version: 2, action: 'disable', opinion: '离职' }, { as })).toMatchObject({
      code: 'SCM07060',
      message: '仍有1位医生绑定，请先转移',
    });
    await bound(app, backup, [doctor], 'BACKUP');
    // A backup who is away himself stands in for nobody.
    await app.ok(changeAssistantState, { id: backup, version: 2, action: 'leave', leaveUntil: '2026-11-23' }, { as });
    expect(await app.refused(changeAssistantState, leave, { as })).toMatchObject({ code: 'SCM07061' });
    await app.ok(changeAssistantState, { id: backup, version: 3, action: 'return' }, { as });
    expect((await app.refused(changeAssistantState, { ...leave, leaveUntil: '2026-11-20' }, { as })).fields?.[0]?.path).toBe('leaveUntil');
    expect(await app.ok(changeAssistantState, leave, { as })).toMatchObject({ state: 'LEAVE', version: 3 });
    const pass = (now: string) => app.kernel.transactions.run('test', (writing) => endLeaves(asSystem(writing, { now, traceId: 'test' })));
    await pass('2026-11-23T15:59:00.000Z'); // the last minute of the last day in Shanghai
    expect((await app.ok(queryAssistantList, { id }, { as })).rows).toMatchObject([{ state: 'LEAVE' }]);
    await pass('2026-11-23T16:05:00.000Z');
    expect((await app.ok(queryAssistantList, { id }, { as })).rows).toMatchObject([{ state: 'OFF_DUTY', leaveUntil: null }]);
  });

  it('follow the staff user: his doctors are told to be without', async () => {
    const doctor = await makeDoctor(app);
    const id = await makeAssistant(app);
    await bound(app, id, [doctor]);
    const { rows } = await sql<{ userId: string }>`select user_id from doctor_assistant where id = ${id}`.execute(app.db);
    const facts = { now: app.clock.now(), traceId: 'test' };
    await app.kernel.transactions.run('test', (writing) =>
      onStaffUserChanged(app.kernel, asSystem(writing, facts), { userId: rows[0]!.userId, displayName: '赵敏', state: 'LEFT' }),
    );
    expect((await app.ok(queryAssistantList, { id }, { as: await keeper(app) })).rows).toMatchObject([
      { name: '赵敏', state: 'DISABLED', primaryCount: 0 },
    ]);
    expect(await liveBinds(doctor)).toEqual([]);
    await sound();
  });
});

describe('paid orders', () => {
  it('go to the freest backup when the primary is full (R6)', async () => {
    const doctor = await makeDoctor(app);
    const primary = await makeAssistant(app, { capacity: 40, active: 40 });
    const [first, second] = [
      await makeAssistant(app, { capacity: 40, active: 30 }),
      await makeAssistant(app, { capacity: 20, active: 12 }),
    ];
    await bound(app, primary, [doctor]);
    await bound(app, first, [doctor], 'BACKUP');
    await bound(app, second, [doctor], 'BACKUP');
    expect(await pay(doctor, '5001')).toEqual({ assistantId: second, overload: false });
    expect(await countOf(second)).toBe(13);
    await sound();
  });

  it('two at once never overfill the last place', async () => {
    const doctor = await makeDoctor(app);
    const [primary, backup] = [await makeAssistant(app, { capacity: 1 }), await makeAssistant(app, { capacity: 1 })];
    await bound(app, primary, [doctor]);
    await bound(app, backup, [doctor], 'BACKUP');
    const chosen = await Promise.all(['5101', '5102'].map((order) => pay(doctor, order)));
    expect(chosen.map(({ assistantId }) => assistantId).toSorted()).toEqual([primary, backup].toSorted());
    expect(await pay(doctor, '5103')).toEqual({ assistantId: primary, overload: true });
    expect([await countOf(primary), await countOf(backup)]).toEqual([2, 1]);
    await sound();
  });

  it('bought and paid take the place of the freest backup, and the last one only once (scenario 14)', async () => {
    const [{ doctorId, openingId }, { openingId: other, doctorId: second }] = [await makeOffer(app), await makeOffer(app)];
    const primary = await makeAssistant(app, { capacity: 40, active: 40 });
    const [a, b] = [await makeAssistant(app, { capacity: 40, active: 30 }), await makeAssistant(app, { capacity: 20, active: 12 })];
    await bound(app, primary, [doctorId]);
    for (const backup of [a, b]) await bound(app, backup, [doctorId], 'BACKUP');
    const order = await paidOrder(app, { openingId });
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'PAID', assistantId: b });
    expect(await ordersTold(app, 'doctor.consultOrder.paid', order.orderId)).toMatchObject([{ assistantId: b }]);

    const [one, last] = [await makeAssistant(app, { capacity: 1 }), await makeAssistant(app, { capacity: 1 })];
    await bound(app, one, [second]);
    await bound(app, last, [second], 'BACKUP');
    const made = [await makeOrder(app, { openingId: other }), await makeOrder(app, { openingId: other })];
    await Promise.all(made.map(({ payUrl }) => payBySimulator(app, payUrl!)));
    const served = await Promise.all(made.map(({ orderId }) => stored(app, orderId)));
    expect(served.map(({ assistantId }) => assistantId).toSorted()).toEqual([one, last].toSorted());
    expect([await countOf(one), await countOf(last)]).toEqual([1, 1]);
    await sound();
  });

  it('of a doctor without assistants go to nobody, and somebody is told to find one', async () => {
    expect(await pay(await makeDoctor(app), '5201')).toEqual({ assistantId: null, overload: false });
    const order = await paidOrder(app);
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'PAID', assistantId: null });
    const { rows } = await sql<{
      title: string;
    }>`select title from identity_notice where business_key = ${`doctor.consultOrder.assistant.${order.orderId}`}`.execute(app.db);
    expect(rows).toEqual([{ title: '付费咨询没有可分配的医助' }]);
  });

  it('count once, however often their inquiry is told of', async () => {
    const doctor = await makeDoctor(app);
    const [one, two] = [await makeAssistant(app), await makeAssistant(app)];
    await bound(app, one, [doctor]);
    await pay(doctor, '5301');
    const tell = (news: { assistantId: string | null; open: boolean; seq: number }) =>
      app.kernel.transactions.run('test', (writing) =>
        onInquiryChanged({ ...writing, now: app.clock.now() }, { orderId: '5301', inquiryId: '77', doctorId: doctor, ...news }),
      );
    await tell({ assistantId: one, open: true, seq: 1 });
    await tell({ assistantId: two, open: true, seq: 3 });
    await tell({ assistantId: one, open: true, seq: 2 });
    expect([await countOf(one), await countOf(two)]).toEqual([0, 1]);
    await tell({ assistantId: null, open: false, seq: 4 });
    await tell({ assistantId: null, open: false, seq: 4 });
    expect([await countOf(one), await countOf(two)]).toEqual([0, 0]);
    await tell({ assistantId: null, open: true, seq: 5 });
    expect(await countOf(two)).toBe(1);
    await pay(doctor, '5302');
    await app.kernel.transactions.run('test', (writing) => freePlace({ ...writing, now: app.clock.now() }, '5302'));
    expect(await countOf(one)).toBe(0);
    await sound();
  });

  it('are counted again at night', async () => {
    const id = await makeAssistant(app, { active: 3 });
    await sql`update doctor_assistant set active_count = 9 where id = ${id}`.execute(app.db);
    expect(await app.kernel.transactions.run('test', (writing) => recount({ ...writing, now: app.clock.now() }))).toBe(1);
    expect(await countOf(id)).toBe(3);
  });
});

describe('transfer', () => {
  it('does what its preview shows, and a second time nothing', async () => {
    const as = await keeper(app);
    const from = await makeAssistant(app);
    const [b, c] = [await makeAssistant(app, { capacity: 20, active: 10 }), await makeAssistant(app, { capacity: 20, active: 6 })];
    const doctors = [];
    for (const open of [3, 5, 2]) {
      const doctor = await makeDoctor(app);
      doctors.push(doctor);
      await bound(app, from, [doctor]);
      await giveOrders(app, from, doctor, open);
    }
    const [three, five, two] = doctors as [string, string, string];
    await bound(app, c, [five], 'BACKUP');
    const wish = { fromAssistantId: from, scope: 'ALL', strategy: 'SPREAD', toAssistantIds: [b, c] } as const;
    expect((await app.refused(previewTransfer, { ...wish, toAssistantIds: [from] }, { as })).fields?.[0]?.message).toBe('不能转给本人');
    expect((await app.refused(previewTransfer, { ...wish, strategy: 'ONE' }, { as })).fields?.[0]?.message).toBe('只能转给一名医助');
    const preview = await app.ok(previewTransfer, { ...wish, toAssistantIds: [b, c] }, { as });
    expect(preview.rows.map(({ doctorId, toAssistantId, beforeBp, afterBp }) => [doctorId, toAssistantId, beforeBp, afterBp])).toEqual([
      [five, c, 3000, 5500],
      [three, b, 5000, 6500],
      [two, c, 5500, 6500],
    ]);
    const input = { ...wish, toAssistantIds: [b, c], reason: '请假交接' };
    const first = idempotencyKey();
    const done = await app.ok(batchTransferAssistant, input, { as, idempotencyKey: first });
    expect(done).toMatchObject({ state: 'DONE', rows: preview.rows.map(({ message: _message, ...row }) => row) });
    expect([await countOf(from), await countOf(b), await countOf(c)]).toEqual([0, 13, 13]);
    expect(await liveBinds(five)).toEqual([[c, 'PRIMARY']]);
    expect(await eventsOf('doctor.assistant.transferred', c)).toMatchObject([{ doctorId: five, withInquiries: true }, { doctorId: two }]);
    // Once more, as the same request and as another one: nothing moves.
    expect(await app.ok(batchTransferAssistant, input, { as, idempotencyKey: first })).toEqual(done);
    expect(await app.refused(batchTransferAssistant, input, { as, idempotencyKey: idempotencyKey() })).toMatchObject({
      code: 'SCM90020',
      fields: [{ message: '所选医生已不在该医助名下，没有可转移的医生' }],
    });
    expect([await countOf(from), await countOf(b), await countOf(c)]).toEqual([0, 13, 13]);
    expect([await liveBinds(five), await liveBinds(three), await liveBinds(two)]).toEqual([
      [[c, 'PRIMARY']],
      [[b, 'PRIMARY']],
      [[c, 'PRIMARY']],
    ]);
    const { rows: transfers } = await sql`select 1 from doctor_assistant_transfer where from_assistant_id = ${from}`.execute(app.db);
    expect(transfers).toHaveLength(1);
    await app.ok(changeAssistantState, { id: from, version: 2, action: 'disable', opinion: '离职' }, { as });
    await sound();
  });

  it('leaves refused doctors where they are and tries them again', async () => {
    const as = await keeper(app);
    const [from, full] = [await makeAssistant(app), await makeAssistant(app, { capacity: 1, active: 1 })];
    const doctor = await makeDoctor(app);
    await bound(app, from, [doctor]);
    const wish = {
      fromAssistantId: from,
      scope: 'DOCTORS',
      doctorIds: [doctor],
      strategy: 'ONE',
      toAssistantIds: [full],
      reason: '调整分组',
    } as const;
    const input = { ...wish, doctorIds: [doctor], toAssistantIds: [full] };
    const first = await app.ok(batchTransferAssistant, input, { as, idempotencyKey: idempotencyKey() });
    expect(first).toMatchObject({ state: 'PARTIAL', rows: [{ doctorId: doctor, ok: false, message: '接收医助负荷已满' }] });
    expect(await liveBinds(doctor)).toEqual([[from, 'PRIMARY']]);
    const free = await makeAssistant(app);
    const again = await app.ok(
      batchTransferAssistant,
      { ...input, toAssistantIds: [free], retryOf: first.id },
      { as, idempotencyKey: idempotencyKey() },
    );
    expect(again).toMatchObject({ id: first.id, state: 'DONE', rows: [{ doctorId: doctor, ok: true, toAssistantId: free }] });
    expect(await liveBinds(doctor)).toEqual([[free, 'PRIMARY']]);
  });

  it('of doctors who leave meanwhile binds nobody to them', async () => {
    const as = await keeper(app);
    const [from, to] = [await makeAssistant(app), await makeAssistant(app)];
    const doctors = [await makeDoctor(app), await makeDoctor(app), await makeDoctor(app)];
    await bound(app, from, doctors);
    await Promise.all([
      app.send(
        batchTransferAssistant,
        { fromAssistantId: from, scope: 'ALL', strategy: 'ONE', toAssistantIds: [to], reason: '请假交接' },
        { as, idempotencyKey: idempotencyKey() },
      ),
      ...doctors.map((doctorId) => app.ok(cancelDoctor, { doctorId, version: 1, opinion: '本人申请注销' }, { as })),
    ]);
    expect(await Promise.all(doctors.map(liveBinds))).toEqual([[], [], []]);
  });

  it('crossing ones both end, and nobody has two primaries', async () => {
    const as = await keeper(app);
    const [a, b] = [await makeAssistant(app), await makeAssistant(app)];
    await bound(app, a, [await makeDoctor(app), await makeDoctor(app)]);
    await bound(app, b, [await makeDoctor(app), await makeDoctor(app)]);
    const move = (fromAssistantId: string, to: string) =>
      app.send(
        batchTransferAssistant,
        { fromAssistantId, scope: 'ALL', strategy: 'ONE', toAssistantIds: [to], reason: '互换' },
        { as, idempotencyKey: idempotencyKey() },
      );
    await Promise.all([move(a, b), move(b, a)]);
    await sound();
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from doctor_assistant_bind where ended_at is null and assistant_id in (${a}, ${b})`.execute(app.db);
    expect(rows[0]!.n).toBe(4);
  });
});

describe('summary', () => {
  it('counts doctors without a primary within the scope', async () => {
    const elsewhere = await keeper(app, { region: ['460000'] });
    expect(await app.ok(queryAssistantSummary, {}, { as: elsewhere })).toMatchObject({ withoutAssistant: 0 });
    await makeDoctor(app, { adcode: '460105' });
    expect(await app.ok(queryAssistantSummary, {}, { as: elsewhere })).toMatchObject({ withoutAssistant: 1 });
  });
});
