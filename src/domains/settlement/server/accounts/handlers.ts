import { refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import {
  freezeDoctorSettle,
  modifyDoctorPayAccount,
  revealDoctorPayAccount,
  unfreezeDoctorSettle,
  verifyDoctorPayAccount,
} from '../../contract/calls/accounts.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { accountMachine, settleMachine } from '../../contract/states.ts';
import { accountRecords, type AccountRecord } from '../access.ts';
import { own } from '../database.ts';

export const mobileColumns = mobileColumnsBy((secrets, mobile) => secrets.blindIndex('settlement.mobile', mobile));

/** The account of a doctor, locked. @throws Refusal SCM90040, SCM90030 */
async function lockAccount(
  ctx: CommandContext,
  doctorId: string,
  version: number,
  view?: (row: AccountRecord) => object,
): Promise<AccountRecord> {
  const found = await own(ctx.tx).selectFrom('settlementAccount').select('id').where('doctorId', '=', doctorId).executeTakeFirst();
  if (!found) throw accountRecords.missing();
  return accountRecords.lockVersion(ctx, found.id, version, view);
}

const noOf = async (ctx: CommandContext, doctorId: string): Promise<string> =>
  (await own(ctx.tx).selectFrom('settlementDoctor').select('doctorNo').where('doctorId', '=', doctorId).executeTakeFirstOrThrow()).doctorNo;

async function write(ctx: CommandContext, account: AccountRecord, change: object) {
  return own(ctx.tx)
    .updateTable('settlementAccount')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', account.id)
    .returning(['id', 'verifyStatus', 'settleState', 'version'])
    .executeTakeFirstOrThrow();
}
type Written = Awaited<ReturnType<typeof write>>;
const answer = (ctx: CommandContext, row: Written) => ({
  ...actionAnswer(ctx, accountMachine, { ...row, state: row.verifyStatus }),
  state: row.verifyStatus,
});

/** Another name, paper or card is to be looked at again by somebody else; the one before stays in the history. */
export const modify = ({ secrets }: Kernel) =>
  command(modifyDoctorPayAccount, async ({ doctorId, version, idNo, bankAccountNo, mobile, ...facts }, ctx) => {
    const account = await lockAccount(ctx, doctorId, version, (row) => ({
      doctorId: row.doctorId,
      realName: row.realName,
      idType: row.idType,
      taxResident: row.taxResident,
      bankName: row.bankName,
      branchName: row.branchName,
      cnapsCode: row.cnapsCode,
    }));
    const verifyStatus = await moveState(ctx, accountMachine, {
      targetType: accountRecords.type,
      targetId: account.id,
      targetNo: await noOf(ctx, doctorId),
      action: 'modify',
      from: account.verifyStatus,
    });
    if (account.bankAccountCipher !== null || account.realName !== '')
      await own(ctx.tx)
        .insertInto('settlementAccountHistory')
        .values({
          accountId: account.id,
          payeeNo: account.payeeNo,
          realName: account.realName,
          idNoMasked: account.idNoMasked,
          bankName: account.bankName,
          bankAccountCipher: account.bankAccountCipher,
          bankAccountMasked: account.bankAccountMasked,
          changedBy: ctx.staff.userId,
          changedByName: ctx.staff.displayName,
          changedAt: ctx.now,
        })
        .execute();
    const number = idNo?.toUpperCase();
    const row = await write(ctx, account, {
      ...facts,
      ...(number !== undefined && { idNoCipher: secrets.encrypt(number), idNoMasked: mask('idNo', number) }),
      ...(bankAccountNo !== undefined && {
        bankAccountCipher: secrets.encrypt(bankAccountNo),
        bankAccountMasked: mask('bankCard', bankAccountNo),
      }),
      ...(mobile !== undefined && mobileColumns(secrets, mobile)),
      verifyStatus,
      verifiedAt: null,
      verifyMessage: null,
      payeeNo: account.payeeNo + 1,
    });
    return answer(ctx, row);
  });

const missingOf = (account: AccountRecord): string[] => [
  ...(account.realName === '' ? ['开户姓名'] : []),
  ...(account.idNoCipher === null ? ['证件号码'] : []),
  ...(account.bankAccountCipher === null ? ['银行卡号'] : []),
  ...(account.cnapsCode === null ? ['联行号'] : []),
];

/** @throws Refusal SCM19001 for whoever edited it, SCM19040 while something is missing */
export const verify = command(verifyDoctorPayAccount, async ({ doctorId, version, decision, opinion }, ctx) => {
  const account = await lockAccount(ctx, doctorId, version);
  const missing = missingOf(account);
  if (decision === 'approve' && missing.length > 0) throw refuse(settlementErrors.NOT_VERIFIABLE, { fields: missing.join('、') });
  const verifyStatus = await moveState(ctx, accountMachine, {
    targetType: accountRecords.type,
    targetId: account.id,
    targetNo: await noOf(ctx, doctorId),
    action: decision === 'approve' ? 'verify' : 'fail',
    from: account.verifyStatus,
    opinion,
  });
  const isPassed = verifyStatus === 'VERIFIED';
  return answer(
    ctx,
    await write(ctx, account, { verifyStatus, verifiedAt: isPassed ? ctx.now : null, verifyMessage: opinion === '' ? null : opinion }),
  );
});

async function moveSettle(
  ctx: CommandContext,
  input: { doctorId: string; version: number; opinion: string },
  action: 'freeze' | 'unfreeze',
) {
  const account = await lockAccount(ctx, input.doctorId, input.version);
  const settleState = await moveState(ctx, settleMachine, {
    targetType: accountRecords.type,
    targetId: account.id,
    targetNo: await noOf(ctx, input.doctorId),
    action,
    from: account.settleState,
    opinion: input.opinion,
  });
  const row = await write(ctx, account, { settleState, freezeReason: action === 'freeze' ? input.opinion : null });
  return { ...actionAnswer(ctx, settleMachine, { ...row, state: row.settleState }), state: row.settleState };
}
export const freeze = command(freezeDoctorSettle, (input, ctx) => moveSettle(ctx, input, 'freeze'));
export const unfreeze = command(unfreezeDoctorSettle, (input, ctx) => moveSettle(ctx, input, 'unfreeze'));

export const reveal = ({ secrets }: Kernel) =>
  command(revealDoctorPayAccount, async ({ id, field }, ctx) => {
    const account = await accountRecords.lock(ctx.tx, ctx.staff, id);
    const ciphers = { idNo: account.idNoCipher, bankAccountNo: account.bankAccountCipher, mobile: account.mobileCipher };
    ctx.target({ type: accountRecords.type, id, no: await noOf(ctx, account.doctorId), looked: true });
    const cipher = ciphers[field];
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });
