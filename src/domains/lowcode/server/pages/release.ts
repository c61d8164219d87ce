import { routeKeyOf, trailOf } from '#kernel/contract/route.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel, ReferenceData, Registry } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { lowcodePermissions as may } from '../../contract/permissions.ts';
import { errorsOf } from '../check/check.ts';
import { ownTx } from '../database.ts';
import { factsOf, textOf } from '../stored.ts';
import { nextVersionNo } from './access.ts';
import { archivePublished, contentColumns, readDefinition, type Read } from './versions.ts';

type Shipped = Registry['builtinPages'][number];

interface Page {
  id: string;
  title: string;
  state: string;
  publishedVersionId: string | null;
}

async function pageFor(tx: Tx, registry: Registry, shipped: Shipped, now: Instant): Promise<Page> {
  const route = registry.routes.find(({ path }) => routeKeyOf(path) === shipped.token);
  if (!route) throw new Error(`page ${shipped.token} has no route`);
  const known = await ownTx(tx)
    .selectFrom('lowcodePage')
    .selectAll()
    .where('token', '=', shipped.token)
    .where('state', '<>', 'REMOVED')
    .forUpdate()
    .executeTakeFirst();
  const facts = {
    title: route.title,
    description: shipped.description,
    permission: route.permission ?? 'session',
    trail: JSON.stringify(trailOf(route, registry.routes)),
    leftMenu: route.left,
  };
  if (known) {
    await ownTx(tx).updateTable('lowcodePage').set(facts).where('id', '=', known.id).execute();
    return { ...known, title: route.title };
  }
  return ownTx(tx)
    .insertInto('lowcodePage')
    .values({ token: shipped.token, ...facts, ownerDomain: shipped.domain, builtin: true, ...createdColumns({ now, userId: null }) })
    .returning(['id', 'title', 'state', 'publishedVersionId'])
    .executeTakeFirstOrThrow();
}

async function insertRelease(tx: Tx, pageId: string, read: Read, state: 'PUBLISHED' | 'ARCHIVED', now: Instant): Promise<string> {
  const { id } = await ownTx(tx)
    .insertInto('lowcodePageVersion')
    .values({
      pageId,
      versionNo: await nextVersionNo(tx, pageId),
      state,
      ...contentColumns(read),
      origin: 'RELEASE',
      changeNote: '随系统版本发布',
      editedAt: now,
      ...(state === 'PUBLISHED' ? { publishedAt: now } : { archivedAt: now }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * R6: the definition that ships with the code becomes the published one, unless somebody has written the page since;
 * then it lies beside and whoever publishes is asked to merge.
 */
export async function releasePage(kernel: Kernel, tx: Tx, shipped: Shipped, now: Instant): Promise<'same' | 'published' | 'kept'> {
  const read = readDefinition(textOf(shipped.definition), factsOf(kernel.registry));
  if (errorsOf(read.problems) > 0) {
    const [first] = read.problems.filter(({ severity }) => severity === 'E');
    throw new Error(`page ${shipped.token} ships with a fault: ${first?.code} ${first?.pointer} ${first?.message}`);
  }
  const page = await pageFor(tx, kernel.registry, shipped, now);
  const versions = await ownTx(tx)
    .selectFrom('lowcodePageVersion')
    .select(['id', 'origin', 'state', 'definitionHash'])
    .where('pageId', '=', page.id)
    .where('state', '<>', 'DRAFT')
    .orderBy('versionNo')
    .execute();
  const last = versions.findLast(({ origin }) => origin === 'RELEASE');
  if (last?.definitionHash === read.hash) return 'same';
  const byHand = versions.some(({ origin }) => origin !== 'RELEASE');
  if (byHand) {
    await insertRelease(tx, page.id, read, 'ARCHIVED', now);
    await kernel.ports.notices.addTodo(
      tx,
      {
        businessKey: `lowcode.release.${shipped.token}.${read.hash.slice(0, 12)}`,
        title: `内置页面${page.title}有新版本，请合并`,
        link: `/amisPageV1?token=${shipped.token}`,
        permission: may['page.publish'].code,
      },
      now,
    );
    return 'kept';
  }
  await archivePublished(tx, page.id, now);
  const versionId = await insertRelease(tx, page.id, read, 'PUBLISHED', now);
  await ownTx(tx)
    .updateTable('lowcodePage')
    .set({
      state: 'ONLINE',
      formerVersionId: page.publishedVersionId,
      publishedVersionId: versionId,
      publishedAt: now,
      health: 'OK',
      healthDetail: '[]',
    })
    .where('id', '=', page.id)
    .execute();
  return 'published';
}

/** The pages that ship with the code, written when one of them is another one than last time. */
export const releaseReference = (kernel: Kernel): ReferenceData => ({
  name: 'lowcode.builtinPages',
  get content() {
    return kernel.registry.builtinPages.map(({ token, description, definition, domain }) => {
      const route = kernel.registry.routes.find(({ path }) => routeKeyOf(path) === token);
      return { token, description, definition, domain, title: route?.title, permission: route?.permission };
    });
  },
  async write(tx, now) {
    for (const shipped of kernel.registry.builtinPages) await releasePage(kernel, tx, shipped, now);
  },
});
