import { sql, type UpdateObject } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { contractSuspended } from '#events/enrolment.ts';
import { writeEvent } from '#kernel/server/outbox/publish.ts';
import { resolveVersion } from '#domains/insurance/server/index.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { own } from '../database.ts';
import type { PolicyTables } from '../tables.ts';
import { mobileColumns } from '#domains/patient/server/index.ts';
import { idNoColumns } from '../sensitive.ts';
import { endorse } from './endorse.ts';
import { writeList } from './lists.ts';
import { endPolicy, writePolicy, type WrittenPolicy } from './policies.ts';
import { decide } from './premium.ts';
import { SERIES, type PolicySpec, type Step } from './specs.ts';
import type { Stage } from './stage.ts';
import { recordUse } from '../uses/uses.ts';
import { reporterOfUses } from './uses.ts';

const EVENT_CONSUMER = `policy:${contractSuspended.name}`;

/** Whose list nobody checks. */
const SLOW_CHECK = '白鹭环保有限公司';

/** Days before today on which each violation came about: the first night that sees it is the next one. */
export type Since = Map<string, Day>;
export const sinceKey = (checkCode: CheckCode, subjectId: string) => `${checkCode}:${subjectId}`;

type Wish = Pick<PolicySpec, 'product' | 'holder' | 'starts' | 'persons'> &
  Partial<Pick<PolicySpec, 'planCode' | 'unstarted' | 'declaredMore'>> & {
    /** Of the same holder as the one before. */
    again?: true;
  };

interface Planting {
  stage: Stage;
  /** Notes that somebody or something violates a check since a day. */
  note(checkCode: CheckCode, subjectId: string, daysAgo: number): void;
  policy(wish: Wish): Promise<WrittenPolicy>;
  /** An endorsement on one of these policies, by the code that everybody's go through. */
  step(policy: WrittenPolicy, step: Step): Promise<string>;
  /** Main insured persons of a policy, in the order of its list. */
  people(policy: WrittenPolicy): Promise<string[]>;
  /** The order of an endorsement. */
  order(endorsementId: string): Promise<string>;
}

/** Facts of policies: their days, versions, states and numbers. */
async function plantPolicies({ stage, note, policy }: Planting): Promise<void> {
  const { tx, today } = stage;
  const long = await policy({ product: 'DAAS-2026', holder: '北辰软件园管理有限公司', starts: -40, persons: 2 });
  await sql`update policy_policy set coverage_end = coverage_start + interval '6 years' where id = ${long.id}`.execute(tx);
  note('AB01', long.id, 9);

  await policy({ product: 'RSB-2026', holder: '东方患者援助中心', starts: -40, persons: 2 });
  const twice = await policy({ product: 'RSB-2026', holder: '东方患者援助中心', starts: -30, persons: 1, again: true });
  note('AB02', twice.id, 12);

  const pinned = await policy({ product: 'CHR-2026', holder: '南屏纺织有限公司', starts: -10, persons: 2 });
  const before = await resolveVersion(tx, stage.productId('CHR-2026'), `${Number(pinned.coverageStart.slice(0, 4)) - 1}-06-30`);
  if (before) {
    await sql`
      update policy_policy
        set product_version_id = ${before.productVersionId}, product_version_no = ${before.versionNo}
        where id = ${pinned.id}`.execute(tx);
    note('AB03', pinned.id, 8);
  }

  const waiting = await policy({ product: 'DAAS-2026', holder: '西津物流有限公司', starts: -6, persons: 2, unstarted: true });
  note('AB05', waiting.id, 6);
  const empty = await policy({ product: 'SPD-2026', holder: '玉泉酒店有限公司', starts: -9, persons: 0 });
  note('AB06', empty.id, 6);

  const cut = await policy({ product: 'RSB-2026', holder: '晨星公益基金会', starts: -60, persons: 1 });
  await sql`update policy_policy set coverage_end = ${plusDays(today, 60)}::date where id = ${cut.id}`.execute(tx);
  const { rows: behind } = await sql<{ id: string }>`select id::text as id from policy_insured_item where policy_id = ${cut.id}`.execute(
    tx,
  );
  for (const { id } of behind) note('AB12', id, 7);

  const planless = await policy({ product: 'RSB-2026', holder: '长风公益基金会', starts: -60, persons: 1, planCode: 'P9' });
  const { rows: without } = await sql<{
    id: string;
  }>`select id::text as id from policy_insured_item where policy_id = ${planless.id}`.execute(tx);
  for (const { id } of without) note('AB15', id, 11);

  const gap = await policy({ product: 'DAAS-2026', holder: '海棠科技有限公司', starts: -50, persons: 2 });
  await sql`update policy_policy set endorsement_seq = endorsement_seq + 1 where id = ${gap.id}`.execute(tx);
  note('AB30', gap.id, 5);
}

