import { mask } from '../../../../kernel/contract/masking.ts';
import { dayOf, plusDays, type Instant } from '../../../../kernel/contract/time.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { pinyinText } from '../../../../kernel/server/text/pinyin.ts';
import { agentMobileHash } from '../agents/agentRows.ts';
import { pharmaTx } from '../database.ts';
import { demoLines } from './catalogue.ts';
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
const SHAPE = [['BU', -1], ['RM', 0], ['RM', 0], ['DM', 1], ['DM', 1], ['DM', 2], ['DM', 2], ...Array.from({ length: 12 }, (_, index) => ['MR', 3 + (index % 4)] as const)] as const;
/** Leaves with forty doctors. */
const ZHOU_MIN = 10;
const COMPANIES = [9, 0, 1, 2, 5];

const stateOf = (index: number): string => ([18, 37, 56].includes(index) ? 'PENDING' : [30, 70].includes(index) ? 'FROZEN' : [16, 35, 54, 73, 92, 93].includes(index) ? 'LEFT' : 'ACTIVE');

export async function writeAgents(tx: Tx, secrets: Secrets, { companyIds, lineIds }: DemoCompanies, now: Instant): Promise<void> {
  const own = pharmaTx(tx);
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
          agentNo: await nextNumber(tx, 'DB', today), name, namePinyin: pinyinText(name), mobileCipher: secrets.encrypt(mobile), mobileHash: agentMobileHash(secrets, mobile),
          mobileMasked: mask('mobile', mobile), companyId: companyIds[company]!, companyAgentCode: `E${1000 + index}`, rank, parentId: parent?.id ?? null, adcodes: [REGIONS[index % REGIONS.length]!],
          filingNo: filed ? `YDB${today.slice(0, 4)}${String(10_000 + index)}` : null, filingValidTo: filed ? plusDays(today, index % 19 === 11 ? 35 : index % 23 === 9 ? -12 : 200 + index * 3) : null,
          joinedOn: plusDays(today, -900 + index * 5), leftOn: state === 'LEFT' ? plusDays(today, -20) : null, suspendReason: state === 'FROZEN' ? '违规推广，待调查' : null, state, createdAt: now, updatedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const person: Person = { id, path: [...(parent?.path ?? []), id], company, rank, lineIds: lines, state };
      await own.updateTable('pharmaAgent').set({ path: person.path }).where('id', '=', id).execute();
      await own.insertInto('pharmaAgentLine').values(lines.map((lineId) => ({ agentId: id, lineId, createdAt: now }))).execute();
      team.push(person);
      people.push(person);
      if (rank === 'MR' && state !== 'PENDING') await writeDoctors(tx, person, index, place, today);
    }
  }
  await writeHandovers(tx, people, now);
}

/** Doctors as settlement's events would bring them; whoever left has none that is open. */
async function writeDoctors(tx: Tx, person: Person, index: number, place: number, today: string): Promise<void> {
  const count = index === ZHOU_MIN ? 40 : 4 + (place % 7);
  await pharmaTx(tx)
    .insertInto('pharmaAgentDoctor')
    .values(
      Array.from({ length: count }, (_, doctor) => ({
        agentId: person.id, doctorId: String(500_000 + index * 100 + doctor), productLineId: person.lineIds[0]!, doctorName: personName(index * 3 + doctor + 40), hospitalName: HOSPITALS[(index + Math.floor(doctor / 6)) % HOSPITALS.length]!,
        titleCode: ['CHIEF', 'ASSOCIATE', 'ATTENDING'][doctor % 3]!, qualState: 'APPROVED', since: plusDays(today, -20 - doctor * 11), until: person.state === 'LEFT' ? plusDays(today, -20) : null,
      })),
    )
    .execute();
}

/** One hand-over of every state. */
async function writeHandovers(tx: Tx, people: readonly Person[], now: Instant): Promise<void> {
  const own = pharmaTx(tx);
  const today = dayOf(now);
  const states = ['DRAFT', 'PENDING', 'WAITING', 'DONE', 'REJECTED', 'CANCELLED'] as const;
  const none = { total: 0, done: 0 };
  for (const [index, state] of states.entries()) {
    const from = state === 'DONE' ? people[16]! : people[10 + index]!;
    const to = people.find((person) => person.company === from.company && person.rank === 'MR' && person.state === 'ACTIVE' && person.id !== from.id && person !== people[10 + index + 1])!;
    const doctors = await own.selectFrom('pharmaAgentDoctor').select(['doctorId', 'productLineId']).where('agentId', '=', from.id).where('until', 'is', null).execute();
    const open = state === 'PENDING' || state === 'WAITING';
    const frozen = { teamToAgentId: null, team: [], doctors: doctors.map((doctor) => ({ ...doctor, toAgentId: to.id })), channels: [] };
    await own
      .insertInto('pharmaAgentHandover')
      .values({
        handoverNo: await nextNumber(tx, 'JJ', today), fromAgentId: from.id, reason: state === 'DONE' ? 'LEAVE' : index % 2 === 0 ? 'TRANSFER' : 'AREA', effectiveOn: plusDays(today, state === 'DONE' ? -20 : 7),
        plan: JSON.stringify(state === 'WAITING' ? frozen : { doctors: [], channels: [], rest: { toAgentId: to.id } }), makerName: '渠道运营', checkerName: ['DRAFT', 'PENDING', 'CANCELLED'].includes(state) ? null : '运营审核',
        opinion: state === 'REJECTED' ? '接收人覆盖区域不一致，请重新安排' : null, remark: '人员调整', progress: JSON.stringify({ team: none, doctors: { total: doctors.length, done: 0 }, channels: none }), state, createdAt: now, updatedAt: now,
      })
      .execute();
    if (open) await own.updateTable('pharmaAgent').set({ state: 'HANDOVER', handoverFrom: 'ACTIVE' }).where('id', '=', from.id).execute();
  }
}
