import { sql } from 'kysely';
import type { Db } from '../../../kernel/server/context.ts';
import { own } from './database.ts';

interface ScanBrief {
  scanId: string;
  codeId: string | null;
  channelId: string | null;
  at: string;
}

/** Channels by id, also disabled ones; unknown ids are left out. */
export const getChannels = (db: Db, ids: readonly string[]) =>
  ids.length === 0 ? Promise.resolve([]) : own(db).selectFrom('channelChannel').select(['id', 'channelNo', 'name', 'channelType', 'agentId', 'companyId', 'productLineId', 'adcode', 'state']).where('id', 'in', [...ids]).execute();

/** The last scans of a browser, newest first. */
export async function scansOfVisitor(db: Db, visitorId: string): Promise<ScanBrief[]> {
  return (await sql<ScanBrief>`select id as scan_id, code_id, channel_id, at from channel_qr_scan where visitor_id = ${visitorId} order by at desc limit 100`.execute(db)).rows;
}

/** The scans that were bound to a person, newest first. */
export async function scansOf(db: Db, person: { patientId: string } | { doctorId: string }): Promise<ScanBrief[]> {
  const who = 'patientId' in person ? sql`b.patient_id = ${person.patientId}` : sql`b.doctor_id = ${person.doctorId}`;
  return (await sql<ScanBrief>`
    select s.id as scan_id, s.code_id, s.channel_id, s.at from channel_scan_binding b join channel_qr_scan s on s.id = b.scan_id where ${who} order by s.at desc limit 100`.execute(db)).rows;
}