type Changes = UpdateObject<PolicyTables, 'policyInsuredItem'>;

/** Persons: certificates, names, ages, numbers by which nobody is reached, families without their head. */
async function plantPersons({ stage, note, policy, step, people }: Planting): Promise<void> {
  const { tx, secrets } = stage;
  const change = (id: string, values: Changes) => own(tx).updateTable('policyInsuredItem').set(values).where('id', '=', id).execute();
  const group = await policy({ product: 'SPD-2026', holder: '金穗农业有限公司', starts: -10, persons: 34, declaredMore: 3 });
  // Two heads of families leave; nobody asked about their families.
  const { rows: families } = await sql<{ id: string; main: string }>`
    select id::text as id, main_insured_item_id::text as main from policy_insured_item
    where policy_id = ${group.id} and main_insured_item_id is not null order by policy_insured_item.id limit 2`.execute(tx);
  for (const { id, main } of families) {
    await step(group, { kind: 'REMOVE', day: -6, back: 1, only: [main] });
    note('AB13', id, 5);
  }
  const city = await policy({ product: 'HMB-JC-2026', holder: '江城市郊区医疗保障所', starts: -10, persons: 3 });
  const town = await policy({ product: 'HMB-NH-2026', holder: '南湖区街道医疗保障所', starts: -10, persons: 3 });
  // What lists say of persons is computed now: afterwards some of it is made wrong.
  for (const one of [group, city, town]) await endPolicy(stage, one);

  const ids = await people(group);
  const some = (many: number) => ids.splice(0, many);
  const rows = new Map(
    (await own(tx).selectFrom('policyInsuredItem').selectAll().where('policyId', '=', group.id).execute()).map((row) => [row.id, row]),
  );
  const idNoOf = (id: string) => secrets.decrypt(rows.get(id)!.idNoCipher!);
  for (const id of some(2)) {
    const idNo = idNoOf(id);
    await change(id, idNoColumns(secrets, `${idNo.slice(0, 17)}${idNo[17] === '0' ? '1' : '0'}`));
    note('AB08', id, 8);
  }
  for (const id of some(2)) {
    await change(id, { birthDate: plusDays(rows.get(id)!.birthDate, 1) });
    note('AB09', id, 8);
  }
  for (const id of some(2)) {
    await change(id, { idType: 'PASSPORT', birthDate: '1931-05-04' });
    note('AB14', id, 7);
  }
  for (const id of some(3)) {
    await change(id, { mobileCipher: null, mobileMasked: null, mobileHash: null });
    note('AB17', id, 9);
  }
  const shared = some(5);
  for (const id of shared) await change(id, mobileColumns(secrets, '13800004444'));
  note('AB18', shared[0]!, 6);
  for (const id of some(2)) {
    await change(id, { stateCache: 'LEFT' });
    note('AB29', id, 7);
  }
  const [here, there] = [await people(city), await people(town)];
  for (const [n, one] of here.slice(0, 2).entries()) {
    const same = await own(tx).selectFrom('policyInsuredItem').selectAll().where('id', '=', one).executeTakeFirstOrThrow();
    const { name, gender, birthDate, idNoCipher, idNoHash, idNoMasked } = same;
    // Both are covered by two products that exclude each other; one of them under another name too.
    await change(there[n]!, { gender, birthDate, idNoCipher, idNoHash, idNoMasked, name: n === 0 ? name : `${name.slice(0, 1)}建华` });
    note('AB16', one, 7);
    if (n === 1) note('AB10', there[n]!, 7);
  }
}

