import type { Db, QueryContext } from '#kernel/server/context.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { queryMyInquiry } from '../../contract/calls/participants.ts';
import type { UserRole } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { wasAnswered } from '../inquiries/close.ts';
import { inquiryAnswer, inquiryOfGroup } from '../inquiries/facts.ts';
import type { InquiryRow } from '../inquiries/rows.ts';
import { roundsUsedUp } from '../rules/rounds.ts';
import { OVER } from './changeDoctor.ts';
import { requireMine } from './enter.ts';
import { patientFace } from './others.ts';

const RATE_DAYS = 7;

export const mayRate = (
  { serverStatus, endedAt, ratedAt }: Pick<InquiryRow, 'serverStatus' | 'endedAt' | 'ratedAt'>,
  now: Instant,
): boolean => serverStatus === '4' && ratedAt === null && endedAt !== null && now <= plusMs(endedAt, days(RATE_DAYS));

/** Buttons of a participant: what the inquiry's state allows to his role. */
export function actionsFor(role: UserRole, inquiry: InquiryRow, now: Instant): string[] {
  const { serverStatus: status } = inquiry;
  const answered = wasAnswered(inquiry);
  const when = (action: string, holds: boolean) => (holds ? [action] : []);
  if (role === 'DOCTOR') {
    return [
      ...when('accept', status === '1' && (inquiry.acceptDueAt === null || inquiry.acceptDueAt >= now)),
      ...when('refuse', status === '1' || (status === '2' && !answered)),
      ...when('requestEnd', status === '2' && answered),
      ...when('end', (status === '2' || status === '3') && answered),
    ];
  }
  return [
    ...when('continue', status === '3' && !roundsUsedUp(inquiry.roundUsed, inquiry.roundLimit)),
    ...when('confirmEnd', status === '3'),
    ...when('cancel', status === '0' || status === '1' || (status === '2' && !answered)),
    ...when('rate', mayRate(inquiry, now)),
    // The order of an ended one runs until it is settled; until then it may be reopened instead.
    ...when('again', ['5', '6', '7'].includes(status) || (status === '4' && inquiry.settledAt !== null)),
    ...when('change', OVER.includes(status)),
  ];
}

interface Diagnosis {
  icd10: string;
  name: string;
  main: boolean;
}
/** The newest summary: a doctor sees it as it stands, a patient what the doctor has confirmed. */
async function recordOf(db: Db, inquiryId: string, role: UserRole) {
  const row = await own(db)
    .selectFrom('consultationVisitRecord')
    .select(['id', 'version', 'state', 'chiefComplaint', 'presentIllness', 'diagnoses', 'advice', 'revisitOn'])
    .where('inquiryId', '=', inquiryId)
    .where('state', 'in', role === 'DOCTOR' ? ['DRAFT', 'WAIT_DOCTOR', 'CONFIRMED', 'ARCHIVED'] : ['CONFIRMED', 'ARCHIVED'])
    .orderBy('recordVersion', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row, diagnoses: row.diagnoses as Diagnosis[] } : null;
}

async function answer(ctx: QueryContext, groupId: string) {
  const mine = await requireMine(ctx.db, ctx, groupId);
  const inquiry = await inquiryOfGroup(ctx.db, groupId);
  const files = inquiry ? await fileBriefs(ctx.db, inquiry.attachmentFileIds, { purpose: CHAT_PURPOSE }) : [];
  const operatorId = mine.role === 'PATIENT' ? mine.operatorId : (inquiry?.suffererOperatorId ?? '0');
  const facts = inquiryAnswer(
    inquiry,
    { suffererOperatorId: operatorId },
    { plain: true, has: () => false, now: ctx.now },
    files.map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType })),
  );
  return {
    ...facts,
    allowedActions: inquiry ? actionsFor(mine.role, inquiry, ctx.now) : [],
    rated: inquiry?.ratedAt != null,
    payUrl: null,
    patient: mine.role === 'DOCTOR' ? await patientFace(ctx.db, inquiry?.patientId ?? mine.patientId, ctx.now) : null,
    record: inquiry ? await recordOf(ctx.db, inquiry.id, mine.role) : null,
  };
}

export const myInquiryHandlers: readonly Handler[] = [query(queryMyInquiry, ({ groupId }, ctx) => answer(ctx, groupId))];
