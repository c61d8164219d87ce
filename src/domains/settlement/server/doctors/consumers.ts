import { doctorChanged } from '#events/doctor.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { accountMachine, settleMachine } from '../../contract/states.ts';
import { accountRecords, type AccountRecord } from '../access.ts';
import { own } from '../database.ts';

type Change = Partial<Pick<AccountRecord, 'settleState' | 'freezeReason' | 'verifyStatus' | 'verifiedAt' | 'verifyMessage'>>;
type Changed = PayloadOf<typeof doctorChanged>;

/** A frozen doctor is not paid until somebody says so again. */
async function freezeWith(ctx: Acting, account: AccountRecord, doctor: Changed): Promise<Change> {
  if (doctor.accountState !== 'FROZEN' || account.settleState === 'FROZEN') return {};
  const settleState = await moveState(ctx, settleMachine, {
    targetType: accountRecords.type,
    targetId: account.id,
    targetNo: doctor.doctorNo,
    action: 'disabled',
    from: account.settleState,
  });
  return { settleState, freezeReason: '医生账号已冻结' };
}

/** The name of who is paid is that of the doctor: another name is looked at again. */
async function verifyAgain(ctx: Acting, account: AccountRecord, doctor: Changed): Promise<Change> {
  if (account.verifyStatus !== 'VERIFIED' || account.realName === doctor.name) return {};
  const verifyStatus = await moveState(ctx, accountMachine, {
    targetType: accountRecords.type,
    targetId: account.id,
    targetNo: doctor.doctorNo,
    action: 'renamed',
    from: account.verifyStatus,
  });
  return { verifyStatus, verifiedAt: null, verifyMessage: `医生姓名已变更为${doctor.name}，请重新验证收款账户` };
}

/** What is kept of doctors follows them; who has not earned yet is not kept. */
export const doctorConsumers = [
  consumer('settlement', doctorChanged, async ({ payload }, ctx) => {
    const known = await own(ctx.tx)
      .updateTable('settlementDoctor')
      .set({
        doctorNo: payload.doctorNo,
        name: payload.name,
        titleCode: payload.titleCode,
        hospitalId: payload.hospitalId,
        hospitalName: payload.hospitalName,
        channelId: payload.channelId,
        accountState: payload.accountState,
        updatedAt: ctx.now,
      })
      .where('doctorId', '=', payload.doctorId)
      .returning('doctorId')
      .executeTakeFirst();
    if (!known) return;
    const account = await own(ctx.tx)
      .selectFrom('settlementAccount')
      .selectAll()
      .where('doctorId', '=', payload.doctorId)
      .forUpdate()
      .executeTakeFirst();
    if (!account) return;
    const acting = asSystem(ctx, ctx);
    const change = { ...(await freezeWith(acting, account, payload)), ...(await verifyAgain(acting, account, payload)) };
    if (Object.keys(change).length === 0) return;
    await own(ctx.tx)
      .updateTable('settlementAccount')
      .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: ctx.now, updatedBy: null }))
      .where('id', '=', account.id)
      .execute();
  }),
];
