import { sql } from 'kysely';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import type { AuditAction } from '../../contract/calls/appliesWork.ts';
import { ENROL_MATERIAL, INSURER_PROOF } from '../../contract/purposes.ts';
import { advance } from '../applies/advance.ts';
import { carryOutDecision } from '../applies/decide.ts';
import { enterApply, insuredOf, submitApply, type Insured } from '../applies/enter.ts';
import { checksOf, indicationsOf, liveContractNoOf, openNoOf, requiredOf } from '../applies/facts.ts';
import { closeUnanswered } from '../applies/jobs.ts';
import type { ApplyRecord } from '../applies/records.ts';
import { openChecks, stoppingChecks } from '../applies/rules.ts';
import { judgeChecks } from '../applies/saveWork.ts';
import { applySpecs, type ApplySpec } from './applySpecs.ts';
import { medicalPaper, storePaper } from './papers.ts';
import { setStage, type StaffName, type Stage } from './stage.ts';

type Config = Awaited<ReturnType<typeof getEnrolConfig>>;
interface Hospital {
  id: string;
  name: string;
}
interface ApplyStage extends Stage {
  hospitals: readonly Hospital[];
}

async function setApplyStage(...given: Parameters<typeof setStage>): Promise<ApplyStage> {
  const stage = await setStage(...given);
  const { rows: hospitals } = await sql<Hospital>`
    select id::text, name
      from institution_hospital
      where state = 'ENABLED'
      order by id
      limit 12`.execute(stage.tx);
  return { ...stage, hospitals };
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
      where place <= 20
      order by place, product_id`.execute(tx);
  return rows;
}

interface Case {
  insured: Insured;
  config: Config;
  drugId: string | null;
  drugName: string | null;
  icd10: string;
  diseaseName: string;
  firstDiagnosedOn: Day;
}

/** What somebody applies for whose cover reaches far enough back; null where he cannot. */
async function caseOf(stage: Stage, n: number, insuredItemId: string, { came, early, fee }: ApplySpec): Promise<Case | null> {
  const { tx } = stage;
  const day = plusDays(stage.today, -came);
  const insured = await insuredOf(tx, insuredItemId, day);
  const start = insured.continuousFrom ?? insured.coverageStart;
  if (!insured.covered || start === null || insured.idNoHash === null) return null;
  const config = await getEnrolConfig(tx, insured.productVersionId);
  if ((config.payMode === 'PLATFORM') !== fee) return null;
  const healed = plusDays(start, Math.max(config.waitingDays, config.diseaseWaitingDays) + 3);
  if (healed > day) return null;
  const recent = plusDays(day, -20);
  const firstDiagnosedOn = early ? plusDays(start, -40) : healed > recent ? healed : recent;
  const usable = config.indications.filter(({ icd10Prefixes }) => icd10Prefixes.length > 0);
  const drugId = usable[n % usable.length]?.medicineId ?? null;
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
  const [medicine] = drugId === null ? [] : await getMedicines(tx, [drugId]);
  const drugName = medicine ? medicine.brandName || medicine.genericName : null;
  return { insured, config, drugId, drugName, icd10: disease.code, diseaseName: disease.name.slice(0, 60), firstDiagnosedOn };
}

/** Who treats a disease, by the chapter of its code. */
const DEPARTMENTS: Readonly<Record<string, string>> = { C: '肿瘤科', D: '血液科', E: '内分泌科', I: '心内科', M: '风湿免疫科' };

async function enter(stage: ApplyStage, n: number, one: Case, { came }: ApplySpec): Promise<ApplyRecord> {
  const { insured, config, drugId, drugName, icd10, diseaseName, firstDiagnosedOn } = one;
  const day = plusDays(stage.today, -came);
  const { productLine } = insured;
  const required = requiredOf(config, { drugId, productLine: productLine === 'DAAS' ? 'STANDARD' : productLine });
  const hmo = productLine === 'HMO';
  const hospital = stage.hospitals[n % stage.hospitals.length]!;
  const tumour = icd10.startsWith('C');
  const department = hmo ? '全科' : (DEPARTMENTS[icd10.charAt(0)] ?? '内科');
  const dose = drugId === null ? '' : '每日一次，每次一片';
  const facts = {
    no: `YD${day.replaceAll('-', '')}${String(n + 1).padStart(4, '0')}`,
    name: insured.name,
    day,
    hospitalName: hospital.name,
    department,
    diseaseName,
    icd10,
    firstDiagnosedOn,
    drugName,
    dose,
  };
  const materials = [];
  for (const materialType of required) {
    const { fileId } = await storePaper(stage, medicalPaper(materialType, facts), ENROL_MATERIAL, day, 'svc_a');
    materials.push({ materialType, fileId });
  }
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
    stage: tumour ? 'IV期' : '',
    pathologyResult: tumour ? '穿刺活检：腺癌' : '',
    geneResult: tumour ? 'EGFR 19外显子缺失' : '',
    drugId,
    dosePlan: dose,
    hospitalId: hospital.id,
    departmentName: department,
    doctorName: '',
    baseline: productLine === 'RSB' ? { assessedOn: plusDays(day, -4), targetLesionMm: 42 + n, ecog: 1, imagingFileId: null } : null,
    healthDeclaration: hmo ? '高血压三年，规律服药' : null,
    measures: hmo ? { systolic: 136 + n * 2, diastolic: 84 + n, hba1cPermille: null, ldlCentimole: 310, bmiTenths: 252 } : null,
    materials,
  };
  const origin = { source: 'STAFF' as const, uploaderId: stage.staff.svc_a.userId };
  return enterApply(stage.kernel, stage.at(day, 'svc_a'), insured.insuredItemId, wish, origin);
}

const words = { rejectReasons: [], applicantWording: '', internalNote: '' };
const decide = (
  stage: Stage,
  day: Day,
  by: StaffName,
  apply: ApplyRecord,
  action: AuditAction,
  more: object = {},
  opinion = '材料齐全，同意',
) => carryOutDecision(stage.kernel, stage.at(day, by), apply, { ...words, action, opinion, ...more });

/** Says yes to what is open; a failed item is overridden only where the story says so. @returns whether the case may pass */
async function judge(stage: Stage, day: Day, apply: ApplyRecord, overrides: boolean): Promise<boolean> {
  const ctx = stage.at(day, 'enrol_a');
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
  const caseNo = apply.insurerCaseNo ?? `BS${day.replaceAll('-', '')}${String(n).padStart(4, '0')}`;
  const conclusion = {
    title: '保司审核结论书',
    no: caseNo,
    fields: [
      ['被保人', apply.insuredName],
      ['保单号', apply.policyNo],
      ['产品', apply.productName],
      ['结论日期', day],
    ] as const,
    text: '经审核，被保人符合特药用药条件，同意入组。',
  };
  const { fileId } = await storePaper(stage, conclusion, INSURER_PROOF, day, 'enrol_s');
  await decide(stage, day, 'enrol_s', apply, 'insurerAccept', { insurer: { caseNo, fileId } }, '保司同意承保');
}

const reject = (stage: Stage, day: Day, apply: ApplyRecord) =>
  decide(
    stage,
    day,
    'enrol_a',
    apply,
    'reject',
    { rejectReasons: ['R06'], applicantWording: '诊断证明无法辨认，请补充清晰原件后重新申请' },
    '诊断证明无法辨认',
  );

/** So many days somebody had who never answered. */
const LAPSED_DAYS = 5;

/** One application, up to where its story ends. */
async function writeCase(stage: ApplyStage, n: number, one: Case, spec: ApplySpec): Promise<void> {
  const day = plusDays(stage.today, -spec.came);
  const draft = await enter(stage, n, one, spec);
  if (spec.ends === 'DRAFT') return;
  const apply = await submitApply(stage.kernel, stage.at(day, 'svc_a'), draft);
  if (spec.ends === 'PENDING' || apply.state !== 'PENDING') return;
  if (spec.ends === 'WITHDRAWN') {
    await decide(stage, day, 'svc_a', apply, 'withdraw', {}, '客户改为自费购药');
    return;
  }
  const [next, after] = [plusDays(day, 1), plusDays(day, 2)];
  const held = await advance(stage.at(next, 'enrol_a'), apply, 'claim', '');
  if (spec.ends === 'REVIEWING') return;
  if (spec.ends === 'SUPPLEMENT' || spec.ends === 'CLOSED') {
    const items = [{ materialType: 'DIAGNOSIS' as const, wording: '请上传加盖医院公章的诊断证明' }];
    const days = spec.ends === 'CLOSED' ? LAPSED_DAYS : 15;
    await decide(stage, next, 'enrol_a', held, 'supplement', { supplement: { items, days } });
    if (spec.ends === 'CLOSED') await closeUnanswered(stage.kernel, stage.byItself(plusDays(next, days + 1)), held.id);
    return;
  }
  const mayPass = await judge(stage, next, held, spec.early);
  if (spec.ends === 'REJECTED' || !mayPass) {
    await reject(stage, next, held);
    return;
  }
  const passed = await decide(stage, next, 'enrol_a', held, 'pass');
  if (spec.ends === 'RECHECK' || spec.ends === 'WAIT_INSURER') return;
  const second = passed.state === 'RECHECK' ? await decide(stage, after, 'enrol_r', passed, 'recheckPass') : passed;
  if (second.state === 'WAIT_INSURER') await insurerAccepts(stage, after, n, second);
}

/** Applications in their states, by the real commands; those that passed open contracts. */
export const writeApplyDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setApplyStage(demo, writing);
    const free = await candidates(stage);
    // As they came: numbers and days go the same way.
    for (const [n, spec] of applySpecs.toSorted((one, other) => other.came - one.came).entries()) {
      for (const [place, { id, line }] of free.entries()) {
        const one = line === spec.line ? await caseOf(stage, n, id, spec) : null;
        if (!one) continue;
        free.splice(place, 1);
        await writeCase(stage, n, one, spec);
        break;
      }
    }
  });
