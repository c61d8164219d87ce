import { sql } from 'kysely';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { evaluateControl, getEnrolConfig } from '#domains/insurance/server/index.ts';
import { levelRanks } from '#domains/institution/contract/dictionaries.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import { ageOn, labels } from '#domains/patient/server/index.ts';
import { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import { own } from '../database.ts';
import { personMarks, type PersonMark } from '../marks/read.ts';
import { enrolReview } from '../review.ts';
import { ownerOf, type ApplyRecord } from './records.ts';
import { findAll, type CheckFacts, type Judged } from './rules.ts';

const MIN_RANK = { ANY: 0, GRADE2: levelRanks.L2N, GRADE3: levelRanks.L3N } as const;
type Config = Awaited<ReturnType<typeof getEnrolConfig>>;

/** What the version says of the drug of an application. */
export function indicationsOf(config: Config, drugId: string | null) {
  if (config.indications.length === 0) return { prefixes: null, gene: null };
  const mine = config.indications.filter(({ medicineId }) => medicineId === drugId);
  return {
    prefixes: [...new Set(mine.flatMap(({ icd10Prefixes }) => icd10Prefixes))],
    gene: mine.map(({ geneRequirement }) => geneRequirement).find((text) => text) ?? null,
  };
}

/** Required materials of an application: gene tests where the drug asks for one. */
export function requiredOf(config: Config, apply: Pick<ApplyRecord, 'drugId' | 'productLine'>) {
  const gene = indicationsOf(config, apply.drugId).gene !== null;
  return [
    ...new Set([
      ...config.requiredMaterials.filter((type) => apply.productLine !== 'SAAS' || type !== 'POLICY_PROOF'),
      ...(gene ? (['GENE_TEST'] as const) : []),
    ]),
  ];
}

export const marksOf = (db: Db | Tx, apply: ApplyRecord, day: Day): Promise<PersonMark[]> =>
  personMarks(db, apply, { productId: apply.productId, productLine: apply.productLine }, day);

/** Another application that is open for the same person, product and drug. */
export async function openNoOf(db: Db | Tx, apply: Pick<ApplyRecord, 'insuredItemId' | 'productId' | 'drugKey'> & { id?: string }) {
  const row = await own(db)
    .selectFrom('enrolmentApply')
    .select('applyNo')
    .where('insuredItemId', '=', apply.insuredItemId)
    .where('productId', '=', apply.productId)
    .where('drugKey', '=', apply.drugKey)
    .where('state', 'in', ['DRAFT', 'PENDING', 'REVIEWING', 'SUPPLEMENT', 'RECHECK', 'WAIT_INSURER'])
    .where('id', '<>', apply.id ?? '0')
    .executeTakeFirst();
  return row?.applyNo ?? null;
}
/** A contract for them that has not ended. */
export async function liveContractNoOf(db: Db | Tx, apply: Pick<ApplyRecord, 'insuredItemId' | 'productId' | 'drugKey'>) {
  const row = await own(db)
    .selectFrom('enrolmentContract')
    .select('contractNo')
    .where('insuredItemId', '=', apply.insuredItemId)
    .where('productId', '=', apply.productId)
    .where('drugKey', '=', apply.drugKey)
    .where('state', 'in', ['WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED'])
    .executeTakeFirst();
  return row?.contractNo ?? null;
}

/** Applications of persons of the same name and birthday under another certificate, at the same hospital where both name one. */
async function lookalikes(tx: Tx, apply: ApplyRecord) {
  if (apply.birthDate === null) return [];
  const rows = await own(tx)
    .selectFrom('enrolmentApply')
    .select('id')
    .where('insuredName', '=', apply.insuredName)
    .where('birthDate', '=', apply.birthDate)
    .where('id', '<>', apply.id)
    .where(sql<boolean>`id_no_hash is distinct from ${apply.idNoHash}`)
    .where(sql<boolean>`(hospital_id is null or ${apply.hospitalId}::bigint is null or hospital_id = ${apply.hospitalId}::bigint)`)
    .where('state', '<>', 'DRAFT')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return rows.map(({ id }) => ({ signal: 'FUZZY' as const, otherType: ownerOf({ id }).type, otherId: id, score: 60 }));
}

export interface Findings {
  checks: Judged[];
  config: Config;
  marks: PersonMark[];
  /** A mark or a control rule wants a second person. */
  forced: boolean;
}

/** The checks of the present round, in order. */
export const checksOf = (db: Db | Tx, { id, round }: Pick<ApplyRecord, 'id' | 'round'>): Promise<Judged[]> =>
  own(db)
    .selectFrom('enrolmentCheck')
    .select(['checkCode', 'question', 'hard', 'machineResult', 'explain', 'humanVerdict', 'humanNote'])
    .where('applyId', '=', id)
    .where('round', '=', round)
    .orderBy('sort')
    .execute();

async function collect(kernel: Kernel, ctx: Acting, apply: ApplyRecord) {
  const { tx, today } = ctx;
  const review = enrolReview(kernel.secrets);
  const owner = ownerOf(apply);
  const insured = await getInsuredForEnrol(tx, { insuredItemId: apply.insuredItemId, today });
  const config = await getEnrolConfig(tx, apply.productVersionId);
  const marks = await marksOf(tx, apply, today);
  const materials = await review.materials.of(tx, owner);
  const duplicates = await review.duplicates.find(ctx, owner, await lookalikes(tx, apply));
  const [hospital] = apply.hospitalId === null ? [] : await getHospitals(tx, [apply.hospitalId]);
  const [person] = apply.patientId === null ? [] : await labels(tx, [apply.patientId]);
  const { prefixes, gene } = indicationsOf(config, apply.drugId);
  const age = apply.birthDate === null ? null : ageOn(apply.birthDate, today);
  const continuousFrom = insured?.continuousFrom ?? null;
  const start = continuousFrom ?? apply.coverageStart;
  const rank = hospital?.levelRank ?? null;
  const grade = rank === null ? null : rank >= MIN_RANK.GRADE3 ? 'GRADE3' : rank >= MIN_RANK.GRADE2 ? 'GRADE2' : 'ANY';
  const control = await evaluateControl(tx, {
    stage: 'ENROL',
    scope: { insurerId: apply.insurerId, productLine: apply.productLine, productId: apply.productId },
    facts: {
      'person.age': age === null ? null : String(age),
      'person.gender': apply.gender,
      'person.socialAdcode': insured?.socialAdcode ?? null,
      'person.marks': marks.map(({ markType }) => markType),
      'dx.icd10': [apply.icd10],
      'dx.sinceStartDays': start === null ? null : String(daysBetween(start, apply.firstDiagnosedOn)),
      'hospital.grade': grade,
    },
    at: ctx.now,
  });
  const facts: CheckFacts = {
    day: today,
    productLine: apply.productLine,
    enrolType: apply.enrolType,
    covered: insured?.covered ?? false,
    listed: insured !== null,
    coverageStart: apply.coverageStart,
    continuousFrom,
    diseaseWaitingDays: config.diseaseWaitingDays,
    waitingDays: config.waitingDays,
    preExistingCovered: config.preExistingCovered,
    firstDiagnosedOn: apply.firstDiagnosedOn,
    icd10: apply.icd10,
    indicationPrefixes: prefixes,
    geneRequirement: gene,
    age,
    ageMin: config.ageMin,
    ageMax: config.ageMax,
    missing: await review.materials.missing(tx, owner, requiredOf(config, apply)),
    ages: materials.flatMap(({ materialType, issuedOn }) =>
      issuedOn === null ? [] : [{ materialType, days: daysBetween(issuedOn, today) }],
    ),
    openNo: await openNoOf(tx, apply),
    liveContractNo: await liveContractNoOf(tx, apply),
    blockReason: marks.find(({ markType }) => markType === 'BLOCK')?.reason ?? null,
    realName: insured?.realNameState === 'PASSED' || person?.realNameState === 'VERIFIED' ? true : person ? false : null,
    duplicates: duplicates.filter(({ signal }) => signal === 'FILE' || signal === 'IMAGE').length,
    hospitalRank: rank,
    minHospitalRank: MIN_RANK[config.minHospitalGrade],
    control: { mode: control.mode, text: control.hits.map(({ ruleName }) => ruleName).join('、') },
    checklist: config.checklist,
  };
  return { facts, config, marks, control };
}

/** Looks again at everything and writes what the machine finds now. A verdict on a finding that has changed is void. */
export async function findAgain(kernel: Kernel, ctx: Acting, apply: ApplyRecord): Promise<Findings> {
  const { facts, config, marks, control } = await collect(kernel, ctx, apply);
  const found = findAll(facts);
  await own(ctx.tx)
    .insertInto('enrolmentCheck')
    .values(found.map((finding, sort) => ({ applyId: apply.id, round: apply.round, ...finding, sort })))
    .onConflict((conflict) =>
      conflict.columns(['applyId', 'round', 'checkCode']).doUpdateSet({
        question: sql`excluded.question`,
        hard: sql`excluded.hard`,
        machineResult: sql`excluded.machine_result`,
        explain: sql`excluded.explain`,
        sort: sql`excluded.sort`,
        humanVerdict: sql`case when enrolment_check.machine_result is not distinct from excluded.machine_result
          then enrolment_check.human_verdict end`,
        humanNote: sql`case when enrolment_check.machine_result is not distinct from excluded.machine_result
          then enrolment_check.human_note else '' end`,
      }),
    )
    .execute();
  await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set({
      controlVersions: control.hits.map(({ ruleVersionId }) => ruleVersionId),
      testUser: marks.some(({ markType }) => markType === 'TEST'),
    })
    .where('id', '=', apply.id)
    .execute();
  return {
    checks: await checksOf(ctx.tx, apply),
    config,
    marks,
    forced: control.mode === 'HOLD' || marks.some(({ markType }) => markType === 'FORCE_RECHECK'),
  };
}
