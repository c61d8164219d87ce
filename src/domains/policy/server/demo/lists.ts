import { sql, type Insertable } from 'kysely';
import { dayOf, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Staff, Writing } from '#kernel/server/context.ts';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { getPlans } from '#domains/insurance/server/index.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { layout, type Layout } from '../../contract/rules/template.ts';
import type { PolicyRecord } from '../access.ts';
import { applyJob } from '../batches/applying/applyJob.ts';
import { EVERYBODY, forgotten } from '../batches/add.ts';
import { impactOf } from '../batches/impact.ts';
import { parseJob } from '../batches/parsing/parseJob.ts';
import type { BatchRecord } from '../batches/records.ts';
import { lockedBatch, moveBatch, settle } from '../batches/settle.ts';
import { undoJob } from '../batches/applying/undoJob.ts';
import { isLive } from '../cover/live.ts';
import { json, own } from '../database.ts';
import type { PolicyInsuredBatch } from '../tables.ts';
import type { Fates } from './endorse.ts';
import { LIST_HEADERS, rowsOf, type Covered } from './listRows.ts';
import { listSpecs, type ListSpec } from './listSpecs.ts';
import { SERIES } from './specs.ts';
import { reporterOfUses } from './uses.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Between two lists that belong to no story. */
const PACE = 4 * 60_000;
const STANDARD = '标准清单';
/** 众安, 人保健康, 平安, 太保, 泰康. */
const INSURERS = ['ZA', 'PICC', 'PAH', 'CPIC', 'TKPN'];
const nothing = (): Promise<void> => Promise.resolve();

/** Columns of all templates; senders differ in what they call them. */
const columnsWith = (names: Readonly<Record<string, string>>): Layout['columns'] =>
  layout.parse({
    columns: (
      [
        ['name', '姓名', { required: true }],
        ['idNo', '证件号码', { required: true, transforms: ['TRIM', 'HALF', 'UPPER'] }],
        ['birthDate', '出生日期', {}],
        ['mobile', '手机号', {}],
        ['planCode', '计划', {}],
        ['effectiveOn', '生效日期', {}],
        ['leaveOn', '减员日期', {}],
        ['op', '操作', {}],
      ] as const
    ).map(([target, header, more]) => ({
      target,
      headerAliases: names[target] ? [names[target], header] : [header],
      ...more,
    })),
  }).columns;

interface People {
  maker: Staff;
  checker: Staff;
}
interface Stage {
  kernel: Kernel;
  writing: Writing;
  people: People;
  now: Instant;
  today: Day;
  serial(): number;
}

async function staffOf({ tx }: Writing): Promise<People | null> {
  const { rows } = await sql<{ id: string; userName: string; displayName: string; opNo: string }>`
    select id::text, user_name, display_name, op_no from identity_staff_user where user_name in ('product_a', 'product_r')`.execute(tx);
  const who = (name: string): Staff | null => {
    const row = rows.find(({ userName }) => userName === name);
    return row
      ? {
          userId: row.id,
          userName: row.userName,
          displayName: row.displayName,
          opNo: row.opNo,
          sessionId: '',
          sessionEndsAt: null,
          restricted: false,
          smsVerifiedAt: null,
          userRoleId: null,
          roleCode: null,
          roleName: null,
          permissions: new Set(),
          scope: { own: false, region: null, insurer: null, channel: null },
        }
      : null;
  };
  const [maker, checker] = [who('product_a'), who('product_r')];
  return maker && checker ? { maker, checker } : null;
}

const acting = ({ writing, now }: Stage, then: Instant, staff: Staff | null): Acting => ({
  ...writing,
  publish: nothing,
  publishMany: nothing,
  enqueue: nothing,
  now: then < now ? then : now,
  today: dayOf(then),
  traceId: 'demo',
  staffOrNull: staff,
  requirePermission: () => {},
});

