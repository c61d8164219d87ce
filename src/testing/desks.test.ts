import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { declaredDesks, type DeskFacts } from '#kernel/contract/desk.ts';
import { SUCCESS, type Envelope } from '#kernel/contract/envelope.ts';
import { fillText } from '#kernel/contract/errors.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import { minutes } from '#kernel/contract/time.ts';
import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { removeUserInfo } from '#domains/identity/contract/calls/users.ts';
import { allCases } from './allCases.ts';
import { makeProbeCase, makeProbeTable, MOST, probeDesk, probeDeskModule } from './probeDesk.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Generated from the declared desks, over HTTP; who asks at once does so over connections of his own.
const AT_ONCE = 10;
const NONE = '999999999';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ besides: [probeDeskModule] });
  await makeProbeTable(app);
});
afterAll(() => app.close());

const callsOf = (desk: DeskFacts): Call[] => Object.values(desk.calls);
/** Somebody who works at a desk, without the rights of who gives cases to others or takes them. */
function worker(desk: DeskFacts): Promise<TestStaff> {
  const { takeover, assign } = desk.calls;
  const calls = [...callsOf(desk).filter((call) => call !== takeover && call !== assign), ...desk.lists.map(({ list }) => list)];
  return app.staff({ permissions: calls.flatMap(permissionCodesOf) });
}
const leader = (desk: DeskFacts): Promise<TestStaff> =>
  app.staff({ permissions: [...callsOf(desk), ...desk.lists.map(({ list }) => list)].flatMap(permissionCodesOf) });
const workers = (desk: DeskFacts, n: number): Promise<TestStaff[]> => Promise.all(Array.from({ length: n }, () => worker(desk)));

/** A case that waits; the case of the desk's claim makes one. */
async function waiting(desk: DeskFacts): Promise<string> {
  if (desk.machine === probeDesk.machine) return makeProbeCase(app);
  const found = allCases.find(({ call }) => call === desk.calls.claim);
  expect(found, desk.calls.claim.name).toBeDefined();
  return String(Reflect.get(Object(await found!.valid(app, null)), desk.key));
}

interface Held {
  id: string;
  leaseToken?: string;
}
const heldIn = ({ data }: Envelope) => data as Held;
/** The input of a call that names a case, with its token where it asks for one. */
const inputOf = (desk: DeskFacts, call: Call, held: Held) => ({
  [desk.key]: held.id,
  ...('leaseToken' in shapeOf(call.input) && { leaseToken: held.leaseToken }),
});
const send = async (call: Call, input: object, as: TestStaff): Promise<Envelope> => (await app.send(call, input, { as })).envelope;
const claim = (desk: DeskFacts, id: string, as: TestStaff): Promise<Envelope> => send(desk.calls.claim, { [desk.key]: id }, as);
async function claimed(desk: DeskFacts, id: string, as: TestStaff): Promise<Held> {
  const envelope = await claim(desk, id, as);
  expect(envelope).toMatchObject({ code: SUCCESS, data: { id } });
  return heldIn(envelope);
}
const act = (desk: DeskFacts, call: Call, held: Held, as: TestStaff) => send(call, inputOf(desk, call, held), as);
const heldBy = (desk: DeskFacts, { displayName }: TestStaff) => ({
  code: desk.refusals.held.code,
  message: fillText(desk.refusals.held.text, { user: displayName }),
});

/** Who has a case, as each list that shows it says. */
async function shown(desk: DeskFacts, id: string, as: TestStaff): Promise<unknown[]> {
  const names: unknown[] = [];
  for (const { list, holder } of desk.lists) {
    const { data } = await send(list, { pageNo: 1, pageSize: 999 }, as);
    const row = (data as Record<string, unknown>[]).find((one) => one['id'] === id);
    expect(row, `${list.name} does not show ${id}`).toBeDefined();
    names.push(row![holder]);
  }
  return names;
}
const everywhere = (desk: DeskFacts, name: unknown) => desk.lists.map(() => name);
const nextOf = ({ calls: { claim: one, claimNext } }: DeskFacts): Call | null =>
  claimNext ?? (one.input.safeParse({}).success ? one : null);

