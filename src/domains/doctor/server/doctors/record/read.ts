import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import { titles, type TitleCode } from '../../../contract/dictionaries.ts';
import type { AcceptState, AccountState, QualState } from '../../../contract/states.ts';
import { own } from '../../database.ts';
import { bindsOf } from '../../assistants/choose.ts';
import { liveOpeningsOf, type LiveOpening } from '../../openings/onDoctorChanged.ts';

export interface DoctorBrief {
  doctorId: string;
  doctorNo: string;
  operatorId: string;
  name: string;
  avatarFileId: string | null;
  titleCode: TitleCode | null;
  hospitalId: string | null;
  hospitalName: string | null;
  hospitalLevel: string | null;
  departmentId: string | null;
  departmentName: string | null;
  adcode: string | null;
  channelId: string | null;
  agentId: string | null;
  qualState: QualState;
  accountState: AccountState;
  practiceOk: boolean;
  acceptState: AcceptState;
  offUntil: string | null;
  diseaseIds: string[];
}

const columns = [
  'id as doctorId',
  'doctorNo',
  'operatorId',
  'name',
  'avatarFileId',
  'titleCode',
  'hospitalId',
  'hospitalName',
  'departmentId',
  'departmentName',
  'adcode',
  'channelId',
  'agentId',
  'qualState',
  'accountState',
  'practiceOk',
  'acceptState',
  'offUntil',
] as const;
const diseases = sql<string[]>`disease_ids::text[]`.as('diseaseIds');

/** Doctors by id, also frozen and cancelled ones; unknown ids are left out. */
export async function getDoctors(db: Db, ids: readonly string[]): Promise<DoctorBrief[]> {
  if (ids.length === 0) return [];
  const rows = await own(db)
    .selectFrom('doctorDoctor')
    .select(columns)
    .select(diseases)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  return withLevels(db, rows);
}

/** The same by the numbers that people call them; unknown ones are left out. */
export async function doctorsByNo(db: Db, numbers: readonly string[]): Promise<ReadonlyMap<string, DoctorBrief>> {
  if (numbers.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('doctorDoctor')
    .select(columns)
    .select(diseases)
    .where('doctorNo', 'in', [...new Set(numbers)])
    .execute();
  return new Map((await withLevels(db, rows)).map((doctor) => [doctor.doctorNo, doctor]));
}

async function withLevels(db: Db, rows: readonly Omit<DoctorBrief, 'hospitalLevel'>[]): Promise<DoctorBrief[]> {
  const hospitals = await getHospitals(db, [...new Set(rows.flatMap(({ hospitalId }) => hospitalId ?? []))]);
  return rows.map((row) => ({ ...row, hospitalLevel: hospitals.find(({ id }) => id === row.hospitalId)?.level ?? null }));
}

export interface DoctorForChat extends Omit<DoctorBrief, 'hospitalLevel'> {
  titleName: string | null;
  specialty: string;
  openings: LiveOpening[];
  /** The primary assistant, else a backup. */
  assistant: { assistantId: string; operatorId: string; name: string } | null;
}

/**
 * One doctor as a conversation shows him, in three statements.
 * @param seen what the reader sees of doctors (alias `d`); without it he is found wherever he is
 */
export async function getDoctorForChat(
  db: Db,
  by: { operatorId: string } | { doctorId: string },
  seen: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): Promise<DoctorForChat | null> {
  const row = await own(db)
    .selectFrom('doctorDoctor as d')
    .where(seen)
    .select([...columns, 'specialty'])
    .select(diseases)
    .$if('operatorId' in by, (query) => query.where('operatorId', '=', 'operatorId' in by ? by.operatorId : ''))
    .$if('doctorId' in by, (query) => query.where('id', '=', 'doctorId' in by ? by.doctorId : ''))
    .executeTakeFirst();
  if (!row) return null;
  const [bind] = await bindsOf(db, [row.doctorId]);
  return {
    ...row,
    titleName: row.titleCode === null ? null : titles.label(row.titleCode),
    openings: await liveOpeningsOf(db, [row.doctorId]),
    assistant: bind ? { assistantId: bind.assistantId, operatorId: bind.operatorId, name: bind.name } : null,
  };
}
