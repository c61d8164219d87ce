import { sql, type SqlBool } from 'kysely';
import { contains } from '#kernel/server/list/conditions.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel, Registry } from '#kernel/server/kernel.ts';
import { dayOf, plusDays, type Instant } from '#kernel/contract/time.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { exportPageList, queryPageList, type PageRow } from '../../contract/calls/pages.ts';
import { ownerDomains } from '../../contract/dictionaries.ts';
import { openPermission } from '../../contract/permissions.ts';
import { pageMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { readManifest, readProblems } from '../stored.ts';

/** A page with its two versions. */
const pagesWithVersions = (db: Db) =>
  own(db)
    .selectFrom('lowcodePage as p')
    .leftJoin('lowcodePageVersion as v', 'v.id', 'p.publishedVersionId')
    .leftJoin('lowcodePageVersion as d', 'd.id', 'p.draftVersionId')
    .where('p.state', '<>', 'REMOVED');

const columns = [
  'p.id',
  'p.token',
  'p.title',
  'p.description',
  'p.ownerDomain',
  'p.builtin',
  'p.permission',
  'p.state',
  'p.publishedVersionId',
  'p.draftVersionId',
  'p.health',
  'p.healthDetail',
  'p.lockedBy',
  'p.version',
  'p.updatedAt',
  'v.versionNo as publishedNo',
  'v.publishedAt',
  'v.publishedBy',
  'v.manifest',
  'd.versionNo as draftNo',
  'd.editedBy as draftBy',
  'd.errorCount as draftErrors',
  'd.manifest as draftManifest',
] as const;

/** Openings of the last thirty days. */
const viewsSince = (now: Instant) =>
  sql<number>`(
    select coalesce(sum(w.views), 0)::int from lowcode_page_view w where w.page_id = p.id and w.day > ${plusDays(dayOf(now), -30)}::date
  )`.as('views30d');

interface RawPage {
  id: string;
  token: string;
  title: string;
  description: string;
  ownerDomain: string;
  builtin: boolean;
  permission: string;
  state: PageRow['state'];
  publishedVersionId: string | null;
  draftVersionId: string | null;
  health: PageRow['health'];
  healthDetail: unknown;
  lockedBy: string | null;
  version: number;
  updatedAt: string;
  publishedNo: number | null;
  publishedAt: string | null;
  publishedBy: string | null;
  manifest: unknown;
  draftNo: number | null;
  draftBy: string | null;
  draftErrors: number | null;
  draftManifest: unknown;
  views30d: number;
}

interface Asking {
  db: Db;
  has(permission: string): boolean;
}

/** What the page's buttons offer: its states', without those that its lock, its drafts or its origin rule out. */
function actionsOf(page: RawPage, has: (permission: string) => boolean): string[] {
  return pageMachine.allowed(page.state, has).filter((action) => {
    if (action === 'lock') return page.lockedBy === null;
    if (action === 'unlock') return page.lockedBy !== null;
    if (page.lockedBy !== null) return false;
    if (action === 'offline' || action === 'remove') return !page.builtin;
    if (action === 'discard' || action === 'publish') return page.draftVersionId !== null;
    return true;
  });
}

async function presentPages(registry: Registry, rows: readonly RawPage[], { db, has }: Asking): Promise<PageRow[]> {
  if (rows.length === 0) return [];
  const people = [
    ...new Set(rows.flatMap(({ publishedBy, draftBy, lockedBy }) => [publishedBy, draftBy, lockedBy].filter((id) => id !== null))),
  ];
  const names = new Map((await userBrief(db, people)).map(({ userId, displayName }) => [userId, displayName]));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return rows.map((row) => ({
    id: row.id,
    token: row.token,
    title: row.title,
    description: row.description,
    ownerDomain: ownerDomains.codes.find((code) => code === row.ownerDomain) ?? 'lowcode',
    builtin: row.builtin,
    permission: row.permission,
    permissionLabel:
      row.permission === openPermission(row.token)
        ? '页面自有权限'
        : row.permission === 'session'
          ? '登录即可'
          : registry.permissionLabel(row.permission),
    state: row.state,
    publishedVersionId: row.publishedVersionId,
    publishedNo: row.publishedNo,
    publishedAt: row.publishedAt,
    publishedByName: row.publishedBy === null && row.publishedNo !== null ? '系统' : nameOf(row.publishedBy),
    draftVersionId: row.draftVersionId,
    draftNo: row.draftNo,
    draftByName: nameOf(row.draftBy),
    draftErrors: row.draftErrors,
    health: row.health,
    faults: readProblems(row.healthDetail).length,
    datasets: readManifest(row.manifest ?? row.draftManifest ?? []).map(({ datasetCode }) => datasetCode),
    views30d: row.views30d,
    lockedByName: nameOf(row.lockedBy),
    version: row.version,
    updatedAt: row.updatedAt,
    allowedActions: actionsOf(row, has),
  }));
}

/** The list of pages; the right of editing alone says what its buttons are. */
export const pageList = (kernel: Pick<Kernel, 'registry'>) =>
  listOf(queryPageList)
    .from(({ db }) => pagesWithVersions(db))
    .with({
      where: {
        token: contains('p.token'),
        title: contains('p.title'),
        ownerDomain: 'p.ownerDomain',
        state: 'p.state',
        health: 'p.health',
        datasetCode: (_eb, code) => sql<SqlBool>`(coalesce(v.manifest, d.manifest) @> ${JSON.stringify([{ datasetCode: code }])}::jsonb)`,
        hasDraft: (_eb, yes) => (yes ? sql<SqlBool>`p.draft_version_id is not null` : sql<SqlBool>`p.draft_version_id is null`),
        editedBy: (_eb, name) =>
          sql<SqlBool>`d.edited_by in (select u.id from identity_staff_user u where u.display_name ilike ${containsPattern(name)})`,
      },
      id: 'p.id',
      bounded: 'pages are written by hand: some hundreds',
      sorts: { token: sql`lower(p.token)`, updatedAt: 'p.updatedAt' },
      select: (query, { now }) => query.select([...columns, viewsSince(now)]),
      present: (rows, ask) => presentPages(kernel.registry, rows, ask),
    });

export const pageExport = (list: ReturnType<typeof pageList>) =>
  listExport(list, {
    call: exportPageList,
    title: '低代码页面',
    routeKey: 'amisPageV1',
    columns: [
      'token',
      'title',
      'ownerDomain',
      'builtin',
      'permissionLabel',
      'permission',
      'state',
      'publishedNo',
      'publishedAt',
      'publishedByName',
      'draftNo',
      'draftByName',
      'draftErrors',
      'health',
      'faults',
      'datasets',
      'views30d',
      'lockedByName',
      'updatedAt',
    ],
  });

/** One page as the list shows it, with what the list does not. */
export async function pageOf(registry: Registry, id: string, ask: Asking & { now: Instant }) {
  const row = await pagesWithVersions(ask.db)
    .where('p.id', '=', id)
    .select([...columns, viewsSince(ask.now)])
    .select(['p.trail', 'p.leftMenu', 'p.lockReason'])
    .executeTakeFirst();
  const [page] = row ? await presentPages(registry, [row], ask) : [];
  return row && page ? { page, row } : null;
}
