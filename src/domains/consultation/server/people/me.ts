import type { Selectable } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import type { DutyState } from '../../contract/dictionaries.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own, type ConsultationTables } from '../database.ts';

/** The assistant who stands behind a staff user. */
export interface Me {
  assistantId: string;
  operatorId: string;
  imUserId: string;
  name: string;
  state: DutyState;
  stateAt: Instant;
  maxConcurrent: number;
  /** Leads the others: reads along, takes over, sets the desk up. */
  supervisor: boolean;
}

/**
 * Every function of the chat needs a bound assistant, a supervisor's too.
 * @throws Refusal SCM10001 without one, SCM10002 when he is disabled.
 */
export async function meOf(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>): Promise<Me> {
  const row = await own(db).selectFrom('consultationAssistantDuty').selectAll().where('userId', '=', ctx.staff.userId).executeTakeFirst();
  if (!row) throw refuse(errors.NO_ASSISTANT);
  if (row.personState === 'DISABLED') throw refuse(errors.ASSISTANT_DISABLED);
  return meFrom(row, ctx);
}

type Duty = Pick<
  Selectable<ConsultationTables['consultationAssistantDuty']>,
  'assistantId' | 'operatorId' | 'name' | 'state' | 'stateAt' | 'maxConcurrent'
>;
/** The assistant of a duty row. */
export const meFrom = ({ assistantId, operatorId, name, state, stateAt, maxConcurrent }: Duty, ctx: Pick<Context, 'has'>): Me => ({
  assistantId,
  operatorId,
  imUserId: userIdOf('ASSISTANT', operatorId),
  name,
  state,
  stateAt,
  maxConcurrent,
  supervisor: ctx.has(may['chat.supervise']),
});

/** The same for calls that people without a bound assistant may make too. */
export async function meOrNull(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>): Promise<Me | null> {
  const row = await own(db)
    .selectFrom('consultationAssistantDuty')
    .selectAll()
    .where('userId', '=', ctx.staff.userId)
    .where('personState', '<>', 'DISABLED')
    .executeTakeFirst();
  return row ? meFrom(row, ctx) : null;
}
