import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { icd10 } from '#domains/identity/server/index.ts';
import { hasOneMain, ONE_MAIN, type modifyVisitRecord } from '../../contract/calls/visits.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { json } from '../database.ts';
import { deedOf } from '../deed.ts';
import { inRecord } from '../partners.ts';
import { lockRecord, RECORD_TARGET, type LockedRecord, type RecordRow } from './records.ts';
import type { Diagnosis } from './rows.ts';
import { moveRecord } from './write.ts';

type Fields = CheckedInputOf<typeof modifyVisitRecord>;

const labels = {
  chiefComplaint: '主诉',
  presentIllness: '现病史',
  pastHistory: '既往史',
  allergy: '过敏史',
  diagnoses: '初步诊断',
  advice: '处理意见',
  revisitOn: '复诊日期',
  suggestionIds: '用药建议',
  inspectionIds: '检查',
} as const;

/** As it is stored, before it goes on. @throws Refusal SCM90020 */
export function requireOneMain(diagnoses: readonly Diagnosis[]): void {
  if (!hasOneMain(diagnoses)) throw refuseField('diagnoses', ONE_MAIN);
}

/** Codes are those of the national list and carry its names; a diagnosis that the list does not know is written without a code. */
async function named(tx: Tx, diagnoses: readonly Diagnosis[]): Promise<Diagnosis[]> {
  const codes = diagnoses.map(({ icd10: code }) => code.trim().toUpperCase()).filter((code) => code !== '');
  const known = new Map((await icd10(tx, codes)).map((row) => [row.code, row.name]));
  const seen = new Set<string>();
  return diagnoses.map((one, index) => {
    const code = one.icd10.trim().toUpperCase();
    if (code !== '' && !known.has(code)) throw refuseField(`diagnoses.${index}.icd10`, '诊断编码不存在，请从列表中选择');
    const name = code === '' ? one.name : (known.get(code) ?? one.name);
    if (seen.has(`${code}/${name}`)) throw refuseField(`diagnoses.${index}.icd10`, `诊断“${name}”重复`);
    seen.add(`${code}/${name}`);
    return { icd10: code, name, main: one.main };
  });
}

function requireRevisit(revisitOn: Day | null, before: string | null, today: Day): void {
  if (revisitOn !== null && revisitOn !== before && revisitOn < today) throw refuseField('revisitOn', '复诊日期不能早于今天');
}

/** A summary refers to its own patient's record alone. */
async function requireLinked(
  tx: Tx,
  patientId: string,
  { suggestionIds, inspectionIds }: Pick<Fields, 'suggestionIds' | 'inspectionIds'>,
): Promise<void> {
  if (!(await inRecord(tx, patientId, 'suggestion', suggestionIds)))
    throw refuseField('suggestionIds', '所选用药建议不属于该患者，请重新选择');
  if (!(await inRecord(tx, patientId, 'inspection', inspectionIds)))
    throw refuseField('inspectionIds', '所选检查检验不属于该患者，请重新选择');
}

/** Fills a draft in. @throws Refusal SCM10050 for an archived one. */
export async function editRecord(kernel: Kernel, ctx: CommandContext, { id, version, ...fields }: Fields): Promise<LockedRecord> {
  const locked = await lockRecord(ctx.tx, id, ctx.staff);
  const { record } = locked;
  if (record.state === 'ARCHIVED' || record.state === 'SUPERSEDED') throw refuse(errors.RECORD_ARCHIVED);
  await requireVersion(ctx, RECORD_TARGET, record, version, () => ({ state: record.state }));
  requireRevisit(fields.revisitOn, record.revisitOn, ctx.today);
  await requireLinked(ctx.tx, record.patientId, fields);
  const after = { ...fields, diagnoses: await named(ctx.tx, fields.diagnoses) };
  const moved = await moveRecord(
    deedOf(kernel, ctx),
    record,
    'modify',
    { ...after, diagnoses: json(after.diagnoses) },
    { differences: namesOnly(record, after) },
  );
  return { ...locked, record: moved };
}

/** Which parts changed; what a patient said is kept in the versions, not in the log. */
function namesOnly(before: RecordRow, after: Omit<Fields, 'id' | 'version'>) {
  return differencesOf(before, after, labels).map((one) =>
    one.path === 'revisitOn' ? one : { ...one, before: '（修改前）', after: '（已修改）' },
  );
}