/** Tries what a desk declares. */
const itWhere = (declared: boolean, says: string, work: () => Promise<void>): void => it.each(declared ? [says] : [])('%s', () => work());

it('every list whose rows are in the states of a desk is one that says who has a case', () => {
  for (const desk of declaredDesks) {
    const inStates = app.kernel.registry.calls.filter((call) => {
      const { state } = shapeOf(call.output);
      return call.shape === 'list' && state && fieldFacts(state)?.dictionary?.name === desk.machine.name;
    });
    expect(new Set(inStates), desk.machine.name).toEqual(new Set(desk.lists.map(({ list }) => list)));
    for (const { list, holder } of desk.lists) expect(shapeOf(list.output), list.name).toHaveProperty(holder);
  }
  expect(declaredDesks).toContain(probeDesk);
});

describe.each(declaredDesks.map((desk): [string, DeskFacts] => [desk.machine.name, desk]))('%s', (_name, desk) => {
  const { calls, refusals } = desk;

  itWhere(desk.machine !== probeDesk.machine, 'names its cases to whoever lets go the person who has one', async () => {
    const as = await worker(desk);
    await claimed(desk, await waiting(desk), as);
    const { rows } = await sql<{ version: number }>`select version from identity_staff_user where id = ${as.userId}`.execute(app.db);
    const leave = { id: as.userId, version: rows[0]!.version, opinion: '离职' };
    const administrator = await app.staff({ permissions: ['identity.user.remove'] });
    expect(await app.refused(removeUserInfo, leave, { as: administrator })).toMatchObject({
      code: 'SCM01028',
      data: { openWork: [{ label: desk.work, count: 1 }] },
    });
  });

  it('of two who claim a case at once one has it and the other is told who; a stale list takes it from nobody', async () => {
    const id = await waiting(desk);
    const people = await workers(desk, 4);
    const answers = await Promise.all(people.map((as) => claim(desk, id, as)));
    const winner = people[answers.findIndex(({ code }) => code === SUCCESS)]!;
    expect(answers.filter(({ code }) => code === SUCCESS)).toHaveLength(1);
    for (const [at, answer] of answers.entries()) if (people[at] !== winner) expect(answer).toMatchObject(heldBy(desk, winner));
    const late = await worker(desk);
    expect(await claim(desk, id, late)).toMatchObject(heldBy(desk, winner));
    expect(await shown(desk, id, late)).toEqual(everywhere(desk, winner.displayName));
    const { rows } = await sql`
      select from identity_operation_log where call = ${calls.claim.path} and user_id = ${late.userId} and target_id = ${id}
        and result_code = ${refusals.held.code} and target_count = 1`.execute(app.db);
    expect(rows).toHaveLength(1);
    expect(await claim(desk, NONE, late)).toMatchObject({ code: 'SCM90040' });
  });

  itWhere(nextOf(desk) !== null, 'gives ten who ask for the next one ten cases, and the last of them nobody twice', async () => {
    const next = nextOf(desk)!;
    for (let n = 0; n < AT_ONCE; n += 1) await waiting(desk);
    const people = await workers(desk, AT_ONCE);
    const answers = await Promise.all(people.map((as) => send(next, {}, as)));
    expect(answers.map(({ code }) => code)).toEqual(people.map(() => SUCCESS));
    expect(new Set(answers.map((answer) => heldIn(answer).id)).size).toBe(AT_ONCE);
    for (const [at, answer] of answers.entries())
      expect(await shown(desk, heldIn(answer).id, people[0]!)).toEqual(everywhere(desk, people[at]!.displayName));
  });

  itWhere(desk.minutes !== null, 'a lease ends by itself, and who had it gives the case back all the same', async () => {
    const release = calls.release!;
    const [first, second] = await Promise.all([leader(desk), worker(desk)]);
    const id = await waiting(desk);
    const held = await claimed(desk, id, first);
    expect(await act(desk, release, held, second)).toMatchObject({ code: refusals.lost!.code });
    app.clock.advance(minutes(desk.minutes!) - 1_000);
    expect(await act(desk, calls.heartbeat ?? calls.claim, held, first)).toMatchObject({ code: SUCCESS });
    app.clock.advance(minutes(desk.minutes!) - 1_000);
    expect(await shown(desk, id, second)).toEqual(everywhere(desk, first.displayName));
    app.clock.advance(2_000);
    expect(await shown(desk, id, second)).toEqual(everywhere(desk, null));
    if (calls.heartbeat) expect(await act(desk, calls.heartbeat, held, first)).toMatchObject({ code: refusals.lost!.code });
    expect(await act(desk, release, held, first)).toMatchObject({ code: SUCCESS });
    expect(await act(desk, release, held, first)).toMatchObject({ code: refusals.lost!.code });
    const again = await claimed(desk, id, first);
    app.clock.advance(minutes(desk.minutes!) + 1_000);
    const taken = await claimed(desk, id, second);
    expect(await act(desk, release, again, first)).toMatchObject({ code: refusals.lost!.code });
    expect(await shown(desk, id, first)).toEqual(everywhere(desk, second.displayName));
    expect(await act(desk, release, taken, second)).toMatchObject({ code: SUCCESS });
    expect(await shown(desk, id, first)).toEqual(everywhere(desk, null));
  });

  itWhere(refusals.own !== undefined, 'who made or changed a case does not get it, by no act; others do', async () => {
    const writer = await leader(desk);
    const id = await waiting(desk);
    await app.kernel.transactions.run('test', ({ tx }) =>
      noteWritten({ tx, now: app.clock.now() }, writer.userId, desk.machine.name, [id]),
    );
    expect(await claim(desk, id, writer)).toMatchObject({ code: refusals.own!.code });
    const next = nextOf(desk);
    // Asked until nothing is left for him: it is never his own that he gets, nor what refuses him the others.
    for (let more = next !== null && desk.most === undefined; more;) {
      const { code, data } = await send(next!, {}, writer);
      more = code === SUCCESS;
      if (more) expect((data as Held).id).not.toBe(id);
      else expect(code).toBe(refusals.none!.code);
    }
    const other = await worker(desk);
    await claimed(desk, id, other);
    if (calls.takeover) {
      const wish = { [desk.key]: id, opinion: '经办请假' };
      expect(await send(calls.takeover, wish, writer)).toMatchObject({ code: refusals.own!.code });
    }
    if (calls.assign) {
      const wish = { [desk.key]: id, assigneeId: writer.userId, version: await versionOf(desk, id, other) };
      expect(await send(calls.assign, wish, await leader(desk))).toMatchObject({ code: refusals.own!.code });
    }
    expect(await shown(desk, id, other)).toEqual(everywhere(desk, other.displayName));
  });

  itWhere(calls.takeover !== undefined, 'is taken over with the right to do so alone, and who had it is told', async () => {
    const [first, second, supervisor] = await Promise.all([worker(desk), worker(desk), leader(desk)]);
    const id = await waiting(desk);
    const held = await claimed(desk, id, first);
    const wish = { [desk.key]: id, opinion: '经办请假' };
    expect(await send(calls.takeover!, wish, second)).toMatchObject({ code: 'SCM90010' });
    expect(await send(calls.takeover!, { ...wish, opinion: ' ' }, supervisor)).toMatchObject({ code: 'SCM90020' });
    expect(await send(calls.takeover!, wish, supervisor)).toMatchObject({ code: SUCCESS });
    expect(await act(desk, calls.heartbeat!, held, first)).toMatchObject({ code: refusals.lost!.code });
    expect(await claim(desk, id, first)).toMatchObject(heldBy(desk, supervisor));
    expect(await shown(desk, id, first)).toEqual(everywhere(desk, supervisor.displayName));
  });

  itWhere(calls.assign !== undefined, 'a case that is assigned is whose it was said to be, whoever looks or asks for it', async () => {
    const [boss, first, second] = await Promise.all([leader(desk), worker(desk), worker(desk)]);
    const id = await waiting(desk);
    const give = async (to: TestStaff, as: TestStaff) =>
      send(calls.assign!, { [desk.key]: id, assigneeId: to.userId, version: await versionOf(desk, id, boss) }, as);
    expect(await give(first, second)).toMatchObject({ code: 'SCM90010' });
    expect(await give(first, boss)).toMatchObject({ code: SUCCESS });
    const { rows: leases } = await sql`select from kernel_lease where resource_type = ${desk.machine.name} and resource_id = ${id}`.execute(
      app.db,
    );
    expect(leases).toEqual([]);
    await claim(desk, id, second);
    await shown(desk, id, second);
    expect(await assigneeOf(desk, id, boss)).toBe(first.userId);
    expect(await give(second, boss)).toMatchObject({ code: SUCCESS });
    expect(await assigneeOf(desk, id, boss)).toBe(second.userId);
  });
});

