import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { leaseOf, shownLease } from '#kernel/server/lease/lease.ts';
import { contains, from, inRegion, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { exportHospitalAuditList, queryHospitalAuditList, type ApplyDetail } from '../../contract/applyCalls.ts';
import { applyMachine } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { appliesSeen, applyRecords } from '../access.ts';
import { own } from '../database.ts';
import { findCandidates } from '../hospitals/candidates.ts';
import { factsOf } from '../hospitals/facts.ts';
import { placeOf } from '../regions.ts';
import { desk } from './desk.ts';
import { comparable, type ApplyPayload } from './submit.ts';

/** Waiting cases oldest first, decided ones newest first. */
export const applyList = listOf(queryHospitalAuditList)
  .from(({ db, staff }) => appliesSeen(own(db), staff))
  .with({
    where: {
      tab(eb, tab, { staff, now }) {
        if (tab === 'WAITING') return desk.waiting(now);
        if (tab === 'MINE') return desk.heldBy(staff, now);
        return eb('p.state', 'in', ['APPROVED', 'LINKED', 'REJECTED', 'WITHDRAWN']);
      },
      applyNo: isNumber('p.applyNo'),
      name: contains('p.name'),
      applyType: 'p.applyType',
      applicant: contains('p.applicantName'),
      applicantType: 'p.applicantType',
      adcode: inRegion('p.adcode'),
      state: 'p.state',
      createdFrom: from('p.createdAt'),
      createdTo: upTo('p.createdAt'),
    },
    id: 'p.id',
    unsorted: 'a queue in the order of its work',
    order: ({ filter: { tab } }) => [['p.createdAt', tab === 'WAITING' || tab === 'MINE' ? 'asc' : 'desc']],
    select: (query, { now }) =>
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
        sql<string | null>`case when p.state in ('PENDING', 'REVIEWING') then ${desk.holder(now)} else p.auditor_name end`.as('handler'),
        'p.version',
        'p.auditedAt',
      ]),
    async present(rows, { db, staff }) {
      const regions = await regionsOf(
        db,
        rows.flatMap(({ adcode }) => adcode ?? []),
      );
      return rows.map(({ adcode, applicantId, ...row }) => ({
        ...row,
        region: adcode === null ? '' : regionText(regions, adcode),
        mine: row.applicantType === 'STAFF' && applicantId === staff.userId,
      }));
    },
  });

export const applyExport = listExport(applyList, {
  call: exportHospitalAuditList,
  title: '医院申请',
  routeKey: 'hospitalManagementAudit',
  columns: [
    'applyNo',
    'applyType',
    'name',
    'level',
    'region',
    'applicantType',
    'applicantName',
    'topScore',
    'createdAt',
    'state',
    'handler',
    'auditedAt',
  ],
});

/** One application with candidates as they stand now, the hospital's present facts, lease and timeline. */
export async function loadApply(ctx: QueryContext, applyId: string, secrets: Secrets): Promise<ApplyDetail> {
  const db = own(ctx.db);
  const row = await applyRecords.get(ctx.db, ctx.staff, applyId);
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
    lease: shownLease(await leaseOf(ctx.db, { type: applyRecords.type, id: applyId }, ctx.now), ctx.staff),
    mine: row.applicantType === 'STAFF' && row.applicantId === ctx.staff.userId,
    version: row.version,
    allowedActions: actionAnswer(ctx, applyMachine, row).allowedActions,
    createdAt: row.createdAt,
    trail: await trailOf(ctx.db, 'institution.hospitalApply', row.id),
  };
}