/** Nine templates: of five insurers, of three employers, and one for everybody. */
async function writeTemplates({ writing: { tx }, people, now }: Stage): Promise<Map<string, string>> {
  const { rows: insurers } = await sql<{ id: string; shortName: string }>`
    select id::text as id, short_name
      from insurance_insurer
      where insurer_code = any(${[...INSURERS]}::text[])
      order by insurance_insurer.id`.execute(tx);
  const { rows: employers } = await sql<{ insurerKey: string; insurerName: string }>`
    select distinct insurer_key, insurer_name from policy_policy where insurer_id is null and policy_type = 'GROUP'
      and not starts_with(policy_no, ${SERIES}) order by 1 limit 3`.execute(tx);
  const kept = [
    ...insurers.map(({ id, shortName }, at) => ({
      insurerKey: id,
      insurerName: shortName,
      templateName: '增减员清单',
      leaveMeans: at % 2 === 0 ? ('LAST_COVERED' as const) : ('FIRST_UNCOVERED' as const),
      columns: columnsWith({ name: '被保险人姓名', idNo: '证件号', effectiveOn: '保险起期', leaveOn: '退保日期' }),
    })),
    ...employers.map(({ insurerKey, insurerName }) => ({
      insurerKey,
      insurerName,
      templateName: '员工花名册',
      leaveMeans: 'LAST_COVERED' as const,
      columns: columnsWith({ name: '员工姓名', effectiveOn: '入职日期', leaveOn: '离职日期' }),
    })),
    { insurerKey: EVERYBODY, insurerName: '通用', templateName: STANDARD, leaveMeans: 'LAST_COVERED' as const, columns: columnsWith({}) },
  ];
  const rows = await own(tx)
    .insertInto('policyInsuredTemplate')
    .values(
      kept.map(({ columns, ...row }) => ({
        ...row,
        columns: json(columns),
        ...createdColumns({ now, userId: people.maker.userId }),
      })),
    )
    .returning(['id', 'insurerKey'])
    .execute();
  return new Map(rows.map(({ id, insurerKey }) => [insurerKey, id]));
}

/**
 * Whoever is covered and may leave: nobody depends on him, nothing was used; before them so many with an open claim. Of a full
 * list: everybody.
 */
async function coveredOf(
  { kernel, writing: { tx }, today }: Stage,
  policyId: string,
  { claims = 0, fullPercent }: ListSpec,
): Promise<Covered[]> {
  const whole = fullPercent !== undefined;
  const { rows } = await sql<{ name: string; idNoCipher: string; planCode: string; coverageStart: Day }>`
    select i.name, i.id_no_cipher, s.plan_code, s.coverage_start::text as coverage_start
      from policy_insured_item i
      join policy_cover_slice s on s.insured_item_id = i.id
      where i.policy_id = ${policyId}
        and i.id_no_cipher is not null
        and (${whole} or i.relation = 'SELF')
        and s.coverage_start < ${today}::date
        and s.coverage_end > ${plusDays(today, 1)}::date
        and ${isLive('s', null)}
        and (${whole} or not exists (select from policy_insured_item d where d.main_insured_item_id = i.id))
        and (
          ${whole}
          or not exists (select from policy_cover_use u where u.insured_item_id = i.id)
          or i.id in (
            select u.insured_item_id
              from policy_cover_use u
              where u.policy_id = ${policyId}
                and u.ref_type = 'CLAIM'
                and u.state = 'OPEN'
                and not exists (select from policy_cover_use o where o.insured_item_id = u.insured_item_id and o.state = 'PAID')
              order by 1 limit ${claims}
          )
        )
      order by exists (select from policy_cover_use u where u.insured_item_id = i.id) desc,
        case when ${claims}::int > 0 then s.coverage_start end, i.id desc
      limit 400`.execute(tx);
  return rows.map(({ idNoCipher, ...row }) => ({ ...row, idNo: kernel.secrets.decrypt(idNoCipher) }));
}

