import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { perfPeriodMachine, type perfChangeMachine } from '../../contract/perfStates.ts';
import type { PerfChangeType } from '../../contract/dictionaries.ts';
import { perfPeriodRecords, type PerfChangeRecord } from '../access.ts';
import { own } from '../database.ts';
import { attributeMonth, attributeRequest, type Pair } from '../perf/attribution.ts';
import { carryOut, takeBack } from '../perf/decide.ts';
import type { Wish } from '../perf/keep.ts';
import { firstDayOf, monthAfter } from '../perf/months.ts';
import { insertItems, keepImpact, keepNamed, moveChange, peopleOf, requireSound } from '../perf/write.ts';
import type { Stage } from './stage.ts';

type State = keyof typeof perfChangeMachine.states;
interface Spec {
  type: PerfChangeType;
  /** Days before today on which it was written; `from`: on which it holds, negative ones are to come. */
  written: number;
  from: number;
  state: State;
  reasonCode: PerfChangeRecord['reasonCode'];
  reason: string;
  opinion?: string;
  wishes: readonly Wish[];
}
interface Person {
  id: string;
  lineId: string;
}
const LOCKED_MONTHS = 4;
const AGENTS = 15;

/** Who is active, with the line that he serves first; those of lines that programmes are about come first. */
async function readAgents({ tx }: Stage): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select a.id, min(l.line_id) as line_id
      from pharma_agent a join pharma_agent_line l on l.agent_id = a.id
      where a.state = 'ACTIVE' and a.rank = 'MR'
      group by a.id
      order by 2, 1
      limit ${AGENTS}`.execute(tx);
  return rows;
}
/** Those who earn come first. */
async function readDoctors({ tx }: Stage): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id
      from doctor_doctor d left join settlement_doctor s on s.doctor_id = d.id
      where d.account_state = 'NORMAL' and d.qual_state = 'APPROVED'
      order by s.doctor_id is null, d.id
      limit 60`.execute(tx);
  return rows.map(({ id }) => id);
}

