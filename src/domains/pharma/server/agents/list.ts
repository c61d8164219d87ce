import { sql } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import { regionPrefix } from '#kernel/server/auth/scope.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { exportAgentList, queryAgentList } from '../../contract/calls/agents.ts';
import { own } from '../database.ts';
import { agentColumns, agentMobileHash, agents, agentScope, presentAgents } from './agentRows.ts';

/** Only these ranks need a filing. */
const needsFiling = sql<boolean>`pharma_agent.rank in ('MR', 'DM')`;

/** @param secrets a mobile is found by its hash */
export const agentList = (secrets: Secrets) =>
  listOf(queryAgentList)
    .from(({ db, staff }) => agents(own(db)).where(agentScope(staff)))
    .with({
      where: {
        agentNo: 'pharmaAgent.agentNo',
        name: (_eb, name) => containsText(sql`pharma_agent.name || ' ' || pharma_agent.name_pinyin || ' ' || pharma_agent.agent_no`, name),
        mobile: (eb, mobile) => eb('pharmaAgent.mobileHash', '=', agentMobileHash(secrets, mobile)),
        companyId: 'pharmaAgent.companyId',
        lineId: (_eb, lineId) =>
          sql<boolean>`exists (select from pharma_agent_line s where s.agent_id = pharma_agent.id and s.line_id = ${lineId})`,
        rank: 'pharmaAgent.rank',
        parentId: (_eb, parentId) => sql<boolean>`pharma_agent.path @> array[${parentId}]::bigint[]`,
        adcode: (_eb, adcode) => sql<boolean>`exists (select from unnest(pharma_agent.adcodes) as served (code)
          where served.code like ${`${regionPrefix(adcode)}%`})`,
        state: 'pharmaAgent.state',
        filing: (eb, filing, { today }) => {
          const until = 'pharmaAgent.filingValidTo';
          if (filing === 'NONE') return eb.and([needsFiling, eb.or([eb('pharmaAgent.filingNo', 'is', null), eb(until, 'is', null)])]);
          if (filing === 'EXPIRED') return eb.and([needsFiling, eb(until, '<', today)]);
          return eb.and([needsFiling, eb(until, '>=', today), eb(until, '<=', plusDays(today, 60))]);
        },
      },
      id: 'pharmaAgent.id',
      sorts: {
        agentNo: 'pharmaAgent.agentNo',
        name: 'pharmaAgent.namePinyin',
        filingValidTo: 'pharmaAgent.filingValidTo',
        doctorCount: sql.ref('doctorCount'),
        channelCount: sql.ref('channelCount'),
        monthNewDoctors: sql.ref('monthNewDoctors'),
        joinedOn: 'pharmaAgent.joinedOn',
        leftOn: 'pharmaAgent.leftOn',
      },
      bounded: 'agents are some thousands',
      select: (query, { today }) => agentColumns(query, today),
      present: (rows, { db, today }) => presentAgents(db, rows, today),
    });

/** @param secrets mobiles leave in full only in a plain export, which needs its own right and reason */
export const agentExport = (list: ReturnType<typeof agentList>, secrets: Secrets) =>
  listExport(list, {
    call: exportAgentList,
    title: '医药代表',
    routeKey: 'agentList',
    columns: [
      'agentNo',
      'name',
      'mobile',
      'companyName',
      'companyAgentCode',
      'rank',
      'parentName',
      'lines',
      'regionNames',
      'filingNo',
      'filingValidTo',
      'doctorCount',
      'channelCount',
      'monthNewDoctors',
      'state',
      'joinedOn',
      'leftOn',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('pharmaAgent')
        .select(['id', 'mobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const mobiles = new Map(stored.map((row) => [row.id, secrets.decrypt(row.mobileCipher)]));
      return rows.map((row) => ({ ...row, mobile: mobiles.get(row.id) ?? row.mobile }));
    },
  });
