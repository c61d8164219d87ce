import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import { regionPrefix } from '#kernel/server/auth/scope.ts';
import type { Db, Scope, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { AgentRow } from '../../contract/calls/agents.ts';
import { regionsOf } from '#domains/identity/server/index.ts';
import { own, type PharmaDb } from '../database.ts';
import { filingOk } from './agentEvents.ts';

export interface Viewer {
  userId: string;
  scope: Scope;
}

export const agentMobileHash = (secrets: Secrets, mobile: string) => secrets.blindIndex('pharma.agent.mobile', mobile);
export const agentMobileColumns = mobileColumnsBy(agentMobileHash);

/** REGION = any overlap with the served regions; OWN = business manager of one of the person's lines. */
export function agentScope(viewer: Viewer) {
  const { region, own: isOwn } = viewer.scope;
  const parts = [sql<boolean>`true`];
  if (region) {
    parts.push(
      region.length === 0
        ? sql<boolean>`false`
        : sql<boolean>`exists (select from unnest(pharma_agent.adcodes) as served (code) where ${sql.join(
            region.map(
              (adcode) =>
                sql`(served.code like ${`${regionPrefix(adcode)}%`} or ${adcode} like regexp_replace(served.code, '(00)+$', '') || '%')`,
            ),
            sql` or `,
          )})`,
    );
  }
  if (isOwn) {
    parts.push(sql<boolean>`exists (select from pharma_agent_line s join pharma_product_line l on l.id = s.line_id
      where s.agent_id = pharma_agent.id and l.owner_user_id = ${viewer.userId})`);
  }
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

export const agents = (db: PharmaDb) =>
  db
    .selectFrom('pharmaAgent')
    .innerJoin('pharmaCompany as c', 'c.id', 'pharmaAgent.companyId')
    .leftJoin('pharmaAgent as p', 'p.id', 'pharmaAgent.parentId');

export const agentColumns = (rows: ReturnType<typeof agents>, today: Day) =>
  rows
    .selectAll('pharmaAgent')
    .select(['c.shortName as companyName', 'p.name as parentName'])
    .select([
      sql<AgentRow['lines']>`(select coalesce(jsonb_agg(jsonb_build_object('lineId', l.id::text, 'name', l.name) order by l.id), '[]')
        from pharma_agent_line s join pharma_product_line l on l.id = s.line_id where s.agent_id = pharma_agent.id)`.as('lines'),
      sql<number>`(
        select count(distinct d.doctor_id)::int from pharma_agent_doctor d where d.agent_id = pharma_agent.id and d.until is null
      )`.as('doctorCount'),
      sql<number>`(select count(*)::int from pharma_agent_channel k where k.agent_id = pharma_agent.id)`.as('channelCount'),
      sql<number>`(
        select count(distinct d.doctor_id)::int
          from pharma_agent_doctor d
          where d.agent_id = pharma_agent.id and d.since >= ${`${today.slice(0, 7)}-01`}::date
      )`.as('monthNewDoctors'),
      sql<number>`(
        select count(*)::int from pharma_agent t where t.path @> array[pharma_agent.id] and t.id <> pharma_agent.id and t.state <> 'LEFT'
      )`.as('teamSize'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof agentColumns>['executeTakeFirstOrThrow']>>;

/** Rows with the names of their regions: one more statement. */
export async function presentAgents(db: Db | Tx, rows: readonly Stored[], today: Day): Promise<AgentRow[]> {
  const regions = await regionsOf(
    db,
    rows.flatMap((row) => row.adcodes),
  );
  return rows.map((row) => ({
    id: row.id,
    agentNo: row.agentNo,
    name: row.name,
    namePinyin: row.namePinyin,
    mobile: row.mobileMasked,
    idNo: row.idNoMasked,
    email: row.email,
    avatarFileId: row.avatarFileId,
    companyId: row.companyId,
    companyName: row.companyName,
    companyAgentCode: row.companyAgentCode,
    rank: row.rank,
    parentId: row.parentId,
    parentName: row.parentName,
    lines: row.lines,
    adcodes: row.adcodes,
    regionNames: row.adcodes.map((code) => regions.get(code)?.name ?? code),
    hospitalIds: row.hospitalIds,
    filingNo: row.filingNo,
    filingValidTo: row.filingValidTo,
    filingFileId: row.filingFileId,
    filingOk: filingOk(row, today),
    userId: row.userId,
    joinedOn: row.joinedOn,
    leftOn: row.leftOn,
    previousAgentId: row.previousAgentId,
    suspendReason: row.suspendReason,
    doctorCount: row.doctorCount,
    channelCount: row.channelCount,
    monthNewDoctors: row.monthNewDoctors,
    teamSize: row.teamSize,
    state: row.state,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: row.version,
  }));
}

export async function agentById(db: Db | Tx, id: string, today: Day): Promise<AgentRow | null> {
  const row = await agentColumns(agents(own(db)), today)
    .where('pharmaAgent.id', '=', id)
    .executeTakeFirst();
  return row ? (await presentAgents(db, [row], today))[0]! : null;
}