/** Premium: orders that are missing, wrong, out of balance, or left behind by what was taken back. */
async function plantMoney({ stage, note, policy, step, order }: Planting): Promise<void> {
  const { tx } = stage;
  const holder = { product: 'MED-2026', holder: '青禾教育有限公司', starts: -14, persons: 4 };
  const books = await policy(holder);
  const change = (id: string, values: UpdateObject<PolicyTables, 'policyPremiumOrder'>) =>
    own(tx).updateTable('policyPremiumOrder').set(values).where('id', '=', id).execute();
  // Nobody is asked for what this one costs: its order was called back and voided.
  const unasked = await step(books, { kind: 'ADD', day: -9 });
  await decide(stage, await orderRecord(stage, await order(unasked)), 'VOIDED');
  note('AB19', unasked, 7);
  for (const [n, add] of [100, 2_000].entries()) {
    const dear = await order(await step(books, { kind: 'ADD', day: -8 + n }));
    await decide(stage, await orderRecord(stage, dear), 'APPROVED');
    await sql`update policy_premium_order set amount_fen = amount_fen + ${add} where id = ${dear}`.execute(tx);
    note('AB20', dear, 6 - n);
  }
  const uneven = await order(await step(books, { kind: 'ADD', day: -5 }));
  await decide(stage, await orderRecord(stage, uneven), 'APPROVED');
  await change(uneven, { state: 'PART_SETTLED', settledFen: '5000' });
  note('AB23', uneven, 4);
  const undone = await step(books, { kind: 'ADD', day: -6, fate: 'UNDONE' });
  await change(await order(undone), { state: 'PENDING_AUDIT' });
  note('AB28', undone, 3);

  const slow = await policy({ product: 'DAAS-2026', holder: '柳岸传媒有限公司', starts: -40, persons: 3 });
  for (const kind of ['ADD', 'HOLDER'] as const) await step(slow, { kind, day: -16, fate: 'PENDING_AUDIT' });
}

const orderRecord = (stage: Stage, id: string) =>
  own(stage.tx).selectFrom('policyPremiumOrder').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** What enrolment and claim did with covers that are not there, or beyond them. */
async function plantUses(all: Planting): Promise<void> {
  const { stage, note, policy, step, people } = all;
  const { today } = stage;
  const report = reporterOfUses(stage, 951);
  const used = await policy({ product: 'DAAS-2026', holder: '云帆航运有限公司', starts: -60, persons: 8 });
  const [signed, claimed, rich, asked, lost] = await people(used);
  await report(signed!, 40, { refType: 'CONTRACT', state: 'LIVE', useTo: plusDays(today, 140) });
  await report(asked!, 35, { refType: 'CONTRACT', state: 'LIVE', useTo: plusDays(today, 145) });
  await step(used, { kind: 'REMOVE', day: -8, back: 2, only: [signed!, claimed!, asked!] });
  note('AB24', signed!, 7);
  note('AB24', asked!, 7);
  await report(claimed!, 3, { refType: 'CLAIM', state: 'OPEN', claimedFen: 86_000, useTo: plusDays(today, -3) });
  note('AB25', claimed!, 2);
  await report(rich!, 12, { refType: 'CLAIM', state: 'PAID', claimedFen: 260_000, paidFen: 260_000, useTo: plusDays(today, -12) });
  note('AB26', rich!, 4);
  await missedEvent(all, lost!);
}

