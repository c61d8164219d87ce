import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { defaultEnrolConfig } from '#domains/insurance/contract/model/enrolConfig.ts';
import { own as ownInsurance } from '#domains/insurance/server/database.ts';
import { checkCharacter } from '#domains/patient/contract/idNumber.ts';
import { queryPolicyList } from '#domains/policy/contract/calls/policies.ts';
import { POLICY_LIST } from '#domains/policy/contract/purposes.ts';
import { layout } from '#domains/policy/contract/rules/template.ts';
import { applyJob } from '#domains/policy/server/batches/applying/applyJob.ts';
import { impactOf } from '#domains/policy/server/batches/impact.ts';
import { parseJob } from '#domains/policy/server/batches/parsing/parseJob.ts';
import { batchHindrances, undoJob } from '#domains/policy/server/batches/applying/undoJob.ts';
import { findCover } from '#domains/policy/server/cover/live.ts';
import { json, own } from '#domains/policy/server/database.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { systemClock } from '#kernel/server/clock.ts';
import type { Db } from '#kernel/server/context.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { createStaff } from '#testing/staff.ts';
import { post } from './calls.ts';
import { openLoad, quantile } from './load.ts';
import { atMostRow, ratioRow, type Row } from './table.ts';
import { withKernel } from './withKernel.ts';

/** Persons of one list; fewer by `npm run bench policy 20000`, then in as much less time. */
const MOST = 100_000;
const PERSONS = Number(process.argv[3] ?? MOST);
const inTime = (seconds: number) => Math.max(2, (seconds * PERSONS) / MOST);
const MEMORY_MB = 200;
const LOOKUPS = 2_000;
const ROUNDS = 5;
/** Slices of others among which a cover is looked for. */
const SLICES = 2_000_000;
/** Persons of the list beside which others read theirs, a list every so often. */
const BESIDE = PERSONS / 5;
const EVERY_MS = 20;
const ALONE_MS = 10_000;
const MB = 1024 * 1024;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const column = (target: string, header: string) => ({ target, headerAliases: [header] });
const columns = [
  column('name', '姓名'),
  column('idNo', '证件号'),
  column('mobile', '手机号'),
  column('planCode', '计划'),
  column('effectiveOn', '生效日期'),
];

function* peopleOf(count: number, born: string): Generator<XlsxCell[]> {
  yield columns.map(({ headerAliases }) => ({ text: headerAliases[0]! }));
  for (let n = 0; n < count; n += 1) {
    const digits = `${110_101 + Math.floor(n / 499)}${born}${String((n % 499) * 2 + 1).padStart(3, '0')}`;
    yield ['张建国', `${digits}${checkCharacter(digits)}`, `139${String(n).padStart(8, '0')}`, 'P1', '2026-12-01'].map((text) => ({
      text,
    }));
  }
}

