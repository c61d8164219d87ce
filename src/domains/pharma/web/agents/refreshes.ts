import { queryAgentDetail, queryAgentList, queryAgentTree } from '../../contract/calls/agents.ts';

/** What a change of a representative makes stale. */
export const agentRefreshes = [queryAgentList, queryAgentDetail, queryAgentTree];
