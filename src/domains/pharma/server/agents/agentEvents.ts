import type { Day } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { agentChanged } from '#events/pharma.ts';
import { ownTx } from '../database.ts';

/** BU and RM need no filing; MR and DM need one that is still valid. */
export const filingOk = (agent: { rank: string; filingNo: string | null; filingValidTo: Day | null }, today: Day): boolean =>
  (agent.rank !== 'MR' && agent.rank !== 'DM') || (agent.filingNo !== null && agent.filingValidTo !== null && agent.filingValidTo >= today);

/** Tells channel who a representative is now. */
export async function publishAgent(writing: Writing, agentId: string, today: Day): Promise<void> {
  const tx = ownTx(writing.tx);
  const agent = await tx
    .selectFrom('pharmaAgent as a')
    .innerJoin('pharmaCompany as c', 'c.id', 'a.companyId')
    .select([
      'a.id',
      'a.agentNo',
      'a.name',
      'a.companyId',
      'c.name as companyName',
      'a.rank',
      'a.parentId',
      'a.adcodes',
      'a.state',
      'a.filingNo',
      'a.filingValidTo',
    ])
    .where('a.id', '=', agentId)
    .executeTakeFirstOrThrow();
  const lines = await tx.selectFrom('pharmaAgentLine').select('lineId').where('agentId', '=', agentId).orderBy('lineId').execute();
  const { id, filingNo, filingValidTo, ...rest } = agent;
  await writing.publish(agentChanged, id, {
    agentId: id,
    ...rest,
    productLineIds: lines.map((row) => row.lineId),
    filingOk: filingOk({ rank: agent.rank, filingNo, filingValidTo }, today),
  });
}
