import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Staff, Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import type { AuditAction } from '../../contract/calls/appliesWork.ts';
import { ENROL_MATERIAL, INSURER_PROOF } from '../../contract/purposes.ts';
import { advance } from '../applies/advance.ts';
import { carryOutDecision } from '../applies/decide.ts';
import { enterApply, insuredOf, submitApply, type Insured } from '../applies/enter.ts';
import { checksOf, indicationsOf, liveContractNoOf, openNoOf, requiredOf } from '../applies/facts.ts';
import type { ApplyRecord } from '../applies/records.ts';
import { openChecks, stoppingChecks } from '../applies/rules.ts';
import { judgeChecks } from '../applies/saveWork.ts';
import { applySpecs, type ApplySpec } from './applySpecs.ts';

type Config = Awaited<ReturnType<typeof getEnrolConfig>>;
type Role = 'enterer' | 'reviewer' | 'rechecker' | 'lead';
const USERS: Readonly<Record<Role, string>> = { enterer: 'service', reviewer: 'enrol_a', rechecker: 'enrol_r', lead: 'enrol_s' };
const nothing = (): Promise<void> => Promise.resolve();
const noStaff: Omit<Staff, 'userId' | 'displayName' | 'userName' | 'opNo'> = {
  sessionId: '',
  sessionEndsAt: null,
  restricted: false,
  smsVerifiedAt: null,
  userRoleId: null,
  roleCode: null,
  roleName: null,
  permissions: new Set(),
  scope: { own: false, region: null, insurer: null, channel: null },
};

interface Stage {
  kernel: Kernel;
  tx: Tx;
  today: Day;
  staff: Readonly<Record<Role, Staff>>;
  hospitals: readonly string[];
  /** Somebody acts on a day, at the latest now; what it would tell others is history. */
  at(day: Day, by: Role): Acting & { staff: Staff; has(): boolean };
}

async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage | null> {
  const { tx } = writing;
  const { rows } = await sql<{ id: string; userName: string; displayName: string; opNo: string }>`
    select id::text, user_name, display_name, op_no
      from identity_staff_user
      where user_name like 'enrol%' or user_name like 'service%'
      order by user_name`.execute(tx);
  const find = (role: Role): Staff | null => {
    const found = rows.find(({ userName }) => (role === 'enterer' ? userName.startsWith(USERS.enterer) : userName === USERS[role]));
    if (!found) return null;
    const { id: userId, ...facts } = found;
    return { ...noStaff, ...facts, userId };
  };
  const [enterer, reviewer, rechecker, lead] = [find('enterer'), find('reviewer'), find('rechecker'), find('lead')];
  if (!enterer || !reviewer || !rechecker || !lead) return null;
  const staff = { enterer, reviewer, rechecker, lead };
  const hospitals = await sql<{ id: string }>`
    select id::text
      from institution_hospital
      where state = 'ENABLED'
      order by id
      limit 12`.execute(tx);
  const today = dayOf(now);
  return {
    kernel,
    tx,
    today,
    staff,
    hospitals: hospitals.rows.map(({ id }) => id),
    at(day, by) {
      const then = startOfDay(day < today ? day : today, '10:30');
      const moment = then < now ? then : now;
      return {
        ...writing,
        publish: nothing,
        publishMany: nothing,
        enqueue: nothing,
        now: moment,
        today: dayOf(moment),
        traceId: 'demo',
        staffOrNull: staff[by],
        staff: staff[by],
        has: () => true,
        requirePermission: () => {},
      };
    },
  };
}

/** Persons who may apply, a few of each product in turn. */
async function candidates({ tx, today }: Stage): Promise<{ id: string; line: string }[]> {
  const { rows } = await sql<{ id: string; line: string }>`
    select id, line
      from (
        select i.id::text, p.product_line as line, row_number() over (partition by p.product_id order by i.id) as place, p.product_id
          from policy_insured_item i
          join policy_policy p on p.id = i.policy_id
          where p.product_line <> 'DAAS' and p.state = 'IN_FORCE' and i.state_cache = 'ACTIVE'
            and i.start_cache <= ${plusDays(today, -30)}::date
      ) x
      where place <= 12
      order by place, product_id`.execute(tx);
  return rows;
}

