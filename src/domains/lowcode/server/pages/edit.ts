import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { routeKeyOf } from '#kernel/contract/route.ts';
import { addPage, discardDraft, editPage, importPage, modifyPage } from '../../contract/calls/pages.ts';
import { saveDraft } from '../../contract/calls/versions.ts';
import { TOKEN_FORM } from '../../contract/definition.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { openPermission } from '../../contract/permissions.ts';
import { pageMachine } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { factsOf, textOf } from '../stored.ts';
import { type LockedPage, lockPageVersion, PAGE, pageRecords, requireUnlocked, versionOf, versionOfPage } from './access.ts';
import { emptyPage, skeletonOf } from './skeleton.ts';
import { addDraft, contentColumns, readDefinition } from './versions.ts';

/** A removed page's token is given away again after this long: links to it are forgotten by then. */
const TOKEN_RESTS_MS = days(90);
const LABELS = { token: '标识', title: '标题', description: '说明', permission: '权限', trail: '面包屑', leftMenu: '左侧菜单' };

/** @throws SCM03001, SCM03002 */
async function requireToken(kernel: Kernel, ctx: CommandContext, token: string, exceptId: string | null): Promise<void> {
  if (!TOKEN_FORM.test(token)) throw refuse(lowcodeErrors.TOKEN_FORM);
  const lower = token.toLowerCase();
  const isRoute = kernel.registry.routes.some(({ path }) => routeKeyOf(path).toLowerCase() === lower);
  const taken = await own(ctx.tx)
    .selectFrom('lowcodePage')
    .select('id')
    .where(sql`lower(token)`, '=', lower)
    .where((eb) => eb.or([eb('state', '<>', 'REMOVED'), eb('removedAt', '>', plusMs(ctx.now, -TOKEN_RESTS_MS))]))
    .execute();
  if (isRoute || taken.some(({ id }) => id !== exceptId)) throw refuse(lowcodeErrors.TOKEN_TAKEN);
}

/** An existing right, or the page's own. @throws SCM03003 */
function permissionFor(kernel: Kernel, token: string, wished: string): string {
  if (wished === '' || wished === openPermission(token)) return openPermission(token);
  if (!kernel.registry.permissions.some(({ code }) => code === wished)) throw refuse(lowcodeErrors.PERMISSION_UNKNOWN);
  return wished;
}

interface Place {
  token: string;
  title: string;
  description: string;
  permission: string;
  trail: readonly string[];
  leftMenu: 'none' | 'corpus' | 'insurance';
}

