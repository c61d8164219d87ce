import type { HandoverProgress, HandoverRow } from '../../contract/calls/handovers.ts';
import type { PharmaDb } from '../database.ts';

export const handovers = (db: PharmaDb) =>
  db
    .selectFrom('pharmaAgentHandover as h')
    .innerJoin('pharmaAgent', 'pharmaAgent.id', 'h.fromAgentId')
    .innerJoin('pharmaCompany as c', 'c.id', 'pharmaAgent.companyId');

export const handoverColumns = (rows: ReturnType<typeof handovers>) =>
  rows.selectAll('h').select(['pharmaAgent.name as fromAgentName', 'pharmaAgent.agentNo as fromAgentNo', 'c.shortName as companyName']);

type Stored = Awaited<ReturnType<ReturnType<typeof handoverColumns>['executeTakeFirstOrThrow']>>;

export const presentHandover = (row: Stored, userId: string): HandoverRow => ({
  id: row.id,
  handoverNo: row.handoverNo,
  fromAgentId: row.fromAgentId,
  fromAgentName: row.fromAgentName,
  fromAgentNo: row.fromAgentNo,
  companyName: row.companyName,
  reason: row.reason,
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
  state: row.state,
  version: row.version,
  own: row.makerId === userId,
});

export async function handoverById(db: PharmaDb, id: string, userId: string): Promise<HandoverRow | null> {
  const row = await handoverColumns(handovers(db)).where('h.id', '=', id).executeTakeFirst();
  return row ? presentHandover(row, userId) : null;
}
