import { dayOf } from '../../../../kernel/contract/time.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { exportAgentList } from '../../contract/calls/agents.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentLabels } from '../../contract/labels.ts';
import { pharmaDb } from '../database.ts';
import { agentRows, matchingAgents, presentAgents } from './agentRows.ts';

/** Mobiles leave in full only in a plain export, which needs its own right and reason. */
export const agentExport = (secrets: Secrets) =>
  exportSource({
    call: exportAgentList,
    title: '医药代表',
    routeKey: 'agentList',
    permission: pharmaPermissions['agent.export'].code,
    count: ({ db, filter, staff, now }) => totalUpTo(db, matchingAgents(pharmaDb(db), filter, staff, { today: dayOf(now), secrets })),
    chunks: ({ db, filter, staff, now }) =>
      chunksById(async (after, limit) => {
        const own = pharmaDb(db);
        const today = dayOf(now);
        const rows = await agentRows(own, today)
          .where('a.id', 'in', matchingAgents(own, filter, staff, { today, secrets }))
          .where('a.id', '>', after)
          .orderBy('a.id')
          .limit(limit)
          .execute();
        const shown = await presentAgents(db, rows, today);
        return shown.map((row, index) => ({ ...row, plainMobile: secrets.decrypt(rows[index]!.mobileCipher) }));
      }),
    columns: [
      { key: 'agentNo', label: '代表编号', value: (row) => row.agentNo, width: 20 },
      { key: 'name', label: agentLabels.name, value: (row) => row.name },
      { key: 'mobile', label: agentLabels.mobile, sensitive: 'mobile', value: (row) => row.plainMobile },
      { key: 'companyName', label: '药企', value: (row) => row.companyName, width: 20 },
      { key: 'companyAgentCode', label: agentLabels.companyAgentCode, value: (row) => row.companyAgentCode },
      { key: 'rank', label: agentLabels.rank, dictionary: agentRanks, value: (row) => row.rank },
      { key: 'parentName', label: agentLabels.parentName, value: (row) => row.parentName },
      { key: 'lines', label: agentLabels.lines, value: (row) => row.lines.map((line) => line.name).join('、'), width: 24 },
      { key: 'regionNames', label: agentLabels.regionNames, value: (row) => row.regionNames.join('、'), width: 24 },
      { key: 'filingNo', label: agentLabels.filingNo, value: (row) => row.filingNo },
      { key: 'filingValidTo', label: agentLabels.filingValidTo, kind: 'day', value: (row) => row.filingValidTo },
      { key: 'doctorCount', label: '绑定医生', kind: 'int', value: (row) => row.doctorCount },
      { key: 'channelCount', label: '渠道', kind: 'int', value: (row) => row.channelCount },
      { key: 'monthNewDoctors', label: '本月新增医生', kind: 'int', value: (row) => row.monthNewDoctors },
      { key: 'state', label: '状态', dictionary: agentMachine.dictionary, value: (row) => row.state },
      { key: 'joinedOn', label: agentLabels.joinedOn, kind: 'day', value: (row) => row.joinedOn },
      { key: 'leftOn', label: '离职日期', kind: 'day', value: (row) => row.leftOn },
    ],
  });
