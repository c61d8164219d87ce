import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { changeAgentState, queryAgentList, type AgentRow } from '../../contract/calls/agents.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentRefreshes } from './refreshes.ts';

/** Activation, freezing and its end, from the list and from the detail page. */
export function useAgentActions() {
  const change = useCommand(changeAgentState, { success: '操作成功!', refreshes: agentRefreshes });
  return async (agent: AgentRow, action: 'activate' | 'freeze' | 'unfreeze'): Promise<void> => {
    const given = await askTransition(
      agentMachine,
      action,
      agent.name,
      factsIn(queryAgentList.output, agent, ['agentNo', 'companyName', 'rank', 'doctorCount', 'channelCount']),
    );
    if (given !== null) await change.run({ id: agent.id, version: agent.version, action, ...(given && { opinion: given }) });
  };
}
