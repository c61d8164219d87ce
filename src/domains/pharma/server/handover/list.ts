import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportAgentHandoverList, queryAgentHandoverList, type HandoverProgress } from '../../contract/calls/handovers.ts';
import { agentScope } from '../agents/agentRows.ts';
import { own } from '../database.ts';
import { handoverColumns, handovers, presentHandover } from './handoverRows.ts';

export const handoverList = listOf(queryAgentHandoverList)
  .from(({ db, staff }) => handovers(own(db)).where(agentScope(staff)))
  .with({
    where: {
      handoverId: 'h.id',
      fromAgentId: 'h.fromAgentId',
      agentName: (_eb, name) =>
        containsText(sql`pharma_agent.name || ' ' || pharma_agent.name_pinyin || ' ' || pharma_agent.agent_no`, name),
      reason: 'h.reason',
      state: 'h.state',
    },
    id: 'h.id',
    last: { of: 'h.state', groups: [['DONE', 'REJECTED', 'CANCELLED']] },
    sorts: { handoverNo: 'h.handoverNo', effectiveOn: 'h.effectiveOn', createdAt: 'h.createdAt' },
    bounded: 'agents hand over when they leave: some hundreds a year',
    select: handoverColumns,
    present: (rows, { staff }) => rows.map((row) => presentHandover(row, staff.userId)),
  });

const share = ({ done, total }: HandoverProgress['team']) => `${done}/${total}`;

export const handoverExport = listExport(handoverList, {
  call: exportAgentHandoverList,
  title: '离岗交接',
  routeKey: 'agentList',
  columns: [
    'handoverNo',
    'fromAgentName',
    'fromAgentNo',
    'companyName',
    'reason',
    'effectiveOn',
    { key: 'team', label: '下属（完成/全部）', value: (row) => share(row.progress.team) },
    { key: 'doctors', label: '医生（完成/全部）', value: (row) => share(row.progress.doctors) },
    { key: 'channels', label: '渠道（完成/全部）', value: (row) => share(row.progress.channels) },
    'remark',
    'makerName',
    'checkerName',
    'opinion',
    'createdAt',
    'state',
  ],
});
