import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { patientErrors } from '../../contract/errors.ts';
import type { Medicine, SuggestionRow } from '../../contract/modules.ts';
import { suggestionMachine, type SuggestionStatus } from '../../contract/states.ts';
import { everyone, lockPatient, type Seen } from '../access.ts';
import { json, ownTx } from '../database.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { publishRecordChanged } from '../records/changed.ts';
import { presentSuggestion } from '../records/modules.ts';

const TARGET = 'patient.medicineSuggested';
const NOTHING_KNOWN = /^(无|没有|否认|未发现)?(药物)?(食物)?(过敏史?)?[。.]?$/;

export interface NewSuggestion {
  patientId: string;
  doctorId: string;
  doctorName: string;
  groupId: string | null;
  serverId: string | null;
  validUntil: Day;
  note: string;
  medicines: readonly Medicine[];
  /** The doctor himself suggests; entered by an assistant it waits for the doctor. */
  byDoctor: boolean;
  /** What `resolveRealName` answered for PRESCRIBE. */
  realNameRequired: boolean;
  /** Ingredients by medicine, for the allergy check. */
  ingredients: Readonly<Record<string, readonly string[]>>;
  /** The warnings were read and answered. */
  confirmed: boolean;
  /** Staff who enters it; null for a participant. */
  userId: string | null;
}

/** Allergy texts of the base section and of the paragraph 过敏史. */
async function allergiesOf(tx: Tx, seen: Seen): Promise<string[]> {
  const texts = await ownTx(tx)
    .selectFrom('patientRecordText')
    .select('text')
    .where('patientId', 'in', seen.groupIds)
    .where('paragraphCode', '=', 'P04')
    .where('voidedAt', 'is', null)
    .execute();
  return [seen.allergyHistory, ...texts.map(({ text }) => text)].filter((text) => !NOTHING_KNOWN.test(text.trim()));
}

/**
 * Adds a suggestion of medicines.
 * @throws Refusal SCM09047 for prescription medicine without proven identity; SCM09048 (allergy) and SCM09049 (valid suggestion of the
 * same medicine) unless confirmed
 */
export async function addSuggestion(acting: Acting, input: NewSuggestion): Promise<SuggestionRow> {
  const { now } = acting;
  const today = dayOf(now);
  const seen = await lockPatient(acting.tx, everyone, input.patientId, now);
  if (seen.state !== 'ACTIVE' || seen.lifeState === 'DECEASED')
    throw refuse(platformErrors.WRONG_STATE, {
      state: seen.lifeState === 'DECEASED' ? '已身故' : seen.state === 'FROZEN' ? '已冻结' : '已注销',
    });
  if (input.realNameRequired && input.medicines.some(({ isRx }) => isRx) && seen.realNameState !== 'VERIFIED')
    throw refuse(patientErrors.RX_UNVERIFIED);
  const warnings: string[] = [];
  const allergies = await allergiesOf(acting.tx, seen);
  const hit = input.medicines
    .flatMap(({ medicineId, medicineName }) => [...(input.ingredients[medicineId] ?? []), medicineName])
    .find((ingredient) => allergies.some((text) => text.includes(ingredient)));
  if (hit !== undefined && !input.confirmed) throw refuse(patientErrors.ALLERGY, { text: hit });
  if (hit !== undefined) warnings.push(`过敏：${hit}`);
  const tx = ownTx(acting.tx);
  const open = await tx
    .selectFrom('patientMedicineSuggested')
    .select(['suggestNo', 'medicines'])
    .where('patientId', 'in', seen.groupIds)
    .where('status', 'in', ['0', '1'])
    .where('validUntil', '>=', today)
    .execute();
  const wanted = new Set(input.medicines.map(({ medicineId }) => medicineId));
  const same = open.find(({ medicines }) => (medicines as Medicine[]).some(({ medicineId }) => wanted.has(medicineId)));
  if (same && !input.confirmed) throw refuse(patientErrors.SAME_MEDICINE);
  if (same) warnings.push(`有效期内已有相同药品（${same.suggestNo}）`);
  const status: SuggestionStatus = input.byDoctor ? '1' : '0';
  const row = await tx
    .insertInto('patientMedicineSuggested')
    .values({
      suggestNo: await nextNumber(acting.tx, 'YY', today),
      patientId: seen.id,
      groupId: input.groupId,
      serverId: input.serverId,
      doctorId: input.doctorId,
      doctorName: input.doctorName,
      prescriptionTime: now,
      validUntil: input.validUntil,
      note: input.note,
      medicines: json(input.medicines),
      status,
      confirmedAt: input.byDoctor ? now : null,
      overrides: warnings,
      ...createdColumns({ now, userId: input.userId }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveState(acting, suggestionMachine, {
    targetType: TARGET,
    targetId: row.id,
    targetNo: row.suggestNo,
    action: 'propose',
    from: status,
    opinion: warnings.length > 0 ? `已确认：${warnings.join('；')}` : '',
  });
  await publishRecordChanged(acting, seen.id, 'SUGGESTED', now);
  return presentSuggestion(row);
}

async function lockSuggestion(tx: Tx, id: string) {
  const row = await ownTx(tx).selectFrom('patientMedicineSuggested').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '用药建议不存在' });
  return row;
}
type Row = Awaited<ReturnType<typeof lockSuggestion>>;

/** One move of a suggestion, told to whoever listens. */
export async function moveSuggestion(
  acting: Acting,
  row: Row,
  action: 'confirm' | 'buy' | 'unbuy' | 'withdraw' | 'expire',
  more: object = {},
  opinion?: string,
): Promise<SuggestionRow> {
  const status = await moveState(acting, suggestionMachine, {
    targetType: TARGET,
    targetId: row.id,
    targetNo: row.suggestNo,
    action,
    from: row.status,
    opinion,
  });
  const after = await ownTx(acting.tx)
    .updateTable('patientMedicineSuggested')
    .set((eb) => ({ ...more, status, version: eb('version', '+', 1), updatedAt: acting.now }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await publishRecordChanged(acting, row.patientId, 'SUGGESTED', acting.now);
  return presentSuggestion(after);
}

const requireDoctor = (row: Row, doctorId: string, act: string): void => {
  if (row.doctorId !== doctorId) throw refuse(platformErrors.NO_PERMISSION, { permission: `${act}其他医生的用药建议` });
};

/** The doctor in whose name it stands confirms; nobody else may. */
export async function confirmSuggestion(acting: Acting, input: { suggestionId: string; doctorId: string }): Promise<SuggestionRow> {
  const row = await lockSuggestion(acting.tx, input.suggestionId);
  requireDoctor(row, input.doctorId, '确认');
  return moveSuggestion(acting, row, 'confirm', { confirmedAt: acting.now });
}

export async function withdrawSuggestion(
  acting: Acting,
  input: { suggestionId: string; doctorId: string; reason: string },
): Promise<SuggestionRow> {
  const row = await lockSuggestion(acting.tx, input.suggestionId);
  requireDoctor(row, input.doctorId, '撤回');
  return moveSuggestion(acting, row, 'withdraw', { invalidReason: 'WITHDRAWN', withdrawReason: input.reason }, input.reason);
}

/** Suggestions whose last day is past become invalid. */
export async function expireSuggestions(acting: Acting, limit: number): Promise<number> {
  const due = await ownTx(acting.tx)
    .selectFrom('patientMedicineSuggested')
    .selectAll()
    .where('status', 'in', ['0', '1'])
    .where('validUntil', '<', dayOf(acting.now))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const row of due) await moveSuggestion(acting, row, 'expire', { invalidReason: 'EXPIRED' });
  return due.length;
}