type Facts = Pick<Insertable<PolicyInsuredBatch>, 'layout' | 'mode' | 'fileName'> & Partial<Insertable<PolicyInsuredBatch>>;
const newBatch = async (
  { writing: { tx }, people: { maker } }: Stage,
  policy: PolicyRecord,
  then: Instant,
  facts: Facts,
): Promise<BatchRecord> =>
  own(tx)
    .insertInto('policyInsuredBatch')
    .values({
      batchNo: await nextNumber(tx, 'QD', dayOf(then)),
      templateVersion: 1,
      chosenPolicyIds: [policy.id],
      insurerKey: policy.insurerKey,
      insurerId: policy.insurerId,
      insurerName: policy.insurerName,
      state: 'UPLOADED',
      makerId: maker.userId,
      makerName: maker.displayName,
      ...createdColumns({ now: then, userId: maker.userId }),
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A list that takes another one back, but for whoever signed. */
async function reverse(stage: Stage, policy: PolicyRecord, origin: BatchRecord, then: Instant): Promise<BatchRecord> {
  const signed = await own(stage.writing.tx)
    .selectFrom('policyInsuredBatchRow')
    .select('id')
    .where('batchId', '=', origin.id)
    .where(sql<boolean>`exists (select from policy_cover_use u where u.insured_item_id = policy_insured_batch_row.insured_item_id)`)
    .execute();
  return newBatch(stage, policy, then, {
    templateId: origin.templateId,
    layout: json(origin.layout),
    mode: 'MIXED',
    fileName: `冲正${origin.batchNo}`,
    chosenPolicyIds: origin.chosenPolicyIds,
    reverseOfBatchId: origin.id,
    leftOut: signed.map(({ id }) => id),
  });
}

async function upload(
  stage: Stage,
  policy: PolicyRecord,
  templateId: string,
  columns: Layout,
  spec: ListSpec,
  then: Instant,
): Promise<BatchRecord> {
  const { kernel, writing, people } = stage;
  const { tx } = writing;
  const [plan] = await getPlans(tx, policy.productVersionId);
  const rows = rowsOf(spec, {
    today: dayOf(then),
    policy,
    planCode: plan?.planCode ?? 'P1',
    covered: await coveredOf(stage, policy.id, spec),
    serial: stage.serial,
  });
  const text = (cells: readonly string[]) => cells.map((one) => ({ text: one }));
  const name = `${policy.holderName}_${dayOf(then)}.xlsx`;
  const body = await bufferOf(xlsxStream([{ name: '清单', widths: LIST_HEADERS.map(() => 18), rows: [LIST_HEADERS, ...rows].map(text) }]));
  const file = await kernel.ports.files.store(
    tx,
    { purpose: POLICY_LIST, name, body, contentType: XLSX, createdBy: people.maker.userId, sensitive: true },
    then,
  );
  const batch = await newBatch(stage, policy, then, {
    templateId,
    layout: json(columns),
    mode: spec.mode,
    fileId: file.fileId,
    fileName: name,
    fileSha256: file.sha256,
  });
  await attach(
    tx,
    {
      fileIds: [file.fileId],
      purpose: POLICY_LIST,
      ownerType: 'policy.batch',
      ownerId: batch.id,
      field: 'file',
      userId: people.maker.userId,
    },
    then,
  );
  return batch;
}

/** Takes a list as far as its spec says, by the very jobs that take every list there. */
async function goOn(stage: Stage, uploaded: BatchRecord, { state, undoneAt }: ListSpec, then: Instant): Promise<void> {
  const { writing, people } = stage;
  const { tx } = writing;
  const [maker, checker] = [acting(stage, then, people.maker), acting(stage, then, people.checker)];
  const run = (make: typeof parseJob, at: Instant) =>
    make({ ...stage.kernel, clock: { now: () => at, today: () => dayOf(at) } }).run(
      { batchId: uploaded.id },
      {
        kernel: stage.kernel,
        now: at,
        traceId: 'demo',
        db: tx,
        signal: new AbortController().signal,
        idleFor: () => {},
        transaction: (work) => work(acting(stage, at, null)),
      },
    );
  const now = () => lockedBatch(tx, uploaded.id);
  if (state === 'UPLOADED') return;
  await moveBatch(maker, uploaded, 'parse', forgotten);
  if (state === 'PARSING') return writing.enqueue(parseJob(stage.kernel), { batchId: uploaded.id });
  await run(parseJob, then);
  if (state === 'HAS_ERROR') return;
  if (state === 'DISCARDED') return void (await moveBatch(maker, await now(), 'discard', {}, '客户重新提供清单'));
  if (state === 'PREVIEW') return;
  await sql`update policy_insured_batch_row set warn_accepted = true where batch_id = ${uploaded.id} and warnings <> '[]'`.execute(tx);
  const ready = await settle(maker, await now(), []);
  const { impact, impactHash } = await impactOf(tx, ready, dayOf(then));
  await own(tx)
    .updateTable('policyInsuredBatch')
    .set({ impact: json(impact) })
    .where('id', '=', uploaded.id)
    .execute();
  const audited = impact.auditReasons.length > 0 || state === 'PENDING_AUDIT';
  await moveBatch(maker, ready, audited ? 'submit' : 'submitAtOnce', { impactHash }, '按投保人清单办理');
  if (state === 'PENDING_AUDIT') return;
  if (audited) await moveBatch(checker, await now(), 'approve', { checkerId: people.checker.userId }, '已核对清单与申请');
  if (state === 'APPLYING') return writing.enqueue(applyJob(stage.kernel), { batchId: uploaded.id });
  if (state === 'APPLY_FAILED') {
    const failure = '系统异常，请点“继续”重试；仍不成功请作废后重新导入';
    return void (await moveBatch(acting(stage, then, null), await now(), 'broke', { failure }, failure));
  }
  await run(applyJob, then);
  if (state === 'APPLIED') return;
  const noon = undoneAt ? startOfDay(dayOf(then), undoneAt) : then;
  const asked = { undoAskedBy: people.maker.userId, undoAskedAt: noon, undoReason: '文件版本有误' };
  await moveBatch(acting(stage, noon, people.maker), await now(), 'askUndo', asked, '文件版本有误');
  await moveBatch(acting(stage, noon, people.checker), await now(), 'undo', {}, '确认文件版本有误');
  if (state === 'UNDOING') return writing.enqueue(undoJob(stage.kernel), { batchId: uploaded.id });
  await run(undoJob, noon);
}

/** What came after a list took effect: its order on its way, and persons who signed. */
async function followUp(stage: Stage, batch: BatchRecord, { order, signs }: ListSpec, fates: Fates): Promise<void> {
  const { tx } = stage.writing;
  if (order) {
    const made = await own(tx)
      .selectFrom('policyPremiumOrder as o')
      .innerJoin('policyEndorsement as e', 'e.id', 'o.sourceEndorsementId')
      .select('o.id')
      .where('e.batchId', '=', batch.id)
      .execute();
    for (const { id } of made) fates.set(id, { fate: order });
  }
  if (!signs) return;
  const report = reporterOfUses({ ...stage, tx }, 901);
  const persons = await own(tx)
    .selectFrom('policyInsuredBatchRow')
    .select('insuredItemId')
    .where('batchId', '=', batch.id)
    .where('insuredItemId', 'is not', null)
    .orderBy('rowNo')
    .limit(signs)
    .execute();
  for (const { insuredItemId } of persons)
    await report(insuredItemId!, 0, { refType: 'CONTRACT', state: 'LIVE', useTo: plusDays(stage.today, 180) });
}

/** One list for one policy, beside those of the specification. */
export async function writeList(
  { kernel, writing, now, today }: Pick<Stage, 'kernel' | 'writing' | 'now' | 'today'>,
  policyId: string,
  spec: ListSpec,
  then: Instant,
): Promise<void> {
  const people = await staffOf(writing);
  const template = await own(writing.tx)
    .selectFrom('policyInsuredTemplate')
    .select('id')
    .where('insurerKey', '=', EVERYBODY)
    .where('templateName', '=', STANDARD)
    .executeTakeFirst();
  if (!people || !template) return;
  const policy = await own(writing.tx).selectFrom('policyPolicy').selectAll().where('id', '=', policyId).executeTakeFirstOrThrow();
  let serial = 4_000;
  const stage: Stage = { kernel, writing, people, now, today, serial: () => serial++ };
  const columns = layout.parse({ columns: columnsWith({}) });
  await goOn(stage, await upload(stage, policy, template.id, columns, spec, then), spec, then);
}

/** Templates and lists (policy.md §Demo data), over the group policies that stand. */
export const writeDemoLists = ({ kernel, now, transaction }: DemoContext, fates: Fates = new Map()): Promise<void> =>
  transaction(async (writing) => {
    const { tx } = writing;
    const people = await staffOf(writing);
    const known = await own(tx)
      .selectFrom('policyInsuredTemplate')
      .select('id')
      .where('insurerKey', '=', EVERYBODY)
      .where('templateName', '=', STANDARD)
      .executeTakeFirst();
    const policies = await own(tx)
      .selectFrom('policyPolicy')
      .selectAll()
      .where('policyType', '=', 'GROUP')
      .where('state', '=', 'IN_FORCE')
      .where('insuredCount', '>', 20)
      .where('coverageEnd', '>', plusDays(dayOf(now), 30))
      .where('coverageStart', '<', plusDays(dayOf(now), -70))
      .orderBy('id')
      .execute();
    if (!people || known || policies.length === 0) return;
    let serial = 0;
    const stage: Stage = { kernel, writing, people, now, today: dayOf(now), serial: () => serial++ };
    const templates = await writeTemplates(stage);
    const standard = layout.parse({ columns: columnsWith({}) });
    let before: BatchRecord | null = null;
    for (const [at, spec] of listSpecs.entries()) {
      const policy =
        typeof spec.policy === 'number'
          ? policies[spec.policy % policies.length]!
          : (policies.find(({ holderName }) => holderName === spec.policy) ?? policies[at % policies.length]!);
      const statedAt = spec.at ? startOfDay(plusDays(stage.today, spec.at[0]), spec.at[1]) : null;
      const then = statedAt ?? plusMs(now, -(listSpecs.length - at) * PACE);
      const templateId = templates.get(policy.insurerKey) ?? templates.get(EVERYBODY)!;
      const batch: BatchRecord =
        spec.reverses && before
          ? await reverse(stage, policy, before, then)
          : await upload(stage, policy, templateId, standard, spec, then);
      await goOn(stage, batch, spec, then);
      await followUp(stage, batch, spec, fates);
      before = batch;
    }
  });