/** A contract was suspended: the event counts as delivered, the use of the cover does not know of it. */
async function missedEvent({ stage, note }: Planting, insuredItemId: string): Promise<void> {
  const { tx, today, now } = stage;
  const contract = { refId: '951000001', refNo: `HT${plusDays(today, -30).replaceAll('-', '')}951001` };
  await recordUse(tx, {
    ...contract,
    refType: 'CONTRACT',
    state: 'LIVE',
    insuredItemId,
    useFrom: plusDays(today, -30),
    useTo: null,
    seq: 1,
    now,
  });
  const suspendedOn = plusDays(today, -4);
  await writeEvent(tx, [EVENT_CONSUMER], contractSuspended, {
    aggregateId: contract.refId,
    at: startOfDay(suspendedOn, '15:20'),
    traceId: 'demo',
    payload: {
      contractId: contract.refId,
      contractNo: contract.refNo,
      patientId: '1',
      insuredItemId,
      productLine: 'DAAS',
      reason: '欠费',
      onDate: suspendedOn,
      seq: 2,
    },
  });
  await sql`update kernel_outbox_delivery d set state = 'DONE' from kernel_outbox o
    where o.id = d.outbox_id and o.aggregate_id = ${contract.refId} and d.consumer = ${EVENT_CONSUMER}`.execute(tx);
  note('AB31', contract.refId, 3);
}

/** A list that waits for somebody who does not look. */
export async function plantList(stage: Stage): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from policy_policy where holder_name = ${SLOW_CHECK} and starts_with(policy_no, ${SERIES})`.execute(stage.tx);
  const then = startOfDay(plusDays(stage.today, -5), '11:00');
  for (const { id } of rows) await writeList(stage, id, { policy: '', mode: 'ADD', state: 'PENDING_AUDIT', add: 2 }, then);
}

/** Violations of every check but of those that the database refuses to everybody (AB11: live slices that overlap). */
export async function plant(stage: Stage): Promise<Since> {
  const { tx, today } = stage;
  const since: Since = new Map();
  const written: WrittenPolicy[] = [];
  const all: Planting = {
    stage,
    note: (checkCode, subjectId, daysAgo) => void since.set(sinceKey(checkCode, subjectId), plusDays(today, -daysAgo)),
    async policy({ again, ...wish }) {
      const at = 60 + written.length - (again ? 1 : 0);
      const policyNo = `${SERIES}${stage.year}-${String(written.length + 1).padStart(4, '0')}`;
      const policy = await writePolicy(stage, { type: 'GROUP', ...wish, policyNo }, at, []);
      written.push(policy);
      if (policy.firstOrderId) await decide(stage, await orderRecord(stage, policy.firstOrderId), 'APPROVED');
      return policy;
    },
    async step(policy, step) {
      await endorse(stage, policy, step, written.length, new Map());
      const { rows } = await sql<{ id: string }>`
        select id::text as id from policy_endorsement where policy_id = ${policy.id} order by policy_endorsement.id desc limit 1`.execute(
        tx,
      );
      return rows[0]!.id;
    },
    people: async ({ id }) =>
      (
        await sql<{ id: string }>`
          select id::text as id
            from policy_insured_item
            where policy_id = ${id}
              and relation = 'SELF'
              and not exists (select from policy_insured_item d where d.main_insured_item_id = policy_insured_item.id)
            order by policy_insured_item.id`.execute(tx)
      ).rows.map((row) => row.id),
    order: async (endorsementId) =>
      (
        await sql<{ id: string }>`
          select id::text as id
            from policy_premium_order
            where source_endorsement_id = ${endorsementId} and reverses_order_id is null`.execute(tx)
      ).rows[0]!.id,
  };
  await plantPolicies(all);
  await plantMoney(all);
  await plantUses(all);
  await all.policy({ product: 'DAAS-2026', holder: SLOW_CHECK, starts: -40, persons: 2 });
  for (const policy of written) await endPolicy(stage, policy);
  // What lists say of persons comes last: it would be computed anew.
  await plantPersons(all);
  return since;
}
