import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { pagePublished } from '#events/lowcode.ts';
import { fourEyesOnPages, registerPermission, registerRoute } from '#domains/identity/server/index.ts';
import { onlinePage, publishPage, rollbackPage } from '../../contract/calls/pages.ts';
import type { Manifest } from '../../contract/definition.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { openPermission } from '../../contract/permissions.ts';
import { pageMachine } from '../../contract/states.ts';
import { writes } from '../check/addresses.ts';
import { errorsOf } from '../check/check.ts';
import { ownTx } from '../database.ts';
import { factsOf, readManifest, readTrail } from '../stored.ts';
import {
  type LockedPage,
  lockPageVersion,
  nextVersionNo,
  PAGE,
  pageRecords,
  requireUnlocked,
  versionOf,
  versionOfPage,
  type VersionRow,
} from './access.ts';
import { draftOf } from './edit.ts';
import { archivePublished, contentColumns, readDefinition, type Read } from './versions.ts';

const NOTE = { least: 5, most: 200 };

/** Acts of a manifest: what changes data, by dataset and operation. */
const writesOf = (manifest: Manifest) =>
  new Set(manifest.flatMap(({ datasetCode, operations }) => operations.filter(writes).map((operation) => `${datasetCode}/${operation}`)));

interface Wish {
  changeNote: string;
  confirmActions: boolean;
}

