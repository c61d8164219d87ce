import { sql } from 'kysely';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { applyMachine, type ApplyAction } from '../../contract/applyMachine.ts';
import type { ApplyRecord } from './records.ts';

export const APPEAL_DAYS = 30;

/** Of `enrolment_apply a`: its contract gives no rights yet, or none any more, and nobody has paid or may be paying for it. */
export const revocable = sql<boolean>`exists (
  select from enrolment_contract c
    where c.id = a.contract_id and c.state in ('WAIT_SIGN', 'WAIT_PAY', 'CANCELLED')
      and (c.state = 'CANCELLED' or not exists (
        select from enrolment_contract_pay p
          where p.contract_id = c.id and p.state in ('PENDING', 'UNKNOWN', 'CHECKING', 'SUCCESS'))))`;

type Facts = Pick<ApplyRecord, 'state' | 'productLine' | 'appealedAt' | 'decidedAt'> & { revocable: boolean };

const isInTime = ({ decidedAt }: Facts, now: Instant) => decidedAt !== null && plusMs(decidedAt, days(APPEAL_DAYS)) >= now;

/** What may be done with an application: nothing that would be refused whatever is written with it. */
export const offeredActions = (apply: Facts, now: Instant, has: (permission: string) => boolean): ApplyAction[] =>
  applyMachine.allowed(apply.state, has).filter((action) => {
    if (action === 'revokeApproval') return apply.revocable;
    if (action === 'appeal') return apply.productLine !== 'HMO' && apply.appealedAt === null && isInTime(apply, now);
    return true;
  });
