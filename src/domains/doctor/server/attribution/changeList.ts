import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { QueryContext } from '../../../../kernel/server/context.ts';
import { userBrief } from '../../../identity/server/index.ts';
import type { AttributionChangeRow, queryAttributionChangeList } from '../../contract/attributionCalls.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { like, own } from '../database.ts';
import { seesChange } from './access.ts';
import { shownName } from './list.ts';
import { nameOf } from './names.ts';

export type ChangeFilter = Omit<CheckedInputOf<typeof queryAttributionChangeList>, 'pageNo' | 'pageSize'> & { id?: string };

export function changeQuery(ctx: Pick<QueryContext, 'db' | 'staff'>, filter: ChangeFilter) {
  let query = own(ctx.db).selectFrom('doctorAttributionChange as g').where(seesChange(ctx.staff));
  if (filter.id) query = query.where('g.id', '=', filter.id);
  if (filter.changeNo) query = query.where('g.changeNo', 'like', like(filter.changeNo.toUpperCase()));
  if (filter.name) query = query.where('g.subjectName', 'like', like(filter.name));
  if (filter.subjectType) query = query.where('g.subjectType', '=', filter.subjectType);
  if (filter.state?.length) query = query.where('g.state', 'in', filter.state);
  const { channelId } = filter;
  if (channelId) query = query.where((eb) => eb.or([eb('g.fromChannelId', '=', channelId), eb('g.toChannelId', '=', channelId)]));
  if (filter.from) query = query.where('g.createdAt', '>=', filter.from);
  if (filter.to) query = query.where('g.createdAt', '<=', filter.to);
  return query;
}

/** Buttons of a change: nobody decides on his own, and only he takes it back. */
const actionsOf = (ctx: Pick<QueryContext, 'staff' | 'has'>, state: AttributionChangeRow['state'], makerId: string) =>
  attributionChangeMachine
    .allowed(state, ctx.has)
    .filter((action) => action !== 'submit' && (action === 'cancel') === (makerId === ctx.staff.userId));

/** Newest first, with the subjects' names in full. */
export async function readChanges(
  ctx: Pick<QueryContext, 'db' | 'staff' | 'has'>,
  query: ReturnType<typeof changeQuery>,
  page: { limit: number; offset: number },
): Promise<AttributionChangeRow[]> {
  const rows = await query
    .select([
      'g.id',
      'g.changeNo',
      'g.subjectType',
      'g.subjectId',
      'g.subjectName',
      'g.effectiveOn',
      'g.reason',
      'g.source',
      'g.makerId',
      'g.checkerId',
      'g.opinion',
      'g.decidedAt',
      'g.performedAt',
      'g.state',
      'g.version',
      'g.createdAt',
    ])
    .select([
      nameOf('CHANNEL', 'g.from_channel_id').as('fromChannelName'),
      nameOf('CHANNEL', 'g.to_channel_id').as('toChannelName'),
      nameOf('AGENT', 'g.from_agent_id').as('fromAgentName'),
      nameOf('AGENT', 'g.to_agent_id').as('toAgentName'),
    ])
    .orderBy('g.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const users = new Map(
    (
      await userBrief(
        ctx.db,
        rows.flatMap(({ makerId, checkerId }) => (checkerId === null ? [makerId] : [makerId, checkerId])),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map(({ checkerId, ...row }) => {
    const state = row.state;
    return {
      ...row,
      state,
      subjectType: row.subjectType as 'DOCTOR',
      source: row.source as 'MANUAL',
      makerName: users.get(row.makerId) ?? null,
      checkerName: checkerId === null ? null : (users.get(checkerId) ?? null),
      allowedActions: actionsOf(ctx, state, row.makerId),
    };
  });
}

/** As pages show them. */
export const presentChanges = async (...of: Parameters<typeof readChanges>): Promise<AttributionChangeRow[]> =>
  (await readChanges(...of)).map((row) => ({ ...row, subjectName: shownName(row.subjectType, row.subjectName) }));
