import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { mask } from '../../../../kernel/contract/masking.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { trailOf } from '../../../../kernel/server/audit/transition.ts';
import { regionPrefix } from '../../../../kernel/server/auth/scope.ts';
import type { Db, QueryContext } from '../../../../kernel/server/context.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import type { ApplyDetail, ApplyRow, queryHospitalAuditList } from '../../contract/applyCalls.ts';
import { applyMachine } from '../../contract/states.ts';
import { appliesSeen, type Seer } from '../access.ts';
import { acted } from '../answers.ts';
import { likeText, ownDb, type InstitutionDb } from '../database.ts';
import { findCandidates } from '../hospitals/candidates.ts';
import { factsOf } from '../hospitals/facts.ts';
import { placeOf, regionText } from '../regions.ts';
import { comparable, type ApplyPayload } from './submit.ts';

export const LEASE = 'institution.hospitalApply';
export type ApplyFilter = Omit<CheckedInputOf<typeof queryHospitalAuditList>, 'pageNo' | 'pageSize'>;

/** Whether somebody works on the case at this moment. */
const leased = (now: Instant) =>
  sql<boolean>`exists (select from kernel_lease l where l.resource_type = ${LEASE} and l.resource_id = p.id::text and l.until > ${now}::timestamptz)`;

export function applies(db: InstitutionDb, filter: ApplyFilter, seer: Seer, now: Instant) {
  let query = appliesSeen(db, seer);
  // A case whose lease ran out waits again.
  if (filter.tab === 'WAITING')
    query = query.where((eb) => eb.or([eb('p.state', '=', 'PENDING'), eb.and([eb('p.state', '=', 'REVIEWING'), eb.not(leased(now))])]));
  if (filter.tab === 'MINE') query = query.where('p.state', '=', 'REVIEWING').where('p.auditorId', '=', seer.userId).where(leased(now));
  if (filter.tab === 'DONE') query = query.where('p.state', 'in', ['APPROVED', 'LINKED', 'REJECTED', 'WITHDRAWN']);
  if (filter.applyNo) query = query.where('p.applyNo', '=', filter.applyNo.toUpperCase());
  if (filter.name) query = query.where('p.name', 'ilike', likeText(filter.name));
  if (filter.applyType?.length) query = query.where('p.applyType', 'in', filter.applyType);
  if (filter.applicant) query = query.where('p.applicantName', 'ilike', likeText(filter.applicant));
  if (filter.applicantType?.length) query = query.where('p.applicantType', 'in', filter.applicantType);
  if (filter.adcode) query = query.where('p.adcode', 'like', `${regionPrefix(filter.adcode)}%`);
  if (filter.state?.length) query = query.where('p.state', 'in', filter.state);
  if (filter.createdFrom) query = query.where('p.createdAt', '>=', filter.createdFrom);
  if (filter.createdTo) query = query.where('p.createdAt', '<=', filter.createdTo);
  return query;
}

const filled = (query: ReturnType<typeof applies>) =>
  query.select([
    'p.id',
    'p.applyNo',
    'p.applyType',
    'p.name',
    'p.level',
    'p.adcode',
    'p.applicantType',
    'p.applicantId',
    'p.applicantName',
    'p.topScore',
    'p.createdAt',
    'p.state',
    'p.auditorId',
    'p.auditorName',
    'p.version',
    'p.auditedAt',
  ]);

async function present(
  db: Db,
  rows: readonly Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>[],
  userId: string,
): Promise<ApplyRow[]> {
  const regions = await regionsOf(
    db,
    rows.flatMap(({ adcode }) => adcode ?? []),
  );
  return rows.map(({ adcode, applicantId, auditorId: _auditor, auditorName, ...row }) => ({
    ...row,
    region: adcode === null ? '' : regionText(regions, adcode),
    handler: auditorName,
    mine: row.applicantType === 'STAFF' && applicantId === userId,
  }));
}

