import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusMs } from '#kernel/contract/time.ts';
import type { Context, Db } from '#kernel/server/context.ts';
import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import type { Registry } from '#kernel/server/registry.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { lowcodePermissions as may } from '../../contract/permissions.ts';
import { declares } from '../check/addresses.ts';
import { own } from '../database.ts';
import { readManifest } from '../stored.ts';

/** For so long a page that shows the version before the published one still reads. */
const GRACE_MS = 60_000;

export interface Asked {
  pageToken: string;
  versionId: string;
  datasetCode: string;
}

export interface Resolved {
  dataset: Dataset;
  origin: { pageToken: string; datasetCode: string };
}

type Ctx = Pick<Context, 'has' | 'now'> & { db: Db };

export const mayOpen = (ctx: Pick<Context, 'has'>, permission: string): boolean => permission === 'session' || ctx.has(permission);

/**
 * R2: a data call is for a page that is online, of its published version, whose right the user has, and for an operation that this version
 * names. The editor's preview reads with the draft, whose author has no more rights than the calls give him.
 * @param write it changes something: no grace, no preview
 */
export async function resolve(registry: Registry, ctx: Ctx, asked: Asked, operation: string, write: boolean): Promise<Resolved> {
  const row = await own(ctx.db)
    .selectFrom('lowcodePageVersion as v')
    .innerJoin('lowcodePage as p', 'p.id', 'v.pageId')
    .select([
      'p.token',
      'p.permission',
      'p.state',
      'p.publishedVersionId',
      'p.formerVersionId',
      'p.publishedAt',
      'v.id',
      'v.state as versionState',
      'v.manifest',
    ])
    .where('p.token', '=', asked.pageToken)
    .where('v.id', '=', asked.versionId)
    .where('p.state', '<>', 'REMOVED')
    .executeTakeFirst();
  if (!row) {
    // An old version of a page that he may see asks him to load it anew; of any other page nothing is said.
    const page = await own(ctx.db)
      .selectFrom('lowcodePage')
      .select('permission')
      .where('token', '=', asked.pageToken)
      .where('state', '=', 'ONLINE')
      .executeTakeFirst();
    throw page && mayOpen(ctx, page.permission) ? refuse(lowcodeErrors.VERSION_GONE) : refuse(platformErrors.NOT_FOUND);
  }
  const dataset = registry.datasets.get(asked.datasetCode);
  const origin = { pageToken: asked.pageToken, datasetCode: asked.datasetCode };
  const isDraft = row.versionState === 'DRAFT' && ctx.has(may['page.edit']);
  if (isDraft) {
    if (write) throw refuse(lowcodeErrors.PREVIEW_WRITES);
    if (!dataset || !declares(dataset, operation)) throw refuse(lowcodeErrors.NOT_DECLARED);
    return { dataset, origin };
  }
  if (row.state !== 'ONLINE' || !mayOpen(ctx, row.permission)) throw refuse(platformErrors.NOT_FOUND);
  const graced = !write && row.id === row.formerVersionId && row.publishedAt !== null && ctx.now <= plusMs(row.publishedAt, GRACE_MS);
  if (row.id !== row.publishedVersionId && !graced) throw refuse(lowcodeErrors.VERSION_GONE);
  const named = readManifest(row.manifest).find(({ datasetCode }) => datasetCode === asked.datasetCode);
  if (!dataset || !named?.operations.includes(operation) || !declares(dataset, operation)) throw refuse(lowcodeErrors.NOT_DECLARED);
  return { dataset, origin };
}
