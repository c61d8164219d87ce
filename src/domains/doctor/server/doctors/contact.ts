import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { sendSms } from '../../../identity/server/index.ts';
import { own } from '../database.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';

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
