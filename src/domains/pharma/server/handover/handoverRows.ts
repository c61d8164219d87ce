import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { containsText } from '../../../../kernel/server/database/search.ts';
import type { HandoverProgress, HandoverRow, queryAgentHandoverList } from '../../contract/calls/handovers.ts';
import { handoverReasons } from '../../contract/dictionaries.ts';
import { handoverMachine } from '../../contract/states.ts';
import { coded } from '../access.ts';
import { agentScope, type Viewer } from '../agents/agentRows.ts';
import type { PharmaDb } from '../database.ts';

export type HandoverFilter = Omit<CheckedInputOf<typeof queryAgentHandoverList>, 'pageNo' | 'pageSize'>;

export function matchingHandovers(db: PharmaDb, filter: HandoverFilter, viewer: Viewer) {
  let query = db
    .selectFrom('pharmaAgentHandover as h')
    .innerJoin('pharmaAgent', 'pharmaAgent.id', 'h.fromAgentId')
    .select('h.id')
    .where(agentScope(viewer));
  if (filter.handoverId) query = query.where('h.id', '=', filter.handoverId);
  if (filter.fromAgentId) query = query.where('h.fromAgentId', '=', filter.fromAgentId);
  if (filter.agentName)
    query = query.where(
      containsText(sql`pharma_agent.name || ' ' || pharma_agent.name_pinyin || ' ' || pharma_agent.agent_no`, filter.agentName),
    );
  if (filter.reason) query = query.where('h.reason', 'in', filter.reason);
  if (filter.state) query = query.where('h.state', 'in', filter.state);
  return query;
}

export const handoverRows = (db: PharmaDb) =>
  db
    .selectFrom('pharmaAgentHandover as h')
    .innerJoin('pharmaAgent as a', 'a.id', 'h.fromAgentId')
    .innerJoin('pharmaCompany as c', 'c.id', 'a.companyId')
    .selectAll('h')
    .select(['a.name as fromAgentName', 'a.agentNo as fromAgentNo', 'c.shortName as companyName']);

type Stored = Awaited<ReturnType<ReturnType<typeof handoverRows>['executeTakeFirstOrThrow']>>;

export const presentHandover = (row: Stored, userId: string): HandoverRow => ({
  id: row.id,
  handoverNo: row.handoverNo,
  fromAgentId: row.fromAgentId,
  fromAgentName: row.fromAgentName,
  fromAgentNo: row.fromAgentNo,
  companyName: row.companyName,
  reason: coded(handoverReasons, row.reason),
  effectiveOn: row.effectiveOn,
  plan: row.plan,
  progress: row.progress as HandoverProgress,
  makerId: row.makerId,
  makerName: row.makerName,
  checkerId: row.checkerId,
  checkerName: row.checkerName,
  opinion: row.opinion,
  remark: row.remark,
  createdAt: row.createdAt,
  state: coded(handoverMachine.dictionary, row.state),
  version: row.version,
  own: row.makerId === userId,
});

export async function handoverById(db: PharmaDb, id: string, userId: string): Promise<HandoverRow | null> {
  const row = await handoverRows(db).where('h.id', '=', id).executeTakeFirst();
  return row ? presentHandover(row, userId) : null;
}