const paperOf = (stage: Stage, title: string, name: string, day: Day, purpose: string, by: Role) =>
  stage.kernel.ports.files.store(
    stage.tx,
    {
      purpose,
      name: `${title}.pdf`,
      body: renderPdf({
        title,
        watermark: '演示资料 仅供体验',
        footer: '演示资料',
        blocks: [
          { kind: 'title', text: title, note: '演示资料' },
          {
            kind: 'fields',
            fields: [
              ['被保人', name],
              ['日期', day],
            ],
          },
        ],
      }),
      contentType: 'application/pdf',
      createdBy: stage.staff[by].userId,
    },
    stage.at(day, by).now,
  );

interface Case {
  insured: Insured;
  config: Config;
  drugId: string | null;
  drugKey: string;
  icd10: string;
  diseaseName: string;
  firstDiagnosedOn: Day;
}

/** What somebody applies for whose cover reaches far enough back; null where he cannot. */
async function caseOf(stage: Stage, insuredItemId: string, { came, early }: ApplySpec): Promise<Case | null> {
  const { tx } = stage;
  const day = plusDays(stage.today, -came);
  const insured = await insuredOf(tx, insuredItemId, day);
  const start = insured.continuousFrom ?? insured.coverageStart;
  if (!insured.covered || start === null || insured.idNoHash === null) return null;
  const config = await getEnrolConfig(tx, insured.productVersionId);
  const healed = plusDays(start, Math.max(config.waitingDays, config.diseaseWaitingDays) + 3);
  if (healed > day) return null;
  const recent = plusDays(day, -20);
  const firstDiagnosedOn = early ? plusDays(start, -40) : healed > recent ? healed : recent;
  const drugId = config.indications.find(({ icd10Prefixes }) => icd10Prefixes.length > 0)?.medicineId ?? null;
  if (config.indications.length > 0 && drugId === null) return null;
  const key = { insuredItemId, productId: insured.productId, drugKey: drugId ?? '*' };
  if ((await openNoOf(tx, key)) !== null || (await liveContractNoOf(tx, key)) !== null) return null;
  const prefix = indicationsOf(config, drugId).prefixes?.[0] ?? (insured.productLine === 'HMO' ? 'I10' : 'C34');
  const { rows } = await sql<{ code: string; name: string }>`
    select code, name
      from identity_icd10
      where code like ${`${prefix}%`} and code ~ '^[A-Z][0-9]{2}([.][0-9A-Z]{1,6})?$'
      order by length(code) desc, code
      limit 1`.execute(tx);
  const [disease] = rows;
  if (!disease) return null;
  return { insured, config, drugId, drugKey: key.drugKey, icd10: disease.code, diseaseName: disease.name.slice(0, 60), firstDiagnosedOn };
}

async function enter(stage: Stage, n: number, one: Case, { came }: ApplySpec): Promise<ApplyRecord> {
  const { insured, config, drugId, icd10, diseaseName, firstDiagnosedOn } = one;
  const day = plusDays(stage.today, -came);
  const { productLine } = insured;
  const required = requiredOf(config, { drugId, productLine: productLine === 'DAAS' ? 'STANDARD' : productLine });
  const materials = [];
  for (const materialType of required) {
    const { fileId } = await paperOf(stage, materialTypes.label(materialType), insured.name, day, ENROL_MATERIAL, 'enterer');
    materials.push({ materialType, fileId });
  }
  const hmo = productLine === 'HMO';
  const wish = {
    enrolType: 'NEW' as const,
    applicantRelation: n % 4 === 3 ? ('CHILD' as const) : ('SELF' as const),
    applicantName: n % 4 === 3 ? '张晓明' : null,
    applicantIdNo: null,
    applicantMobile: n % 4 === 3 ? `139${String(20_000_000 + n * 6131).slice(-8)}` : null,
    address: hmo ? null : `上海市徐汇区肇嘉浜路${100 + n}号`,
    adcode: '310104',
    diseaseName,
    icd10,
    firstDiagnosedOn,
    stage: hmo ? '' : 'IV期',
    pathologyResult: hmo ? '' : '穿刺活检：腺癌',
    geneResult: hmo ? '' : 'EGFR 19外显子缺失',
    drugId,
    dosePlan: drugId === null ? '' : '每日一次，每次一片',
    hospitalId: stage.hospitals[n % stage.hospitals.length] ?? null,
    departmentName: hmo ? '全科' : '肿瘤科',
    doctorName: '',
    baseline: productLine === 'RSB' ? { assessedOn: plusDays(day, -4), targetLesionMm: 42 + n, ecog: 1, imagingFileId: null } : null,
    healthDeclaration: hmo ? '高血压三年，规律服药' : null,
    measures: hmo ? { systolic: 136 + n * 2, diastolic: 84 + n, hba1cPermille: null, ldlCentimole: 310, bmiTenths: 252 } : null,
    materials,
  };
  const origin = { source: 'STAFF' as const, uploaderId: stage.staff.enterer.userId };
  return enterApply(stage.kernel, stage.at(day, 'enterer'), insured.insuredItemId, wish, origin);
}

