import { Tag } from 'antd';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { AgentRow } from '../../contract/calls/agents.ts';

const needsFiling = (agent: AgentRow) => agent.rank === 'MR' || agent.rank === 'DM';

/** Number and end of the filing; a badge where it is missing or over. */
export function Filing({ agent }: { agent: AgentRow }) {
  if (!agent.filingNo) return needsFiling(agent) ? <Tag color="warning">未备案</Tag> : <>{NOTHING}</>;
  return (
    <span className="kq-number">
      {agent.filingNo} {agent.filingValidTo} {needsFiling(agent) && !agent.filingOk && <Tag color="error">已过期</Tag>}
    </span>
  );
}
