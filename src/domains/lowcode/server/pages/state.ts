import { refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { pageRemoved, pageTakenOffline } from '#events/lowcode.ts';
import { removeRoute } from '#domains/identity/server/index.ts';
import * as calls from '../../contract/calls/pages.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { pageMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { readManifest } from '../stored.ts';
import { lockPageVersion, PAGE, requireUnlocked, versionOf, type LockedPage } from './access.ts';
import { archivePublished } from './versions.ts';

interface Judged {
  id: string;
  version: number;
  opinion: string;
}
type Action = 'offline' | 'remove' | 'lock' | 'unlock';

/** What ends or holds a page. */
export function stateHandlers(kernel: Kernel): Handler[] {
  async function move(ctx: CommandContext, page: LockedPage, action: Action, { opinion }: Judged) {
    return moveState(ctx, pageMachine, { targetType: PAGE, targetId: page.id, targetNo: page.token, action, from: page.state, opinion });
  }

  async function set(ctx: CommandContext, page: LockedPage, columns: object) {
    await ownTx(ctx.tx)
      .updateTable('lowcodePage')
      .set({ ...columns, version: page.version + 1, ...updatedColumns(ctx) })
      .where('id', '=', page.id)
      .execute();
  }

  /** Version and manifest as the event tells them. */
  async function factsOf(ctx: CommandContext, page: LockedPage) {
    const version = page.publishedVersionId === null ? null : await versionOf(ctx.tx, page.publishedVersionId);
    return {
      pageId: page.id,
      token: page.token,
      versionNo: version?.versionNo ?? 0,
      manifest: version ? readManifest(version.manifest) : [],
    };
  }

  return [
    command(calls.offlinePage, async (input, ctx) => {
      const page = await lockPageVersion(ctx, input.id, input.version);
      await requireUnlocked(ctx, page);
      if (page.builtin) throw refuse(lowcodeErrors.BUILTIN);
      const state = await move(ctx, page, 'offline', input);
      const menus = await removeRoute(ctx.tx, page.token);
      if (menus.length > 0) throw refuse(lowcodeErrors.MENU_USES, { titles: menus.join('、') });
      const facts = await factsOf(ctx, page);
      await set(ctx, page, { state, publishedVersionId: null, formerVersionId: null });
      await archivePublished(ctx.tx, page.id, ctx.now);
      await ctx.publish(pageTakenOffline, page.id, facts);
      ctx.afterCommit(() => kernel.realtime.toAll('lowcode', { token: page.token }));
      return actionAnswer(ctx, pageMachine, { id: page.id, state, version: page.version + 1 });
    }),
    command(calls.removePage, async (input, ctx) => {
      const page = await lockPageVersion(ctx, input.id, input.version);
      if (page.builtin) throw refuse(lowcodeErrors.BUILTIN);
      const state = await move(ctx, page, 'remove', input);
      await set(ctx, page, { state, removedAt: ctx.now });
      await ctx.publish(pageRemoved, page.id, await factsOf(ctx, page));
      return actionAnswer(ctx, pageMachine, { id: page.id, state, version: page.version + 1 });
    }),
    command(calls.lockPage, async (input, ctx) => {
      const page = await lockPageVersion(ctx, input.id, input.version);
      await requireUnlocked(ctx, page);
      await move(ctx, page, 'lock', input);
      await set(ctx, page, { lockedBy: ctx.staff.userId, lockedAt: ctx.now, lockReason: input.opinion });
      return actionAnswer(ctx, pageMachine, { id: page.id, state: page.state, version: page.version + 1 });
    }),
    command(calls.unlockPage, async (input, ctx) => {
      const page = await lockPageVersion(ctx, input.id, input.version);
      await move(ctx, page, 'unlock', input);
      await set(ctx, page, { lockedBy: null, lockedAt: null, lockReason: '' });
      return actionAnswer(ctx, pageMachine, { id: page.id, state: page.state, version: page.version + 1 });
    }),
  ];
}
