import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { openingMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { APPLY_TARGET } from './applies/applies.ts';
import { openingApplyList } from './applies/applyList.ts';
import { OPENING_TARGET } from './onDoctorChanged.ts';
import { openingColumns, openingList, presentOpenings } from './list.ts';

const BOOKED_PAST_DAYS = 7;
const BOOKED_SHOWN = 200;
const PRICES_SHOWN = 100;
const REFUSALS_SHOWN = 20;

/** Wishes for another price that came to nothing leave no trace on the opening itself. */
async function priceRefusals(ctx: QueryContext, openingId: string) {
  const refused = await own(ctx.db)
    .selectFrom('doctorOpeningApply')
    .select(['id', 'applyNo'])
    .where('openingId', '=', openingId)
    .where('kind', '=', 'PRICE')
    .where('state', 'in', ['REJECTED', 'WITHDRAWN'])
    .orderBy('id', 'desc')
    .limit(REFUSALS_SHOWN)
    .execute();
  const trails = await Promise.all(
    refused.map(async ({ id, applyNo }) =>
      (await trailOf(ctx.db, APPLY_TARGET, id)).map((entry) => ({
        ...entry,
        action: `price.${entry.action}`,
        label: `调价申请${applyNo}${entry.label}`,
        fromState: null,
        toState: null,
      })),
    ),
  );
  return trails.flat();
}

/** One opening with the prices it has had, its booked times and its trail. */
export async function openingDetail(ctx: QueryContext, id: string) {
  const found = await openingColumns(await openingList.matching({ ...ctx, filter: {} }))
    .where('o.id', '=', id)
    .execute();
  const [opening] = await presentOpenings(ctx.db, found);
  if (!opening) throw refuse(platformErrors.NOT_FOUND);
  const prices = await own(ctx.db)
    .selectFrom('doctorOpeningPrice')
    .select(['id', 'priceFen', 'source', 'reason', 'at', 'byName'])
    .where('openingId', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(PRICES_SHOWN)
    .execute();
  const booked = await own(ctx.db)
    .selectFrom('doctorOpeningSlot')
    .select(['slotAt', 'quota', 'taken'])
    .where('openingId', '=', id)
    .where('slotAt', '>=', plusMs(ctx.now, -days(BOOKED_PAST_DAYS)))
    .where('taken', '>', 0)
    .orderBy('slotAt')
    .limit(BOOKED_SHOWN)
    .execute();
  return {
    opening,
    booked,
    prices: prices.map((row) => ({ ...row, priceFen: Number(row.priceFen) })).toReversed(),
    trail: [...(await trailOf(ctx.db, OPENING_TARGET, id)), ...(await priceRefusals(ctx, id))],
    // Applications are decided in their own list.
    allowedActions: openingMachine
      .allowed(opening.state, ctx.has)
      .filter((action) => action !== 'approve' && action !== 'reject' && action !== 'withdraw'),
  };
}

/** Openings by state, and applies that wait. */
export async function openingCounts(ctx: QueryContext) {
  const states = await (
    await openingList.matching({ ...ctx, filter: {} })
  )
    .select('o.state')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('o.state', 'in', ['ON', 'PAUSED', 'SUSPENDED'])
    .groupBy('o.state')
    .execute();
  const pending = await (
    await openingApplyList.matching({ ...ctx, filter: { state: ['PENDING'] } })
  )
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  const of = (state: string) => Number(states.find((row) => row.state === state)?.n ?? 0);
  return { pending: Number(pending.n), on: of('ON'), paused: of('PAUSED'), suspended: of('SUSPENDED') };
}
