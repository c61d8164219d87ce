import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Weekday } from '../../contract/calls/desks.ts';
import { ownTx } from '../database.ts';

const EVERY_DAY: Weekday[] = [1, 2, 3, 4, 5, 6, 7];

export const DEFAULT_DESK = 'DEFAULT';

/** What a new installation says; afterwards it is the operators' text. */
export const defaultDesk = {
  deskCode: DEFAULT_DESK,
  deskName: '默认导诊台',
  dutyFrom: '08:30',
  dutyTo: '18:30',
  weekdays: EVERY_DAY,
  welcomeText: '您好，这里是康桥导诊台，请描述您的症状或需要咨询的问题，我们将为您安排合适的医生。',
  offHoursText: '您好，当前为非接待时间，我们将在每日08:30至18:30为您服务。如有急症请立即前往医院就诊。',
};

/** Patients whom no other desk expects are received here (R12), in every installation. */
export const writeDefaultDesk = async (tx: Tx, now: Instant): Promise<void> =>
  void (await ownTx(tx)
    .insertInto('consultationGuidanceDesk')
    .values({ ...defaultDesk, assistantIds: [], createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute());