/** One request through the steps of its state, each in the hands of its person on its day. */
async function writeRequest(stage: Stage, spec: Spec): Promise<PerfChangeRecord> {
  const { tx, staff, today } = stage;
  const at = (days: number, time: string): Instant => startOfDay(plusDays(today, -days), time);
  const [writtenAt, decidedAt] = [at(spec.written, '10:20'), at(Math.max(0, spec.written - 1), '14:30')];
  await keepNamed(tx, spec.wishes, writtenAt);
  const draft = await own(tx)
    .insertInto('settlementPerfChange')
    .values({
      requestNo: await nextNumber(tx, 'PC', dayOf(writtenAt)),
      changeType: spec.type,
      ...peopleOf(spec.wishes),
      effectiveDate: plusDays(today, -spec.from),
      reasonCode: spec.reasonCode,
      reason: spec.reason,
      makerId: staff.chan_ops.id,
      makerName: staff.chan_ops.name,
      createdAt: writtenAt,
      createdBy: staff.chan_ops.id,
      ...updatedColumns({ now: writtenAt, userId: staff.chan_ops.id }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const items = await insertItems(tx, draft.id, spec.wishes);
  await keepImpact(tx, draft.id, spec.wishes, draft.effectiveDate);
  if (spec.state === 'DRAFT') return draft;
  const maker = stage.at(writtenAt, 'chan_ops');
  const submitted = await moveChange(maker, draft, 'submit', '', { submittedBy: staff.chan_ops.id });
  if (spec.state === 'WITHDRAWN') return moveChange(stage.at(decidedAt, 'chan_ops'), submitted, 'withdraw');
  const checker = stage.at(decidedAt, 'ops_audit');
  const by = { checkerId: staff.ops_audit.id, checkerName: staff.ops_audit.name };
  const opinion = spec.opinion ?? '与区域分工一致';
  if (spec.state === 'REJECTED') return moveChange(checker, submitted, 'reject', opinion, by);
  await requireSound(maker, submitted, spec.wishes);
  if (spec.state === 'PENDING_AUDIT') {
    await own(tx).updateTable('settlementPerfItem').set({ isOpen: true }).where('id', 'in', items).execute();
    return submitted;
  }
  const ahead = submitted.effectiveDate > dayOf(decidedAt);
  const passed = await moveChange(checker, submitted, ahead ? 'approveAhead' : 'approve', opinion, by);
  await carryOut(checker, passed);
  if (spec.state === 'APPROVED') return passed;
  const effective = ahead ? await moveChange(stage.at(startOfDay(passed.effectiveDate, '00:05')), passed, 'takeEffect') : passed;
  while (await attributeRequest(tx, stage.now, effective.id, effective.effectiveDate));
  if (spec.state !== 'REVOKED') return effective;
  const revoked = await takeBack(
    stage.at(at(Math.max(0, spec.written - 3), '09:40'), 'ops_audit'),
    effective,
    '登记的接收代表有误，恢复原绑定',
  );
  while (await attributeRequest(tx, stage.now, effective.id, effective.effectiveDate));
  return revoked;
}

/** Months up to one are settled with the companies. */
async function lockUpTo(stage: Stage, last: string): Promise<void> {
  const months = Array.from({ length: LOCKED_MONTHS }).reduce<string[]>(
    (all) => [plusDays(firstDayOf(all[0] ?? monthAfter(last)), -1).slice(0, 7), ...all],
    [],
  );
  for (const period of months) {
    const after = firstDayOf(monthAfter(period));
    const at = startOfDay(plusDays(after, 7), '16:10');
    await attributeMonth(stage.tx, at, firstDayOf(period), after);
    const { id } = await own(stage.tx)
      .insertInto('settlementPerfPeriod')
      .values({
        period,
        status: 'LOCKED',
        lockedBy: stage.staff.ops_audit.id,
        lockedByName: stage.staff.ops_audit.name,
        lockedAt: at,
        ...updatedColumns({ now: at, userId: stage.staff.ops_audit.id }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    stage.trail(perfPeriodMachine, { type: perfPeriodRecords.type, id }, [{ action: 'lock', at, by: 'ops_audit' }]);
  }
}

/** Representatives and their doctors over half a year: bound, moved, handed over, taken back, and what waits today. */
export async function writePerf(stage: Stage): Promise<void> {
  const agents = await readAgents(stage);
  const doctors = await readDoctors(stage);
  const held = new Map<Person, Pair[]>(agents.map((agent) => [agent, []]));
  const taken = new Set<string>();
  /** The next doctors who have nobody for the line of this one. */
  const free = (agent: Person, many: number): Pair[] => {
    const start = agents.indexOf(agent) * 7;
    const rotated = [...doctors.slice(start % doctors.length), ...doctors.slice(0, start % doctors.length)];
    const found = rotated.filter((id) => !taken.has(`${id}/${agent.lineId}`)).slice(0, many);
    return found.map((doctorId) => {
      taken.add(`${doctorId}/${agent.lineId}`);
      return { doctorId, productLineId: agent.lineId };
    });
  };
  /** What is asked for, without effect yet. */
  const ask = (agent: Person, many: number): Wish[] =>
    free(agent, many).map((pair) => ({ ...pair, fromAgentId: null, toAgentId: agent.id }));
  const bind = (agent: Person, many: number): Wish[] => {
    const wishes = ask(agent, many);
    held.get(agent)!.push(...wishes.map(({ doctorId, productLineId }) => ({ doctorId, productLineId })));
    return wishes;
  };
  /** Another one of the same line. */
  const colleague = (agent: Person, at = 0): Person | undefined => agents.filter((one) => one !== agent && one.lineId === agent.lineId)[at];
  const withColleague = agents.filter((agent) => colleague(agent));
  if (agents.length < AGENTS || withColleague.length === 0 || doctors.length < 30) return;
  const take = (agent: Person, many: number): Pair[] => held.get(agent)!.splice(0, many);
  const moveTo = (agent: Person, many: number): Wish[] => {
    const to = colleague(agent);
    if (!to) return [];
    return take(agent, many).map((pair) => ({ ...pair, fromAgentId: agent.id, toAgentId: to.id }));
  };
  const end = (agent: Person, many: number): Wish[] =>
    take(agent, many).map((pair) => ({ ...pair, fromAgentId: agent.id, toAgentId: null }));
  const handOver = (agent: Person): Wish[] => {
    const successors = [colleague(agent), colleague(agent, 1) ?? colleague(agent)];
    return take(agent, held.get(agent)!.length).map((pair, at) => ({ ...pair, fromAgentId: agent.id, toAgentId: successors[at % 2]!.id }));
  };
  const nth = (at: number): Person => withColleague[at % withColleague.length]!;
  const richest = (): Person => withColleague.toSorted((a, b) => held.get(b)!.length - held.get(a)!.length)[0]!;
  const area = { reasonCode: 'AREA_CHANGE' as const, reason: '辖区调整，医院划归其他代表' };
  const fresh = { reasonCode: 'NEW_DOCTOR' as const, reason: '新增签约医生' };
  const left = { reasonCode: 'AGENT_LEFT' as const, reason: '代表离职，名下医生交接' };
  const write = async (spec: Spec) => void (spec.wishes.length > 0 && (await writeRequest(stage, spec)));

  for (const at of [0, 1, 2]) {
    const group = agents.slice(at * 5, at * 5 + 5);
    const wishes = group.flatMap((agent) => bind(agent, 7));
    await write({
      type: 'BIND',
      written: 176 - at,
      from: 170 - at,
      state: 'EFFECTIVE',
      ...fresh,
      reason: '年度区域分工，首批绑定',
      wishes,
    });
  }
  await write({ type: 'REBIND', written: 121, from: 120, state: 'EFFECTIVE', ...area, wishes: moveTo(richest(), 3) });
  await write({
    type: 'UNBIND',
    written: 96,
    from: 95,
    state: 'EFFECTIVE',
    ...area,
    reason: '医生转岗，不再服务',
    wishes: end(richest(), 3),
  });
  await lockUpTo(stage, plusDays(firstDayOf(stage.today.slice(0, 7)), -40).slice(0, 7));
  const open = Number(stage.today.slice(8, 10));
  await write({ type: 'TRANSFER', written: open + 14, from: open + 10, state: 'EFFECTIVE', ...left, wishes: handOver(richest()) });
  await write({ type: 'REBIND', written: open + 9, from: open + 8, state: 'REVOKED', ...area, wishes: moveTo(richest(), 2) });
  await write({ type: 'BIND', written: open + 6, from: open + 5, state: 'EFFECTIVE', ...fresh, wishes: bind(nth(4), 4) });
  await write({
    type: 'REBIND',
    written: open + 3,
    from: open + 75,
    state: 'REJECTED',
    ...area,
    opinion: '生效日期在已锁定的绩效月内，请改为未锁定的日期',
    wishes: moveTo(richest(), 1),
  });
  await write({ type: 'BIND', written: 8, from: 6, state: 'WITHDRAWN', ...fresh, wishes: ask(nth(6), 2) });
  await write({ type: 'REBIND', written: 5, from: 3, state: 'EFFECTIVE', ...area, wishes: moveTo(richest(), 2) });
  await write({ type: 'REBIND', written: 4, from: -7, state: 'APPROVED', ...area, wishes: moveTo(richest(), 2) });
  await write({ type: 'UNBIND', written: 3, from: -12, state: 'APPROVED', ...area, reason: '医生退出合作', wishes: end(richest(), 1) });
  await write({ type: 'BIND', written: 1, from: 0, state: 'PENDING_AUDIT', ...fresh, wishes: ask(nth(10), 5) });
  await write({ type: 'REBIND', written: 1, from: 2, state: 'PENDING_AUDIT', ...area, wishes: moveTo(richest(), 3) });
  await write({ type: 'TRANSFER', written: 0, from: -15, state: 'PENDING_AUDIT', ...left, wishes: handOver(richest()) });
  await write({ type: 'BIND', written: 0, from: -1, state: 'DRAFT', ...fresh, wishes: ask(nth(0), 2) });
  await write({ type: 'UNBIND', written: 0, from: -5, state: 'DRAFT', ...area, reason: '医生调离本院', wishes: end(richest(), 1) });
}