const words = { rejectReasons: [], applicantWording: '', internalNote: '' };
const decide = (stage: Stage, day: Day, by: Role, apply: ApplyRecord, action: AuditAction, more: object = {}, opinion = '材料齐全，同意') =>
  carryOutDecision(stage.kernel, stage.at(day, by), apply, { ...words, action, opinion, ...more });

/** Says yes to what is open; a failed item is overridden only where the story says so. @returns whether the case may pass */
async function judge(stage: Stage, day: Day, apply: ApplyRecord, overrides: boolean): Promise<boolean> {
  const ctx = stage.at(day, 'reviewer');
  const checks = await checksOf(ctx.tx, apply);
  const open = openChecks(checks).map(({ checkCode }) => ({ checkCode, humanVerdict: 'AGREE' as const, humanNote: '' }));
  const failed = overrides ? stoppingChecks(checks) : [];
  const overridden = failed.map(({ checkCode }) => ({
    checkCode,
    humanVerdict: 'OVERRIDE' as const,
    humanNote: '病历显示为复发后重新确诊，与既往无关',
  }));
  await judgeChecks(ctx, apply, [...open, ...overridden]);
  return overrides || stoppingChecks(checks).length === 0;
}

async function insurerAccepts(stage: Stage, day: Day, n: number, apply: ApplyRecord): Promise<void> {
  const { fileId } = await paperOf(stage, '保司结论', apply.insuredName, day, INSURER_PROOF, 'lead');
  const caseNo = apply.insurerCaseNo ?? `BS${day.replaceAll('-', '')}${String(n).padStart(4, '0')}`;
  await decide(stage, day, 'lead', apply, 'insurerAccept', { insurer: { caseNo, fileId } }, '保司同意承保');
}

const reject = (stage: Stage, day: Day, apply: ApplyRecord) =>
  decide(
    stage,
    day,
    'reviewer',
    apply,
    'reject',
    { rejectReasons: ['R06'], applicantWording: '诊断证明无法辨认，请补充清晰原件后重新申请' },
    '诊断证明无法辨认',
  );

/** One application, up to where its story ends. */
async function writeCase(stage: Stage, n: number, one: Case, spec: ApplySpec): Promise<void> {
  const day = plusDays(stage.today, -spec.came);
  const draft = await enter(stage, n, one, spec);
  if (spec.ends === 'DRAFT') return;
  const apply = await submitApply(stage.kernel, stage.at(day, 'enterer'), draft);
  if (spec.ends === 'PENDING' || apply.state !== 'PENDING') return;
  if (spec.ends === 'WITHDRAWN') {
    await decide(stage, day, 'enterer', apply, 'withdraw', {}, '客户改为自费购药');
    return;
  }
  const [next, after] = [plusDays(day, 1), plusDays(day, 2)];
  const held = await advance(stage.at(next, 'reviewer'), apply, 'claim', '');
  if (spec.ends === 'REVIEWING') return;
  if (spec.ends === 'SUPPLEMENT') {
    const items = [{ materialType: 'DIAGNOSIS' as const, wording: '请上传加盖医院公章的诊断证明' }];
    await decide(stage, next, 'reviewer', held, 'supplement', { supplement: { items, days: 15 } });
    return;
  }
  const mayPass = await judge(stage, next, held, spec.early);
  if (spec.ends === 'REJECTED' || !mayPass) {
    await reject(stage, next, held);
    return;
  }
  const passed = await decide(stage, next, 'reviewer', held, 'pass');
  if (spec.ends === 'RECHECK' || spec.ends === 'WAIT_INSURER') return;
  const second = passed.state === 'RECHECK' ? await decide(stage, after, 'rechecker', passed, 'recheckPass') : passed;
  if (second.state === 'WAIT_INSURER') await insurerAccepts(stage, after, n, second);
}

/** Applications in their states, by the real commands; those that passed open contracts. */
export const writeApplyDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    if (!stage) return;
    const free = await candidates(stage);
    for (const [n, spec] of applySpecs.entries()) {
      for (const [place, { id, line }] of free.entries()) {
        const one = line === spec.line ? await caseOf(stage, id, spec) : null;
        if (!one) continue;
        free.splice(place, 1);
        await writeCase(stage, n, one, spec);
        break;
      }
    }
  });
