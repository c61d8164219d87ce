import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { PremiumRecord } from '../access.ts';
import { goesOn } from './list.ts';

/** @throws Refusal SCM90010 where somebody goes on with an order that another one made */
export function requireMaker({ staff }: Pick<CommandContext, 'staff'>, row: Pick<PremiumRecord, 'makerId' | 'makerName'>): void {
  if (!goesOn(row, staff.userId))
    throw refuse(
      platformErrors.NO_PERMISSION,
      { permission: '经办保费订单' },
      { message: `保费订单由${row.makerName}经办，只能由本人修改和提交；他人可作废后重新生成` },
    );
}