export function publishHandlers(kernel: Kernel): Handler[] {
  const namesOf = (actions: Iterable<string>) =>
    [...actions].map((act) => {
      const [code = '', operation = ''] = act.split('/');
      const dataset = kernel.registry.datasets.get(code);
      const action = dataset?.actions.find((one) => `action.${one.code}` === operation);
      return {
        act,
        label: `${dataset?.label ?? code}·${action?.label ?? operation}`,
        permissions: action ? permissionCodesOf(action.call) : [],
      };
    });

  /** What the publisher should look at, because only others could press it. @returns the names, for the log */
  async function newActions(ctx: CommandContext, page: LockedPage, read: Read, { confirmActions }: Wish): Promise<string[]> {
    const former = page.publishedVersionId === null ? [] : readManifest((await versionOf(ctx.tx, page.publishedVersionId)).manifest);
    const before = writesOf(former);
    const added = namesOf([...writesOf(read.manifest)].filter((act) => !before.has(act)));
    const foreign = added.filter(({ permissions }) => permissions.some((code) => !ctx.has(code)));
    if (foreign.length > 0 && !confirmActions)
      throw refuse(
        lowcodeErrors.NEW_ACTIONS,
        { names: foreign.map(({ label }) => label).join('、') },
        { data: { names: foreign.map(({ label }) => label) } },
      );
    return added.map(({ label }) => label);
  }

  async function requireFourEyes(ctx: CommandContext, pageId: string, editedBy: string | null): Promise<void> {
    if (!(await fourEyesOnPages(ctx.tx))) return;
    await requireAnother(ctx.tx, ctx.staff, { targetType: PAGE, targetId: pageId, contributors: [editedBy] }, lowcodeErrors.FOUR_EYES);
  }

  const requireNote = (wish: Wish) => {
    if (wish.changeNote.length < NOTE.least || wish.changeNote.length > NOTE.most) throw refuse(lowcodeErrors.NOTE_MISSING);
  };

  /** R5, the last steps: the version is there and PUBLISHED; page, catalogue, trail and event follow in the same transaction. */
  async function enter(
    ctx: CommandContext,
    page: LockedPage,
    target: { versionId: string; versionNo: number; read: Read },
    act: { action: 'publish' | 'rollback' | 'online'; note: string; actions: readonly string[]; keepsDraft: boolean },
  ) {
    await moveState(ctx, pageMachine, {
      targetType: PAGE,
      targetId: page.id,
      targetNo: page.token,
      action: act.action,
      from: page.state,
      opinion: act.note,
      // What is published was looked at by `requireFourEyes`, where the policy asks for it.
      alone: true,
      differences: [
        { path: 'versionNo', label: '发布版本', before: null, after: `v${target.versionNo}` },
        ...(act.actions.length > 0 ? [{ path: 'actions', label: '新增的操作', before: null, after: act.actions.join('、') }] : []),
      ],
    });
    await ownTx(ctx.tx)
      .updateTable('lowcodePage')
      .set({
        state: 'ONLINE',
        formerVersionId: page.publishedVersionId,
        publishedVersionId: target.versionId,
        publishedAt: ctx.now,
        ...(act.keepsDraft ? {} : { draftVersionId: null }),
        health: 'OK',
        healthDetail: '[]',
        version: page.version + 1,
        ...updatedColumns(ctx),
      })
      .where('id', '=', page.id)
      .execute();
    if (!page.builtin) await enterCatalogue(ctx, page);
    const { manifest } = target.read;
    await ctx.publish(pagePublished, page.id, { pageId: page.id, token: page.token, versionNo: target.versionNo, manifest });
    ctx.afterCommit(() => kernel.realtime.toAll('lowcode', { token: page.token }));
    return { pageId: page.id, versionId: target.versionId, versionNo: target.versionNo };
  }

  async function publishDraft(ctx: CommandContext, page: LockedPage, draft: VersionRow, wish: Wish, action: 'publish' | 'online') {
    // Once more, on the bytes that are stored: datasets may have changed since they were checked.
    const read = readDefinition(draft.definition, factsOf(kernel.registry));
    const n = errorsOf(read.problems);
    if (n > 0) throw refuse(lowcodeErrors.CHECK_FAILED, { n }, { data: { problems: read.problems } });
    requireNote(wish);
    await requireFourEyes(ctx, page.id, draft.editedBy);
    const actions = await newActions(ctx, page, read, wish);
    await archivePublished(ctx.tx, page.id, ctx.now);
    await ownTx(ctx.tx)
      .updateTable('lowcodePageVersion')
      .set({
        state: 'PUBLISHED',
        ...contentColumns(read),
        changeNote: wish.changeNote,
        publishedBy: ctx.staff.userId,
        publishedAt: ctx.now,
        rowVersion: draft.rowVersion + 1,
      })
      .where('id', '=', draft.id)
      .execute();
    return enter(
      ctx,
      page,
      { versionId: draft.id, versionNo: draft.versionNo, read },
      { action, note: wish.changeNote, actions, keepsDraft: false },
    );
  }

  /** A copy of an archived version becomes the published one. */
  async function publishAgain(ctx: CommandContext, page: LockedPage, old: VersionRow, wish: Wish, action: 'rollback' | 'online') {
    const read = readDefinition(old.definition, factsOf(kernel.registry));
    if (errorsOf(read.problems) > 0) throw refuse(lowcodeErrors.ROLLBACK_BROKEN, { data: { problems: read.problems } });
    requireNote(wish);
    const actions = await newActions(ctx, page, read, wish);
    await archivePublished(ctx.tx, page.id, ctx.now);
    const versionNo = await nextVersionNo(ctx.tx, page.id);
    const { id } = await ownTx(ctx.tx)
      .insertInto('lowcodePageVersion')
      .values({
        pageId: page.id,
        versionNo,
        state: 'PUBLISHED',
        ...contentColumns(read),
        basedOnVersionId: old.id,
        origin: 'ROLLBACK',
        changeNote: wish.changeNote,
        editedBy: ctx.staff.userId,
        editedAt: ctx.now,
        publishedBy: ctx.staff.userId,
        publishedAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return enter(ctx, page, { versionId: id, versionNo, read }, { action, note: wish.changeNote, actions, keepsDraft: true });
  }

  return [
    command(publishPage, async ({ pageId, versionId, rowVersion, ...wish }, ctx) => {
      const page = await pageRecords.lock(ctx.tx, ctx.staff, pageId);
      await requireUnlocked(ctx, page);
      const draft = await draftOf(ctx, page, rowVersion);
      if (draft.id !== versionId) return Promise.reject(refuse(lowcodeErrors.VERSION_GONE));
      return publishDraft(ctx, page, draft, wish, 'publish');
    }),
    command(rollbackPage, async ({ pageId, versionId, version, ...wish }, ctx) => {
      const page = await lockPageVersion(ctx, pageId, version);
      await requireUnlocked(ctx, page);
      const old = await versionOfPage(ctx.tx, pageId, versionId);
      const current = page.publishedVersionId === null ? null : await versionOf(ctx.tx, page.publishedVersionId);
      if (current?.definitionHash === old.definitionHash) throw refuse(lowcodeErrors.SAME_AS_PUBLISHED);
      return publishAgain(ctx, page, old, wish, 'rollback');
    }),
    command(onlinePage, async ({ pageId, versionId, version, ...wish }, ctx) => {
      const page = await lockPageVersion(ctx, pageId, version);
      await requireUnlocked(ctx, page);
      const chosen = await versionOfPage(ctx.tx, pageId, versionId);
      return chosen.state === 'DRAFT' ? publishDraft(ctx, page, chosen, wish, 'online') : publishAgain(ctx, page, chosen, wish, 'online');
    }),
  ];
}

/** From now on a menu may point at the page, and roles may be given its own right. */
export async function enterCatalogue(
  ctx: Pick<CommandContext, 'tx'>,
  page: Pick<LockedPage, 'token' | 'title' | 'trail' | 'leftMenu' | 'permission'>,
): Promise<void> {
  if (page.permission === openPermission(page.token))
    await registerPermission(ctx.tx, {
      code: page.permission,
      label: `打开页面“${page.title}”`,
      routeKeys: [page.token],
      defaultRoles: ['SUPER_ADMIN', 'SYS_ADMIN'],
    });
  await registerRoute(ctx.tx, {
    routeKey: page.token,
    path: `/${page.token}`,
    title: page.title,
    trail: readTrail(page.trail),
    left: page.leftMenu,
    viewPermission: page.permission,
  });
}
