import { dayOf, plusDays, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { pairKey, shareEvenly } from '../../contract/rules/handoverPlan.ts';
import { handoverMachine } from '../../contract/states.ts';
import { agentMobileColumns } from '../agents/agentRows.ts';
import { ownTx } from '../database.ts';
import { demoLines } from './catalogue.ts';
import { actorOf } from './actor.ts';
import type { DemoCompanies } from './companies.ts';
import { HOSPITALS, REGIONS, personName } from './people.ts';

interface Person {
  id: string;
  path: string[];
  company: number;
  rank: string;
  lineIds: string[];
  state: string;
}

/** One BU, two RM, four DM and twelve MR in each of five companies: 95 people. */
const SHAPE = [
  ['BU', -1],
  ['RM', 0],
  ['RM', 0],
  ['DM', 1],
  ['DM', 1],
  ['DM', 2],
  ['DM', 2],
  ...Array.from({ length: 12 }, (_, index) => ['MR', 3 + (index % 4)] as const),
] as const;
/** Left with forty doctors, who went to two colleagues. */
const ZHOU_MIN = 16;
const COMPANIES = [9, 0, 1, 2, 5];

const stateOf = (index: number): 'PENDING' | 'FROZEN' | 'LEFT' | 'ACTIVE' =>
  [18, 37, 56].includes(index)
    ? 'PENDING'
    : [30, 70].includes(index)
      ? 'FROZEN'
      : [16, 35, 54, 73, 92, 93].includes(index)
        ? 'LEFT'
        : 'ACTIVE';

export async function writeAgents(writing: Writing, secrets: Secrets, { companyIds, lineIds }: DemoCompanies, now: Instant): Promise<void> {
  const { tx } = writing;
  const own = ownTx(tx);
  const today = dayOf(now);
  const people: Person[] = [];
  for (const company of COMPANIES) {
    const team: Person[] = [];
    const lines = demoLines.flatMap(([owner, , , , , stopped], index) => (owner === company && !stopped ? [lineIds[index]!] : []));
    for (const [place, [rank, parentPlace]] of SHAPE.entries()) {
      const index = people.length;
      const parent = parentPlace < 0 ? null : team[parentPlace]!;
      const state = stateOf(index);
      const name = index === ZHOU_MIN ? '周敏' : personName(index);
      const mobile = `1391000${String(1000 + index)}`;
      const filed = rank === 'MR' || rank === 'DM' ? index % 13 !== 7 : false;
      const { id } = await own
        .insertInto('pharmaAgent')
        .values({
          agentNo: await nextNumber(tx, 'DB', today),
          name,
          namePinyin: pinyinText(name),
          ...agentMobileColumns(secrets, mobile),
          companyId: companyIds[company]!,
          companyAgentCode: `E${1000 + index}`,
          rank,
          parentId: parent?.id ?? null,
          adcodes: [REGIONS[index % REGIONS.length]!],
          filingNo: filed ? `YDB${today.slice(0, 4)}${String(10_000 + index)}` : null,
          filingValidTo: filed ? plusDays(today, index % 19 === 11 ? 35 : index % 23 === 9 ? -12 : 200 + index * 3) : null,
          joinedOn: plusDays(today, -900 + index * 5),
          leftOn: state === 'LEFT' ? plusDays(today, -20) : null,
          suspendReason: state === 'FROZEN' ? '违规推广，待调查' : null,
          state,
          createdAt: now,
          updatedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const person: Person = { id, path: [...(parent?.path ?? []), id], company, rank, lineIds: lines, state };
      await own.updateTable('pharmaAgent').set({ path: person.path }).where('id', '=', id).execute();
      await own
        .insertInto('pharmaAgentLine')
        .values(lines.map((lineId) => ({ agentId: id, lineId, createdAt: now })))
        .execute();
      team.push(person);
      people.push(person);
      if (rank === 'MR' && state !== 'PENDING') await writeDoctors(tx, person, index, place, today);
    }
  }
  await writeHandovers(writing, people, now);
}

/** Doctors as settlement's events would bring them; whoever left has none that is open. */
async function writeDoctors(tx: Tx, person: Person, index: number, place: number, today: string): Promise<void> {
  const count = index === ZHOU_MIN ? 40 : 4 + (place % 7);
  await ownTx(tx)
    .insertInto('pharmaAgentDoctor')
    .values(
      Array.from({ length: count }, (_, doctor) => ({
        agentId: person.id,
        doctorId: String(500_000 + index * 100 + doctor),
        productLineId: person.lineIds[0]!,
        doctorName: personName(index * 3 + doctor + 40),
        hospitalName: HOSPITALS[(index + Math.floor(doctor / 6)) % HOSPITALS.length]!,
        titleCode: ['CHIEF', 'ASSOCIATE', 'ATTENDING'][doctor % 3]!,
        qualState: 'APPROVED',
        since: plusDays(today, -20 - doctor * 11),
        until: person.state === 'LEFT' ? plusDays(today, -20) : null,
      })),
    )
    .execute();
}

/** Who hands over, by the state of the hand-over; each to colleagues of his company. */
const HANDOVERS = [
  ['DRAFT', 10],
  ['PENDING', 11],
  ['WAITING', 12],
  ['RUNNING', 13],
  ['DONE', ZHOU_MIN],
  ['REJECTED', 14],
  ['CANCELLED', 15],
] as const;

const [MAKER, CHECKER, SYSTEM] = ['渠道运营', '运营审核', '系统'];
const submitted = [['submit', 'DRAFT', MAKER]] as const;
const approved = [...submitted, ['approve', 'PENDING', CHECKER]] as const;
const started = [...approved, ['start', 'WAITING', SYSTEM]] as const;
const STEPS = {
  DRAFT: [],
  PENDING: submitted,
  WAITING: approved,
  RUNNING: started,
  DONE: [...started, ['finish', 'RUNNING', SYSTEM]],
  REJECTED: [...submitted, ['reject', 'PENDING', CHECKER]],
  CANCELLED: [...submitted, ['cancel', 'PENDING', MAKER]],
} as const;

/** One hand-over of every state; half of the running one has arrived. */
async function writeHandovers(writing: Writing, people: readonly Person[], now: Instant): Promise<void> {
  const { tx } = writing;
  const own = ownTx(tx);
  const today = dayOf(now);
  const leaving = new Set<number>(HANDOVERS.map(([, index]) => index));
  for (const [index, [state, fromIndex]] of HANDOVERS.entries()) {
    const from = people[fromIndex]!;
    const done = state === 'DONE';
    const successors = people
      .filter((person, at) => person.company === from.company && person.rank === 'MR' && person.state === 'ACTIVE' && !leaving.has(at))
      .slice(0, done ? 2 : 1);
    const held = await own
      .selectFrom('pharmaAgentDoctor')
      .selectAll()
      .where('agentId', '=', from.id)
      .$if(!done, (query) => query.where('until', 'is', null))
      .orderBy('doctorId')
      .execute();
    const shared = shareEvenly(
      held,
      successors.map(({ id }) => id),
    );
    const doctors = held.map((doctor) => ({
      doctorId: doctor.doctorId,
      productLineId: doctor.productLineId,
      toAgentId: shared.get(pairKey(doctor))!,
    }));
    const arrived = done ? doctors : state === 'RUNNING' ? doctors.slice(0, Math.ceil(doctors.length / 2)) : [];
    const effectiveOn = plusDays(today, done ? -20 : state === 'RUNNING' ? -1 : 7);
    for (const { doctorId, productLineId, toAgentId } of arrived) {
      const facts = held.find((doctor) => doctor.doctorId === doctorId && doctor.productLineId === productLineId)!;
      await own
        .updateTable('pharmaAgentDoctor')
        .set({ until: effectiveOn })
        .where('agentId', '=', from.id)
        .where('doctorId', '=', doctorId)
        .where('productLineId', '=', productLineId)
        .execute();
      await own
        .insertInto('pharmaAgentDoctor')
        .values({ ...facts, agentId: toAgentId, since: effectiveOn, until: null })
        .execute();
    }
    const frozen = ['WAITING', 'RUNNING', 'DONE'].includes(state);
    const none = { total: 0, done: 0 };
    const checked = !['DRAFT', 'PENDING', 'CANCELLED'].includes(state);
    const handoverNo = await nextNumber(tx, 'JJ', today);
    const { id } = await own
      .insertInto('pharmaAgentHandover')
      .values({
        handoverNo,
        fromAgentId: from.id,
        reason: done ? 'LEAVE' : index % 2 === 0 ? 'TRANSFER' : 'AREA',
        effectiveOn,
        plan: JSON.stringify(
          frozen
            ? { teamToAgentId: null, team: [], doctors, channels: [] }
            : { doctors: [], channels: [], rest: { toAgentId: successors[0]!.id } },
        ),
        makerName: MAKER,
        checkerName: checked ? CHECKER : null,
        opinion: state === 'REJECTED' ? '接收人覆盖区域不一致，请重新安排' : null,
        remark: done ? '离职交接' : '人员调整',
        progress: JSON.stringify({ team: none, doctors: { total: frozen ? doctors.length : 0, done: arrived.length }, channels: none }),
        startedAt: state === 'RUNNING' || done ? `${effectiveOn}T00:10:00+08:00` : null,
        state,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [action, before, actor] of STEPS[state]) {
      await moveState(actorOf(writing, now, actor), handoverMachine, {
        targetType: 'pharma.agentHandover',
        targetId: id,
        targetNo: handoverNo,
        action,
        from: before,
        opinion: action === 'reject' ? '接收人覆盖区域不一致，请重新安排' : action === 'cancel' ? '本人留任' : undefined,
      });
    }
    if (state === 'PENDING' || state === 'WAITING' || state === 'RUNNING')
      await own.updateTable('pharmaAgent').set({ state: 'HANDOVER', handoverFrom: 'ACTIVE' }).where('id', '=', from.id).execute();
  }
}
