import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { seesChannel, type Viewer } from './access.ts';
import { own } from './database.ts';

interface ScanBrief {
  scanId: string;
  codeId: string | null;
  channelId: string | null;
  at: string;
}

/** Channels by id, also disabled ones; unknown ids are left out. */
/** Names of channels, for the words of a data scope. */
export const channelNames = async (db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map((await getChannels(db, ids)).map(({ id, name }) => [id, name]));

export const getChannels = (db: Db | Tx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : own(db)
        .selectFrom('channelChannel')
        .select(['id', 'channelNo', 'name', 'channelType', 'agentId', 'companyId', 'productLineId', 'adcode', 'state'])
        .where('id', 'in', [...ids])
        .execute();

/** The last scans of a browser, newest first; only those with the result OK led anywhere. */
export async function scansOfVisitor(db: Db, visitorId: string): Promise<(ScanBrief & { result: string })[]> {
  return (
    await sql<ScanBrief & { result: string }>`
      select id as scan_id, code_id, channel_id, at, result
        from channel_qr_scan
        where visitor_id = ${visitorId}
        order by at desc limit 100`.execute(db)
  ).rows;
}

/** The scans that were bound to a person, newest first. */
export async function scansOf(db: Db, person: { patientId: string } | { doctorId: string }): Promise<ScanBrief[]> {
  const who = 'patientId' in person ? sql`b.patient_id = ${person.patientId}` : sql`b.doctor_id = ${person.doctorId}`;
  return (
    await sql<ScanBrief>`
      select s.id as scan_id, s.code_id, s.channel_id, s.at
        from channel_scan_binding b
        join channel_qr_scan s on s.id = b.scan_id
        where ${who}
        order by s.at desc limit 100`.execute(db)
  ).rows;
}

/** What one scan led to. */
export async function scanDetail(
  db: Db,
  scanId: string,
  at: string,
): Promise<{ sceneCodeId: string | null; agentId: string | null; doctorId: string | null; kind: string | null } | null> {
  const { rows } = await sql<{ sceneCodeId: string | null; agentId: string | null; doctorId: string | null; kind: string | null }>`
    select s.scene_code_id, s.agent_id, s.doctor_id, q.kind
      from channel_qr_scan s
      left join channel_qr_code q on q.id = s.code_id
      where s.id = ${scanId} and s.at = ${at}::timestamptz`.execute(db);
  return rows[0] ?? null;
}

/** Browsers that scanned codes of somebody's channels between two days, both included; without ids of all that he sees. */
export async function visitorsOf(
  db: Db,
  period: { from: string; to: string; viewer: Viewer; channelIds?: readonly string[] },
): Promise<{ channelId: string; n: number }[]> {
  const only = period.channelIds === undefined ? sql`true` : sql`channel_id = any(${[...period.channelIds]}::bigint[])`;
  return (
    await sql<{ channelId: string; n: number }>`
      select channel_id, sum(uv)::int as n from channel_daily where day between ${period.from}::date and ${period.to}::date and ${only}
        and exists (
          select from channel_channel c where c.id = channel_daily.channel_id and ${seesChannel(period.viewer)}
        ) group by channel_id`.execute(db)
  ).rows;
}

/** Numbers of scene codes by id. */
export const getSceneCodes = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : own(db)
        .selectFrom('channelSceneCode')
        .select(['id', 'sceneCodeNo'])
        .where('id', 'in', [...ids])
        .execute();

/** Channels by their numbers. */
export async function channelsByNo(
  db: Db | Tx,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { id: string; name: string; state: string }>> {
  if (numbers.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('channelChannel')
    .select(['id', 'channelNo', 'name', 'state'])
    .where('channelNo', 'in', [...new Set(numbers)])
    .execute();
  return new Map(rows.map(({ channelNo, ...row }) => [channelNo, row]));
}