it('the limit of cases is counted one claim after the other, and frees with what is given back', async () => {
  const as = await leader(probeDesk);
  const ids = await Promise.all(Array.from({ length: MOST + 2 }, () => makeProbeCase(app)));
  const answers = await Promise.all(ids.map((id) => claim(probeDesk, id, as)));
  const held = answers.filter(({ code }) => code === SUCCESS).map(heldIn);
  expect(held).toHaveLength(MOST);
  const full = { code: 'SCM99015', message: '已领取2件，请先处理' };
  for (const answer of answers.filter(({ code }) => code !== SUCCESS)) expect(answer).toMatchObject(full);
  expect(await send(probeDesk.calls.claimNext!, {}, as)).toMatchObject(full);
  await claimed(probeDesk, held[0]!.id, as);
  expect(await act(probeDesk, probeDesk.calls.release!, held[0]!, as)).toMatchObject({ code: SUCCESS });
  expect(await send(probeDesk.calls.claimNext!, {}, as)).toMatchObject({ code: SUCCESS });
});

it('who is assigned a case locks nobody out, and taking and giving it back leaves it his', async () => {
  const [boss, first, second] = await Promise.all([leader(probeDesk), worker(probeDesk), worker(probeDesk)]);
  const id = await makeProbeCase(app);
  const wish = { caseId: id, assigneeId: first.userId, version: 1 };
  expect(await send(probeDesk.calls.assign!, wish, boss)).toMatchObject({ code: SUCCESS, data: { state: 'WAITING', version: 2 } });
  expect(await send(probeDesk.calls.assign!, wish, boss)).toMatchObject({ code: 'SCM90030' });
  const held = await claimed(probeDesk, id, second);
  expect(await act(probeDesk, probeDesk.calls.release!, held, second)).toMatchObject({ code: SUCCESS });
  expect(await assigneeOf(probeDesk, id, boss)).toBe(first.userId);
  const mine = await makeProbeCase(app, first);
  expect(await claim(probeDesk, mine, first)).toMatchObject({ code: 'SCM99014' });
  expect(await send(probeDesk.calls.assign!, { ...wish, caseId: mine, version: 1 }, boss)).toMatchObject({
    code: 'SCM99014',
    message: '该员工录入、修改或审核过这份单据，请选择其他人',
  });
});

async function rowOf(desk: DeskFacts, id: string, as: TestStaff): Promise<Record<string, unknown>> {
  const { data } = await send(desk.lists[0]!.list, { pageNo: 1, pageSize: 999 }, as);
  return (data as Record<string, unknown>[]).find((row) => row['id'] === id)!;
}
const versionOf = async (desk: DeskFacts, id: string, as: TestStaff) => (await rowOf(desk, id, as))['version'];
const assigneeOf = async (desk: DeskFacts, id: string, as: TestStaff) => (await rowOf(desk, id, as))['assigneeId'];