/** Waiting cases oldest first, decided ones newest first. */
export async function listApplies(db: Db, filter: ApplyFilter, seer: Seer, now: Instant, paging: { pageNo: number; pageSize: number }) {
  const query = applies(ownDb(db), filter, seer, now);
  const direction = filter.tab === 'WAITING' || filter.tab === 'MINE' ? 'asc' : 'desc';
  const rows = await filled(query)
    .orderBy('p.createdAt', direction)
    .orderBy('p.id', direction)
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: await present(db, rows, seer.userId), total: await totalUpTo(ownDb(db), query) };
}

export async function* applyChunks(db: Db, filter: ApplyFilter, seer: Seer, now: Instant): AsyncGenerator<ApplyRow[]> {
  let after = '0';
  for (;;) {
    const rows = await filled(applies(ownDb(db), filter, seer, now))
      .where('p.id', '>', after)
      .orderBy('p.id')
      .limit(1000)
      .execute();
    if (rows.length === 0) return;
    yield await present(db, rows, seer.userId);
    after = rows.at(-1)!.id;
  }
}

/** One application with candidates as they stand now, the hospital's present facts, lease and timeline. */
export async function loadApply(ctx: QueryContext, applyId: string, secrets: Secrets): Promise<ApplyDetail> {
  const db = ownDb(ctx.db);
  const row = await appliesSeen(db, ctx.staff).selectAll('p').where('p.id', '=', applyId).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '申请不存在或已删除' });
  const regions = await regionsOf(ctx.db, row.adcode === null ? [] : [row.adcode]);
  const payload = row.payload as ApplyPayload;
  const place = row.adcode === null ? null : placeOf(regions, row.adcode);
  const hospital =
    row.hospitalId === null
      ? null
      : await db.selectFrom('institutionHospital').selectAll().where('id', '=', row.hospitalId).executeTakeFirst();
  const open = row.state === 'PENDING' || row.state === 'REVIEWING';
  const candidates = row.applyType === 'CREATE' && place && open ? await findCandidates(ctx.db, comparable(payload, place)) : [];
  const result =
    row.resultHospitalId === null
      ? null
      : await db.selectFrom('institutionHospital').select('name').where('id', '=', row.resultHospitalId).executeTakeFirst();
  const { rows: leases } = await sql<{ userId: string; displayName: string; until: string }>`
    select user_id, display_name, until from kernel_lease where resource_type = ${LEASE} and resource_id = ${applyId} and until > ${ctx.now}::timestamptz`.execute(
    ctx.db,
  );
  const lease = leases[0];
  return {
    id: row.id,
    applyNo: row.applyNo,
    applyType: row.applyType,
    hospitalId: row.hospitalId,
    payload: { ...payload },
    before: row.before as ApplyDetail['before'],
    current: hospital ? { ...factsOf(hospital) } : null,
    region: row.adcode === null ? '' : regionText(regions, row.adcode),
    applicantType: row.applicantType,
    applicantName: row.applicantName,
    applicantMobile: row.applicantMobileCipher === null ? null : mask('mobile', secrets.decrypt(row.applicantMobileCipher)),
    evidence: row.evidenceFileIds.map((fileId) => ({ fileId: String(fileId) })),
    reason: row.reason,
    candidates,
    notDuplicate: row.notDuplicateIds.map(String),
    state: row.state,
    opinion: row.opinion,
    resultHospitalId: row.resultHospitalId,
    resultHospitalName: result?.name ?? null,
    lease: lease ? { displayName: lease.displayName, mine: lease.userId === ctx.staff.userId, until: lease.until } : null,
    mine: row.applicantType === 'STAFF' && row.applicantId === ctx.staff.userId,
    version: row.version,
    allowedActions: acted(ctx, applyMachine, row).allowedActions,
    createdAt: row.createdAt,
    trail: await trailOf(ctx.db, 'institution.hospitalApply', row.id),
  };
}
