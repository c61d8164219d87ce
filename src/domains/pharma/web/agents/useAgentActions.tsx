import { ask, confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';
import { useCommand } from '../../../../kernel/web/http/queries.ts';
import { changeAgentState, type AgentRow } from '../../contract/calls/agents.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentRefreshes } from './refreshes.ts';

/** Activation, freezing and its end, from the list and from the detail page. */
export function useAgentActions() {
  const change = useCommand(changeAgentState, { success: '操作成功!', refreshes: agentRefreshes });
  return async (agent: AgentRow, action: 'activate' | 'freeze' | 'unfreeze'): Promise<void> => {
    const { label, opinion } = agentMachine.transitions[action];
    const question = { title: label, content: `确定要${label}${agent.name}吗?`, danger: action === 'freeze' };
    const given = opinion === 'none' ? ((await ask(question)) ? '' : null) : await confirmWithOpinion({ ...question, opinion: 'required' });
    if (given !== null) await change.run({ id: agent.id, version: agent.version, action, ...(given && { opinion: given }) });
  };
}