/** A product with one plan and a policy of it, written as they would stand. */
async function policyIn(db: Db, now: string, code: string): Promise<string> {
  const timestamps = { createdAt: now, updatedAt: now };
  const insurance = ownInsurance(db);
  const product = await insurance
    .insertInto('insuranceProduct')
    .values({
      productCode: code,
      productName: '压测产品',
      shortName: '压测',
      productLine: 'HMO',
      productType: 'CORPORATE_HMO',
      sponsorName: '压测企业',
      status: 'ON_SALE',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const version = await insurance
    .insertInto('insuranceProductVersion')
    .values({
      productId: product.id,
      versionNo: 1,
      effectiveFrom: '2024-01-01',
      enrolConfig: json(defaultEnrolConfig),
      state: 'DRAFT',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const plan = await insurance
    .insertInto('insurancePlan')
    .values({
      productVersionId: version.id,
      planCode: 'P1',
      planName: '计划一',
      sumInsuredFen: '10000000',
      ageMin: 0,
      ageMax: 80,
      socialRequired: 'ANY',
      sort: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insurance
    .insertInto('insurancePlanRate')
    .values({ planId: plan.id, gender: 'ANY', social: 'ANY', ageFrom: 0, ageTo: 80, annualPremiumFen: '120000' })
    .execute();
  await insurance
    .updateTable('insuranceProductVersion')
    .set({ state: 'PUBLISHED', makerId: '1', checkerId: '2', publishedAt: now, contentHash: 'a'.repeat(64) })
    .where('id', '=', version.id)
    .execute();
  const policy = await own(db)
    .insertInto('policyPolicy')
    .values({
      policyNo: code,
      policyNoNorm: code,
      platformNo: `BD${code.slice(-1).padStart(14, '0')}`,
      insurerKey: 'S:压测企业',
      insurerName: '压测企业',
      productId: product.id,
      productVersionId: version.id,
      productVersionNo: 1,
      productCode: code,
      productName: '压测产品',
      productLine: 'HMO',
      policyType: 'GROUP',
      holderType: 'ORG',
      holderName: '压测企业',
      coverageStart: '2026-06-01',
      coverageEnd: '2027-05-31',
      termDays: 365,
      payMode: 'LUMP',
      prorate: 'DAY',
      state: 'IN_FORCE',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return policy.id;
}

/** A list of one policy whose file lies there, not yet read. */
async function batchIn(
  kernel: Kernel,
  { policyId, code, persons, born, now }: { policyId: string; code: string; persons: number; born: string; now: string },
): Promise<string> {
  const body = await bufferOf(xlsxStream([{ name: '清单', widths: [20], rows: peopleOf(persons, born) }]));
  const file = await kernel.transactions.run('bench', ({ tx }) =>
    kernel.ports.files.store(tx, { purpose: POLICY_LIST, name: '压测清单.xlsx', body, contentType: XLSX, createdBy: null }, now),
  );
  const kept = layout.parse({ columns });
  const template = await own(kernel.db)
    .insertInto('policyInsuredTemplate')
    .values({
      insurerKey: 'S:压测企业',
      insurerName: '压测企业',
      templateName: `压测${code}`,
      columns: json(kept.columns),
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const batch = await own(kernel.db)
    .insertInto('policyInsuredBatch')
    .values({
      batchNo: `QD${code.slice(-1).padStart(14, '0')}`,
      templateId: template.id,
      templateVersion: 1,
      layout: json(kept),
      mode: 'INITIAL',
      chosenPolicyIds: [policyId],
      insurerKey: 'S:压测企业',
      insurerName: '压测企业',
      fileId: file.fileId,
      state: 'PARSING',
      makerId: '1',
      makerName: '压测',
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return batch.id;
}

/** Seconds that some work takes, and by how much the process grows meanwhile. */
async function watched(work: () => Promise<unknown>): Promise<{ seconds: number; grownMb: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const began = performance.now();
  await work();
  clearInterval(look);
  return { seconds: (performance.now() - began) / 1_000, grownMb: (most - before) / MB };
}

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** Listens to the connections that are opened from now on. @returns what tells what went to the database during some work */
function listen(): (work: () => Promise<unknown>) => Promise<Sent[]> {
  let sent: Sent[] | null = null;
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = function record(this: pg.Client, ...args: Parameters<typeof send>) {
    const [first, second]: unknown[] = args;
    if (sent && typeof first === 'string') sent.push({ text: first, values: Array.isArray(second) ? second : [] });
    else if (sent && typeof first === 'object' && first !== null && 'text' in first && 'values' in first)
      sent.push({ text: String(first.text), values: Array.isArray(first.values) ? first.values : [] });
    return send.apply(this, args);
  } as typeof send;
  return async (work) => {
    const heard: Sent[] = [];
    sent = heard;
    await work();
    sent = null;
    return heard;
  };
}

/** Covers that nobody asks for: as many as stand in a large company, written past the checks of their endorsements. */
async function fillSlices(owner: pg.Client): Promise<void> {
  await owner.query('set session_replication_role = replica');
  await owner.query(
    `
      insert into policy_cover_slice (
        insured_item_id, policy_id, plan_code, coverage_start, coverage_end, annual_premium_fen, created_by_endorsement_id
      )
        select 1000000000 + n, 1000000000 + n / 100, 'P1', '2026-12-01', '2027-05-31', 120000, 1000000000 + n / 100
          from generate_series((select count(*) from policy_cover_slice), $1::bigint) as n`,
    [SLICES],
  );
  await owner.query('set session_replication_role = origin');
  await owner.query('analyze policy_cover_slice');
}

/** Statements of one look at a cover, and the time of the same statement by the driver alone as a part of it. */
async function coverRows(db: Db, pool: pg.Pool, policyId: string, sentDuring: ReturnType<typeof listen>): Promise<Row[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from policy_insured_item where policy_id = ${policyId} order by id limit ${LOOKUPS}`.execute(db);
  const day = '2027-01-01';
  const first = rows[0]!.id;
  const sent = await sentDuring(() => findCover(db, { insuredItemId: first, day }));
  const [{ text, values }] = sent as [Sent];
  const bare = (id: string) => pool.query({ name: 'bare_cover', text, values: values.map((value) => (value === first ? id : value)) });
  const timed = async (one: (id: string) => Promise<unknown>) => {
    const began = performance.now();
    for (const { id } of rows) await one(id);
    return performance.now() - began;
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const whole = await timed((insuredItemId) => findCover(db, { insuredItemId, day }));
    ratios.push((await timed(bare)) / whole);
  }
  const ratio = ratios.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
  return [
    atMostRow(`statements of findCover at ${SLICES} slices`, sent.length, 3),
    ratioRow('findCover / the same SQL by the driver alone', ratio, 0.7),
  ];
}

/** A list of the largest usual size: read, applied, looked at, and taken back; a smaller one beside which others work. */
export async function measurePolicy(): Promise<Row[]> {
  const sentDuring = listen();
  return withKernel(async ({ kernel, pool, owner, listen: listening }) => {
    const now = systemClock.now();
    await writeReference(kernel);
    const ctx = {
      kernel,
      db: kernel.db,
      now,
      traceId: 'bench',
      signal: new AbortController().signal,
      idleFor: () => {},
      transaction: <T>(work: Parameters<typeof kernel.transactions.run<T>>[1]) => kernel.transactions.run('bench', work),
    };
    const setBatch = (id: string, columns: { state: 'APPLYING' | 'UNDOING'; impactHash?: string }) =>
      own(kernel.db).updateTable('policyInsuredBatch').set(columns).where('id', '=', id).execute();
    const covered = async (policyId: string) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from policy_insured_item where policy_id = ${policyId} and state_cache <> 'VOID'`.execute(kernel.db);
      return rows[0]?.n;
    };
    /** Reads a list and lets it take effect. */
    const take = async (policyId: string, batchId: string, persons: number) => {
      const read = await watched(() => parseJob(kernel).run({ batchId }, ctx));
      const batch = await own(kernel.db).selectFrom('policyInsuredBatch').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow();
      if (batch.state !== 'PREVIEW' || batch.addRows !== persons)
        throw new Error(`The list is ${batch.state} with ${batch.addRows} new persons`);
      const began = performance.now();
      const { impactHash } = await impactOf(kernel.db, batch, dayOf(now));
      const impactSeconds = (performance.now() - began) / 1_000;
      await setBatch(batchId, { state: 'APPLYING', impactHash });
      const applied = await watched(() => applyJob(kernel).run({ batchId }, ctx));
      if ((await covered(policyId)) !== persons) throw new Error(`${await covered(policyId)} persons are covered`);
      return { read, impactSeconds, applied };
    };

    const policyId = await policyIn(kernel.db, now, 'BENCH-1');
    const batchId = await batchIn(kernel, { policyId, code: 'BENCH-1', persons: PERSONS, born: '19900512', now });
    const { read, impactSeconds, applied } = await take(policyId, batchId, PERSONS);
    await setBatch(batchId, { state: 'UNDOING' });
    const undone = await watched(async () => {
      const hindrances = await batchHindrances({ tx: kernel.db, today: dayOf(now) }, batchId);
      if (hindrances.length > 0) throw new Error(hindrances.map(({ message }) => message).join());
      await undoJob(kernel).run({ batchId }, ctx);
    });
    if ((await covered(policyId)) !== 0) throw new Error(`${await covered(policyId)} persons are covered still`);

    const otherId = await policyIn(kernel.db, now, 'BENCH-2');
    const otherBatch = await batchIn(kernel, { policyId: otherId, code: 'BENCH-2', persons: BESIDE, born: '19850307', now });
    const load = openLoad(await listening());
    const staff = await createStaff(kernel, { role: 'SUPER_ADMIN' });
    const headers = { authorization: staff.token, opno: staff.opNo, userrolemenu: staff.userRoleId ?? '' };
    const shots = [{ ...post(`/${queryPolicyList.path}`, () => ({ pageNo: 1, pageSize: 20 })), headers }];
    await load.paced(shots, EVERY_MS, pause(2_000));
    const alone = quantile(await load.paced(shots, EVERY_MS, pause(ALONE_MS)), 0.99);
    const meanwhile = quantile(await load.paced(shots, EVERY_MS, take(otherId, otherBatch, BESIDE)), 0.99);
    load.close();

    await fillSlices(owner);
    return [
      atMostRow(
        `a list of ${PERSONS} persons, read and applied (read ${read.seconds.toFixed(1)} s)`,
        read.seconds + applied.seconds,
        inTime(120),
        ' s',
      ),
      atMostRow('its impact', impactSeconds, inTime(5), ' s'),
      atMostRow(
        `memory while it is read and applied (applied ${applied.grownMb.toFixed(0)} MB)`,
        Math.max(read.grownMb, applied.grownMb),
        MEMORY_MB,
        ' MB',
      ),
      atMostRow('taken back as a whole', undone.seconds, inTime(10), ' s'),
      atMostRow(
        `lists of others beside it, slowest hundredth ${meanwhile.toFixed(0)} ms / alone ${alone.toFixed(0)} ms`,
        meanwhile / alone,
        2,
      ),
      ...(await coverRows(kernel.db, pool, otherId, sentDuring)),
    ];
  });
}
