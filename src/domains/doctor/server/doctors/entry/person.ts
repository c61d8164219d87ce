import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import { mask } from '#kernel/contract/masking.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Tx, Db } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { doctorErrors } from '../../../contract/errors.ts';
import { birthDateOf, genderOf } from '../../../contract/fields.ts';
import { lockKeys, ownTx, own } from '../../database.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { sendSms } from '#domains/identity/server/index.ts';
import type { Acting } from '#kernel/server/command/acting.ts';

export const mobileHashOf = (secrets: Secrets, mobile: string) => secrets.blindIndex('doctor.mobile', mobile);
export const idNoHashOf = (secrets: Secrets, idNo: string) => secrets.blindIndex('doctor.idNo', idNo);

export const mobileColumns = mobileColumnsBy(mobileHashOf);

/** Number, and what it says of the person. */
export const idNoColumns = (secrets: Secrets, idNo: string) => ({
  idNoCipher: secrets.encrypt(idNo),
  idNoHash: idNoHashOf(secrets, idNo),
  idNoMasked: mask('idNo', idNo),
  gender: genderOf(idNo),
  birthDate: birthDateOf(idNo),
});

/** One live doctor per mobile and per citizen's number. @throws Refusal SCM90020 on the mobile, SCM07022 on the number. */
export async function requireUnknownPerson(
  tx: Tx,
  hashes: { mobileHash: string | null; idNoHash: string | null },
  exceptId: string | null,
): Promise<void> {
  await lockKeys(tx, [hashes.mobileHash, hashes.idNoHash]);
  for (const [column, hash] of [
    ['mobileHash', hashes.mobileHash],
    ['idNoHash', hashes.idNoHash],
  ] as const) {
    if (hash === null) continue;
    let same = ownTx(tx).selectFrom('doctorDoctor').select('doctorNo').where(column, '=', hash).where('accountState', '<>', 'CANCELLED');
    if (exceptId !== null) same = same.where('id', '<>', exceptId);
    const other = await same.executeTakeFirst();
    if (!other) continue;
    if (column === 'mobileHash') throw refuseField('mobile', `手机号已被医生${other.doctorNo}使用`);
    throw refuse(
      doctorErrors.CERT_USED,
      { doctorNo: other.doctorNo },
      { fields: [{ path: 'idNo', message: `身份证号已被医生${other.doctorNo}使用` }] },
    );
  }
}

const mobileOf = async (
  kernel: Pick<Kernel, 'secrets'>,
  db: Db | Tx,
  by: { doctorId: string } | { operatorId: string },
): Promise<string | null> => {
  const row = await own(db)
    .selectFrom('doctorDoctor')
    .select('mobileCipher')
    .$if('doctorId' in by, (query) => query.where('id', '=', 'doctorId' in by ? by.doctorId : '0'))
    .$if('operatorId' in by, (query) => query.where('operatorId', '=', 'operatorId' in by ? by.operatorId : '0'))
    .where('accountState', '<>', 'CANCELLED')
    .executeTakeFirst();
  return row?.mobileCipher == null ? null : kernel.secrets.decrypt(row.mobileCipher);
};

/** Sends a text message to a doctor; who calls never sees the number. A doctor without one gets nothing. */
export async function textDoctor(kernel: Kernel, ctx: Acting, doctorId: string, text: string): Promise<void> {
  const mobile = await mobileOf(kernel, ctx.tx, { doctorId });
  if (mobile !== null) await sendSms(kernel, ctx, { mobile, text, purpose: null }, ctx.now);
}

/** Whether these are the last four digits of the doctor's mobile. */
export const doctorMobileEndsWith = async (
  kernel: Pick<Kernel, 'secrets'>,
  db: Db | Tx,
  operatorId: string,
  digits: string,
): Promise<boolean> => (await mobileOf(kernel, db, { operatorId }))?.endsWith(digits) ?? false;
