import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  freezeDoctorSettle,
  queryDoctorAccountDetail,
  queryDoctorAccountList,
  unfreezeDoctorSettle,
  verifyDoctorPayAccount,
  type AccountRow,
} from '../../contract/calls/accounts.ts';
import { accountMachine, settleMachine } from '../../contract/states.ts';

export const accountReads = [queryDoctorAccountList, queryDoctorAccountDetail];

const factsOf = (row: AccountRow) =>
  factsIn(queryDoctorAccountList.output, row, ['doctorName', 'hospitalName', 'bankName', 'bankAccountMasked', 'unsettledFen']);

/** What may be decided about an account, from its row. */
export function useAccountActions() {
  const refreshes = accountReads;
  const verify = useCommand(verifyDoctorPayAccount, { success: '操作成功!', refreshes });
  const freeze = useCommand(freezeDoctorSettle, { success: '操作成功!', refreshes });
  const unfreeze = useCommand(unfreezeDoctorSettle, { success: '操作成功!', refreshes });
  return {
    async verify(row: AccountRow, action: 'verify' | 'fail') {
      const opinion = await askTransition(accountMachine, action, '', factsOf(row));
      if (opinion === null) return;
      const decision = action === 'verify' ? 'approve' : 'reject';
      await verify.run({ doctorId: row.doctorId, version: row.version, decision, opinion });
    },
    async freeze(row: AccountRow, action: 'freeze' | 'unfreeze') {
      const opinion = await askTransition(settleMachine, action, '', factsOf(row));
      if (opinion === null) return;
      await (action === 'freeze' ? freeze : unfreeze).run({ doctorId: row.doctorId, version: row.version, opinion });
    },
  };
}
