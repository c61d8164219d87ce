import type { Acting } from '#kernel/server/command/acting.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, plusMs, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { realNameChanged } from '#events/patient.ts';
import type { CheckMethod, IdType } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { hasIdForm, isIdNumber } from '../../contract/idNumber.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import { realNameMachine, type RealNameState } from '../../contract/states.ts';
import type { Seen } from '../access.ts';
import { lockKeys, own, ownTx } from '../database.ts';
import { TARGET } from '../persons/save.ts';
import { findByCertificate } from '../persons/findOrCreate.ts';
import { idNoColumns, mobileColumns, plain } from '../sensitive.ts';

export const CHECKS_A_DAY = 5;
/** The job takes a request up when the process that asked died before the answer. */
const TAKE_UP_MS = 30_000;

export interface Wish {
  method: CheckMethod;
  name?: string | undefined;
  idType?: IdType | undefined;
  idNo?: string | undefined;
  mobile?: string | undefined;
}

/** Requests of a day that went to the provider, over all records of the person. */
export async function usedToday(db: Db, groupIds: readonly string[], day: string): Promise<number> {
  const row = await own(db)
    .selectFrom('patientRealNameRequest')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('patientId', 'in', [...groupIds])
    .where('day', '=', day)
    .where('method', '<>', 'MANUAL')
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The papers' facts, complete and of the right form. @throws Refusal SCM09011 */
export function factsOf(kernel: Kernel, seen: Seen, wish: Wish, today: Day) {
  const name = (wish.name ?? seen.name).trim();
  const idType = wish.idType ?? seen.idType ?? 'ID';
  const idNo = wish.idNo ?? plain(kernel.secrets, seen.idNoCipher) ?? '';
  const rightNumber = idType === 'ID' ? isIdNumber(idNo, today) : hasIdForm(idType, idNo);
  if (!/^[\p{Script=Han}·•]{2,32}$|^[A-Za-z][A-Za-z .'-]{1,31}$/u.test(name) || !rightNumber) throw refuse(patientErrors.VERIFY_FORMAT);
  const mobile = wish.mobile ?? plain(kernel.secrets, seen.mobileCipher);
  if (wish.method === 'ID3' && !(mobile && MOBILE.test(mobile)))
    throw refuse(patientErrors.MOBILE, { fields: [{ path: 'mobile', message: patientErrors.MOBILE.text }] });
  return { name, idType, idNo, mobile };
}

/** @throws Refusal SCM09012 when somebody else is verified with the number; the number stays locked until the commit */
export async function requireFreeCertificate(
  tx: Tx,
  seen: { id: string },
  certificate: { idType: IdType; idNoHash: string },
): Promise<void> {
  await lockKeys(tx, [`verify:${certificate.idType}:${certificate.idNoHash}`]);
  const holder = await findByCertificate(tx, certificate.idType, certificate.idNoHash);
  if (holder === null || holder === seen.id) return;
  const { patientNo } = await own(tx).selectFrom('patientPatient').select('patientNo').where('id', '=', holder).executeTakeFirstOrThrow();
  throw refuse(patientErrors.ID_TAKEN, { patientNo });
}

/** Opens a request and puts the record into PENDING; the provider is asked after the commit. */
export async function openRequest(
  kernel: Kernel,
  acting: Acting,
  seen: Seen,
  wish: Wish,
  action: 'verify' | 'submit',
  job: JobDeclaration<{ requestId: string }>,
): Promise<string> {
  const { now } = acting;
  const facts = factsOf(kernel, seen, wish, dayOf(now));
  if ((await usedToday(acting.tx, seen.groupIds, dayOf(now))) >= CHECKS_A_DAY) throw refuse(patientErrors.VERIFY_LIMIT);
  const number = idNoColumns(kernel.secrets, facts.idNo);
  await requireFreeCertificate(acting.tx, seen, { idType: facts.idType, idNoHash: number.idNoHash! });
  const phone = mobileColumns(kernel.secrets, wish.method === 'ID3' ? facts.mobile : null);
  const state = await moveState(acting, realNameMachine, {
    targetType: TARGET,
    targetId: seen.id,
    targetNo: seen.patientNo,
    action,
    from: seen.realNameState,
  });
  const tx = ownTx(acting.tx);
  await tx.updateTable('patientRealNameRequest').set({ open: false }).where('patientId', '=', seen.id).where('open', '=', true).execute();
  const { id } = await tx
    .insertInto('patientRealNameRequest')
    .values({
      patientId: seen.id,
      method: wish.method,
      name: facts.name,
      idType: facts.idType,
      idNoCipher: number.idNoCipher!,
      idNoHash: number.idNoHash!,
      idNoMasked: number.idNoMasked!,
      mobileCipher: phone.mobileCipher,
      mobileMasked: phone.mobileMasked,
      requestedBy: acting.staffOrNull?.userId ?? null,
      at: now,
      day: dayOf(now),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setState(acting, seen.id, state);
  await acting.enqueue(job, { requestId: id }, { startAfter: plusMs(now, TAKE_UP_MS), singletonKey: `patient.verify:${id}:0` });
  return id;
}

/** Writes a state of the proof and tells who listens. */
export async function setState(acting: Acting, patientId: string, state: RealNameState, more: object = {}): Promise<void> {
  const row = await ownTx(acting.tx)
    .updateTable('patientPatient')
    .set((eb) => ({
      ...more,
      realNameState: state,
      version: eb('version', '+', 1),
      updatedAt: acting.now,
      ...(acting.staffOrNull ? { updatedBy: acting.staffOrNull.userId } : {}),
    }))
    .where('id', '=', patientId)
    .returning(['idType', 'idNoHash'])
    .executeTakeFirstOrThrow();
  const verified = state === 'VERIFIED';
  await acting.publish(realNameChanged, patientId, {
    patientId,
    state,
    idType: verified ? row.idType : null,
    idNoHash: verified ? row.idNoHash : null,
  });
}
