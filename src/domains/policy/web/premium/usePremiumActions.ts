import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditPremiumOrder,
  queryPremiumOrderList,
  regeneratePremiumOrder,
  reversePremiumOrder,
  voidPremiumOrder,
  type PremiumRow,
} from '../../contract/calls/premium.ts';
import { premiumMachine, type RejectReason } from '../../contract/premiumStates.ts';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

type Move = 'submit' | 'recall' | 'void' | 'reverse' | 'regenerate';

/** What is done with a premium order from a list or its drawer. */
export function usePremiumActions() {
  const audit = useCommand(auditPremiumOrder, { success: '操作成功!', refreshes });
  const takeOut = useCommand(voidPremiumOrder, { success: '操作成功!', refreshes });
  const reverse = useCommand(reversePremiumOrder, { success: '操作成功!', refreshes });
  const again = useCommand(regeneratePremiumOrder, { success: '操作成功!', refreshes });
  return {
    busy: audit.flying,
    decide: ({ id, version }: PremiumRow, action: 'secondApprove' | 'secondReject', opinion: string, reasons: readonly RejectReason[]) =>
      audit.run({ id, version, action, opinion, ...(reasons.length > 0 && { rejectReasons: [...reasons] }) }),
    submitOne: ({ id, version }: PremiumRow) => send(auditPremiumOrder, { id, version, action: 'submit' }, { quiet: true }),
    async move(row: PremiumRow, action: Move): Promise<void> {
      const { id, version, premiumOrderNo } = row;
      const facts = factsIn(queryPremiumOrderList.output, row, [
        'policyNo',
        'holderName',
        'kind',
        'direction',
        'personCount',
        'amountFen',
        'differenceFen',
        'settledFen',
      ]);
      if (action === 'regenerate') {
        if (await ask({ title: '重新生成', content: `按当前保障重新计算订单${premiumOrderNo}的明细与金额吗?`, facts }))
          await again.run({ id, version });
        return;
      }
      const { label } = premiumMachine.transitions[action];
      const given = await askTransition(
        premiumMachine,
        action,
        { title: `${label} ${premiumOrderNo}`, content: `确定要${label}吗?` },
        facts,
      );
      if (given === null) return;
      if (action === 'void') await takeOut.run({ id, version, opinion: given });
      else if (action === 'reverse') await reverse.run({ id, version, opinion: given });
      else await audit.run({ id, version, action, opinion: given });
    },
  };
}
