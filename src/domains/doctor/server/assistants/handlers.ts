import { query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { userOptions } from '#domains/identity/server/index.ts';
import { previewTransfer, queryAssistantSummary, queryAssistantUserOptions } from '../../contract/calls/assistants.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';
import { bind, unbind } from './binds.ts';
import { bindHistory, unboundDoctors } from './history.ts';
import { assistantSummary, type assistantList } from './list.ts';
import { planTransfer } from './plan.ts';
import { add, modify, reveal } from './save.ts';
import { change } from './state.ts';
import { transfer } from './transfer.ts';

const OPTIONS = 50;

export const assistantHandlers = (kernel: Kernel, list: ReturnType<typeof assistantList>): readonly Handler[] => [
  list.handler,
  query(queryAssistantSummary, (_input, ctx) => assistantSummary(ctx.db, ctx.staff, seesDoctor(ctx.staff))),
  query(queryAssistantUserOptions, async ({ keyword }, ctx) => {
    const users = await userOptions(ctx.db, keyword ?? '', OPTIONS);
    const taken =
      users.length === 0
        ? []
        : await own(ctx.db)
            .selectFrom('doctorAssistant')
            .select('userId')
            .where(
              'userId',
              'in',
              users.map(({ userId }) => userId),
            )
            .execute();
    return users.map(({ userId, displayName, opNo }) => ({ userId, displayName, opNo, taken: taken.some((row) => row.userId === userId) }));
  }),
  add(kernel),
  modify(kernel),
  reveal(kernel),
  change,
  bind,
  unbind,
  bindHistory.handler,
  unboundDoctors.handler,
  query(previewTransfer, async ({ withInquiries: _withInquiries, ...wish }, ctx) => {
    const { rows, loads } = await planTransfer(ctx.db, ctx.staff, wish);
    return { rows, loads };
  }),
  transfer,
];