async function insertPage(kernel: Kernel, ctx: CommandContext, place: Place): Promise<string> {
  await requireToken(kernel, ctx, place.token, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('lowcodePage')
    .values({
      ...place,
      permission: permissionFor(kernel, place.token, place.permission),
      trail: JSON.stringify(place.trail),
      ownerDomain: 'lowcode',
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: PAGE, id, no: place.token });
  ctx.changed(differencesOf({}, place, LABELS));
  return id;
}

/** Says in the page's timeline that somebody did something that leaves its state. */
export const writeTimeline = (ctx: CommandContext, page: LockedPage, action: 'modify' | 'draft' | 'discard') =>
  moveState(ctx, pageMachine, { targetType: PAGE, targetId: page.id, targetNo: page.token, action, from: page.state });

/** What is written into a page before it is published. */
export function editHandlers(kernel: Kernel): Handler[] {
  const facts = () => factsOf(kernel.registry);

  return [
    command(addPage, async ({ beginning, datasetCode, copyFrom, definition, ...place }, ctx) => {
      const text = async () => {
        if (beginning === 'JSON') return definition ?? textOf(emptyPage(place.title));
        if (beginning === 'COPY') {
          const page = await pageRecords.lock(ctx.tx, ctx.staff, copyFrom ?? '0');
          const from = page.publishedVersionId ?? page.draftVersionId;
          if (from === null) throw refuse(platformErrors.NOT_FOUND, { message: '复制的页面没有内容' });
          return (await versionOf(ctx.tx, from)).definition;
        }
        if (beginning === 'EMPTY') return textOf(emptyPage(place.title));
        const dataset = kernel.registry.datasets.get(datasetCode ?? '');
        if (!dataset) throw refuse(platformErrors.NOT_FOUND, { message: '数据集不存在' });
        return textOf(skeletonOf(dataset, { title: place.title, forms: beginning === 'LIST_FORM' }));
      };
      const read = readDefinition(await text(), facts());
      const id = await insertPage(kernel, ctx, place);
      return { id, versionId: await addDraft(ctx, id, read, { origin: beginning === 'JSON' ? 'IMPORT' : 'EDIT', basedOn: null }) };
    }),

    command(importPage, async ({ token, title, definition }, ctx) => {
      const read = readDefinition(definition, facts());
      const id = await insertPage(kernel, ctx, { token, title, description: '', permission: '', trail: [], leftMenu: 'none' });
      return { id, versionId: await addDraft(ctx, id, read, { origin: 'IMPORT', basedOn: null }) };
    }),

    command(modifyPage, async ({ id, version, ...input }, ctx) => {
      const page = await lockPageVersion(ctx, id, version);
      await requireUnlocked(ctx, page);
      // A page that was published once, or that ships with the code, keeps the name by which it is known.
      const fixed = page.builtin || page.publishedAt !== null;
      const token = fixed ? page.token : input.token;
      if (token !== input.token) throw refuse(lowcodeErrors.TOKEN_TAKEN, { message: '页面发布后不能修改标识' });
      if (token !== page.token) await requireToken(kernel, ctx, token, id);
      const permission = page.builtin ? page.permission : permissionFor(kernel, token, input.permission);
      const after = { ...input, token, permission };
      await moveState(ctx, pageMachine, {
        targetType: PAGE,
        targetId: id,
        targetNo: token,
        action: 'modify',
        from: page.state,
        differences: differencesOf(page, after, LABELS),
      });
      await ownTx(ctx.tx)
        .updateTable('lowcodePage')
        .set({ ...after, trail: JSON.stringify(input.trail), version: version + 1, ...updatedColumns(ctx) })
        .where('id', '=', id)
        .execute();
      return actionAnswer(ctx, pageMachine, { id, state: page.state, version: version + 1 });
    }),

    command(editPage, async ({ pageId, versionId }, ctx) => {
      const page = await pageRecords.lock(ctx.tx, ctx.staff, pageId);
      await requireUnlocked(ctx, page);
      if (page.draftVersionId !== null) return { versionId: page.draftVersionId };
      const from = await versionOfPage(ctx.tx, pageId, versionId ?? page.publishedVersionId ?? '0');
      await writeTimeline(ctx, page, 'draft');
      return { versionId: await addDraft(ctx, pageId, readDefinition(from.definition, facts()), { origin: 'EDIT', basedOn: from.id }) };
    }),

    command(saveDraft, async ({ pageId, rowVersion, definition }, ctx) => {
      const page = await pageRecords.lock(ctx.tx, ctx.staff, pageId);
      await requireUnlocked(ctx, page);
      const read = readDefinition(definition, facts());
      const draft = await draftOf(ctx, page, rowVersion);
      ctx.target({ type: PAGE, id: pageId, no: page.token });
      await ownTx(ctx.tx)
        .updateTable('lowcodePageVersion')
        .set({ ...contentColumns(read), rowVersion: rowVersion + 1, editedBy: ctx.staff.userId, editedAt: ctx.now })
        .where('id', '=', draft.id)
        .execute();
      return { versionId: draft.id, rowVersion: rowVersion + 1, problems: read.problems, manifest: read.manifest };
    }),

    command(discardDraft, async ({ pageId, versionId, rowVersion }, ctx) => {
      const page = await pageRecords.lock(ctx.tx, ctx.staff, pageId);
      await requireUnlocked(ctx, page);
      const draft = await draftOf(ctx, page, rowVersion);
      if (draft.id !== versionId) throw refuse(platformErrors.NOT_FOUND, { message: '草稿不存在或已删除' });
      // A page that was never published is nothing without its draft.
      if (page.state === 'NEW') {
        ctx.target({ type: PAGE, id: pageId, no: page.token });
        await ownTx(ctx.tx).updateTable('lowcodePage').set({ draftVersionId: null }).where('id', '=', pageId).execute();
        await ownTx(ctx.tx).deleteFrom('lowcodePage').where('id', '=', pageId).execute();
        return {};
      }
      await writeTimeline(ctx, page, 'discard');
      await ownTx(ctx.tx).updateTable('lowcodePage').set({ draftVersionId: null }).where('id', '=', pageId).execute();
      await ownTx(ctx.tx).deleteFrom('lowcodePageVersion').where('id', '=', draft.id).execute();
      return {};
    }),
  ];
}

/** The draft as the caller saw it. @throws SCM90030 with the text that is there now; SCM90040 */
export async function draftOf(ctx: CommandContext, page: LockedPage, rowVersion: number) {
  if (page.draftVersionId === null) throw refuse(platformErrors.NOT_FOUND, { message: '草稿不存在或已删除' });
  const draft = await versionOf(ctx.tx, page.draftVersionId);
  await requireVersion(ctx, PAGE, { id: page.id, version: draft.rowVersion, updatedBy: draft.editedBy }, rowVersion, () => ({
    definition: draft.definition,
  }));
  return draft;
}
