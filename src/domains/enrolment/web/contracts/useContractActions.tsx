import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import {
  cancelContract,
  queryContractList,
  renewContract,
  resendSignLink,
  resumeContract,
  type ContractRow,
} from '../../contract/calls/contracts.ts';
import { contractMachine, type ContractAction } from '../../contract/contractStates.ts';
import { contractReads } from './reads.ts';

const SignForm = lazy(async () => ({ default: (await import('./SignForm.tsx')).SignForm }));
const SuspendForm = lazy(async () => ({ default: (await import('./SuspendForm.tsx')).SuspendForm }));
const AmendForm = lazy(async () => ({ default: (await import('./AmendForm.tsx')).AmendForm }));
const TerminateForm = lazy(async () => ({ default: (await import('./TerminateForm.tsx')).TerminateForm }));
const LinkDialog = lazy(async () => ({ default: (await import('./LinkDialog.tsx')).LinkDialog }));

/** What may be done with a contract, from its row or its page. */
export function useContractActions(layers: ReturnType<typeof useLayers>): readonly RowAction<ContractRow>[] {
  const refreshes = contractReads;
  const resume = useCommand(resumeContract, { success: '修改成功!', refreshes });
  const cancel = useCommand(cancelContract, { success: '修改成功!', refreshes });
  const renew = useCommand(renewContract, { refreshes });
  const link = useCommand(resendSignLink, {});
  const factsOf = (row: ContractRow) =>
    factsIn(queryContractList.output, row, ['contractNo', 'insuredName', 'productName', 'startDate', 'endDate', 'state']);
  const decide = async (row: ContractRow, action: 'resume' | 'cancel') => {
    const title = `${contractMachine.transitions[action].label}合同`;
    const asked = { title, content: `确定要${title}“${row.contractNo}”吗?` };
    const opinion = await askTransition(contractMachine, action, asked, factsOf(row));
    if (opinion === null) return;
    await (action === 'resume' ? resume : cancel).run({ contractId: row.id, version: row.version, opinion });
  };
  const action = (name: ContractAction, act: (row: ContractRow) => unknown, label = contractMachine.transitions[name].label) => ({
    label,
    permission: contractMachine.transitions[name].permission,
    danger: contractMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }: ContractRow) => allowedActions.includes(name),
    act,
  });
  return [
    action('sign', (row) => layers.open((close) => <SignForm contract={row} onClose={close} />), '登记签署'),
    action(
      'sign',
      async (row) => {
        const made = await link.run({ contractId: row.id });
        if (made) layers.open((close) => <LinkDialog contractNo={row.contractNo} link={made.data.link} onClose={close} />);
      },
      '签署链接',
    ),
    action('amend', (row) => layers.open((close) => <AmendForm contract={row} onClose={close} />)),
    action('renew', async (row) => {
      if (!(await ask({ title: '续签', content: '将按续保保单建立新的待签署合同，确定续签吗?', facts: factsOf(row) }))) return;
      const made = await renew.run({ contractId: row.id, version: row.version });
      if (made) goTo('/signContractListDetail', { contractId: made.data.contractId });
    }),
    action('resume', (row) => decide(row, 'resume')),
    action('suspend', (row) => layers.open((close) => <SuspendForm contract={row} onClose={close} />)),
    action('cancel', (row) => decide(row, 'cancel'), '取消合同'),
    action('terminate', (row) => layers.open((close) => <TerminateForm contract={row} onClose={close} />)),
  ];
}
