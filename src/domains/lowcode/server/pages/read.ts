import { sql } from 'kysely';
import type { OutputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Context, Db, QueryContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { leaseOf, releaseLease, shownLease, takeLease } from '#kernel/server/lease/lease.ts';
import { permissionsOfRole, userBrief } from '#domains/identity/server/index.ts';
import { queryPageByToken } from '../../contract/calls/data.ts';
import { exportPage, leasePage, queryPageDetail, type VersionRow } from '../../contract/calls/pages.ts';
import { checkDefinition, compareVersion, queryPageVersion } from '../../contract/calls/versions.ts';
import type { Manifest } from '../../contract/definition.ts';
import { declares, writes } from '../check/addresses.ts';
import { checkText } from '../check/check.ts';
import { describe, mayDo } from '../data/describe.ts';
import { pruned, type Allowed } from '../data/prune.ts';
import { mayOpen } from '../data/resolve.ts';
import { own } from '../database.ts';
import { factsOf, readManifest, readProblems, readTrail } from '../stored.ts';
import { PAGE, pageRecords, versionOf } from './access.ts';
import { changesBetween, cutChanges } from '../../contract/compare.ts';
import { pageOf, type pageList } from './list.ts';

const LEASE_MINUTES = 2;

type Stored = Awaited<ReturnType<typeof versionOf>>;

async function presentVersions(db: Db, rows: readonly Omit<Stored, 'token' | 'title'>[]): Promise<VersionRow[]> {
  const people = [...new Set(rows.flatMap(({ editedBy, publishedBy }) => [editedBy, publishedBy].filter((id) => id !== null)))];
  const names = new Map((await userBrief(db, people)).map(({ userId, displayName }) => [userId, displayName]));
  const nameOf = (id: string | null) => (id === null ? '系统' : (names.get(id) ?? null));
  return rows.map((row) => ({
    id: row.id,
    versionNo: row.versionNo,
    state: row.state,
    origin: row.origin,
    definitionHash: row.definitionHash,
    changeNote: row.changeNote,
    errorCount: row.errorCount,
    rowVersion: row.rowVersion,
    editedByName: nameOf(row.editedBy),
    editedAt: row.editedAt,
    publishedByName: row.publishedAt === null ? null : nameOf(row.publishedBy),
    publishedAt: row.publishedAt,
  }));
}

/** Whose page is looked at: what that user may do with its datasets. */
const allowedBy = (registry: Kernel['registry'], may: (permission: string) => boolean): Allowed => ({
  data(code, operation) {
    const dataset = registry.datasets.get(code);
    return dataset && declares(dataset, operation) ? mayDo(dataset, operation, may) : null;
  },
  window(name) {
    const window = registry.pageWindows.get(name);
    return window ? may(window.permission.code) : null;
  },
});

const describedIn = (registry: Kernel['registry'], manifest: Manifest, may: (permission: string) => boolean) =>
  manifest.flatMap(({ datasetCode }) => {
    const dataset = registry.datasets.get(datasetCode);
    return dataset ? [describe(dataset, may)] : [];
  });

/** Counts an opening. It is no act of the user's, so nothing is logged of it. */
const countView = (db: Db, pageId: string, ctx: Pick<Context, 'now' | 'today'>) =>
  sql`insert into lowcode_page_view (page_id, day, views, last_at) values (${pageId}, ${ctx.today}::date, 1, ${ctx.now})
    on conflict (page_id, day) do update set views = lowcode_page_view.views + 1, last_at = excluded.last_at`.execute(db);

async function openPage(
  registry: Kernel['registry'],
  token: string,
  opened: boolean,
  ctx: QueryContext,
): Promise<OutputOf<typeof queryPageByToken>> {
  const row = await own(ctx.db)
    .selectFrom('lowcodePage as p')
    .innerJoin('lowcodePageVersion as v', 'v.id', 'p.publishedVersionId')
    .select(['p.id', 'p.title', 'p.permission', 'p.health', 'v.id as versionId', 'v.versionNo', 'v.definition', 'v.manifest'])
    .where('p.token', '=', token)
    .where('p.state', '=', 'ONLINE')
    .executeTakeFirst();
  // Unknown, offline, removed and forbidden are one answer.
  if (!row || !mayOpen(ctx, row.permission)) throw pageRecords.missing();
  if (opened) await countView(ctx.db, row.id, ctx);
  const manifest = readManifest(row.manifest);
  return {
    pageId: row.id,
    versionId: row.versionId,
    versionNo: row.versionNo,
    title: row.title,
    definition: pruned(JSON.parse(row.definition) as unknown, allowedBy(registry, ctx.has)),
    manifest: manifest.map(({ datasetCode, operations }) => ({
      datasetCode,
      operations: operations.filter((operation) => mayDo(registry.datasets.get(datasetCode), operation, ctx.has)),
    })),
    datasets: describedIn(registry, manifest, ctx.has),
    broken: row.health === 'BROKEN',
  };
}

export function readHandlers(kernel: Kernel, list: ReturnType<typeof pageList>): Handler[] {
  return [
    list.handler,

    query(queryPageDetail, async ({ id }, ctx) => {
      const found = await pageOf(kernel.registry, id, ctx);
      if (!found) throw pageRecords.missing();
      const versions = await own(ctx.db)
        .selectFrom('lowcodePageVersion')
        .selectAll()
        .where('pageId', '=', id)
        .orderBy('versionNo', 'desc')
        .limit(200)
        .execute();
      const { row, page } = found;
      return {
        page: {
          ...page,
          trail: readTrail(row.trail),
          leftMenu: row.leftMenu,
          lockReason: row.lockReason,
          healthDetail: readProblems(row.healthDetail),
        },
        versions: await presentVersions(ctx.db, versions),
        lease: shownLease(await leaseOf(ctx.db, { type: PAGE, id }, ctx.now), ctx.staff),
        trail: await trailOf(ctx.db, PAGE, id),
      };
    }),

    query(queryPageVersion, async ({ versionId }, { db }) => {
      const row = await versionOf(db, versionId);
      const [shown] = await presentVersions(db, [row]);
      return {
        ...shown!,
        pageId: row.pageId,
        token: row.token,
        definition: row.definition,
        problems: readProblems(row.checkResult),
        manifest: readManifest(row.manifest),
      };
    }),

    query(checkDefinition, async ({ definition, role }, ctx) => {
      const { registry } = kernel;
      const checked = checkText(definition, factsOf(registry));
      const rights = role === undefined ? null : await permissionsOfRole(ctx.db, role);
      if (role !== undefined && rights === null) throw refuse(platformErrors.NOT_FOUND, { message: '角色不存在或已删除' });
      const may = rights ? (permission: string) => permission === 'session' || rights.has(permission) : ctx.has;
      return {
        problems: checked.problems,
        manifest: checked.manifest,
        datasets: describedIn(registry, checked.manifest, may),
        shown: checked.definition === null ? null : rights ? pruned(checked.definition, allowedBy(registry, may)) : checked.definition,
      };
    }),

    query(compareVersion, async ({ versionIdA, versionIdB }, { db }) => {
      const { registry } = kernel;
      const [a, b] = [await versionOf(db, versionIdA), await versionOf(db, versionIdB)];
      const operationsOf = (stored: unknown) =>
        new Set(
          readManifest(stored).flatMap(({ datasetCode, operations }) => operations.map((operation) => `${datasetCode}/${operation}`)),
        );
      const [before, after] = [operationsOf(a.manifest), operationsOf(b.manifest)];
      const changed = [
        ...[...after].filter((one) => !before.has(one)).map((one) => ({ one, added: true })),
        ...[...before].filter((one) => !after.has(one)).map((one) => ({ one, added: false })),
      ];
      return {
        ...cutChanges(changesBetween(JSON.parse(a.definition), JSON.parse(b.definition))),
        operations: changed.map(({ one, added }) => {
          const [datasetCode = '', operation = ''] = one.split('/');
          const dataset = registry.datasets.get(datasetCode);
          const action = dataset?.actions.find(({ code }) => `action.${code}` === operation);
          return {
            datasetCode,
            operation,
            label: `${dataset?.label ?? datasetCode}·${action?.label ?? operation}`,
            added,
            writes: writes(operation),
          };
        }),
      };
    }),

    query(exportPage, async ({ id }, { db }) => {
      const page = await own(db)
        .selectFrom('lowcodePage')
        .selectAll()
        .where('id', '=', id)
        .where('state', '<>', 'REMOVED')
        .executeTakeFirst();
      const versionId = page?.publishedVersionId ?? page?.draftVersionId;
      if (!page || !versionId) throw pageRecords.missing();
      const version = await versionOf(db, versionId);
      return { token: page.token, title: page.title, definition: version.definition, manifest: readManifest(version.manifest) };
    }),

    query(queryPageByToken, ({ token, opened }, ctx) => openPage(kernel.registry, token, opened, ctx)),

    command(leasePage, async ({ pageId, release }, ctx) => {
      const page = await pageRecords.lock(ctx.tx, ctx.staff, pageId);
      const resource = { type: PAGE, id: page.id };
      ctx.target({ type: PAGE, id: page.id, no: page.token });
      if (release) {
        await releaseLease(ctx.tx, resource, ctx.staff.userId);
        return { displayName: null, until: null, mine: false };
      }
      const lease = await takeLease(ctx.tx, resource, ctx.staff, { minutes: LEASE_MINUTES, now: ctx.now });
      return { displayName: lease.displayName, until: lease.until, mine: lease.userId === ctx.staff.userId };
    }),
  ];
}
